//! Reading models and the files they include: the only place that touches the
//! file system.

mod error;
mod include;

use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;

pub(crate) use error::ReadError;
pub(crate) use include::Include;

/// The name of a model that comes from standard input.
pub(crate) const STDIN: &str = "<stdin>";

/// A model: the name messages use, and its text.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Model {
    /// Reads a model; `-` is standard input.
    ///
    /// # Errors
    ///
    /// Says what cannot be read, why, and what to do.
    pub(crate) fn read(path: &Path) -> Result<Model, ReadError> {
        let from_stdin = path.as_os_str() == "-";
        let name = if from_stdin { STDIN.to_owned() } else { path.to_string_lossy().into_owned() };
        let bytes = if from_stdin { standard_input() } else { std::fs::read(path) };
        let bytes = bytes.map_err(|error| ReadError::new(path, &error))?;
        let text = decode(bytes).ok_or_else(|| ReadError::too_large(path))?;
        Ok(Model { name, text })
    }
}

/// All of standard input, which can be had once only, and is kept for those who ask again.
fn standard_input() -> std::io::Result<Vec<u8>> {
    static READ: OnceLock<Vec<u8>> = OnceLock::new();
    if let Some(bytes) = READ.get() {
        return Ok(bytes.clone());
    }
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(READ.get_or_init(|| bytes).clone())
}

/// Text from bytes. Most models are ASCII, but many have comments in some older
/// encoding, and a comment is no reason to refuse a model: bytes that are not
/// UTF-8 are read as Latin-1. `None` if positions in it would not fit a span.
fn decode(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).unwrap_or_else(|error| {
        let mut text = String::new();
        for chunk in error.as_bytes().utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(chunk.invalid().iter().map(|&byte| char::from(byte)));
        }
        text
    });
    let fits = u32::try_from(text.len()).is_ok();
    // Some editors begin a file with a byte order mark, which means nothing.
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    fits.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: &str) {
        assert_eq!(decode(bytes.to_vec()).as_deref(), Some(expected));
    }

    #[test]
    fn old_encodings_and_marks_are_no_obstacle() {
        check(b"/* Gr\xfc\xdfe */ byte b", "/* Grüße */ byte b");
        check("/* Grüße \u{221e} */".as_bytes(), "/* Grüße ∞ */");
        check(b"\xef\xbb\xbfbyte b", "byte b");
        check(b"", "");
    }
}
