//! The identity of a model: its language and its name.

/// Language and name of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// The language, as messages name it: `Promela model`, `process network`.
    pub language: &'static str,
    /// The name that messages use, as a rule the name of the file.
    pub name: String,
}

/// A hash of texts, the same in every run and on every machine (FNV-1a).
pub fn fingerprint<'t>(texts: impl IntoIterator<Item = &'t str>) -> u64 {
    let bytes = texts.into_iter().flat_map(|text| text.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
