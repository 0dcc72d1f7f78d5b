//! Which tokens start a line of the output.
//!
//! Promela inserts semicolons at some line ends, and SPIN reads the lines that `gcc -E` prints, not
//! those of the model. gcc starts a line for the first token of each line it reads, except inside
//! macro arguments. It also starts one if the next token is on another line than the one being
//! printed: after a call or a comment that spans lines, and after a backslash-newline. This second
//! rule applies only if white space or the border of an expansion precedes the token.
//!
//! Source: observed with gcc 12; `scan_translation_unit` in `c-ppoutput.c`.

use super::lexeme::Lexeme;

/// The line being printed.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// Its number in the file being read.
    current: u32,
    /// Nothing was printed on it yet.
    fresh: bool,
}

impl Lines {
    /// A line of running text starts with a token on `line`. The token may be a macro that expands
    /// to nothing.
    pub(super) fn start(&mut self, line: u32) {
        self.current = line;
        self.fresh = true;
    }

    /// Whether this lexeme, read on `line`, is the first of an output line.
    pub(super) fn place(&mut self, lexeme: &Lexeme, line: u32) -> bool {
        if (lexeme.token.spaced || lexeme.padded) && line != self.current {
            self.start(line);
        }
        std::mem::take(&mut self.fresh)
    }
}
