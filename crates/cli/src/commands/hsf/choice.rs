//! The values of option letters, and lists of them.

use std::fmt::Write as _;

use beeline_checker::hsf::{
    ALGORITHMS, ERRORS, HEURISTICS, HsfAlgorithm, HsfTarget, OptionLetter, find,
};
use beeline_kernel::spec::Spec;
use serde::Serialize;

use crate::args::hsf::Hsf;
use crate::base::failure::Failure;
use crate::base::json::{self, Header};

/// The values that the letters name.
pub(crate) struct Choice {
    pub(crate) algorithm: &'static OptionLetter<HsfAlgorithm>,
    pub(crate) error: &'static OptionLetter<HsfTarget>,
    pub(crate) heuristic: Spec,
    /// The name of the heuristic, for people.
    pub(crate) estimate: String,
}

/// Why a letter has no value.
#[derive(Debug)]
pub(crate) enum ChoiceError {
    /// The option has no such letter; there are these.
    Letter {
        /// The option.
        flag: &'static str,
        /// The letter.
        letter: String,
        /// All letters with their names.
        all: Vec<String>,
    },
    /// Only A\* takes a weight, and this is the search.
    Weight(&'static str),
    /// The text is not a heuristic, for this reason.
    Heuristic(String, String),
}

impl From<ChoiceError> for Failure {
    fn from(error: ChoiceError) -> Failure {
        match error {
            ChoiceError::Letter { flag, letter, all } => {
                let help = if letter.chars().count() > 1 {
                    format!(
                        "a value is one letter, directly after {flag}; `beeline hsf {flag}` lists \
                         the letters"
                    )
                } else {
                    format!("`beeline hsf {flag}` describes them")
                };
                let all = all.join(", ");
                Failure::new(format!("{flag} has no value `{letter}`; there are: {all}"), help)
            }
            ChoiceError::Weight(search) => {
                Failure::new(format!("-W is for A*, and the search is {search}"), "use -AA with it")
            }
            ChoiceError::Heuristic(text, why) => Failure::new(
                format!("-H: `{text}` is not a heuristic: {why}"),
                "`beeline hsf -H` lists the heuristics",
            ),
        }
    }
}

impl Choice {
    pub(crate) fn new(options: &Hsf) -> Result<Choice, ChoiceError> {
        let algorithm = pick("-A", ALGORITHMS, options.algorithm.as_deref())?;
        let error = pick("-E", ERRORS, options.error.as_deref())?;
        if options.weight.is_some() && algorithm.value != HsfAlgorithm::AStar {
            return Err(ChoiceError::Weight(algorithm.name));
        }
        let (heuristic, estimate) = match &options.heuristic {
            Some(text) if find(HEURISTICS, text).is_none() => (by_name(text)?, text.clone()),
            text => {
                let row = pick("-H", HEURISTICS, text.as_deref())?;
                (Spec::named(row.value), row.name.to_owned())
            }
        };
        Ok(Choice { algorithm, error, heuristic, estimate })
    }
}

fn pick<T>(
    flag: &'static str,
    rows: &'static [OptionLetter<T>],
    letter: Option<&str>,
) -> Result<&'static OptionLetter<T>, ChoiceError> {
    let Some(letter) = letter else { return Ok(&rows[0]) };
    find(rows, letter).ok_or_else(|| unknown(flag, rows, letter))
}

fn unknown<T>(flag: &'static str, rows: &[OptionLetter<T>], letter: &str) -> ChoiceError {
    let one = |row: &OptionLetter<T>| format!("{flag}{} ({})", row.letters[0], row.name);
    ChoiceError::Letter { flag, letter: letter.to_owned(), all: rows.iter().map(one).collect() }
}

/// A heuristic by its name, with arguments. Building it checks whether it suits the error and takes
/// the arguments.
fn by_name(text: &str) -> Result<Spec, ChoiceError> {
    match Spec::parse(text) {
        _ if text.chars().count() == 1 => Err(unknown("-H", HEURISTICS, text)),
        Ok(spec) => Ok(spec),
        Err(error) => Err(ChoiceError::Heuristic(text.to_owned(), error.to_string())),
    }
}

/// Lists the values of options that are given without one, if there are such.
pub(crate) fn listing(options: &Hsf) -> Option<String> {
    let is_empty = |option: &Option<String>| option.as_deref() == Some("");
    let mut found = Vec::new();
    if is_empty(&options.algorithm) {
        found.push(listed("-A", "the search", ALGORITHMS));
    }
    if is_empty(&options.error) {
        found.push(listed("-E", "the error to look for", ERRORS));
    }
    if is_empty(&options.heuristic) {
        let title = "the heuristic, or the name of any other, with its arguments";
        found.push(listed("-H", title, HEURISTICS));
    }
    if found.is_empty() {
        return None;
    }
    let model = options.shown();
    let all = Listing { header: Header::new(&model), options: found };
    Some(if options.report.json { json::line(&all) } else { all.text() })
}

/// The object that `hsf -A --json` prints.
#[derive(Serialize)]
struct Listing<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    options: Vec<Listed>,
}

/// An option and its values.
#[derive(Serialize)]
struct Listed {
    option: &'static str,
    about: &'static str,
    values: Vec<Value>,
}

#[derive(Serialize)]
struct Value {
    letters: &'static [&'static str],
    name: &'static str,
    about: &'static str,
}

fn listed<T>(option: &'static str, about: &'static str, rows: &[OptionLetter<T>]) -> Listed {
    let value =
        |row: &OptionLetter<T>| Value { letters: row.letters, name: row.name, about: row.about };
    Listed { option, about, values: rows.iter().map(value).collect() }
}

impl Listing<'_> {
    fn text(&self) -> String {
        let mut out = String::new();
        for Listed { option, about, values } in &self.options {
            let width = values.iter().map(|value| value.name.len()).max().unwrap_or(0);
            writeln!(out, "{option}x: x is {about}").expect("writing to a string succeeds");
            for Value { letters, name, about } in values {
                let letters = letters.join(", ");
                writeln!(out, "  {letters:<4}  {name:<width$}  {about}")
                    .expect("writing to a string succeeds");
            }
        }
        out
    }
}
