//! The lines of a dialog: with editing and history on a terminal, plainly from a file.

use std::io::{BufRead, BufReader, IsTerminal, Split, Stdin};

use rustyline::config::Configurer;
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor};

use crate::base::stream::Stream;

/// The text before each line.
const PROMPT: &str = "> ";

/// A source of lines.
pub(super) enum LineReader {
    /// A terminal: arrow keys move in the line and in the history.
    Edited(Box<Editor<(), MemHistory>>),
    /// A file, a pipe, or a terminal that cannot be controlled.
    Plain(Split<BufReader<Stdin>>),
}

impl LineReader {
    /// Standard input, with editing if the user sees the output, too.
    pub(super) fn new() -> LineReader {
        let stdin = std::io::stdin();
        if stdin.is_terminal() && std::io::stdout().is_terminal() {
            let config = Config::builder().auto_add_history(true).build();
            if let Ok(mut editor) = Editor::with_history(config, MemHistory::new()) {
                editor.set_max_history_size(1_000).expect("a history in memory can have any size");
                return LineReader::Edited(Box::new(editor));
            }
        }
        LineReader::Plain(BufReader::new(stdin).split(b'\n'))
    }

    /// The next line; `None` at the end of the input. Invalid UTF-8 is an unknown command, not the
    /// end of the input; Ctrl-C empties the line.
    pub(super) fn next(&mut self, out: &mut Stream) -> Option<String> {
        match self {
            LineReader::Edited(editor) => {
                out.flush();
                match editor.readline(PROMPT) {
                    Ok(line) => Some(line),
                    Err(ReadlineError::Interrupted) => Some(String::new()),
                    Err(_) => None,
                }
            }
            LineReader::Plain(lines) => {
                out.say(PROMPT);
                out.flush();
                let Some(Ok(line)) = lines.next() else {
                    out.say("\n");
                    return None;
                };
                let line = String::from_utf8_lossy(line.trim_ascii_end()).into_owned();
                // A terminal echoes the input; lines of a file have to be printed.
                if !std::io::stdin().is_terminal() {
                    out.say(&format!("{line}\n"));
                }
                Some(line)
            }
        }
    }
}
