//! A piece of text with the positions of its characters in the file: the text of an XML element
//! has entities resolved, so that it is not a part of the file.

use beeline_source::source::{FileId, Span};

/// A piece of text.
#[derive(Clone, Debug)]
pub(crate) struct Fragment {
    /// The text.
    pub(crate) text: String,
    file: FileId,
    /// The position in the file of each byte, and of the end. Empty if the text is a part of the
    /// file.
    positions: Vec<u32>,
    start: u32,
}

impl Fragment {
    /// A part of a file.
    pub(crate) fn plain(file: FileId, start: usize, text: &str) -> Fragment {
        Fragment { text: text.to_owned(), file, positions: Vec::new(), start: start as u32 }
    }

    /// The content of an XML element without children: `raw` is a part of the file.
    pub(crate) fn of_xml(file: FileId, start: usize, raw: &str) -> Fragment {
        if !raw.contains(['&', '<', '\r']) {
            return Fragment::plain(file, start, raw);
        }
        let (mut text, mut positions) = (String::new(), Vec::new());
        let mut at = 0;
        let mut push = |piece: &str, position: usize, is_verbatim: bool| {
            text.push_str(piece);
            positions.extend(
                (0..piece.len())
                    .map(|byte| (start + position + if is_verbatim { byte } else { 0 }) as u32),
            );
        };
        while at < raw.len() {
            let rest = &raw[at..];
            if let Some(inner) = rest.strip_prefix("<![CDATA[") {
                let end = inner.find("]]>").unwrap_or(inner.len());
                push(&inner[..end], at + 9, true);
                at += (9 + end + 3).min(rest.len());
            } else if rest.starts_with("<!--") {
                at += rest.find("-->").map_or(rest.len(), |end| end + 3);
            } else if rest.starts_with('&') {
                let end = rest.find(';').map_or(1, |end| end + 1);
                let resolved = entity(&rest[..end]);
                let mut buffer = [0; 4];
                push(resolved.map_or(&rest[..end], |one| one.encode_utf8(&mut buffer)), at, false);
                at += end;
            } else {
                let end = rest[1..].find(['&', '<']).map_or(rest.len(), |end| end + 1);
                push(&rest[..end], at, true);
                at += end;
            }
        }
        positions.push((start + raw.len()) as u32);
        Fragment { text, file, positions, start: start as u32 }
    }

    /// The span of a range of bytes of the text.
    pub(crate) fn span(&self, from: usize, to: usize) -> Span {
        Span::new(self.file, self.position(from), self.position(to))
    }

    fn position(&self, at: usize) -> u32 {
        match self.positions.last() {
            None => self.start + at as u32,
            Some(&end) => self.positions.get(at).copied().unwrap_or(end),
        }
    }
}

/// The character of a predefined entity or a character reference.
fn entity(text: &str) -> Option<char> {
    let name = text.strip_prefix('&')?.strip_suffix(';')?;
    match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let code = name.strip_prefix('#')?;
            let code = match code.strip_prefix(['x', 'X']) {
                Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16),
                None => code.parse(),
            };
            char::from_u32(code.ok()?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_source::source::SourceMap;

    #[test]
    fn characters_of_xml_have_their_positions_in_the_file() {
        let raw = "a&lt;b <!-- c --> <![CDATA[d<e]]>&#65;&unknown;";
        let mut sources = SourceMap::default();
        let file = sources.add_file("m.xml", &format!("<x>{raw}</x>"), None);
        let fragment = Fragment::of_xml(file, 3, raw);
        assert_eq!(fragment.text, "a<b  d<eA&unknown;");
        for (letter, written) in [("a", "a"), ("b", "b"), ("d", "d"), ("<b", "&lt;b")] {
            let from = fragment.text.find(letter).expect("the letter is in the text");
            let span = fragment.span(from, from + letter.len());
            assert_eq!(sources.text(span), written);
        }
    }
}
