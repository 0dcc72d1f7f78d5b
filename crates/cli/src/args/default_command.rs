//! `beeline MODEL` means `beeline check MODEL`.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::Command;

/// The command that is meant if none is named.
const DEFAULT: &str = "check";

/// The command line with the default command, if the first argument names no command: a model, or
/// an option of `check`. A word that is neither a command nor a file stays as it is, so that the
/// parser can suggest a similar command.
pub(super) fn with_command(parser: &Command, args: &[OsString]) -> Vec<OsString> {
    let mut args = args.to_vec();
    if args.get(1).is_some_and(|first| !is_command(parser, first) && means_check(first)) {
        args.insert(1, DEFAULT.into());
    }
    args
}

fn is_command(parser: &Command, word: &OsStr) -> bool {
    word == "help" || parser.get_subcommands().any(|command| word == command.get_name())
}

fn means_check(word: &OsStr) -> bool {
    match word.to_str() {
        Some("-") | None => true,
        Some("-h" | "--help" | "-V" | "--version" | "--") => false,
        Some(text) if text.starts_with('-') => true,
        Some(text) => text.contains(['.', '/']) || is_file(text),
    }
}

/// Whether there is such a file, perhaps with the extension of Promela models.
fn is_file(name: &str) -> bool {
    Path::new(name).exists() || Path::new(&format!("{name}.pml")).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &str) {
        let parser = Command::new("beeline").subcommand(Command::new("lint"));
        let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let found = with_command(&parser, &args);
        assert_eq!(found, expected.split(' ').map(OsString::from).collect::<Vec<_>>());
    }

    #[test]
    fn a_model_or_an_option_in_the_place_of_a_command_is_for_check() {
        check("beeline m.pml --fair", "beeline check m.pml --fair");
        check("beeline -", "beeline check -");
        check("beeline dir/m", "beeline check dir/m");
        check("beeline --fair m.pml", "beeline check --fair m.pml");
        check("beeline Cargo", "beeline Cargo");
    }

    #[test]
    fn commands_help_and_misspelt_words_stay() {
        for line in ["beeline", "beeline lint m.pml", "beeline help", "beeline --help"] {
            check(line, line);
        }
        check("beeline lnit m.pml", "beeline lnit m.pml");
    }
}
