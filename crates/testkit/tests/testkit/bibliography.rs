//! Every paper that the code or the documentation cites by a key, as in `[ELL01]`, is in
//! `docs/bibliography.md`, once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const BIBLIOGRAPHY: &str = "docs/bibliography.md";

/// The citing files: directories, with all below them, and single files.
const CITING: &[&str] = &["crates", "docs", "fuzz", "README.md", "ARCHITECTURE.md", "CHANGELOG.md"];

#[test]
fn each_cited_paper_is_in_the_bibliography() {
    let defined: BTreeSet<String> = definitions().into_iter().collect();
    let unknown: Vec<String> = citations()
        .into_iter()
        .filter(|(key, _)| !defined.contains(key))
        .map(|(key, file)| format!("[{key}] in {file}"))
        .collect();
    assert!(unknown.is_empty(), "not in {BIBLIOGRAPHY}:\n{}", unknown.join("\n"));
}

#[test]
fn each_key_of_the_bibliography_is_defined_once() {
    let mut keys = definitions();
    assert!(keys.len() > 20, "only {} entries were read", keys.len());
    keys.sort();
    let twice: Vec<_> = keys.windows(2).filter(|pair| pair[0] == pair[1]).collect();
    assert!(twice.is_empty(), "{twice:?}");
}

#[test]
fn a_key_is_letters_and_a_year_in_brackets() {
    let text = r"\[EMJ05\], [Löd01] and [vEB77]; not [x86], [P0], [ELL2001], [a link](x) or s[AB12";
    assert_eq!(keys(text), ["EMJ05", "Löd01", "vEB77"]);
}

/// The keys of the bibliography, in its order. An entry begins with its key in bold.
fn definitions() -> Vec<String> {
    let text = fs::read_to_string(root().join(BIBLIOGRAPHY)).expect("the bibliography is there");
    text.lines()
        .filter(|line| line.starts_with("**["))
        .map(|line| keys(line).into_iter().next().expect("an entry begins with a key"))
        .collect()
}

/// Each cited key with one file that cites it.
fn citations() -> BTreeMap<String, String> {
    let mut files = Vec::new();
    for name in CITING {
        add_files(&root().join(name), &mut files);
    }
    let mut cited = BTreeMap::new();
    for file in files {
        let name = file.strip_prefix(root()).unwrap_or(&file).display().to_string();
        if name == file!() || name == BIBLIOGRAPHY {
            continue;
        }
        let text = fs::read_to_string(&file).expect("sources are UTF-8");
        for key in keys(&text) {
            cited.entry(key).or_insert_with(|| name.clone());
        }
    }
    cited
}

/// The keys between brackets, which rustdoc requires to be escaped in some places: two to five
/// letters, one of them a capital, and two digits.
fn keys(text: &str) -> Vec<String> {
    let bracketed = text.split('[').skip(1).filter_map(|rest| rest.split_once(']'));
    bracketed
        .map(|(inner, _)| inner.trim_end_matches('\\'))
        .filter(|inner| is_key(inner))
        .map(str::to_owned)
        .collect()
}

fn is_key(text: &str) -> bool {
    let name = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let year = text.len() - name.len();
    let letters = name.chars().count();
    year == 2
        && (2..=5).contains(&letters)
        && name.chars().all(char::is_alphabetic)
        && name.chars().any(char::is_uppercase)
}

/// Adds the Rust and Markdown files of a directory, or the file itself.
fn add_files(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        if path.file_name().is_some_and(|name| name == "target") {
            return;
        }
        let mut entries: Vec<PathBuf> = fs::read_dir(path)
            .expect("the directory can be read")
            .map(|entry| entry.expect("so can its entries").path())
            .collect();
        entries.sort();
        for entry in entries {
            add_files(&entry, files);
        }
    } else if path.extension().is_some_and(|ending| ending == "rs" || ending == "md") {
        files.push(path.to_path_buf());
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the workspace is there")
}
