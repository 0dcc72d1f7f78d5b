//! The model that a command reads.

use std::path::PathBuf;

use beeline_promela::preprocess::Define;
use clap::Args;

use crate::args::error::ArgumentError;
use crate::args::heading;

/// The help for the model of a command that reads Promela only.
pub(crate) const PROMELA_ONLY: &str = "The model, in Promela; `-` reads standard input";

/// What to read.
#[derive(Debug, Args)]
pub(crate) struct Input {
    /// The model; `-` reads standard input. Promela, or a process network (.net)
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,
    /// Define a macro for the preprocessor; without a value, as 1
    #[arg(help_heading = heading::MODEL)]
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = parse_define)]
    pub(crate) defines: Vec<Define>,
    /// Also look for included files in this directory
    #[arg(help_heading = heading::MODEL, short = 'I', value_name = "DIR")]
    pub(crate) include: Vec<PathBuf>,
}

/// A macro from the command line, which may have parameters: `-D 'MAX(a,b)=…'`.
pub(crate) fn parse_define(text: &str) -> Result<Define, ArgumentError> {
    let head = text.split_once('=').map_or(text, |(head, _)| head);
    let name = match head.split_once('(') {
        Some((name, parameters)) if parameters.ends_with(')') => name,
        _ => head,
    };
    let mut letters = name.chars();
    let starts_well = letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    if starts_well && letters.all(|c| c.is_ascii_alphanumeric() || c == '_') {
        Ok(Define::set(text))
    } else {
        Err(ArgumentError::MacroName(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defines_have_names_and_perhaps_values() {
        for good in ["N", "N=", "N=a = b", "_n1=(2)", "MAX(a, b)=(a > b -> a : b)"] {
            assert_eq!(parse_define(good), Ok(Define::set(good)));
        }
        for bad in ["", "=3", "3N", "a b", "F(x", "-1"] {
            assert!(parse_define(bad).is_err(), "{bad}");
        }
    }
}
