//! The commands of a dialog.

use std::fmt;
use std::path::PathBuf;

use beeline_source::diagnostic::did_you_mean;

pub(super) const HELP: &str = "\
  N              take step N of the list
  r, random [N]  take a step at random, or N of them
  u, until EXPR  take steps at random until EXPR is true, as in `until n == 3 && !busy`;
                 Ctrl-C stops these steps
  b, back [N]    undo the last step, or the last N
  g, goto N      go to the state after step N: back, or forward along steps that were undone
  s, state       show where the processes are, and all variables and channels
  l, list        list the enabled steps again
  w, save FILE   write the run so far as a trail, for `beeline replay` and `improve`
  h, help        show this
  q, quit        end the run; so does the end of the input
";

/// The words of the commands, for suggestions.
const WORDS: [&str; 9] =
    ["random", "until", "back", "goto", "state", "list", "save", "help", "quit"];

/// A command of the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum UserCommand {
    Take(usize),
    Random(u64),
    Until(String),
    Back(u64),
    Goto(u64),
    State,
    List,
    Save(PathBuf),
    Help,
    Quit,
}

/// Why a line is not a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CommandError {
    /// There is no such command.
    Unknown(String),
    /// The text after the command is not a number.
    Number(String),
    /// The text after the command is missing.
    Missing(&'static str),
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Unknown(line) => {
                let word = line.split_whitespace().next().unwrap_or_default();
                match did_you_mean(word, WORDS) {
                    Some(similar) => {
                        write!(f, "`{line}` is not a command: did you mean `{similar}`?")
                    }
                    None => write!(f, "`{line}` is not a command: `help` lists them"),
                }
            }
            CommandError::Number(text) => write!(f, "`{text}` is not a number"),
            CommandError::Missing(usage) => write!(f, "something is missing: `{usage}`"),
        }
    }
}

impl UserCommand {
    /// Reads a line; `None` when it is empty.
    pub(super) fn parse(line: &str) -> Option<Result<UserCommand, CommandError>> {
        let line = line.trim();
        let (word, rest) = match line.split_once(char::is_whitespace) {
            Some((word, rest)) => (word, rest.trim()),
            None => (line, ""),
        };
        let strange = || CommandError::Unknown(line.to_owned());
        let number = || match rest {
            "" => Ok(1),
            _ if rest.contains(char::is_whitespace) => Err(strange()),
            _ => rest.parse().map_err(|_| CommandError::Number(rest.to_owned())),
        };
        let given = |usage| match rest {
            "" => Err(CommandError::Missing(usage)),
            _ => Ok(rest),
        };
        Some(match word {
            "" => return None,
            "r" | "random" => number().map(UserCommand::Random),
            "b" | "back" => number().map(UserCommand::Back),
            "g" | "goto" => given("goto N").and_then(|_| number()).map(UserCommand::Goto),
            "u" | "until" => given("until EXPR").map(|text| UserCommand::Until(text.to_owned())),
            "w" | "save" => given("save FILE").map(|file| UserCommand::Save(PathBuf::from(file))),
            _ if !rest.is_empty() => Err(strange()),
            "s" | "state" => Ok(UserCommand::State),
            "l" | "list" => Ok(UserCommand::List),
            "h" | "help" | "?" => Ok(UserCommand::Help),
            "q" | "quit" => Ok(UserCommand::Quit),
            _ => word.parse().map(UserCommand::Take).map_err(|_| strange()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        for (line, command) in [
            ("2", UserCommand::Take(2)),
            (" r ", UserCommand::Random(1)),
            ("random 30", UserCommand::Random(30)),
            ("b 2", UserCommand::Back(2)),
            ("back", UserCommand::Back(1)),
            ("goto 0", UserCommand::Goto(0)),
            ("until n == 3 && x", UserCommand::Until("n == 3 && x".to_owned())),
            ("save a b.trail", UserCommand::Save(PathBuf::from("a b.trail"))),
            ("s", UserCommand::State),
            ("?", UserCommand::Help),
            ("quit", UserCommand::Quit),
        ] {
            assert_eq!(UserCommand::parse(line), Some(Ok(command)), "{line}");
        }
        assert_eq!(UserCommand::parse("  "), None);
        for line in
            ["jump", "-1", "r x", "s 3", "1 2", "b 1 2", "99999999999999999999999", "goto", "save"]
        {
            assert!(matches!(UserCommand::parse(line), Some(Err(_))), "{line}");
        }
        let complaint = UserCommand::parse("untl x").and_then(Result::err).expect("no command");
        assert_eq!(complaint.to_string(), "`untl x` is not a command: did you mean `until`?");
    }
}
