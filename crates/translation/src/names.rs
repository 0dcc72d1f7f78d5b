//! Names in plans and in PDDL: lower case letters, digits and hyphens.

use std::collections::HashSet;

use beeline_factored::{Operator, System};

/// The longest part of a name that comes from the model.
const LONGEST: usize = 40;

/// A text as part of a name.
pub(crate) fn word(text: &str) -> String {
    let mut made = String::new();
    for letter in text.chars() {
        if letter.is_ascii_alphanumeric() {
            made.push(letter.to_ascii_lowercase());
        } else if letter == '@' {
            made.push_str(if made.ends_with('-') { "at" } else { "-at" });
        } else if !made.is_empty() && !made.ends_with('-') {
            made.push('-');
        }
        if made.len() >= LONGEST {
            break;
        }
    }
    let made = made.trim_end_matches('-');
    if made.is_empty() { "x".to_owned() } else { made.to_owned() }
}

/// The names of the factors, each once. They begin with a letter, and with none of the names that
/// the writers use for themselves.
pub(crate) fn factor_names(system: &System) -> Vec<String> {
    let mut known: HashSet<String> =
        ["control", "phase", "error", "total-cost", "value"].map(str::to_owned).into();
    let mut unique = |name: &str| {
        let mut word = word(name);
        if !word.starts_with(|first: char| first.is_ascii_alphabetic()) {
            word.insert_str(0, "x-");
        }
        let mut made = word.clone();
        for number in 2.. {
            if known.insert(made.clone()) {
                break;
            }
            made = format!("{word}-{number}");
        }
        made
    };
    system.factors.iter().map(|factor| unique(&factor.name)).collect()
}

/// The name of the actions of an operator: its number, its edge and its process.
pub(crate) fn operator_name(at: u32, operator: &Operator) -> String {
    let process = operator.name.split(' ').next().unwrap_or_default();
    let meeting = match operator.partner {
        Some(partner) => format!("-e{}", partner.edge),
        None => String::new(),
    };
    format!("s{at}-e{}{meeting}-{}", operator.label.edge, word(process))
}
