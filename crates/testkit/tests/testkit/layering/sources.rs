//! The source files of the workspace, and their lines of code.

use std::fs;
use std::path::{Path, PathBuf};

/// A Rust source file, named from the root of the workspace.
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Source {
    /// Numbered lines without comments and without the items for tests. The code is formatted: an
    /// item ends where a line with its indentation ends with `;` or `}`.
    pub(crate) fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut lines = self.text.lines().enumerate();
        std::iter::from_fn(move || {
            let (mut index, mut line) = lines.next()?;
            while line.trim_start() == "#[cfg(test)]" {
                let indentation = line.len() - line.trim_start().len();
                let is_end = |line: &str| {
                    line.len() - line.trim_start().len() == indentation
                        && line.ends_with([';', '}'])
                };
                lines.find(|(_, line)| is_end(line))?;
                (index, line) = lines.next()?;
            }
            Some((index + 1, line.split("//").next().unwrap_or_default()))
        })
    }

    /// Whether the file has tests or benches only.
    pub(crate) fn is_test(&self) -> bool {
        let mut parts = self.path.split('/');
        parts.any(|part| matches!(part, "tests" | "benches" | "fuzz" | "tests.rs"))
    }
}

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::canonicalize(root).expect("the workspace is there")
}

/// The names of the directories under `crates`.
pub(crate) fn crates() -> Vec<String> {
    let mut names: Vec<String> = list(&root().join("crates"))
        .into_iter()
        .filter(|path| path.join("Cargo.toml").is_file())
        .map(|path| path.file_name().expect("not a root").to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert!(names.iter().any(|name| name == "testkit"), "this very crate is not in {names:?}");
    names
}

fn list(directory: &Path) -> Vec<PathBuf> {
    let listing = fs::read_dir(directory);
    let listing = listing.unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    listing.map(|item| item.expect("a directory stays readable").path()).collect()
}

/// All sources of one crate, without its integration tests and benches.
pub(crate) fn sources(name: &str) -> Vec<Source> {
    let root = root();
    let mut found = Vec::new();
    let mut waiting = vec![root.join("crates").join(name).join("src")];
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(list(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("sources are UTF-8");
            let path = path.strip_prefix(&root).expect("below the root");
            found.push(Source { path: path.to_string_lossy().into_owned(), text });
        }
    }
    found.sort_by(|one, two| one.path.cmp(&two.path));
    assert!(!found.is_empty(), "crates/{name} has no sources");
    found
}
