//! Reading a model: the format is recognised, queries are collected, names are resolved.

use beeline_source::diagnostic::Diagnostics;
use beeline_source::source::SourceMap;

use crate::read::queries::{query, query_file};
use crate::read::tck::{is_tck, read_tck};
use crate::read::xml::read_xml;
use crate::read::xta::read_xta;
use crate::resolve::queries::{Query, resolve_query};
use crate::resolve::{ResolvedModel, resolve};
use crate::syntax::fragment::Fragment;
use crate::syntax::tree::{Document, QueryText};

/// The format of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// UPPAAL's XML.
    Xml,
    /// UPPAAL's textual formats.
    Xta,
    /// TChecker's text format.
    Tck,
}

impl Format {
    /// The format of a text, by its beginning.
    pub fn of(text: &str) -> Format {
        if text.trim_start_matches('\u{feff}').trim_start().starts_with('<') {
            Format::Xml
        } else if is_tck(text) {
            Format::Tck
        } else {
            Format::Xta
        }
    }
}

/// Whether a text is a network of timed automata in one of the formats: UPPAAL's textual ones have
/// lines that begin with `process` and with `system`.
pub fn is_timed(text: &str) -> bool {
    let has_line =
        |word: &str| text.lines().any(|line| line.split_whitespace().next() == Some(word));
    Format::of(text) != Format::Xta || has_line("process") && has_line("system")
}

/// Queries outside the model.
#[derive(Clone, Debug, Default)]
pub struct OtherQueries {
    /// Those of the command line. If there are some, the others are not asked.
    pub given: Vec<String>,
    /// Name and text of the file of queries beside the model. It counts if the model has none.
    pub beside: Option<(String, String)>,
}

/// A model that was read, perhaps with mistakes.
#[derive(Debug)]
pub struct FrontEnd {
    /// The format.
    pub format: Format,
    /// The texts.
    pub sources: SourceMap,
    /// The mistakes.
    pub diagnostics: Diagnostics,
    /// The model; `None` if it has mistakes.
    pub model: Option<ResolvedModel>,
    /// The queries.
    pub queries: Vec<Query>,
}

/// Reads a model.
pub fn read(name: &str, text: &str, others: &OtherQueries) -> FrontEnd {
    let mut sources = SourceMap::default();
    let mut diagnostics = Diagnostics::default();
    let file = sources.add_file(name, text, None);
    let format = Format::of(text);
    let (document, mut queries): (Document, Vec<QueryText>) = match format {
        Format::Xml => read_xml(file, text, &mut diagnostics),
        Format::Xta => (read_xta(file, text, &mut diagnostics), Vec::new()),
        Format::Tck => (read_tck(file, text, &mut diagnostics), Vec::new()),
    };
    if !others.given.is_empty() {
        let texts = others.given.iter().enumerate();
        queries = texts
            .map(|(at, text)| {
                let file = sources.add_file("--query", text, None);
                query(&Fragment::plain(file, 0, text), at + 1)
            })
            .collect();
    } else if let (Some((name, text)), true) = (&others.beside, queries.is_empty()) {
        let file = sources.add_file(name, text, None);
        queries = query_file(file, text, &mut diagnostics);
    }
    let mut model = None;
    if !diagnostics.has_errors() {
        model = resolve(&document, &mut diagnostics);
    }
    let queries = match &mut model {
        Some(model) => queries.iter().map(|query| resolve_query(model, query)).collect(),
        None => Vec::new(),
    };
    FrontEnd { format, sources, diagnostics, model, queries }
}
