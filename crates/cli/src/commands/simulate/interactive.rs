//! A run whose steps the user chooses, by lines on standard input: in a terminal as well as in a
//! script.

use std::fmt;
use std::io::{BufRead, IsTerminal};

use beeline_model::{Simulation, Story};

use crate::args::simulate::Simulate;
use crate::base::output::CommandOutput;
use crate::base::units;
use crate::commands::simulate::printer::StepPrinter;
use crate::commands::simulate::run_end::RunEnd;
use crate::commands::simulate::save::save;
use crate::model::loaded::LoadedModel;
use crate::render::story;

const HELP: &str = "\
  N              take step N of the list
  r, random [N]  take a step at random, or N of them
  b, back [N]    take the last step back, or the last N
  s, state       show where the processes are, and all variables and channels
  l, list        list the possible steps again
  h, help        show this
  q, quit        stop here; so does the end of the input
";

/// A command of the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UserCommand {
    Take(usize),
    Random(u64),
    Back(u64),
    State,
    List,
    Help,
    Quit,
}

/// Why a line is not a command.
#[derive(Clone, Debug, PartialEq, Eq)]
enum CommandError {
    /// There is no such command.
    Unknown(String),
    /// The text after the command is not a number.
    Number(String),
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Unknown(line) => {
                write!(f, "`{line}` is not a command: `help` lists them")
            }
            CommandError::Number(text) => write!(f, "`{text}` is not a number"),
        }
    }
}

impl UserCommand {
    /// Reads a line; `None` when it is empty.
    fn parse(line: &str) -> Option<Result<UserCommand, CommandError>> {
        let mut words = line.split_whitespace();
        let (word, count, rest) = (words.next()?, words.next(), words.next());
        let strange = || CommandError::Unknown(line.trim().to_owned());
        let number = |default| match count {
            None => Ok(default),
            Some(text) => text.parse().map_err(|_| CommandError::Number(text.to_owned())),
        };
        let command = match word {
            "r" | "random" => number(1).map(UserCommand::Random),
            "b" | "back" => number(1).map(UserCommand::Back),
            "s" | "state" if count.is_none() => Ok(UserCommand::State),
            "l" | "list" if count.is_none() => Ok(UserCommand::List),
            "h" | "help" | "?" if count.is_none() => Ok(UserCommand::Help),
            "q" | "quit" if count.is_none() => Ok(UserCommand::Quit),
            _ if count.is_none() => word.parse().map(UserCommand::Take).map_err(|_| strange()),
            _ => Err(strange()),
        };
        Some(if rest.is_some() { Err(strange()) } else { command })
    }
}

/// Reads commands until the run or the input ends, or the user quits.
pub(crate) fn interact(
    options: &Simulate,
    loaded: &LoadedModel,
    run: &mut dyn Simulation,
) -> CommandOutput {
    let mut dialog = Dialog { printer: StepPrinter::new(options, loaded), run };
    let stdin = std::io::stdin();
    // A terminal echoes the input; lines of a file have to be printed.
    let echoes = !stdin.is_terminal();
    // Invalid UTF-8 is an unknown command, not the end of the input.
    let mut lines = stdin.lock().split(b'\n');
    dialog.list();
    while dialog.printer.stream.is_heard() {
        dialog.printer.stream.say("> ");
        dialog.printer.stream.flush();
        let Some(Ok(line)) = lines.next() else {
            dialog.printer.stream.say("\n");
            break;
        };
        let line = String::from_utf8_lossy(line.trim_ascii_end());
        if echoes {
            dialog.printer.stream.say(&format!("{line}\n"));
        }
        match UserCommand::parse(&line) {
            None => {}
            Some(Ok(UserCommand::Quit)) => break,
            Some(Ok(command)) => dialog.execute(command),
            Some(Err(complaint)) => dialog.printer.stream.say(&format!("{complaint}\n")),
        }
    }
    let end_of_run = dialog.run.ending().map_or(RunEnd::Quit, RunEnd::Ended);
    let end = dialog.run.state();
    let Dialog { printer, run } = dialog;
    let story = Story::new(Vec::new(), end);
    save(options, run, printer.finish(end_of_run, &story, &story))
}

struct Dialog<'a> {
    printer: StepPrinter<'a>,
    run: &'a mut dyn Simulation,
}

impl Dialog<'_> {
    fn execute(&mut self, command: UserCommand) {
        match command {
            UserCommand::Take(number) => {
                let step = number.checked_sub(1).and_then(|at| self.run.take(at));
                match step {
                    Some(step) => {
                        self.printer.step(&step);
                        self.list();
                    }
                    None => {
                        let count = self.run.choices().len();
                        let there = match count {
                            0 => "no step is possible; `back` takes one back".to_owned(),
                            _ => format!("choose from 1 to {count}"),
                        };
                        self.printer.stream.say(&format!("there is no step {number}: {there}\n"));
                    }
                }
            }
            UserCommand::Random(count) => {
                for _ in 0..count {
                    match self.run.take_any() {
                        Some(step) if self.printer.stream.is_heard() => self.printer.step(&step),
                        _ => break,
                    }
                }
                self.list();
            }
            UserCommand::Back(count) => {
                for _ in 0..count {
                    if !self.run.back() {
                        self.printer.stream.say("this is the beginning\n");
                        break;
                    }
                    self.printer.steps -= 1;
                }
                self.list();
            }
            UserCommand::State => {
                let state = self.run.state();
                self.printer.stream.say(&story::whole_state(&state, self.printer.sources()));
            }
            UserCommand::List => self.list(),
            UserCommand::Help => self.printer.stream.say(HELP),
            UserCommand::Quit => {}
        }
    }

    /// Lists the possible steps.
    fn list(&mut self) {
        let after = self.printer.steps;
        if let Some(ending) = self.run.ending() {
            let words = RunEnd::Ended(ending).words();
            let text = story::ending(&story::after(after as usize), &words, &self.run.state());
            return self.printer.stream.say(&text);
        }
        let after = units::steps(after);
        self.printer.stream.say(&format!("after {after}, these are possible:\n"));
        let widths = self.printer.widths;
        for (at, mut choice) in self.run.choices().into_iter().enumerate() {
            // The step is not executed yet, so it has printed nothing.
            choice.printed.clear();
            let text = story::step(&choice, at + 1, widths, self.printer.sources());
            self.printer.stream.say(&text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_read() {
        for (line, command) in [
            ("2", UserCommand::Take(2)),
            (" r ", UserCommand::Random(1)),
            ("random 30", UserCommand::Random(30)),
            ("b 2", UserCommand::Back(2)),
            ("back", UserCommand::Back(1)),
            ("s", UserCommand::State),
            ("?", UserCommand::Help),
            ("quit", UserCommand::Quit),
        ] {
            assert_eq!(UserCommand::parse(line), Some(Ok(command)), "{line}");
        }
        assert_eq!(UserCommand::parse("  "), None);
        for line in ["jump", "-1", "r x", "s 3", "1 2", "b 1 2", "99999999999999999999999"] {
            assert!(matches!(UserCommand::parse(line), Some(Err(_))), "{line}");
        }
    }
}
