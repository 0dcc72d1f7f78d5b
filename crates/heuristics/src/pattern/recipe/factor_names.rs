//! Factors by name, and suggestions for unknown names.

use beeline_factored::{FactorId, System};
use beeline_promela::diagnostic::did_you_mean;

use super::error::RecipeError;
use super::words::Words;

/// Why a name cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum UnknownFactor {
    /// There is no such factor; the known names.
    Unknown(Vec<String>),
    /// It is a summary factor.
    Summary,
}

/// The factors of a name: one, or all of a process or an array; no summary factors.
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
        return Err(UnknownFactor::Summary);
    }
    Ok(meant.into_iter().map(|at| FactorId(at as u32)).collect())
}

/// A suggestion for an unknown name: a similar one, or some known ones.
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

/// Why a name cannot be used.
pub(super) fn unknown(
    words: &Words,
    column: usize,
    name: &str,
    cause: UnknownFactor,
) -> RecipeError {
    match cause {
        UnknownFactor::Unknown(known) => {
            let cause = format!("there is no `{name}` in this model");
            words.mistake_at(column, cause, &instead(name, &known))
        }
        UnknownFactor::Summary => {
            let cause = format!("`{name}` stands for many processes");
            words.mistake_at(column, cause, "name one whose number is known from the start")
        }
    }
}
