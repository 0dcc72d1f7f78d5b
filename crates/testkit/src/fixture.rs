//! The project's own models, each with the expected results in its first line; see
//! [`beeline_source::expect`].

use std::fs;
use std::path::{Path, PathBuf};

pub use beeline_source::expect::{Clause, Expect, HeaderError};

/// A model with its expectations.
#[derive(Clone, Debug)]
pub struct Fixture {
    /// The file's name without its extension.
    pub name: String,
    /// The file.
    pub file: PathBuf,
    /// Its text.
    pub text: String,
    /// Its header.
    pub expect: Expect,
}

/// All fixtures, by name.
///
/// # Panics
/// When the directory or a file cannot be read, or a header is wrong; the message says which.
#[must_use]
pub fn all() -> Vec<Fixture> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let listing =
        fs::read_dir(&directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut files: Vec<PathBuf> = listing
        .map(|item| item.unwrap_or_else(|error| panic!("{}: {error}", directory.display())).path())
        .filter(|file| file.extension().is_some_and(|extension| extension == "pml"))
        .collect();
    files.sort();
    files.into_iter().map(load).collect()
}

/// Reads one fixture.
fn load(file: PathBuf) -> Fixture {
    let shown = file.display();
    let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{shown}: {error}"));
    let expect = Expect::parse(&text).unwrap_or_else(|error| panic!("{shown}: {error}"));
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Fixture { name, file, text, expect }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_of_the_project_has_a_header() {
        let fixtures = all();
        assert!(!fixtures.is_empty());
        for fixture in fixtures {
            assert!(fixture.expect.states().is_some(), "{}: states N is missing", fixture.name);
        }
    }
}
