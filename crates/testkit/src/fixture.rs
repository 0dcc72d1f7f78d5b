//! The project's own models, each of which carries its truth in its first line:
//!
//! ```text
//! /* expect: states 354; transitions 828; deadlock at depth 12; ltl served violated */
//! ```
//!
//! An unknown clause is an error: a misspelt expectation must not pass as none.

use std::error::Error;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// What a model is known to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expect {
    /// The clauses in the order of the header.
    pub clauses: Vec<Clause>,
}

/// One fact about a model. Counts are those of the plain language, without a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clause {
    /// `states N`: so many reachable states.
    States(u64),
    /// `transitions N`: so many transitions between them.
    Transitions(u64),
    /// `safe`: no deadlock, no failed assertion.
    Safe,
    /// `deadlock [at depth N]`: an invalid end state, the nearest one so many steps away.
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
}

/// A model and what is expected of it.
#[derive(Clone, Debug)]
pub struct Fixture {
    /// The file's name without its extension.
    pub name: String,
    /// The file.
    pub file: PathBuf,
    /// Its text.
    pub text: String,
    /// Its header.
    pub expect: Expect,
}

/// Why a header cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeaderError {
    /// The first line is not of the form `/* expect: … */`.
    Missing,
    /// There are no clauses in it.
    Empty,
    /// A clause we do not know.
    Unknown(String),
    /// A clause that says again, or denies, what an earlier one says.
    Conflict(String),
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => write!(f, "the first line is not an /* expect: … */ header"),
            Self::Empty => write!(f, "the header expects nothing"),
            Self::Unknown(clause) => write!(f, "unknown clause `{clause}` in the header"),
            Self::Conflict(clause) => write!(f, "`{clause}` conflicts with an earlier clause"),
        }
    }
}

impl Error for HeaderError {}

/// All fixtures, by name.
///
/// # Panics
/// When the directory or a file cannot be read, or a header is wrong; the message says which.
#[must_use]
pub fn all() -> Vec<Fixture> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let listing =
        fs::read_dir(&directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut files: Vec<PathBuf> = listing
        .map(|item| item.unwrap_or_else(|error| panic!("{}: {error}", directory.display())).path())
        .filter(|file| file.extension().is_some_and(|extension| extension == "pml"))
        .collect();
    files.sort();
    files.into_iter().map(load).collect()
}

/// Reads one fixture.
fn load(file: PathBuf) -> Fixture {
    let shown = file.display();
    let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{shown}: {error}"));
    let expect = Expect::parse(&text).unwrap_or_else(|error| panic!("{shown}: {error}"));
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Fixture { name, file, text, expect }
}

impl Expect {
    /// Reads the header of a model.
    ///
    /// # Errors
    /// When there is none, or it contains anything unknown.
    pub fn parse(text: &str) -> Result<Self, HeaderError> {
        let first = text.lines().next().unwrap_or_default().trim_end();
        let body = first
            .strip_prefix("/* expect:")
            .and_then(|rest| rest.strip_suffix("*/"))
            .ok_or(HeaderError::Missing)?
            .trim();
        if body.is_empty() {
            return Err(HeaderError::Empty);
        }
        let mut clauses: Vec<Clause> = Vec::new();
        for part in body.split(';').map(str::trim) {
            let clause =
                Clause::parse(part).ok_or_else(|| HeaderError::Unknown(part.to_owned()))?;
            if clauses.iter().any(|earlier| earlier.conflicts_with(&clause)) {
                return Err(HeaderError::Conflict(part.to_owned()));
            }
            clauses.push(clause);
        }
        Ok(Self { clauses })
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
            ["deadlock", ref rest @ ..] => Self::Deadlock { depth: depth(rest)? },
            ["assertion", "violated", ref rest @ ..] => {
                Self::AssertionViolated { depth: depth(rest)? }
            }
            ["ltl", name, verdict] => Self::Ltl { name: name.to_owned(), holds: holds(verdict)? },
            ["never", verdict] => Self::Never { holds: holds(verdict)? },
            ["trace", verdict] => Self::Trace { holds: holds(verdict)? },
            ["notrace", verdict] => Self::Notrace { holds: holds(verdict)? },
            ["non-progress", "cycle"] => Self::NonProgressCycle,
            _ => return None,
        })
    }

    /// Whether both speak of the same thing, or one denies the other.
    fn conflicts_with(&self, other: &Self) -> bool {
        let faulty = |clause: &Self| {
            matches!(clause, Self::Deadlock { .. } | Self::AssertionViolated { .. })
        };
        match (self, other) {
            (Self::Ltl { name: one, .. }, Self::Ltl { name: two, .. }) => one == two,
            (Self::Safe, clause) | (clause, Self::Safe) if faulty(clause) => true,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
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

    fn check(header: &str, expected: Result<&[Clause], HeaderError>) {
        let found = Expect::parse(&format!("{header}\nbyte x;\n"));
        let found = found.as_ref().map(|expect| expect.clauses.as_slice());
        assert_eq!(found, expected.as_ref().copied(), "{header}");
    }

    #[test]
    fn every_clause_is_understood() {
        check(
            "/* expect: states 354; transitions 828; deadlock at depth 12; assertion violated; \
             ltl served violated; ltl doors holds; never holds; trace violated; notrace holds; \
             non-progress cycle */",
            Ok(&[
                Clause::States(354),
                Clause::Transitions(828),
                Clause::Deadlock { depth: Some(12) },
                Clause::AssertionViolated { depth: None },
                Clause::Ltl { name: "served".to_owned(), holds: false },
                Clause::Ltl { name: "doors".to_owned(), holds: true },
                Clause::Never { holds: true },
                Clause::Trace { holds: false },
                Clause::Notrace { holds: true },
                Clause::NonProgressCycle,
            ]),
        );
        check("/* expect: safe */", Ok(&[Clause::Safe]));
    }

    #[test]
    fn unknown_clauses_are_errors() {
        for clause in ["saef", "states many", "deadlock at 3", "ltl p", "never perhaps", ""] {
            let header = format!("/* expect: states 3; {clause} */");
            check(&header, Err(HeaderError::Unknown(clause.to_owned())));
        }
    }

    #[test]
    fn contradictions_are_errors() {
        for (one, two) in [("states 3", "states 4"), ("deadlock", "safe"), ("safe", "safe")] {
            let header = format!("/* expect: {one}; {two} */");
            check(&header, Err(HeaderError::Conflict(two.to_owned())));
        }
    }

    #[test]
    fn a_model_without_expectations_is_refused() {
        check("/* expect: */", Err(HeaderError::Empty));
        check("/* a model */", Err(HeaderError::Missing));
        check("", Err(HeaderError::Missing));
    }

    #[test]
    fn every_model_of_the_project_has_a_header() {
        let fixtures = all();
        assert!(!fixtures.is_empty());
        for fixture in fixtures {
            assert!(fixture.expect.states().is_some(), "{}: states N is missing", fixture.name);
        }
    }
}
