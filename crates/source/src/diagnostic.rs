//! Diagnostics of the front-end: errors, warnings, and fixes. Plain data; the command line prints
//! it.

use std::collections::HashSet;
use std::sync::Arc;

use crate::source::Span;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The model has a meaning, but perhaps not the intended one.
    Warning,
    /// The model has no meaning until this error is fixed.
    Error,
}

/// A secondary span that explains the primary one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The position.
    pub span: Span,
    /// The text beside the span.
    pub text: String,
}

/// A change of the text that fixes the problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The advice, such as "use `==` to compare".
    pub advice: String,
    /// The span to replace, and the new text; an empty span inserts.
    pub edit: Option<(Span, String)>,
}

/// A diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// A stable kebab-case name of this kind of message, for scripts.
    pub code: &'static str,
    /// The problem in one sentence.
    pub message: String,
    /// The place the caret points to.
    pub span: Span,
    /// The text beside the caret; may be empty.
    pub label: String,
    /// Secondary spans.
    pub related: Vec<Label>,
    /// Background for newcomers.
    pub notes: Vec<String>,
    /// The fix, or advice without an edit.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, span, message.into())
    }

    /// A warning at a place.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, span, message.into())
    }

    fn new(severity: Severity, code: &'static str, span: Span, message: String) -> Self {
        Diagnostic {
            severity,
            code,
            message: brief(message),
            span,
            label: String::new(),
            related: Vec::new(),
            notes: Vec::new(),
            fix: None,
        }
    }

    /// Adds the text beside the caret.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = brief(text.into());
        self
    }

    /// Adds another place.
    pub fn related(mut self, span: Span, text: impl Into<String>) -> Self {
        self.related.push(Label { span, text: brief(text.into()) });
        self
    }

    /// Adds background.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(brief(text.into()));
        self
    }

    /// Adds advice without an edit.
    pub fn help(mut self, advice: impl Into<String>) -> Self {
        self.fix = Some(Fix { advice: brief(advice.into()), edit: None });
        self
    }

    /// Adds advice with the edit that carries it out.
    pub fn fix(mut self, advice: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        self.fix = Some(Fix { advice: brief(advice.into()), edit: Some((span, text.into())) });
        self
    }
}

/// The text, shortened if it contains an overlong name.
fn brief(text: String) -> String {
    const LONGEST: usize = 1_000;
    if text.len() <= LONGEST {
        return text;
    }
    let head: String = text.chars().take(LONGEST / 4).collect();
    let mut tail: Vec<char> = text.chars().rev().take(LONGEST / 8).collect();
    tail.reverse();
    head + " … " + &String::from_iter(tail)
}

/// The messages of one run, in the order found.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    /// How many of them are errors.
    errors: usize,
    /// Errors that were counted but not kept, beyond `MOST_ERRORS`.
    suppressed: usize,
    /// Warnings that were counted but not kept, beyond `MOST_WARNINGS`.
    suppressed_warnings: usize,
    /// Names whose declaration a reported error prevented.
    forgiven: HashSet<Arc<str>>,
}

/// Upper bound on the errors kept: more do not help the reader.
const MOST_ERRORS: usize = 100;

/// Upper bound on the warnings kept.
const MOST_WARNINGS: usize = 1_000;

impl Diagnostics {
    /// Records a message. The same message at the same place is kept once, and
    /// after a hundred errors or a thousand warnings the rest is only counted.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let warnings = self.list.len() - self.errors;
        match diagnostic.severity {
            Severity::Error if self.is_full() => {
                self.suppressed += 1;
                return;
            }
            Severity::Warning if warnings >= MOST_WARNINGS => {
                self.suppressed_warnings += 1;
                return;
            }
            _ => {}
        }
        let repeated = self.list.iter().rev().take(64).any(|earlier| {
            earlier.code == diagnostic.code
                && earlier.message == diagnostic.message
                && (earlier.span.file, earlier.span.start)
                    == (diagnostic.span.file, diagnostic.span.start)
        });
        if !repeated {
            self.errors += usize::from(diagnostic.severity == Severity::Error);
            self.list.push(diagnostic);
        }
    }

    /// Whether further errors are only counted, so that the search for a fix would be wasted.
    pub fn is_full(&self) -> bool {
        self.errors >= MOST_ERRORS
    }

    /// Records that a reported error prevented the declaration of this name, so that its uses are
    /// not reported as unknown names.
    pub fn forgive(&mut self, name: &Arc<str>) {
        self.forgiven.insert(name.clone());
    }

    /// Whether a reported error prevented the declaration of this name.
    pub fn is_forgiven(&self, name: &str) -> bool {
        self.forgiven.contains(name)
    }

    /// Whether a message of this kind was recorded.
    pub fn mentions(&self, code: &str) -> bool {
        self.list.iter().any(|diagnostic| diagnostic.code == code)
    }

    /// How many errors were recorded.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Whether an error was recorded, so that the model cannot be used.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Errors that were counted but not kept.
    pub fn suppressed(&self) -> usize {
        self.suppressed
    }

    /// Warnings that were counted but not kept.
    pub fn suppressed_warnings(&self) -> usize {
        self.suppressed_warnings
    }

    /// Changes each message.
    pub fn revise(&mut self, change: impl FnMut(&mut Diagnostic)) {
        self.list.iter_mut().for_each(change);
    }

    /// All messages, in the order found.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }
}

/// Upper bound on the candidates compared: a model with more names is generated, and generators
/// make no typing errors.
pub const MOST_CANDIDATES: usize = 1_000;

/// Upper bound on the length of compared names.
const LONGEST_NAME: usize = 64;

/// The candidate closest to `name`, if the difference may be a typing error: the distance is at
/// most a third of the name's length.
pub fn did_you_mean<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    if name.len() > LONGEST_NAME {
        return None;
    }
    let most = (name.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .take(MOST_CANDIDATES)
        .filter(|candidate| candidate.len() <= LONGEST_NAME)
        .filter(|candidate| *candidate != name)
        .map(|candidate| (edit_distance(name, candidate, most), candidate))
        .filter(|&(distance, candidate)| distance <= most && candidate.len() > distance)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// The end of a message about an unknown name: a similar name, if there is one, and all known names.
pub fn known_names<T: AsRef<str>>(name: &str, known: &[T]) -> String {
    let known: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
    if known.is_empty() {
        return String::new();
    }
    if let [one] = known[..] {
        return format!("; there is only `{one}`");
    }
    let all = known.join(", ");
    match did_you_mean(name, known.iter().copied()) {
        Some(similar) => format!("; did you mean `{similar}`? There are: {all}"),
        None => format!("; there are: {all}"),
    }
}

/// Optimal string alignment distance (a transposition of neighbours counts one). If it exceeds
/// `most`, the result is some number above `most`.
fn edit_distance(a: &str, b: &str, most: usize) -> usize {
    let a: Vec<char> = a.chars().flat_map(char::to_lowercase).collect();
    let b: Vec<char> = b.chars().flat_map(char::to_lowercase).collect();
    if a.len().abs_diff(b.len()) > most {
        return most + 1;
    }
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let substitution = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut best = substitution.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(rows[i - 2][j - 2] + 1);
                }
                best
            };
        }
        if i > 0 && rows[i].iter().chain(&rows[i - 1]).all(|&distance| distance > most) {
            return most + 1;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;

    #[test]
    fn messages_stay_readable_however_long_the_names_are() {
        let place = Span::new(SourceMap::default().add_file("m.pml", "", None), 0, 0);
        let message = Diagnostic::error("e", place, "é".repeat(5_000_000)).message;
        assert!(message.len() < 1_000 && message.contains(" … "), "{}", message.len());
    }

    #[test]
    fn past_a_limit_messages_are_only_counted() {
        let file = SourceMap::default().add_file("m.pml", "", None);
        let mut diagnostics = Diagnostics::default();
        for at in 0..5_000 {
            diagnostics.push(Diagnostic::error("e", Span::new(file, at, at), "wrong"));
            diagnostics.push(Diagnostic::warning("w", Span::new(file, at, at), "doubtful"));
        }
        assert_eq!((diagnostics.errors(), diagnostics.suppressed()), (100, 4_900));
        assert_eq!(diagnostics.suppressed_warnings(), 4_000);
        assert_eq!(diagnostics.iter().count(), 1_100);
    }

    #[test]
    fn finds_slips_but_not_strangers() {
        assert_eq!(did_you_mean("conut", ["count", "mutex"]), Some("count"));
        assert_eq!(did_you_mean("Turn", ["turn"]), Some("turn"));
        assert_eq!(did_you_mean("flag", ["mutex", "x"]), None);
        assert_eq!(did_you_mean("x", ["y"]), None);
        assert_eq!(did_you_mean("producer", ["prodcuers"]), Some("prodcuers"));
    }

    #[test]
    fn a_message_about_an_unknown_name_suggests_one_and_lists_all() {
        assert_eq!(
            known_names("bsf", &["bfs", "dfs"]),
            "; did you mean `bfs`? There are: bfs, dfs"
        );
        assert_eq!(known_names("quick", &["bfs", "dfs"]), "; there are: bfs, dfs");
        assert_eq!(known_names("bfs", &["error"]), "; there is only `error`");
        assert_eq!(known_names::<&str>("x", &[]), "");
    }
}
