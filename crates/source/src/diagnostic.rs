//! What the front-end has to say about a model: errors, warnings, and how to
//! mend them. Plain data; the command line draws it.

use std::collections::HashSet;
use std::sync::Arc;

use crate::source::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The model means something, but perhaps not what was meant.
    Warning,
    /// The model has no meaning until this is mended.
    Error,
}

/// A second place that helps to understand the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is to be seen there.
    pub text: String,
}

/// A change of the text that mends the problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the change does, as an advice: "use `==` to compare".
    pub advice: String,
    /// The text to replace, and by what; an empty span inserts.
    pub edit: Option<(Span, String)>,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// A stable kebab-case name of this kind of message, for scripts.
    pub code: &'static str,
    /// One sentence: what is wrong.
    pub message: String,
    /// The place the caret points to.
    pub span: Span,
    /// What to read beside the caret; may be empty.
    pub label: String,
    /// Other places that matter.
    pub related: Vec<Label>,
    /// Background a newcomer may lack.
    pub notes: Vec<String>,
    /// How to mend it.
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

/// A text that people can read: a name may be a megabyte long, a message not.
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
    /// Errors swallowed because there were too many.
    suppressed: usize,
    /// Warnings swallowed for the same reason.
    suppressed_warnings: usize,
    /// Names that a reported error kept from being declared.
    forgiven: HashSet<Arc<str>>,
}

/// Past this many errors a reader learns nothing more.
const MOST_ERRORS: usize = 100;

/// The same for warnings, which are less urgent but no less true.
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

    /// Whether errors are only counted from here on, so that good advice, which
    /// takes time to find, is wasted.
    pub fn is_full(&self) -> bool {
        self.errors >= MOST_ERRORS
    }

    /// Notes that an error already reported kept this name from being declared:
    /// complaints that it is unknown would only be echoes.
    pub fn forgive(&mut self, name: &Arc<str>) {
        self.forgiven.insert(name.clone());
    }

    /// Whether the name would be known but for an error already reported.
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

    /// Whether the model is beyond use.
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

    /// All messages, in the order found.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }
}

/// So many candidates are looked at: a model with more names was not typed.
pub const MOST_CANDIDATES: usize = 1_000;

/// Longer names are no slips of the fingers.
const LONGEST_NAME: usize = 64;

/// The candidate closest to `name`, if it is close enough to be a slip of the
/// fingers: at most a third of the letters differ.
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

/// Optimal string alignment distance (a swap of neighbours counts one), or
/// anything above `most` once it is clear that it exceeds it.
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
}
