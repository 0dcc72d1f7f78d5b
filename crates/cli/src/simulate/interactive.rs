//! A run in which someone chooses the steps, by lines on standard input. So it
//! works in a terminal as well as in a script.

use std::io::{BufRead, IsTerminal};

use beeline_checker::{Simulation, Story};

use super::options::Simulate;
use super::{Finish, Teller};
use crate::loaded::LoadedModel;
use crate::output::CommandOutput;
use crate::story;
use crate::units;

const HELP: &str = "\
  N              take step N of the list
  r, random [N]  take a step at random, or N of them
  b, back [N]    take the last step back, or the last N
  s, state       show where the processes are, and all variables and channels
  l, list        list the possible steps again
  h, help        show this
  q, quit        stop here; so does the end of the input
";

/// What someone wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    Take(usize),
    Random(u64),
    Back(u64),
    State,
    List,
    Help,
    Quit,
}

impl Wish {
    /// Reads a line; `None` when it is empty.
    fn parse(line: &str) -> Option<Result<Wish, String>> {
        let mut words = line.split_whitespace();
        let (word, count, rest) = (words.next()?, words.next(), words.next());
        let strange = || format!("`{}` is no command: `help` lists them", line.trim());
        let number = |default| match count {
            None => Ok(default),
            Some(text) => text.parse().map_err(|_| format!("`{text}` is not a number")),
        };
        let wish = match word {
            "r" | "random" => number(1).map(Wish::Random),
            "b" | "back" => number(1).map(Wish::Back),
            "s" | "state" if count.is_none() => Ok(Wish::State),
            "l" | "list" if count.is_none() => Ok(Wish::List),
            "h" | "help" | "?" if count.is_none() => Ok(Wish::Help),
            "q" | "quit" if count.is_none() => Ok(Wish::Quit),
            _ if count.is_none() => word.parse().map(Wish::Take).map_err(|_| strange()),
            _ => Err(strange()),
        };
        Some(if rest.is_some() { Err(strange()) } else { wish })
    }
}

/// Lets someone choose until there is nothing left, or they have seen enough.
pub(super) fn interact(
    options: &Simulate,
    loaded: &LoadedModel,
    run: Simulation<'_>,
) -> CommandOutput {
    let mut talk = Talk { teller: Teller::new(options, loaded), run };
    let stdin = std::io::stdin();
    // What is typed stands behind the prompt already; what comes from a file does not.
    let echoes = !stdin.is_terminal();
    // What is no text is no command either, and no reason to end the conversation.
    let mut lines = stdin.lock().split(b'\n');
    talk.list();
    while talk.teller.stream.is_heard() {
        talk.teller.stream.say("> ");
        talk.teller.stream.flush();
        let Some(Ok(line)) = lines.next() else {
            talk.teller.stream.say("\n");
            break;
        };
        let line = String::from_utf8_lossy(line.trim_ascii_end());
        if echoes {
            talk.teller.stream.say(&format!("{line}\n"));
        }
        match Wish::parse(&line) {
            None => {}
            Some(Ok(Wish::Quit)) => break,
            Some(Ok(wish)) => talk.grant(wish),
            Some(Err(complaint)) => talk.teller.stream.say(&format!("{complaint}\n")),
        }
    }
    let finish = talk.run.ending().map_or(Finish::Quit, Finish::Ended);
    let end = talk.run.state();
    let Talk { teller, run } = talk;
    super::save(options, &run, teller.finish(finish, Story::new(Vec::new(), end)))
}

struct Talk<'a> {
    teller: Teller<'a>,
    run: Simulation<'a>,
}

impl Talk<'_> {
    fn grant(&mut self, wish: Wish) {
        match wish {
            Wish::Take(number) => {
                let step = number.checked_sub(1).and_then(|at| self.run.take(at));
                match step {
                    Some(step) => {
                        self.teller.step(&step);
                        self.list();
                    }
                    None => {
                        let count = self.run.choices().len();
                        let there = match count {
                            0 => "no step is possible; `back` takes one back".to_owned(),
                            _ => format!("choose from 1 to {count}"),
                        };
                        self.teller.stream.say(&format!("there is no step {number}: {there}\n"));
                    }
                }
            }
            Wish::Random(count) => {
                for _ in 0..count {
                    match self.run.take_any() {
                        Some(step) if self.teller.stream.is_heard() => self.teller.step(&step),
                        _ => break,
                    }
                }
                self.list();
            }
            Wish::Back(count) => {
                for _ in 0..count {
                    if !self.run.back() {
                        self.teller.stream.say("this is the beginning\n");
                        break;
                    }
                    self.teller.steps -= 1;
                }
                self.list();
            }
            Wish::State => {
                let state = self.run.state();
                self.teller.stream.say(&story::whole_state(&state, self.teller.sources()));
            }
            Wish::List => self.list(),
            Wish::Help => self.teller.stream.say(HELP),
            Wish::Quit => {}
        }
    }

    /// What is possible now.
    fn list(&mut self) {
        let after = self.teller.steps;
        if let Some(ending) = self.run.ending() {
            let words = Finish::Ended(ending).words();
            let text = story::ending(&story::after(after as usize), &words, &self.run.state());
            return self.teller.stream.say(&text);
        }
        let after = units::steps(after);
        self.teller.stream.say(&format!("after {after}, these are possible:\n"));
        let widths = self.teller.widths;
        for (at, mut choice) in self.run.choices().into_iter().enumerate() {
            // It has not been printed yet.
            choice.printed.clear();
            let text = story::step(&choice, at + 1, widths, self.teller.sources());
            self.teller.stream.say(&text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_read() {
        for (line, wish) in [
            ("2", Wish::Take(2)),
            (" r ", Wish::Random(1)),
            ("random 30", Wish::Random(30)),
            ("b 2", Wish::Back(2)),
            ("back", Wish::Back(1)),
            ("s", Wish::State),
            ("?", Wish::Help),
            ("quit", Wish::Quit),
        ] {
            assert_eq!(Wish::parse(line), Some(Ok(wish)), "{line}");
        }
        assert_eq!(Wish::parse("  "), None);
        for line in ["jump", "-1", "r x", "s 3", "1 2", "b 1 2", "99999999999999999999999"] {
            assert!(matches!(Wish::parse(line), Some(Err(_))), "{line}");
        }
    }
}
