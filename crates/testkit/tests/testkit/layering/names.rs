//! Public types of different crates have different names, unless `docs/glossary.md` gives a reason,
//! and the names in the glossary exist.
//!
//! A row of the glossary is `| word | meaning | where from |`; words in backticks are names of the
//! code. The section `Same name, several crates` has rows `| name | crates | why |`, and can only
//! shrink.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use super::conclude;
use super::sources::{Source, crates, root, sources};
use super::syntax::defined;
use super::tokens::{tokens, without_tests};

const SHARED: &str = "Same name, several crates";

/// A row of a table, with the heading of its section.
struct Row {
    section: String,
    cells: Vec<String>,
}

impl Row {
    /// The parts of the first cell that are in backticks.
    fn names(&self) -> impl Iterator<Item = &str> {
        self.cells[0].split('`').skip(1).step_by(2)
    }
}

/// The rows of all tables, without their heads.
fn rows(text: &str) -> Vec<Row> {
    let mut section = String::new();
    let mut found = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        if let Some(heading) = line.strip_prefix("## ") {
            section = heading.trim().to_owned();
        }
        let is_rule = |line: &&str| line.starts_with("|--");
        if line.starts_with('|') && !is_rule(line) && !lines.get(index + 1).is_some_and(is_rule) {
            let cells = line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned());
            found.push(Row { section: section.clone(), cells: cells.collect() });
        }
    }
    found
}

fn glossary() -> Vec<Row> {
    let path = root().join("docs/glossary.md");
    rows(&fs::read_to_string(path).expect("there is a glossary"))
}

/// The names of the public types and traits in a text: `pub`, and not `pub(crate)`.
fn public_types(text: &str) -> Vec<String> {
    let tokens = without_tests(tokens(text));
    let mut found = Vec::new();
    let marks = tokens.iter().enumerate().filter(|(_, token)| *token == "pub");
    for (index, _) in marks {
        let mut rest = tokens[index + 1..].iter().map(String::as_str).peekable();
        let _ = rest.next_if(|next| *next == "unsafe");
        if let Some("struct" | "enum" | "union" | "trait" | "type") = rest.next() {
            found.extend(rest.next().map(str::to_owned));
        }
    }
    found
}

/// By public type: the crates that have it, without those for development.
fn owners() -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for name in crates().into_iter().filter(|name| !matches!(name.as_str(), "testkit" | "lab")) {
        for source in sources(&name).iter().filter(|source| !source.is_test()) {
            for public in public_types(&source.text) {
                found.entry(public).or_default().insert(name.clone());
            }
        }
    }
    found
}

#[test]
fn public_types_of_different_crates_have_different_names() {
    let mut allowed: BTreeMap<String, String> = BTreeMap::new();
    for row in glossary().iter().filter(|row| row.section == SHARED) {
        allowed.extend(row.names().map(|name| (name.to_owned(), row.cells[1].clone())));
    }
    let mut complaints = String::new();
    for (name, crates) in owners().iter().filter(|(_, crates)| crates.len() > 1) {
        let crates = crates.iter().cloned().collect::<Vec<_>>().join(", ");
        match allowed.remove(name) {
            None => {
                let _ = writeln!(complaints, "`{name}` is a public type of {crates}: rename one");
            }
            Some(listed) if listed != crates => {
                let _ = writeln!(complaints, "`{name}`: the glossary says {listed}, not {crates}");
            }
            Some(_) => {}
        }
    }
    for name in allowed.keys() {
        let _ = writeln!(complaints, "`{name}` is of one crate: remove it from `{SHARED}`");
    }
    conclude(&complaints);
}

/// The names that the sources define: types, traits, functions, methods, constants and modules; and
/// the names of files, directories and crates.
fn code_names() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for name in crates() {
        for Source { path, text } in sources(&name) {
            found.extend(path.split('/').map(str::to_owned));
            found.insert(path.rsplit('/').next().unwrap_or_default().replace(".rs", ""));
            let tokens = without_tests(tokens(&text));
            for at in 0..tokens.len() {
                found.extend(defined(&tokens[at], &tokens[at + 1..]));
            }
        }
        found.insert(name);
    }
    found
}

#[test]
fn the_glossary_names_what_exists() {
    let names = code_names();
    let mut complaints = String::new();
    for row in glossary() {
        for name in row.names() {
            let mut parts = name.trim_end_matches("()").split([':', '/', '.']);
            let is_known = names.contains(name)
                || parts.all(|part| matches!(part, "" | "rs") || names.contains(part));
            if !is_known {
                let _ = writeln!(complaints, "`{name}` is in the glossary, but not in the code");
            }
        }
    }
    conclude(&complaints);
}

#[test]
fn the_glossary_explains_each_word_once() {
    let mut complaints = String::new();
    let mut seen = BTreeSet::new();
    for row in glossary() {
        let shown = row.cells.join(" | ");
        if row.cells.len() != 3 || row.cells.iter().any(String::is_empty) {
            let _ = writeln!(complaints, "a row has three cells: {shown}");
        } else if row.section != SHARED && !seen.insert(row.cells[0].clone()) {
            let _ = writeln!(complaints, "explained twice: {shown}");
        }
    }
    conclude(&complaints);
}

#[test]
fn public_types_are_found() {
    let text = "pub struct A; pub(crate) struct B; struct C; pub unsafe trait D {} pub type E = A;\n\
                pub enum F {} pub fn g() {} #[cfg(test)] mod tests { pub struct H; }";
    assert_eq!(public_types(text), ["A", "D", "E", "F"]);
}

#[test]
fn rows_are_read_without_heads() {
    let text = "# T\n\n## One\n\n| word | b |\n|---|---|\n| `X`, `y` | m |\n\n## Two\n";
    let rows = rows(text);
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].section, "One");
    assert_eq!(rows[0].names().collect::<Vec<_>>(), ["X", "y"]);
}
