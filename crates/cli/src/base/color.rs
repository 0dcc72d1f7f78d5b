//! Whether to use colors. Decided from options and the environment alone, without queries to the
//! terminal.

use std::io::IsTerminal;

/// What `--color` says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ColorChoice {
    /// Use colors when the output is a terminal
    #[default]
    Auto,
    /// Use colors in any case
    Always,
    /// Use no colors
    Never,
}

/// How text is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    /// Characters only.
    Plain,
    /// With colors.
    Colored,
}

/// The color of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Color {
    Green,
    Red,
    Yellow,
}

impl Paint {
    /// A text in bold and in a color, or as it is.
    pub(crate) fn colored(self, color: Color, text: &str) -> String {
        let code = match color {
            Color::Red => 31,
            Color::Green => 32,
            Color::Yellow => 33,
        };
        match self {
            Paint::Plain => text.to_owned(),
            Paint::Colored => format!("\x1b[1;{code}m{text}\x1b[0m"),
        }
    }
}

impl ColorChoice {
    /// How to draw on a stream. `NO_COLOR` (see no-color.org) and a dumb
    /// terminal are respected unless colors are demanded.
    pub(crate) fn paint(self, stream: &impl IsTerminal) -> Paint {
        let colored = match self {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
                stream.is_terminal() && !refused && !dumb
            }
        };
        if colored { Paint::Colored } else { Paint::Plain }
    }
}
