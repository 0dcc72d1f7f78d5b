//! Values of options that cannot be used.

use std::fmt;

use beeline_checker::{PlanError, Relation};
use beeline_model::Engine;
use beeline_promela_model::WrittenError;
use beeline_source::diagnostic::known_names;
use beeline_source::expect::Expected;

/// Why the value of an option is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ArgumentError {
    /// `-D`: this is not a name of a macro.
    MacroName(String),
    /// No whole number.
    Number,
    /// No whole number between these.
    NumberWithin(u32, u32),
    /// `--range`: not two whole numbers in order.
    Range,
    /// `--jobs`: no number of threads.
    Threads,
    /// `--max-processes`: no number up to this one.
    Processes(usize),
    /// `--instances`: not a name, `=` and a number up to this one.
    Instances(usize),
    /// `--engine`: there is none of this name.
    Engine(String),
    /// `--strategy`: there is none of this name.
    Strategy(String, Vec<&'static str>),
    /// `--relation`: there is none of this name.
    Relation(String),
    /// `--expect`: the property is missing before `=`.
    PropertyMissing,
    /// `--expect`: this is no verdict.
    Verdict(String),
    /// `--trail`: a trail does not go to standard output.
    TrailOnOutput,
    /// `hsf -W`: this is not a weight.
    Weight(String),
    /// `hsf --counting`: there is no convention of this name.
    Counting(String),
    /// `hsf --successors`: there is no order of this name.
    SuccessorOrder(String),
    /// `--property`: this text is not complete.
    Property(String, WrittenError),
    /// `--search`, `--store`, `--reduce`, `--by`: the checker refuses the value.
    Plan(PlanError),
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArgumentError::MacroName(name) => {
                write!(f, "`{name}` is not a name: use letters, digits and `_`, as in -D N=3")
            }
            ArgumentError::Number => f.write_str("expected a whole number, 0 or more"),
            ArgumentError::NumberWithin(least, most) => {
                write!(f, "expected a whole number from {least} to {most}")
            }
            ArgumentError::Range => f.write_str(
                "expected two whole numbers of 32 bits with two dots between them, the smaller one \
                 first, as in 0..100",
            ),
            ArgumentError::Threads => f.write_str("expected a number of threads, 1 or more"),
            ArgumentError::Processes(most) => write!(f, "expected a number from 1 to {most}"),
            ArgumentError::Instances(most) => {
                write!(f, "expected a process type and a number from 1 to {most}, as in Client=3")
            }
            ArgumentError::Engine(text) => {
                let names: Vec<_> = Engine::ALL.iter().map(|engine| engine.name()).collect();
                write!(f, "there is no engine `{text}`{}", known_names(text, &names))
            }
            ArgumentError::Strategy(text, names) => {
                write!(f, "there is no strategy `{text}`{}", known_names(text, names))
            }
            ArgumentError::Relation(text) => {
                let names = Relation::ALL.map(Relation::name);
                write!(f, "there is no relation `{text}`{}", known_names(text, &names))
            }
            ArgumentError::PropertyMissing => {
                f.write_str("a property is missing before `=`, as in deadlock=violated")
            }
            ArgumentError::Verdict(text) => {
                let names = Expected::ALL.map(Expected::name);
                write!(f, "`{text}` is not a verdict{}", known_names(text, &names))
            }
            ArgumentError::TrailOnOutput => f.write_str(
                "a trail goes to a file, not to standard output: name a file, as in model.trail",
            ),
            ArgumentError::Weight(text) => {
                write!(f, "`{text}` is not a weight: use a number such as 2 or 1.5")
            }
            ArgumentError::Counting(text) => {
                write!(f, "there is no counting convention `{text}`; there are: 2000, 2001")
            }
            ArgumentError::SuccessorOrder(text) => {
                write!(f, "there is no order `{text}`; there are: forward, reversed")
            }
            ArgumentError::Property(text, error) => {
                write!(f, "{error}{}", caret(text, error.at))
            }
            ArgumentError::Plan(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ArgumentError {}

impl ArgumentError {
    /// The lines of the message with the text and a caret, for output without them.
    pub(super) fn excerpt(&self) -> Option<String> {
        match self {
            ArgumentError::Property(text, error) => Some(caret(text, error.at)),
            _ => None,
        }
    }
}

/// The line of a text with this offset, and a caret below the offset.
fn caret(text: &str, at: usize) -> String {
    let (before, after) = text.split_at(text.floor_char_boundary(at));
    let (begin, end) = (before.rfind('\n').map_or(0, |end| end + 1), after.find('\n'));
    let line = format!("{}{}", &before[begin..], &after[..end.unwrap_or(after.len())]);
    let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let column = before[begin..].chars().count();
    format!("\n  {line}\n  {:column$}^", "")
}
