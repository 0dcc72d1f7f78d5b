//! Queries: their kinds, and the files in which they stand beside a model.

use beeline_source::diagnostic::{Diagnostic, Diagnostics};
use beeline_source::source::FileId;

use crate::syntax::cursor::Cursor;
use crate::syntax::fragment::Fragment;
use crate::syntax::tree::{QueryForm, QueryText};

/// What queries begin with that are refused, and what they are.
const REFUSED: &[(&str, &str)] = &[
    ("sup", "suprema (`sup`)"),
    ("inf", "infima (`inf`)"),
    ("bounds", "bounds of values (`bounds`)"),
    ("Pr", "probabilities (`Pr`)"),
    ("E[<=", "expected values (`E[<=…]`)"),
    ("E[#<=", "expected values (`E[#<=…]`)"),
    ("simulate", "simulations (`simulate`)"),
    ("control", "games (`control`)"),
    ("control_t*", "games (`control_t*`)"),
    ("strategy", "strategies (`strategy`)"),
    ("saveStrategy", "strategies (`saveStrategy`)"),
    ("loadStrategy", "strategies (`loadStrategy`)"),
    ("minE", "strategies (`minE`)"),
    ("maxE", "strategies (`maxE`)"),
    ("minPr", "strategies (`minPr`)"),
    ("maxPr", "strategies (`maxPr`)"),
    ("sat", "live sequence charts (`sat`)"),
    ("scenario", "live sequence charts (`scenario`)"),
    ("[]", "formulas of metric interval temporal logic"),
];

/// A query from its text.
pub(crate) fn query(fragment: &Fragment, number: usize) -> QueryText {
    let text = fragment.text.split_whitespace().collect::<Vec<_>>().join(" ");
    QueryText { number, form: form(fragment, &text), text }
}

fn form(fragment: &Fragment, text: &str) -> QueryForm {
    let compact: String = text.chars().filter(|one| !one.is_whitespace()).collect();
    let refused = REFUSED.iter().find(|(start, _)| {
        compact.strip_prefix(start).is_some_and(|rest| {
            let is_word = start.ends_with(|one: char| one.is_alphanumeric());
            // `supply.full --> …` is no supremum.
            !is_word
                || text[start.len().min(text.len())..].starts_with([' ', ':', '{', '[', '('])
                    && !rest.starts_with(['.', '=', '<', '>'])
        })
    });
    if let Some((_, feature)) = refused {
        return QueryForm::Refused(format!("{feature} are not supported"));
    }
    let is_path_formula = ["E<>", "A<>", "A[]"].iter().any(|path| compact.starts_with(path));
    if is_path_formula && text.contains(" under ") {
        return QueryForm::Refused("strategies (`under`) are not supported".to_owned());
    }
    let mut diagnostics = Diagnostics::default();
    let mut cursor = Cursor::new(fragment, &mut diagnostics);
    let form = path_formula(&mut cursor);
    match form {
        Some(form) if !diagnostics.has_errors() => form,
        _ => {
            let why = diagnostics.iter().next().map(|message| match &*message.label {
                "" => message.message.clone(),
                label => format!("{}: {label}", message.message),
            });
            QueryForm::Broken(why.unwrap_or_else(|| "the formula is incomplete".to_owned()))
        }
    }
}

fn path_formula(cursor: &mut Cursor<'_>) -> Option<QueryForm> {
    for (path, first, second, make) in [
        ("E", "<", ">", QueryForm::Possibly as fn(_) -> _),
        ("A", "[", "]", QueryForm::Invariantly),
        ("E", "[", "]", QueryForm::PotentiallyAlways),
        ("A", "<", ">", QueryForm::Eventually),
    ] {
        if cursor.is(path) && cursor.is_at(1, first) && cursor.is_at(2, second) {
            (0..3).for_each(|_| cursor.advance());
            let inner = cursor.expression().ok()?;
            cursor.accept(";");
            cursor.expect_end("a query");
            return Some(make(inner));
        }
    }
    let first = cursor.expression().ok()?;
    cursor.expect("-->", "in a query without `E<>`, `A[]`, `E[]` or `A<>`").ok()?;
    let then = cursor.expression().ok()?;
    cursor.accept(";");
    cursor.expect_end("a query");
    Some(QueryForm::LeadsTo(first, then))
}

/// The queries of a file beside a model: one for each line that is not empty, without comments. A
/// line that ends with a backslash goes on.
pub(crate) fn query_file(
    file: FileId,
    text: &str,
    diagnostics: &mut Diagnostics,
) -> Vec<QueryText> {
    let mut queries = Vec::new();
    let (mut at, mut start) = (0, None);
    let mut finish = |from: &mut Option<usize>, to: usize| {
        if let Some(from) = from.take() {
            let fragment = Fragment::plain(file, from, text[from..to].trim_end());
            queries.push(query(&fragment, queries.len() + 1));
        }
    };
    while at < text.len() {
        let rest = &text[at..];
        if let Some(comment) = rest.strip_prefix("/*") {
            match comment.find("*/") {
                Some(end) => at += end + 4,
                None => {
                    let fragment = Fragment::plain(file, at, rest);
                    let message = "a comment has no end";
                    let span = fragment.span(0, 2);
                    diagnostics.push(Diagnostic::error("timed-syntax", span, message));
                    at = text.len();
                }
            }
            continue;
        }
        if rest.starts_with("//") {
            let end = at + rest.find('\n').unwrap_or(rest.len());
            finish(&mut start, at);
            at = end;
            continue;
        }
        let next = rest.chars().next().expect("the text is not at its end");
        if rest.starts_with("\\\n") || rest.starts_with("\\\r\n") {
            at += rest.find('\n').map_or(1, |end| end + 1);
            continue;
        }
        if next == '\n' {
            finish(&mut start, at);
        } else if !next.is_whitespace() && start.is_none() {
            start = Some(at);
        }
        at += next.len_utf8();
    }
    finish(&mut start, text.len());
    queries
}
