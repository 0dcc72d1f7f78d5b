//! A line about running work on standard error, which the next one replaces on a terminal.

use std::io::{IsTerminal, Write};

use crate::args::report::ProgressChoice;

/// The end of a line of progress.
pub(crate) const HINT: &str = "Ctrl-C stops and reports";

/// Where and whether a status line is shown.
#[derive(Clone, Copy)]
pub(crate) struct StatusLine {
    /// Whether it is shown.
    pub(crate) shows: bool,
    /// Whether the line replaces the one before it.
    in_place: bool,
}

impl StatusLine {
    pub(crate) fn new(shown: ProgressChoice, quiet: bool) -> StatusLine {
        let in_place = std::io::stderr().is_terminal();
        let shows = match shown {
            ProgressChoice::Auto => in_place && !quiet,
            ProgressChoice::Always => true,
            ProgressChoice::Never => false,
        };
        StatusLine { shows, in_place }
    }

    /// Shows a line.
    pub(crate) fn show(&self, line: &str) {
        // A closed standard error does not stop the work.
        let _ = if self.in_place {
            write!(std::io::stderr(), "\r\x1b[K{}", fitting(line, terminal_width()))
        } else {
            writeln!(std::io::stderr(), "{line}")
        };
    }

    /// Removes the line from a terminal.
    pub(crate) fn clear(&self) {
        if self.in_place {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// The width of the terminal on standard error.
fn terminal_width() -> usize {
    let size = terminal_size::terminal_size_of(std::io::stderr());
    size.map_or(80, |(terminal_size::Width(width), _)| usize::from(width))
}

/// A line that does not wrap: what does not fit is left out before the hint.
fn fitting(line: &str, width: usize) -> String {
    let most = width.saturating_sub(1);
    if line.chars().count() <= most {
        return line.to_owned();
    }
    let end = format!("…; {HINT}");
    let end = if end.chars().count() * 2 > most { "…" } else { &end };
    let kept = most.saturating_sub(end.chars().count());
    line.chars().take(kept).chain(end.chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_cut_before_the_hint() {
        assert_eq!(fitting("short", 80), "short");
        let cut = fitting(&"x".repeat(200), 80);
        assert_eq!(cut.chars().count(), 79);
        assert!(cut.ends_with("x…; Ctrl-C stops and reports"), "{cut}");
        assert_eq!(fitting(&"x".repeat(200), 20).chars().count(), 19);
    }
}
