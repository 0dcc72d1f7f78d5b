//! Building texts.

use std::fmt::{Arguments, Write as _};

/// Appends a formatted text.
pub(crate) fn push(out: &mut String, arguments: Arguments<'_>) {
    out.write_fmt(arguments).expect("writing to a string succeeds");
}

/// Text for XML. Characters that XML cannot represent are replaced.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(letter),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            letter if letter.is_control() => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
    out
}
