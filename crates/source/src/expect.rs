//! The expected results of a model: the comment in its first line.
//!
//! ```text
//! /* expect: states 354; transitions 828; deadlock at depth 12; ltl served violated */
//! ```
//!
//! In languages with other comments the line begins with `#` or `//`, and has no `*/`.
//!
//! An unknown clause is an error, so that a misspelt expectation is not ignored.

use std::error::Error;
use std::fmt;
use std::ops::Range;

/// The clauses, for messages.
pub const CLAUSES: &str = "states N, transitions N, safe, deadlock [at depth N], \
    assertion violated [at depth N], ltl NAME holds|violated, never holds|violated, \
    trace holds|violated, notrace holds|violated, non-progress cycle, \
    PROPERTY holds|violated|unknown";

/// An expected verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The property holds.
    Holds,
    /// The property is violated.
    Violated,
    /// The verdict is unknown.
    Unknown,
}

impl Expected {
    /// All of them.
    pub const ALL: [Expected; 3] = [Expected::Holds, Expected::Violated, Expected::Unknown];

    /// The verdict as a word.
    pub fn name(self) -> &'static str {
        match self {
            Expected::Holds => "holds",
            Expected::Violated => "violated",
            Expected::Unknown => "unknown",
        }
    }

    /// The verdict of this name.
    pub fn named(word: &str) -> Option<Expected> {
        Expected::ALL.into_iter().find(|verdict| verdict.name() == word)
    }

    fn of(holds: bool) -> Expected {
        if holds { Expected::Holds } else { Expected::Violated }
    }
}

/// The expected results of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expect {
    /// The clauses in the order of the header.
    pub clauses: Vec<Clause>,
}

/// One fact about a model. Counts are those of the plain language, without a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clause {
    /// `states N`: the number of reachable states.
    States(u64),
    /// `transitions N`: the number of transitions between them.
    Transitions(u64),
    /// `safe`: no deadlock, no failed assertion, no run-time error.
    Safe,
    /// `deadlock [at depth N]`: an invalid end state, the nearest one in N steps.
    Deadlock {
        /// Length of a shortest trail.
        depth: Option<u32>,
    },
    /// `assertion violated [at depth N]`: likewise for an assertion that can fail.
    AssertionViolated {
        /// Length of a shortest trail.
        depth: Option<u32>,
    },
    /// `ltl NAME holds` or `ltl NAME violated`.
    Ltl {
        /// The name of the `ltl` block.
        name: String,
        /// Whether it holds.
        holds: bool,
    },
    /// `never holds` or `never violated`: the never claim.
    Never {
        /// Whether no run matches it.
        holds: bool,
    },
    /// `trace holds` or `trace violated`: the trace assertion.
    Trace {
        /// Whether every run follows it.
        holds: bool,
    },
    /// `notrace holds` or `notrace violated`: the notrace assertion.
    Notrace {
        /// Whether no run matches it.
        holds: bool,
    },
    /// `non-progress cycle`: there is one.
    NonProgressCycle,
    /// `PROPERTY holds`, `violated` or `unknown`: any property, by its name.
    Property {
        /// Its name.
        name: String,
        /// What is expected of it.
        verdict: Expected,
    },
}

/// The text, shortened if it contains an overlong name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderError {
    /// The kind of error.
    pub problem: HeaderProblem,
    /// The range, in bytes.
    pub range: Range<usize>,
}

/// The kinds of errors in a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeaderProblem {
    /// The first line is not of the form `/* expect: … */`.
    Missing,
    /// The header has no clauses.
    Empty,
    /// An unknown clause.
    Unknown(String),
    /// A clause on the same property or count as an earlier clause.
    Conflict(String),
}

impl fmt::Display for HeaderProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => write!(f, "the first line is not an /* expect: … */ header"),
            Self::Empty => write!(f, "the header expects nothing"),
            Self::Unknown(clause) => write!(f, "unknown clause `{clause}` in the header"),
            Self::Conflict(clause) => write!(f, "`{clause}` conflicts with an earlier clause"),
        }
    }
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problem.fmt(f)
    }
}

impl Error for HeaderError {}

impl Expect {
    /// Reads the header of a model.
    ///
    /// # Errors
    /// When the header is missing, empty, or has an unknown or conflicting clause.
    pub fn parse(text: &str) -> Result<Self, HeaderError> {
        let first = text.lines().next().unwrap_or_default().trim_end();
        let whole = |problem| HeaderError { problem, range: 0..first.len() };
        let body = body(first).ok_or_else(|| whole(HeaderProblem::Missing))?;
        if body.trim().is_empty() {
            return Err(whole(HeaderProblem::Empty));
        }
        let mut clauses: Vec<Clause> = Vec::new();
        let mut start = first.find("expect:").unwrap_or_default() + "expect:".len();
        for piece in body.split(';') {
            let part = piece.trim();
            let begin = start + (piece.len() - piece.trim_start().len());
            start += piece.len() + 1;
            let wrong = |problem: fn(String) -> HeaderProblem| HeaderError {
                problem: problem(part.to_owned()),
                range: begin..begin + part.len(),
            };
            let clause = Clause::parse(part).ok_or_else(|| wrong(HeaderProblem::Unknown))?;
            if clauses.iter().any(|earlier| earlier.conflicts_with(&clause)) {
                return Err(wrong(HeaderProblem::Conflict));
            }
            clauses.push(clause);
        }
        Ok(Self { clauses })
    }

    /// The expected verdict of each property in the header, with the length of a shortest trail in
    /// the plain language, if the clause has one.
    pub fn verdicts(&self) -> impl Iterator<Item = (&str, Expected, Option<u32>)> {
        self.clauses.iter().flat_map(Clause::verdicts)
    }

    /// The expected number of states, if it is known.
    #[must_use]
    pub fn states(&self) -> Option<u64> {
        self.clauses.iter().find_map(|clause| match clause {
            Clause::States(count) => Some(*count),
            _ => None,
        })
    }

    /// The expected number of transitions, if it is known.
    #[must_use]
    pub fn transitions(&self) -> Option<u64> {
        self.clauses.iter().find_map(|clause| match clause {
            Clause::Transitions(count) => Some(*count),
            _ => None,
        })
    }
}

impl Clause {
    fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        Some(match words[..] {
            ["states", count] => Self::States(count.parse().ok()?),
            ["transitions", count] => Self::Transitions(count.parse().ok()?),
            ["safe"] => Self::Safe,
            ["deadlock"] | ["deadlock", "at", ..] => Self::Deadlock { depth: depth(&words[1..])? },
            ["assertion", "violated", ref rest @ ..] => {
                Self::AssertionViolated { depth: depth(rest)? }
            }
            ["ltl", name, verdict] => Self::Ltl { name: name.to_owned(), holds: holds(verdict)? },
            ["never", verdict] => Self::Never { holds: holds(verdict)? },
            ["trace", verdict] => Self::Trace { holds: holds(verdict)? },
            ["notrace", verdict] => Self::Notrace { holds: holds(verdict)? },
            ["non-progress", "cycle"] => Self::NonProgressCycle,
            [name, verdict] => {
                Self::Property { name: name.to_owned(), verdict: Expected::named(verdict)? }
            }
            _ => return None,
        })
    }

    /// The expected verdicts of this clause.
    fn verdicts(&self) -> Vec<(&str, Expected, Option<u32>)> {
        let of = |holds: &bool| Expected::of(*holds);
        match self {
            Self::States(_) | Self::Transitions(_) => Vec::new(),
            Self::Safe => ["deadlock", "assertions", "runtime-errors"]
                .map(|name| (name, Expected::Holds, None))
                .to_vec(),
            Self::Deadlock { depth } => vec![("deadlock", Expected::Violated, *depth)],
            Self::AssertionViolated { depth } => vec![("assertions", Expected::Violated, *depth)],
            Self::Ltl { name, holds } => vec![(name, of(holds), None)],
            Self::Never { holds } => vec![("never", of(holds), None)],
            Self::Trace { holds } | Self::Notrace { holds } => vec![("trace", of(holds), None)],
            Self::NonProgressCycle => vec![("progress", Expected::Violated, None)],
            Self::Property { name, verdict } => vec![(name, *verdict, None)],
        }
    }

    /// Whether both clauses are about the same property or the same count.
    fn conflicts_with(&self, other: &Self) -> bool {
        let names = |clause: &Self| -> Vec<String> {
            clause.verdicts().into_iter().map(|(name, ..)| name.to_owned()).collect()
        };
        let (one, two) = (names(self), names(other));
        let counts = one.is_empty() && two.is_empty();
        counts && std::mem::discriminant(self) == std::mem::discriminant(other)
            || one.iter().any(|name| two.contains(name))
    }
}

/// The clauses in a line that is a comment.
fn body(line: &str) -> Option<&str> {
    let comment = match line.strip_prefix("/*") {
        Some(rest) => rest.strip_suffix("*/")?,
        None => line.strip_prefix('#').or_else(|| line.strip_prefix("//"))?,
    };
    comment.trim_start().strip_prefix("expect:")
}

/// Nothing, or `at depth N`.
fn depth(words: &[&str]) -> Option<Option<u32>> {
    match words {
        [] => Some(None),
        ["at", "depth", count] => count.parse().ok().map(Some),
        _ => None,
    }
}

/// `holds` or `violated`.
fn holds(word: &str) -> Option<bool> {
    match word {
        "holds" => Some(true),
        "violated" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(header: &str, expected: Result<&[Clause], HeaderProblem>) {
        let found = Expect::parse(&format!("{header}\nbyte x;\n"));
        let found = found.as_ref().map(|expect| expect.clauses.as_slice());
        let found = found.map_err(|error| &error.problem);
        assert_eq!(found, expected.as_ref().copied(), "{header}");
    }

    #[test]
    fn every_clause_is_understood() {
        check(
            "/* expect: states 354; transitions 828; deadlock at depth 12; assertion violated; \
             ltl served violated; ltl doors holds; never holds; trace violated; \
             non-progress cycle; acceptance unknown */",
            Ok(&[
                Clause::States(354),
                Clause::Transitions(828),
                Clause::Deadlock { depth: Some(12) },
                Clause::AssertionViolated { depth: None },
                Clause::Ltl { name: "served".to_owned(), holds: false },
                Clause::Ltl { name: "doors".to_owned(), holds: true },
                Clause::Never { holds: true },
                Clause::Trace { holds: false },
                Clause::NonProgressCycle,
                Clause::Property { name: "acceptance".to_owned(), verdict: Expected::Unknown },
            ]),
        );
        check("/* expect: safe */", Ok(&[Clause::Safe]));
        check("/* expect: notrace holds */", Ok(&[Clause::Notrace { holds: true }]));
        let holds = Clause::Property { name: "deadlock".to_owned(), verdict: Expected::Holds };
        check("/* expect: deadlock holds */", Ok(&[holds]));
    }

    #[test]
    fn unknown_clauses_are_errors() {
        for clause in ["saef", "states many", "deadlock at 3", "ltl p", "never perhaps", ""] {
            let header = format!("/* expect: states 3; {clause} */");
            check(&header, Err(HeaderProblem::Unknown(clause.to_owned())));
        }
    }

    #[test]
    fn contradictions_are_errors() {
        for (one, two) in [
            ("states 3", "states 4"),
            ("deadlock", "safe"),
            ("safe", "safe"),
            ("safe", "assertions holds"),
            ("ltl p holds", "p violated"),
        ] {
            let header = format!("/* expect: {one}; {two} */");
            check(&header, Err(HeaderProblem::Conflict(two.to_owned())));
        }
    }

    #[test]
    fn a_model_without_expectations_is_refused() {
        check("/* expect: */", Err(HeaderProblem::Empty));
        check("/* a model */", Err(HeaderProblem::Missing));
        check("", Err(HeaderProblem::Missing));
    }

    #[test]
    fn every_form_of_a_comment_is_read() {
        for header in ["/* expect: safe */", "/*expect:safe*/", "# expect: safe", "//expect: safe"]
        {
            check(header, Ok(&[Clause::Safe]));
        }
        for other in ["/* expect: safe", "/ expect: safe", "expect: safe", "# expects: safe"] {
            check(other, Err(HeaderProblem::Missing));
        }
    }

    #[test]
    fn an_error_points_at_its_clause() {
        let text = "/* expect: states 3;  saef ; safe */\nbyte x;\n";
        let error = Expect::parse(text).expect_err("there is no such clause");
        assert_eq!(&text[error.range], "saef");
        let error = Expect::parse("byte x;\nbyte y;\n").expect_err("there is no header");
        assert_eq!(error.range, 0..7);
    }

    #[test]
    fn a_header_speaks_of_properties() {
        let expect = Expect::parse("/* expect: states 3; deadlock at depth 4; ltl p holds */");
        let expect = expect.expect("the header is fine");
        let found: Vec<_> = expect.verdicts().collect();
        let deadlock = ("deadlock", Expected::Violated, Some(4));
        assert_eq!(found, [deadlock, ("p", Expected::Holds, None)]);
    }
}
