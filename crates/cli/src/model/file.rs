//! A model file and its text.

use std::io::Read;
use std::path::Path;

use crate::model::read_error::ReadError;

/// The name of a model that comes from standard input.
pub(crate) const STDIN: &str = "<stdin>";

/// A model as it was read.
pub(crate) struct ModelFile {
    /// The name that messages use.
    pub(crate) name: String,
    pub(crate) text: String,
    /// The formulas beside the model: the name and the text of a file with the extension `props`.
    pub(crate) formulas: Option<(String, String)>,
    /// The queries beside the model: the name and the text of a file with the extension `q`.
    pub(crate) queries: Option<(String, String)>,
}

impl ModelFile {
    /// Reads a model; `-` is standard input.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is too large.
    pub(crate) fn read(path: &Path) -> Result<ModelFile, ReadError> {
        let from_stdin = path.as_os_str() == "-";
        let name = if from_stdin { STDIN.to_owned() } else { path.to_string_lossy().into_owned() };
        let bytes = if from_stdin { standard_input() } else { std::fs::read(path) };
        let bytes = bytes.map_err(|error| ReadError::Io(path.to_owned(), error))?;
        let text = decode(bytes).ok_or_else(|| ReadError::TooLarge(path.to_owned()))?;
        let beside = |end| if from_stdin { Ok(None) } else { text_beside(path, end) };
        let (formulas, queries) = (beside("props")?, beside("q")?);
        Ok(ModelFile { name, text, formulas, queries })
    }
}

/// A file that belongs to a model: `mutex.props` beside `mutex.pml`, `fischer.q` beside
/// `fischer.xml`.
fn text_beside(model: &Path, end: &str) -> Result<Option<(String, String)>, ReadError> {
    let path = model.with_extension(end);
    if path == model || !path.is_file() {
        return Ok(None);
    }
    let bytes = std::fs::read(&path).map_err(|error| ReadError::Io(path.clone(), error))?;
    let text = decode(bytes).ok_or_else(|| ReadError::TooLarge(path.clone()))?;
    Ok(Some((path.to_string_lossy().into_owned(), text)))
}

fn standard_input() -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Text from bytes. Most models are ASCII, but many have comments in an older encoding, which
/// should not prevent reading: invalid UTF-8 is read as Latin-1. `None` if positions in the text do
/// not fit a span.
pub(crate) fn decode(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).unwrap_or_else(|error| {
        let mut text = String::new();
        for chunk in error.as_bytes().utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(chunk.invalid().iter().map(|&byte| char::from(byte)));
        }
        text
    });
    let fits = u32::try_from(text.len()).is_ok();
    // Some editors begin a file with a byte order mark, which is dropped.
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
