//! Registries: tables of components that are built by name.
//!
//! Searches, heuristics, stores, reductions, output formats and languages are rows of tables. One
//! mechanism serves all of them:
//!
//! - A [`Row`] has a name, aliases, arguments, a text for help pages, and what builds the component.
//! - [`find`] looks a row up by name or alias.
//! - [`Arguments`] matches the arguments of a [`Spec`] with the [`ArgumentRow`]s of a row and reads
//!   their values. A rejected argument yields an [`ArgumentError`], with the problem as a type, so
//!   that a table may choose its own wording.
//!
//! Each registry builds from something else: a heuristic from a machine and a goal, a search from
//! its arguments and a seed. So the type of `build` is a parameter of the row. Adding a component
//! means to write it and to add a row.
//!
//! Rules for arguments: values without a key belong to the arguments of the row in order; no
//! argument occurs twice; an argument that is [`repeated`](ArgumentRow::repeated) takes any number
//! of values.

use std::error::Error;
use std::fmt;

use crate::spec::{Spec, SpecValue};

/// A row of a registry: what lists and pages say about a component, and what builds it. `B` is what
/// the registry builds its components with: mostly a `fn`.
#[derive(Clone, Copy, Debug)]
pub struct Row<B> {
    /// The name.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// The arguments, in order; each can also be given by its name.
    pub arguments: &'static [ArgumentRow],
    /// What it does.
    pub about: &'static str,
    /// Its guarantees.
    pub promises: Option<&'static str>,
    /// Its source; keys are in `docs/bibliography.md`.
    pub source: Option<&'static str>,
    /// What builds it.
    pub build: B,
}

impl<B: Copy> Row<B> {
    /// A component without arguments.
    pub const fn new(name: &'static str, about: &'static str, build: B) -> Row<B> {
        Row { name, aliases: &[], arguments: &[], about, promises: None, source: None, build }
    }
}

/// An argument of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArgumentRow {
    /// The name.
    pub name: &'static str,
    /// Possible values and the default.
    pub values: &'static str,
    /// Its effect; empty if the values explain it.
    pub about: &'static str,
    /// Whether it takes any number of values.
    pub repeated: bool,
}

impl ArgumentRow {
    /// An argument with a single value.
    pub const fn new(name: &'static str, values: &'static str, about: &'static str) -> ArgumentRow {
        ArgumentRow { name, values, about, repeated: false }
    }

    /// The effect with the possible values, for lists and pages.
    pub fn help(&self) -> String {
        match self.about {
            "" => self.values.to_owned(),
            about => format!("{about} ({})", self.values),
        }
    }
}

/// The row with this name or alias.
pub fn find<'r, B>(rows: &'r [Row<B>], name: &str) -> Option<&'r Row<B>> {
    rows.iter().find(|row| row.name == name || row.aliases.contains(&name))
}

/// The names of all rows, in order.
pub fn names<B>(rows: &[Row<B>]) -> Vec<&'static str> {
    rows.iter().map(|row| row.name).collect()
}

/// The arguments of a requested component, matched with its row.
#[derive(Clone, Debug)]
pub struct Arguments<'s> {
    component: &'s str,
    rows: &'static [ArgumentRow],
    /// For each argument of the row, its value.
    values: Vec<Option<&'s SpecValue>>,
    /// The values of the repeated argument.
    repeated: Vec<&'s SpecValue>,
}

impl<'s> Arguments<'s> {
    /// Matches the arguments of a spec with those of its row. Errors name `component`.
    ///
    /// # Errors
    ///
    /// When an argument is unknown or occurs twice.
    pub fn new(
        component: &'s str,
        spec: &'s Spec,
        rows: &'static [ArgumentRow],
    ) -> Result<Arguments<'s>, ArgumentError> {
        let mut all =
            Arguments { component, rows, values: vec![None; rows.len()], repeated: Vec::new() };
        if let Some(key) = spec
            .arguments
            .iter()
            .filter_map(|one| one.key.as_deref())
            .find(|key| rows.iter().all(|row| row.name != *key))
        {
            return Err(all.error(ArgumentProblem::UnknownKey(key.to_owned())));
        }
        let mut unnamed = 0;
        for argument in &spec.arguments {
            let at = match &argument.key {
                Some(key) => rows.iter().position(|row| row.name == key),
                None if rows.get(unnamed).is_some_and(|row| row.repeated) => Some(unnamed),
                None => {
                    unnamed += 1;
                    (unnamed <= rows.len()).then(|| unnamed - 1)
                }
            };
            let Some(at) = at else {
                return Err(all.error(ArgumentProblem::TooMany(argument.value.to_string())));
            };
            if rows[at].repeated {
                all.repeated.push(&argument.value);
            } else if all.values[at].replace(&argument.value).is_some() {
                return Err(all.error(ArgumentProblem::Twice(rows[at].name)));
            }
        }
        Ok(all)
    }

    /// An error about these arguments.
    pub fn error(&self, problem: ArgumentProblem) -> ArgumentError {
        ArgumentError { component: self.component.to_owned(), rows: self.rows, problem }
    }

    /// The error for an invalid value of an argument.
    pub fn refuse(&self, name: &'static str, expected: Expected) -> ArgumentError {
        let value = self.value(name).map_or_else(String::new, SpecValue::to_string);
        self.error(ArgumentProblem::Value { name, value, expected })
    }

    /// The value of an argument, if the row has it and it is given.
    pub fn value(&self, name: &str) -> Option<&'s SpecValue> {
        self.values[self.rows.iter().position(|row| row.name == name)?]
    }

    /// The values of the repeated argument, in order.
    pub fn repeated(&self) -> &[&'s SpecValue] {
        &self.repeated
    }

    /// One of several words; the first is the default.
    ///
    /// # Errors
    ///
    /// When the value is another one.
    pub fn choice<T: Copy>(
        &self,
        name: &'static str,
        words: &[(&'static str, T)],
    ) -> Result<T, ArgumentError> {
        let Some(value) = self.value(name) else { return Ok(words[0].1) };
        let found = words.iter().find(|(word, _)| value.text() == Some(word));
        found.map(|&(_, choice)| choice).ok_or_else(|| {
            self.refuse(name, Expected::OneOf(words.iter().map(|(word, _)| *word).collect()))
        })
    }

    /// A number from 0 on.
    ///
    /// # Errors
    ///
    /// When the value is not such a number.
    pub fn number(&self, name: &'static str) -> Result<Option<f64>, ArgumentError> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let number = value.number().filter(|number| *number >= 0.0);
        number.map(Some).ok_or_else(|| self.refuse(name, Expected::NumberFrom(0)))
    }

    /// A whole number from `least` to `most`.
    ///
    /// # Errors
    ///
    /// When the value is not such a number.
    pub fn count(
        &self,
        name: &'static str,
        least: usize,
        most: usize,
    ) -> Result<Option<usize>, ArgumentError> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let number = value.number().filter(|n| n.fract() == 0.0 && (0.0..=LARGEST).contains(n));
        let count = number.map(|number| number as usize);
        let expected = match most {
            usize::MAX => Expected::NumberFrom(least),
            most => Expected::NumberWithin(least, most),
        };
        let count = count.filter(|count| (least..=most).contains(count));
        count.map(Some).ok_or_else(|| self.refuse(name, expected))
    }
}

/// The largest count: every whole number up to here is an `f64`.
const LARGEST: f64 = 1e15;

/// Why the arguments of a component are refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentError {
    /// The name of the component.
    pub component: String,
    /// The arguments that it takes.
    pub rows: &'static [ArgumentRow],
    /// The problem.
    pub problem: ArgumentProblem,
}

/// The problem with an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgumentProblem {
    /// No argument has this name.
    UnknownKey(String),
    /// More values than arguments.
    TooMany(String),
    /// It occurs twice.
    Twice(&'static str),
    /// It is required.
    Missing(&'static str),
    /// This value is invalid.
    Value {
        /// The argument.
        name: &'static str,
        /// Its value.
        value: String,
        /// Possible values.
        expected: Expected,
    },
}

/// Possible values of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// One of these words.
    OneOf(Vec<&'static str>),
    /// A number that is at least this.
    NumberFrom(usize),
    /// A number from the first to the second.
    NumberWithin(usize, usize),
    /// A number from 0 to 1.
    Fraction,
    /// A value that the row describes.
    AsDescribed,
}

impl ArgumentError {
    /// The row of an argument.
    pub fn row(&self, name: &str) -> Option<&'static ArgumentRow> {
        self.rows.iter().find(|row| row.name == name)
    }

    /// The names of the existing arguments.
    pub fn known(&self) -> Vec<&'static str> {
        self.rows.iter().map(|row| row.name).collect()
    }
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let component = &self.component;
        match &self.problem {
            ArgumentProblem::UnknownKey(_) | ArgumentProblem::TooMany(_)
                if self.rows.is_empty() =>
            {
                write!(f, "`{component}` takes no arguments")
            }
            ArgumentProblem::UnknownKey(key) => {
                let known = self.known().join(", ");
                write!(f, "`{component}` has no argument `{key}`; it has: {known}")
            }
            ArgumentProblem::TooMany(value) => {
                let known = self.known().join(", ");
                write!(f, "`{component}` has no argument for `{value}`; it has: {known}")
            }
            ArgumentProblem::Twice(name) => write!(f, "`{component}` is given `{name}` twice"),
            ArgumentProblem::Missing(name) => write!(f, "`{component}` needs `{name}`"),
            ArgumentProblem::Value { name, expected, .. } => match expected {
                Expected::OneOf(words) => write!(f, "`{name}` must be one of {}", words.join(", ")),
                Expected::NumberFrom(least) => {
                    write!(f, "`{name}` must be a number, at least {least}")
                }
                Expected::NumberWithin(least, most) => {
                    write!(f, "`{name}` must be a number from {least} to {most}")
                }
                Expected::Fraction => {
                    write!(f, "`{name}` must be a number from 0 to 1, such as 0.2")
                }
                Expected::AsDescribed => {
                    let values = self.row(name).map_or("", |row| row.values);
                    write!(f, "`{name}` must be {values}")
                }
            },
        }
    }
}

impl Error for ArgumentError {}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &[ArgumentRow] = &[
        ArgumentRow::new("h", "a heuristic", ""),
        ArgumentRow::new("ties", "low, high", "the order of equals"),
        ArgumentRow::new("n", "1 to 9", ""),
    ];
    const EACH: &[ArgumentRow] =
        &[ArgumentRow { name: "of", values: "anything", about: "", repeated: true }];

    fn spec(text: &str) -> Spec {
        Spec::parse(text).expect("it is well formed")
    }

    #[test]
    fn values_without_a_key_belong_to_arguments_in_order() {
        let spec = spec("s(n=3, hff, high)");
        let arguments = Arguments::new("s", &spec, ROWS).expect("all are known");
        assert_eq!(arguments.value("h").and_then(|value| value.text()), Some("hff"));
        assert_eq!(arguments.choice("ties", &[("low", 0), ("high", 1)]), Ok(1));
        assert_eq!(arguments.count("n", 1, 9), Ok(Some(3)));
    }

    #[test]
    fn what_is_not_given_has_its_default() {
        let spec = spec("s");
        let arguments = Arguments::new("s", &spec, ROWS).expect("there are none");
        assert_eq!(arguments.choice("ties", &[("low", 0), ("high", 1)]), Ok(0));
        assert_eq!(arguments.number("n"), Ok(None));
    }

    #[test]
    fn a_repeated_argument_takes_any_number_of_values() {
        let spec = spec("max(a, of=b, c)");
        let arguments = Arguments::new("s", &spec, EACH).expect("all are taken");
        let all: Vec<_> = arguments.repeated().iter().filter_map(|value| value.text()).collect();
        assert_eq!(all, ["a", "b", "c"]);
    }

    #[test]
    fn refusals_name_the_argument_and_what_it_can_be() {
        let check = |text: &str, expected: &str| {
            let spec = spec(text);
            let read = Arguments::new("s", &spec, ROWS).and_then(|arguments| {
                arguments.choice("ties", &[("low", 0), ("high", 1)])?;
                arguments.number("h")?;
                arguments.count("n", 1, 9)
            });
            assert_eq!(read.expect_err("it is refused").to_string(), expected, "{text}");
        };
        check("s(k=1)", "`s` has no argument `k`; it has: h, ties, n");
        check("s(1, 2, 3, 4)", "`s` has no argument for `4`; it has: h, ties, n");
        check("s(1, h=2)", "`s` is given `h` twice");
        check("s(ties=odd)", "`ties` must be one of low, high");
        check("s(-1)", "`h` must be a number, at least 0");
        check("s(n=10)", "`n` must be a number from 1 to 9");
        check("s(n=1.5)", "`n` must be a number from 1 to 9");
        let none = spec("s(1)");
        let error = Arguments::new("s", &none, &[]).expect_err("it takes none");
        assert_eq!(error.to_string(), "`s` takes no arguments");
    }
}
