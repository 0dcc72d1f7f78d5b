//! The doors between the rooms of the house stay where ARCHITECTURE.md puts them,
//! and every source file keeps the manners that can be checked by reading it.
//!
//! Development dependencies are not doors: a test may know more than the code it tests.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// One room: its directory under `crates`, its level, and the rooms it may import from.
struct Room {
    name: &'static str,
    level: u8,
    doors: &'static [&'static str],
}

const fn room(name: &'static str, level: u8, doors: &'static [&'static str]) -> Room {
    Room { name, level, doors }
}

/// The house. A room that does not exist yet may have its doors already.
const HOUSE: &[Room] = &[
    room("kernel", 0, &[]),
    room("logic", 0, &[]),
    room("source", 0, &[]),
    room("promela", 1, &["source"]),
    room("factored", 1, &["kernel"]),
    room("network", 1, &["kernel"]),
    room("search", 1, &["kernel"]),
    room("engine", 2, &["kernel", "promela", "logic"]),
    room("analysis", 3, &["kernel", "promela", "factored", "engine"]),
    room("heuristics", 4, &["kernel", "engine", "analysis", "promela", "factored"]),
    room("jit", 4, &["kernel", "promela", "engine", "analysis"]),
    room("symbolic", 4, &["kernel", "engine", "analysis", "promela", "logic", "factored"]),
    room(
        "checker",
        5,
        &[
            "kernel",
            "logic",
            "promela",
            "factored",
            "network",
            "search",
            "engine",
            "analysis",
            "heuristics",
            "jit",
            "symbolic",
        ],
    ),
    room("cli", 6, &["checker", "analysis", "engine", "network", "promela", "kernel"]),
    // Beside the house; nobody has a door to it, so it can only be a development dependency.
    room("testkit", 7, &["promela", "engine", "kernel"]),
];

/// The addresses of `unsafe`: whole crates, or what a path begins with.
const UNSAFE: &[&str] = &[
    "crates/jit/src/",
    "crates/search/src/store/huge_page_buffer.rs",
    "crates/search/src/store/memory.rs",
    "crates/search/src/store/packed/bit_extract.rs",
    "crates/search/src/store/shared",
];

/// Beyond this, a file probably holds a second concept.
const LONGEST: usize = 800;

/// A Rust source file, named from the root of the workspace.
struct Source {
    path: String,
    text: String,
}

impl Source {
    /// Lines without comments and without the unit tests at the end, which may know more.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut lines = self.text.lines().enumerate().peekable();
        std::iter::from_fn(move || {
            let (index, line) = lines.next()?;
            let next = lines.peek().map_or("", |(_, next)| next.trim_start());
            if line == "#[cfg(test)]" && next.starts_with("mod ") && next.ends_with('{') {
                return None;
            }
            Some((index + 1, line.split("//").next().unwrap_or_default()))
        })
    }

    fn is_test(&self) -> bool {
        let mut parts = self.path.split('/');
        parts.any(|part| matches!(part, "tests" | "benches" | "fuzz" | "tests.rs"))
    }
}

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::canonicalize(root).expect("the workspace is there")
}

/// The names of the directories under `crates`.
fn crates() -> Vec<String> {
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
fn sources(name: &str) -> Vec<Source> {
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

/// The rooms named by a manifest's ordinary and build dependencies.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut section = String::new();
    let mut found = Vec::new();
    for line in manifest.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            section = header.trim_end_matches(']').to_owned();
            // The long form: [dependencies.beeline-kernel]
            if let Some((table, key)) = section.rsplit_once('.')
                && is_dependency_table(table)
            {
                found.extend(key.strip_prefix("beeline-").map(str::to_owned));
            }
        } else if is_dependency_table(&section)
            && let Some(key) = line.strip_prefix("beeline-")
        {
            let end = key.find(|c: char| !c.is_alphanumeric() && c != '-').unwrap_or(key.len());
            found.push(key[..end].to_owned());
        }
    }
    found
}

/// `[dependencies]`, `[build-dependencies]`, and either for some target only.
fn is_dependency_table(section: &str) -> bool {
    let last = section.rsplit('.').next().unwrap_or_default();
    matches!(last, "dependencies" | "build-dependencies") && !section.starts_with("workspace")
}

/// The rooms mentioned in a line of code as `beeline_NAME`.
fn mentions(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter_map(|word| word.strip_prefix("beeline_"))
        .filter(|name| HOUSE.iter().any(|room| room.name == *name))
}

/// Fails with all complaints at once.
fn conclude(complaints: &str) {
    assert!(complaints.is_empty(), "\n{complaints}");
}

#[test]
fn imports_go_through_doors() {
    let mut complaints = String::new();
    for name in crates() {
        let Some(room) = HOUSE.iter().find(|room| room.name == name) else {
            let _ = writeln!(
                complaints,
                "crates/{name} has no place in the house: see ARCHITECTURE.md, then add it here"
            );
            continue;
        };
        let mut opened = |place: &str, other: &str| {
            if other != name && !room.doors.contains(&other) {
                let _ = writeln!(
                    complaints,
                    "{place} opens a door from {name} to {other}. {name} may import from {:?}: \
                     see ARCHITECTURE.md",
                    room.doors
                );
            }
        };
        let manifest = format!("crates/{name}/Cargo.toml");
        let text = fs::read_to_string(root().join(&manifest)).expect("every crate has a manifest");
        for other in dependencies(&text) {
            opened(&manifest, &other);
        }
        for source in sources(&name).iter().filter(|source| !source.is_test()) {
            for (number, line) in source.code() {
                for other in mentions(line) {
                    opened(&format!("{}:{number}", source.path), other);
                }
            }
        }
    }
    conclude(&complaints);
}

#[test]
fn doors_lead_to_lower_levels() {
    for room in HOUSE {
        for door in room.doors {
            let other = HOUSE.iter().find(|other| other.name == *door);
            let other = other.unwrap_or_else(|| panic!("{door} is not in the house"));
            assert!(other.level < room.level, "{} → {door} does not lead down", room.name);
            assert_ne!(other.name, "testkit", "testkit is for development only");
        }
    }
}

#[test]
fn files_hold_one_concept() {
    let mut complaints = String::new();
    for source in crates().iter().flat_map(|name| sources(name)) {
        let length = source.text.lines().count();
        if !source.is_test() && length > LONGEST {
            let _ = writeln!(
                complaints,
                "{} has {length} lines: is there a second concept inside?",
                source.path
            );
        }
    }
    conclude(&complaints);
}

#[test]
fn files_open_with_what_they_are() {
    let mut complaints = String::new();
    for source in crates().iter().flat_map(|name| sources(name)) {
        if !source.text.starts_with("//!") {
            let _ = writeln!(complaints, "{} does not open with `//!`", source.path);
        }
    }
    conclude(&complaints);
}

#[test]
fn unsafe_code_stays_at_its_addresses() {
    let allowed = |path: &str| UNSAFE.iter().any(|prefix| path.starts_with(prefix));
    let mut complaints = String::new();
    for name in crates() {
        let home = format!("crates/{name}/src/");
        let partly = UNSAFE.iter().any(|prefix| prefix.starts_with(&home));
        for source in sources(&name) {
            // What is forbidden cannot be allowed at an address; what is denied can.
            let attribute =
                if partly { "#![deny(unsafe_code)]" } else { "#![forbid(unsafe_code)]" };
            if is_crate_root(&source.path, &home)
                && !allowed(&source.path)
                && !source.text.contains(attribute)
            {
                let _ = writeln!(complaints, "{} lacks {attribute}", source.path);
            }
            if allowed(&source.path) {
                continue;
            }
            for (number, line) in source.code() {
                let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
                if words.any(|word| word == "unsafe") && !line.contains('"') {
                    let _ = writeln!(
                        complaints,
                        "{}:{number} uses unsafe, which lives only in {UNSAFE:?}: \
                         see ARCHITECTURE.md",
                        source.path
                    );
                }
            }
        }
    }
    conclude(&complaints);
}

/// Attributes of a crate stand in its root; a package has one per binary and library.
fn is_crate_root(path: &str, home: &str) -> bool {
    path.strip_prefix(home)
        .is_some_and(|rest| matches!(rest, "lib.rs" | "main.rs") || rest.starts_with("bin/"))
}

#[test]
fn every_crate_obeys_the_lints_of_the_workspace() {
    for name in crates() {
        let manifest = root().join("crates").join(&name).join("Cargo.toml");
        let text = fs::read_to_string(manifest).expect("every crate has a manifest");
        assert!(
            text.contains("[lints]\nworkspace = true"),
            "crates/{name}/Cargo.toml lacks [lints] workspace = true"
        );
    }
}

#[test]
fn every_way_to_write_a_dependency_is_noticed() {
    let manifest = "\
[package]
name = \"beeline-x\"
[dependencies]
beeline-kernel.workspace = true
beeline-logic = { path = \"../logic\" }
serde = \"1\"
[dependencies.beeline-search]
path = \"../search\"
[target.'cfg(unix)'.dependencies]
beeline-jit = \"1\"
[build-dependencies]
beeline-promela.workspace = true
[dev-dependencies]
beeline-testkit.workspace = true
";
    assert_eq!(dependencies(manifest), ["kernel", "logic", "search", "jit", "promela"]);
}

#[test]
fn mentions_are_found_in_code_but_not_in_comments_and_tests() {
    let text = "use beeline_kernel::State; // beeline_search\nlet x = beeline_jit::y();\n\
                #[cfg(test)]\nmod tests {\n    use beeline_testkit::spin;\n}\n";
    let source = Source { path: String::new(), text: text.to_owned() };
    let found: Vec<(usize, &str)> = source
        .code()
        .flat_map(|(number, line)| mentions(line).map(move |name| (number, name)))
        .collect();
    assert_eq!(found, [(1, "kernel"), (2, "jit")]);
}
