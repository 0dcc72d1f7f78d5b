//! The source of included files.

/// An included file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadedFile {
    /// The name in messages, and the `from` of its own includes.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Finds included files.
pub trait FileLoader {
    /// The file that `from` includes as `"name"`, or as `<name>` if `angled`.
    fn load(&mut self, name: &str, from: &str, angled: bool) -> Option<LoadedFile>;
}

/// A loader that finds nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoIncludes;

impl FileLoader for NoIncludes {
    fn load(&mut self, _name: &str, _from: &str, _angled: bool) -> Option<LoadedFile> {
        None
    }
}
