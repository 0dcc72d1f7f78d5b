//! Source text on one line: without comments, and with one blank for each gap.

/// The most characters of a statement that are shown.
const LONGEST: usize = 100;

/// A source text as one line of at most [`LONGEST`] characters; `None` if directives of the
/// preprocessor interrupt the text.
pub(crate) fn one_line(text: &str) -> Option<String> {
    let is_directive = |line: &str| line.trim_start().starts_with('#');
    if text.lines().skip(1).any(is_directive) {
        return None;
    }
    Some(shorten(&joined(text)))
}

/// A text, truncated if it is too long to be shown.
pub(crate) fn shorten(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        None => text.to_owned(),
        Some(_) => text.chars().take(LONGEST - 1).chain(['…']).collect(),
    }
}

/// Without comments and line breaks; the text of strings stays as it is.
fn joined(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = gap(rest);
        if length > 0 {
            line.push(' ');
            rest = &rest[length..];
        } else {
            let length = if first == '"' { string(rest) } else { first.len_utf8() };
            line.push_str(&rest[..length]);
            rest = &rest[length..];
        }
    }
    line.trim().to_owned()
}

/// The length of the blanks, comments and joined lines at the beginning of a text.
fn gap(text: &str) -> usize {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        rest = if let Some(comment) = rest.strip_prefix("/*") {
            comment.split_once("*/").map_or("", |(_, after)| after)
        } else if rest.starts_with("//") {
            rest.find('\n').map_or("", |end| &rest[end..])
        } else if let Some(next) = rest.strip_prefix("\\\n") {
            next
        } else {
            return text.len() - rest.len();
        };
    }
}

/// The length of the string at the beginning of a text, with its quotes.
fn string(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            '"' if !is_escaped => return at + 1,
            _ => is_escaped = letter == '\\' && !is_escaped,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_one_blank_and_strings_stay() {
        let line = |text: &str| one_line(text).unwrap();
        assert_eq!(line("x  =\n\t1"), "x = 1");
        assert_eq!(line("x /* a\n b */ = // c\n 1"), "x = 1");
        assert_eq!(line("x = \\\n  y"), "x = y");
        assert_eq!(line(r#"printf("a  /* b */ \" c",  w)"#), r#"printf("a  /* b */ \" c", w)"#);
        assert_eq!(line("x/*"), "x");
    }

    #[test]
    fn long_texts_are_cut_between_letters() {
        let long = "ä".repeat(2 * LONGEST);
        let line = one_line(&long).unwrap();
        assert_eq!(line.chars().count(), LONGEST);
        assert!(line.ends_with("ä…"), "{line}");
        assert_eq!(one_line(&"ä".repeat(LONGEST)).unwrap(), "ä".repeat(LONGEST));
    }

    #[test]
    fn a_text_with_directives_is_no_line() {
        assert_eq!(one_line("x +\n#ifdef A\n 1\n#endif"), None);
    }
}
