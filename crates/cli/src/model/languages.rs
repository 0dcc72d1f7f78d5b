//! The table of languages: one row each. A new language is a crate that implements
//! [`Model`](beeline_model::Model), a variant of [`LoadedModel`] and a
//! row here.

use std::path::Path;

use beeline_checker::HeuristicNames;
use beeline_heuristics::HEURISTICS;
use beeline_kernel::registry::{self, Row};
use beeline_network::NETWORK_HEURISTICS;
use beeline_timed::front_end::is_timed;

use crate::model::file::ModelFile;
use crate::model::load_options::LoadOptions;
use crate::model::loaded::LoadedModel;

/// A language of models: its name is that of messages.
pub(crate) type LanguageRow = Row<LanguageReader>;

/// What reads the models of a language.
#[derive(Clone, Copy)]
pub(crate) struct LanguageReader {
    /// The extensions of its files.
    pub(crate) extensions: &'static [&'static str],
    /// Whether a text is written in the language. It counts unless the extension of the file is that
    /// of another language, other than the last one.
    recognises: fn(&str) -> bool,
    /// Reads a model; mistakes are diagnostics.
    pub(crate) load: fn(ModelFile, &LoadOptions<'_>) -> LoadedModel,
    /// Options of the command line that have no meaning in the language.
    pub(crate) refused: &'static [&'static str],
}

/// All languages. The last one takes every text that no other recognises.
pub(crate) const LANGUAGES: &[LanguageRow] = &[
    LanguageRow::new(
        "network of timed automata",
        "the language of UPPAAL, and the text format of TChecker",
        LanguageReader {
            extensions: &["xml", "xta", "ta", "tck"],
            recognises: is_timed,
            load: LoadedModel::timed,
            refused: &[
                "--fair",
                "--coverage",
                "--lossy",
                "--strict-ends",
                "--plain",
                "--instances",
                "-D",
                "-I",
            ],
        },
    ),
    LanguageRow::new(
        "process network",
        "processes that synchronise by shared labels",
        LanguageReader {
            extensions: &["net"],
            recognises: begins_with_process,
            load: LoadedModel::network,
            refused: &[
                "--fair",
                "--coverage",
                "--lossy",
                "--strict-ends",
                "--plain",
                "--instances",
                "--query",
                "-D",
                "-I",
            ],
        },
    ),
    LanguageRow::new(
        "Promela model",
        "the language of SPIN",
        LanguageReader {
            extensions: &["pml", "promela", "prom"],
            recognises: |_| true,
            load: LoadedModel::promela,
            refused: &["--query"],
        },
    ),
];

/// The language of a file.
pub(crate) fn language_of(path: &Path, text: &str) -> &'static LanguageRow {
    let (_, others) = LANGUAGES.split_last().expect("there are languages");
    let end = path.extension().and_then(|end| end.to_str());
    let named =
        others.iter().find(|one| end.is_some_and(|end| one.build.extensions.contains(&end)));
    let found = named.or_else(|| LANGUAGES.iter().find(|one| (one.build.recognises)(text)));
    found.expect("the last language takes every text")
}

/// Whether the name of a file says that it is a model.
pub(crate) fn is_model_name(path: &Path) -> bool {
    let Some(end) = path.extension().and_then(|end| end.to_str()) else { return false };
    LANGUAGES.iter().any(|language| language.build.extensions.contains(&end))
}

/// The names of the heuristics of all languages.
pub(crate) fn heuristic_names() -> HeuristicNames {
    let aliases = HEURISTICS.iter().flat_map(|row| row.aliases.iter().copied());
    HeuristicNames {
        listed: registry::names(HEURISTICS),
        others: aliases.chain(registry::names(NETWORK_HEURISTICS)).collect(),
    }
}

/// Whether the first word outside comments is `process`, with which no Promela model begins.
fn begins_with_process(text: &str) -> bool {
    let code = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    code.flat_map(str::split_whitespace).next() == Some("process")
}
