//! Names of values: the `mtype` constants of a model.

use beeline_factored::System;
use beeline_promela::hir::Model;

use super::error::RecipeError;
use super::factor_names::instead;
use super::words::Words;

/// Names of values, with the values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecipeConstants {
    all: Vec<(String, i32)>,
}

impl RecipeConstants {
    /// The given constants.
    pub fn new(all: impl IntoIterator<Item = (String, i32)>) -> RecipeConstants {
        RecipeConstants { all: all.into_iter().collect() }
    }

    /// The constants of every `mtype`.
    pub fn of(model: &Model) -> RecipeConstants {
        let sets = model.mtypes.iter();
        // The first has value 1.
        RecipeConstants::new(sets.flat_map(|set| {
            set.constants.iter().zip(1..).map(|(name, value)| (name.to_string(), value))
        }))
    }

    /// All names.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|(name, _)| name.as_str())
    }

    /// The value of a name, if it names a value and no factor.
    pub(super) fn value(
        &self,
        words: &Words,
        column: usize,
        name: &str,
        system: &System,
    ) -> Result<Option<i32>, RecipeError> {
        let mut values = self.all.iter().filter(|one| one.0 == name).map(|one| one.1);
        let Some(value) = values.next() else { return Ok(None) };
        let ambiguous = |what: String| {
            let cause = format!("`{name}` is ambiguous: it is {what}");
            Err(words.mistake_at(column, cause, "write the number, or rename it in the model"))
        };
        if let Some(other) = values.find(|&other| other != value) {
            return ambiguous(format!("both {value} and {other}"));
        }
        if system.factors.iter().any(|factor| factor.name == name) {
            return ambiguous(format!("a variable, and a name of the value {value}"));
        }
        Ok(Some(value))
    }

    /// The error for a name that is no value.
    pub(super) fn unknown(&self, words: &Words, column: usize, name: &str) -> RecipeError {
        let known: Vec<String> = self.names().map(str::to_owned).collect();
        let fix = if known.is_empty() {
            "write a number: the model has no mtype".to_owned()
        } else {
            instead(name, &known)
        };
        words.mistake_at(column, format!("there is no value `{name}` in this model"), &fix)
    }
}
