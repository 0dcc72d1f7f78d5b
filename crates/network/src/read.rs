//! Parser for network files.
//!
//! ```text
//! # comment
//! process NAME
//! states N               numbered from 0
//! init S ...             initial states
//! error S ...            or: error all
//! trans FROM ACTION TO   or: trans FROM tau TO
//! ```
//!
//! Each process begins with `process` and `states`; the other lines follow in any order. An action
//! belongs to exactly two processes, which execute it together.

use std::collections::HashMap;

use crate::builder::NetworkBuilder;
use crate::error::NetworkSyntaxError;
use crate::network::{MOST_STATES, Network, TAU};

const FORMAT: &str = "the lines of a process are: process NAME, states N, init S..., \
                      error S... or error all, trans FROM ACTION TO";

/// Parses a network.
///
/// # Errors
///
/// The first syntax error, with its line.
pub fn read(text: &str) -> Result<Network, NetworkSyntaxError> {
    let mut reader = Reader::default();
    for (at, line) in text.lines().enumerate() {
        reader.number = at + 1;
        let code = line.split('#').next().unwrap_or_default();
        let words: Vec<&str> = code.split_whitespace().collect();
        if let [keyword, rest @ ..] = &words[..] {
            reader.line(keyword, rest)?;
        }
    }
    reader.finish()
}

/// The current process.
#[derive(Default)]
struct NetworkProcess {
    name: String,
    line: usize,
    states: Option<u32>,
    has_initial: bool,
    has_error: bool,
}

#[derive(Default)]
struct Reader {
    /// Number of the current line.
    number: usize,
    builder: NetworkBuilder,
    process: Option<NetworkProcess>,
    /// Line of each process.
    lines: HashMap<String, usize>,
    /// Line of the first use of each action by each process.
    uses: HashMap<(String, usize), usize>,
}

impl Reader {
    fn mistake(&self, cause: impl Into<String>, fix: impl Into<String>) -> NetworkSyntaxError {
        NetworkSyntaxError::new(self.number, cause, fix)
    }

    fn line(&mut self, keyword: &str, rest: &[&str]) -> Result<(), NetworkSyntaxError> {
        match keyword {
            "process" => self.process(rest),
            "states" => self.states(rest),
            "init" => self.initial(rest),
            "error" => self.error(rest),
            "trans" => self.transition(rest),
            _ => Err(self.mistake(format!("no line begins with `{keyword}`"), FORMAT)),
        }
    }

    fn process(&mut self, rest: &[&str]) -> Result<(), NetworkSyntaxError> {
        self.end_of_process()?;
        let &[name] = rest else {
            let found = rest.len();
            return Err(self.mistake(
                format!("a process has one name, not {found}"),
                "write `process NAME`, without spaces in the name",
            ));
        };
        if let Some(line) = self.lines.insert(name.to_owned(), self.number) {
            return Err(self.mistake(
                format!("process `{name}` is already defined in line {line}"),
                "give each process a name of its own",
            ));
        }
        let line = self.number;
        self.process =
            Some(NetworkProcess { name: name.to_owned(), line, ..NetworkProcess::default() });
        Ok(())
    }

    fn states(&mut self, rest: &[&str]) -> Result<(), NetworkSyntaxError> {
        let Some(process) = &self.process else { return Err(self.outside("states")) };
        if process.states.is_some() {
            let cause = format!("the number of states of `{}` is given twice", process.name);
            return Err(self.mistake(cause, "keep one of the lines"));
        }
        let &[count] = rest else {
            return Err(self.mistake("`states` takes one number", "write `states N`"));
        };
        let states = self.parse(count)?;
        if states == 0 {
            return Err(
                self.mistake("a process needs at least one state", "write `states 1` or more")
            );
        }
        if states > MOST_STATES {
            let cause = format!("{states} states are too many");
            return Err(self.mistake(cause, format!("a process has at most {MOST_STATES}")));
        }
        let process = self.process.as_mut().expect("it was there a moment ago");
        process.states = Some(states);
        let name = process.name.clone();
        self.builder.process(&name, states);
        Ok(())
    }

    fn initial(&mut self, rest: &[&str]) -> Result<(), NetworkSyntaxError> {
        for state in self.some_states("init", rest)? {
            self.builder.initial(state);
        }
        self.process.as_mut().expect("it has states").has_initial = true;
        Ok(())
    }

    fn error(&mut self, rest: &[&str]) -> Result<(), NetworkSyntaxError> {
        if rest == ["all"] {
            self.described("error")?;
            self.builder.all_errors();
        } else {
            for state in self.some_states("error", rest)? {
                self.builder.error(state);
            }
        }
        self.process.as_mut().expect("it has states").has_error = true;
        Ok(())
    }

    fn transition(&mut self, rest: &[&str]) -> Result<(), NetworkSyntaxError> {
        self.described("trans")?;
        let &[from, action, to] = rest else {
            let cause = format!("`trans` takes three words, not {}", rest.len());
            return Err(self.mistake(cause, "write `trans FROM ACTION TO` or `trans FROM tau TO`"));
        };
        let (from, to) = (self.state(from)?, self.state(to)?);
        if action != TAU {
            let user = (action.to_owned(), self.builder.len() - 1);
            self.uses.entry(user).or_insert(self.number);
        }
        self.builder.transition(from, action, to);
        Ok(())
    }

    /// The states after a keyword, at least one.
    fn some_states(&self, keyword: &str, rest: &[&str]) -> Result<Vec<u32>, NetworkSyntaxError> {
        self.described(keyword)?;
        if rest.is_empty() {
            let fix = match keyword {
                "error" => "write `error S ...`, or `error all` if every state is an error state",
                _ => "write `init S ...`",
            };
            return Err(self.mistake(format!("`{keyword}` without a state"), fix));
        }
        rest.iter().map(|word| self.state(word)).collect()
    }

    /// The number of states of the current process, which must have been declared.
    fn described(&self, keyword: &str) -> Result<u32, NetworkSyntaxError> {
        let Some(process) = &self.process else { return Err(self.outside(keyword)) };
        process.states.ok_or_else(|| {
            let cause = format!("`{keyword}` before the states of `{}`", process.name);
            self.mistake(cause, "write `states N` directly after `process NAME`")
        })
    }

    fn outside(&self, keyword: &str) -> NetworkSyntaxError {
        self.mistake(format!("`{keyword}` before the first process"), "begin with `process NAME`")
    }

    fn state(&self, word: &str) -> Result<u32, NetworkSyntaxError> {
        let states = self.described("state")?;
        let state = self.parse(word)?;
        if state >= states {
            let name = &self.process.as_ref().expect("it has states").name;
            let cause = format!("there is no state {state} in `{name}`");
            let fix = format!("it has the states 0 to {}", states - 1);
            return Err(self.mistake(cause, fix));
        }
        Ok(state)
    }

    fn parse(&self, word: &str) -> Result<u32, NetworkSyntaxError> {
        if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.mistake(format!("`{word}` is not a number"), "numbers begin at 0"));
        }
        word.parse().map_err(|_| {
            let fix = format!("a process has at most {MOST_STATES} states");
            self.mistake(format!("the number {word} is too large"), fix)
        })
    }

    /// Checks that the current process is complete.
    fn end_of_process(&mut self) -> Result<(), NetworkSyntaxError> {
        let Some(NetworkProcess { name, line, states, has_initial, has_error }) =
            self.process.take()
        else {
            return Ok(());
        };
        let (what, fix) = if states.is_none() {
            ("states", "add `states N`")
        } else if !has_initial {
            ("initial state", "add `init S`")
        } else if !has_error {
            ("error states", "add `error S ...`, or `error all` if every state is an error state")
        } else {
            return Ok(());
        };
        Err(NetworkSyntaxError::new(line, format!("process `{name}` has no {what}"), fix))
    }

    fn finish(mut self) -> Result<Network, NetworkSyntaxError> {
        self.end_of_process()?;
        if self.builder.len() == 0 {
            return Err(NetworkSyntaxError::new(self.number.max(1), "there is no process", FORMAT));
        }
        for (name, users) in self.builder.users() {
            let line = |at: usize| self.uses[&(name.to_owned(), users[at])];
            if users.len() == 1 {
                return Err(NetworkSyntaxError::new(
                    line(0),
                    format!("only one process has the action `{name}`"),
                    "an action is shared by two processes: add it to another process, or write \
                     `tau`",
                ));
            }
            if users.len() > 2 {
                return Err(NetworkSyntaxError::new(
                    line(2),
                    format!("a third process has the action `{name}`"),
                    "an action is shared by two processes: give each pair its own action",
                ));
            }
        }
        Ok(self.builder.finish())
    }
}
