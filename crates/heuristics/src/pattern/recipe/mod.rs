//! Tables as someone asks for them, in a small file.
//!
//! ```text
//! # what stands behind this sign is a comment
//! combine sum                      or: combine max, which is usual
//! table NAME
//!   keep NAME, ...                 a variable, an array, a process, or where one is: P[0]@
//!   classes NAME = 0, 1..3, {4, 7..9}, 10..
//!   classes NAME = modulo N
//!   predicate x < y && P[0]:z != 3
//! ```
//!
//! Names are those of `beeline dump --form factored`; one that is not made of letters, digits and
//! `_ [ ] @ : .` stands in quotes. Where a number stands in classes and predicates, so may a name of
//! a value.

mod condition;
mod constants;
mod lines;
mod mistake;
mod print;
mod words;

use beeline_factored::{FactorId, System};
use beeline_promela::diagnostic::did_you_mean;

pub use constants::RecipeConstants;
pub use mistake::RecipeError;
pub(crate) use print::print;

use super::feature::Feature;
use super::tables::TableCombination;

/// What tables are asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// How their distances are put together.
    pub together: TableCombination,
    /// The tables; at least one.
    pub tables: Vec<TableRecipe>,
}

/// A table that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct TableRecipe {
    /// Its name.
    pub name: String,
    /// What is kept; at least one number.
    pub features: Vec<Feature>,
    /// The line where it begins.
    pub line: usize,
}

impl Recipe {
    /// Reads a file for a system, in which values have these names.
    ///
    /// # Errors
    ///
    /// The first mistake.
    pub fn read(
        text: &str,
        system: &System,
        constants: &RecipeConstants,
    ) -> Result<Recipe, RecipeError> {
        lines::read(text, system, constants)
    }
}

/// Why a name cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum UnknownFactor {
    /// There is none; such there are.
    Unknown(Vec<String>),
    /// It stands for many things of one kind.
    Crowd,
}

/// The factors of a name: one, or all of a process, or of an array; none that stands for many.
pub(crate) fn find(system: &System, name: &str) -> Result<Vec<FactorId>, UnknownFactor> {
    let is_meant = |factor: &str| {
        let rest = factor.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['@', ':', '[', '.']))
    };
    let exactly = system.factors.iter().position(|factor| factor.name == name);
    let all = system.factors.iter().enumerate();
    let meant: Vec<usize> = match exactly {
        Some(at) => vec![at],
        None => all.filter(|(_, factor)| is_meant(&factor.name)).map(|(at, _)| at).collect(),
    };
    if meant.is_empty() {
        let known = system.factors.iter().filter(|factor| !factor.is_summary);
        return Err(UnknownFactor::Unknown(known.map(|factor| factor.name.clone()).collect()));
    }
    if meant.iter().any(|&at| system.factors[at].is_summary) {
        return Err(UnknownFactor::Crowd);
    }
    Ok(meant.into_iter().map(|at| FactorId(at as u32)).collect())
}

/// What to write instead of a name that is not there: one like it, or some that are there.
pub(crate) fn instead(name: &str, known: &[String]) -> String {
    if let Some(close) = did_you_mean(name, known.iter().map(String::as_str)) {
        return format!("did you mean `{close}`?");
    }
    let some = known.iter().take(8).map(|name| format!("`{name}`"));
    let mut text = format!("there are {}", some.collect::<Vec<_>>().join(", "));
    if known.len() > 8 {
        text += &format!(" and {} more (`beeline dump --form factored`)", known.len() - 8);
    }
    text
}
