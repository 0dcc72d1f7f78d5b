//! The positions of words in the text, without comments and strings.
//!
//! The resolved model contains only compiled code. Macros that are not expanded (formulas for
//! another tool, say), inlines without calls and code that an `#if` skips mention variables too;
//! those variables are not unused.

use std::collections::HashMap;

use beeline_source::source::{FileId, SourceMap, Span};

/// The index of words.
pub(super) struct Mentions<'a> {
    places: HashMap<&'a str, Vec<(FileId, u32)>>,
}

impl<'a> Mentions<'a> {
    /// Reads every file.
    pub(super) fn of(sources: &'a SourceMap) -> Self {
        let mut mentions = Mentions { places: HashMap::new() };
        for (id, file) in sources.files_with_ids() {
            if !file.synthetic {
                mentions.scan(id, &file.text);
            }
        }
        mentions
    }

    /// Every position of `word`, within `range` if that is given.
    pub(super) fn of_word<'b>(
        &'b self,
        word: &str,
        range: Option<Span>,
    ) -> impl Iterator<Item = (FileId, u32)> + 'b {
        let places = self.places.get(word).map_or(&[][..], Vec::as_slice);
        places.iter().copied().filter(move |&(file, start)| {
            range.is_none_or(|r| r.file == file && (r.start..r.end).contains(&start))
        })
    }

    fn scan(&mut self, file: FileId, text: &'a str) {
        let bytes = text.as_bytes();
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let mut at = 0;
        while at < bytes.len() {
            let start = at;
            match bytes[at] {
                b'/' if bytes[at..].starts_with(b"/*") => {
                    at = text[at + 2..].find("*/").map_or(bytes.len(), |end| at + end + 4);
                }
                b'/' if bytes[at..].starts_with(b"//") => {
                    at = text[at..].find('\n').map_or(bytes.len(), |end| at + end);
                }
                b'"' => {
                    at += 1;
                    while at < bytes.len() && !matches!(bytes[at], b'"' | b'\n') {
                        at += if bytes[at] == b'\\' { 2 } else { 1 };
                    }
                    at += 1;
                }
                byte if is_word(byte) => {
                    while at < bytes.len() && is_word(bytes[at]) {
                        at += 1;
                    }
                    if !byte.is_ascii_digit() {
                        self.places.entry(&text[start..at]).or_default().push((file, start as u32));
                    }
                }
                _ => at += 1,
            }
        }
    }
}
