//! Building texts.

use std::fmt::{Arguments, Write as _};

/// Appends a formatted text.
pub(crate) fn push(out: &mut String, arguments: Arguments<'_>) {
    out.write_fmt(arguments).expect("writing to a string succeeds");
}

/// The layout of a paragraph.
#[derive(Clone, Copy)]
pub(crate) struct Paragraph {
    /// The longest line.
    pub(crate) width: usize,
    /// The indent of the first line.
    pub(crate) indent: usize,
    /// The indent of the further lines.
    pub(crate) hanging: usize,
}

/// Appends a paragraph: words after a head.
pub(crate) fn fill(out: &mut String, paragraph: Paragraph, head: &str, words: &str) {
    let Paragraph { width, indent, hanging } = paragraph;
    let mut line = format!("{:indent$}{head}", "");
    let mut is_first = true;
    for word in words.split_whitespace() {
        if !is_first && line.chars().count() + 1 + word.chars().count() > width {
            push(out, format_args!("{line}\n"));
            line = format!("{:hanging$}", "");
            is_first = true;
        }
        if !is_first {
            line.push(' ');
        }
        line += word;
        is_first = false;
    }
    push(out, format_args!("{line}\n"));
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
