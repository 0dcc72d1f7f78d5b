//! Imports between crates are those that ARCHITECTURE.md allows, imports between the modules of a
//! crate point one way, and every source file obeys the rules that a test can check.
//!
//! Development dependencies are free: a test may import more than the code it tests.
//!
//! `cargo test -p beeline-testkit --test testkit layering -- --nocapture` prints the import cycles that
//! are left; with `CYCLES=NAME`, the imports that make up those of one crate, too.

mod allowed;
mod cycles;
mod imports;
mod names;
mod sources;
mod syntax;
mod tokens;

use std::fmt::Write as _;
use std::fs;

use allowed::{Cycle, Kind};
use sources::{Source, crates, root, sources};

/// One crate: its directory under `crates`, its level, and the crates it may import from.
struct Layer {
    name: &'static str,
    level: u8,
    allowed: &'static [&'static str],
}

const fn layer(name: &'static str, level: u8, allowed: &'static [&'static str]) -> Layer {
    Layer { name, level, allowed }
}

/// The crates, including planned ones.
const LAYERS: &[Layer] = &[
    layer("kernel", 0, &[]),
    layer("logic", 0, &[]),
    layer("source", 0, &[]),
    // For development only, as testkit and lab.
    layer("test-size", 0, &[]),
    layer("promela", 1, &["source"]),
    layer("factored", 1, &["kernel"]),
    layer("search", 1, &["kernel"]),
    layer("model", 2, &["kernel", "logic", "factored", "search", "source"]),
    layer("engine", 2, &["kernel", "promela", "logic"]),
    layer("analysis", 3, &["kernel", "promela", "factored", "engine"]),
    layer("heuristics", 4, &["kernel", "engine", "analysis", "promela", "factored"]),
    layer("jit", 4, &["kernel", "promela", "engine", "analysis"]),
    layer("symbolic", 4, &["kernel", "search", "factored", "model"]),
    layer("branching", 5, &["kernel", "logic", "factored", "model", "symbolic"]),
    // The languages: each implements the contract of `model`.
    layer("network", 5, &["kernel", "search", "source", "model", "heuristics"]),
    layer("timed", 5, &["kernel", "search", "source", "model", "factored", "heuristics"]),
    layer("pddl", 5, &["kernel", "search", "source", "model", "factored", "heuristics"]),
    layer(
        "promela-model",
        5,
        &[
            "kernel",
            "source",
            "promela",
            "logic",
            "factored",
            "search",
            "model",
            "engine",
            "analysis",
            "heuristics",
            "jit",
        ],
    ),
    layer("translation", 2, &["kernel", "factored"]),
    // Independent of languages.
    layer(
        "checker",
        6,
        &[
            "kernel",
            "source",
            "factored",
            "search",
            "model",
            "symbolic",
            "branching",
            "translation",
        ],
    ),
    layer(
        "cli",
        7,
        &[
            "checker",
            "promela-model",
            "network",
            "pddl",
            "translation",
            "timed",
            "model",
            "heuristics",
            "analysis",
            "engine",
            "promela",
            "source",
            "kernel",
        ],
    ),
    // No other crate may import from these, so they can only be development dependencies.
    layer(
        "testkit",
        8,
        &[
            "kernel",
            "source",
            "promela",
            "factored",
            "search",
            "engine",
            "model",
            "analysis",
            "heuristics",
            "jit",
            "logic",
            "symbolic",
            "branching",
            "promela-model",
            "checker",
            "test-size",
        ],
    ),
    layer(
        "lab",
        9,
        &["kernel", "promela", "model", "promela-model", "checker", "network", "testkit"],
    ),
    layer("what-was-skipped", 9, &["testkit"]),
];

/// Where `unsafe` is allowed: path prefixes.
const UNSAFE: &[&str] = &[
    "crates/jit/src/",
    "crates/search/src/store/arena.rs",
    "crates/search/src/store/blocks.rs",
    "crates/search/src/store/huge_page_buffer.rs",
    "crates/search/src/store/memory.rs",
    "crates/search/src/store/packed/bit_extract.rs",
    "crates/search/src/store/shared",
    "crates/search/src/store/uniform_batch.rs",
];

/// The greatest number of files in a cycle, unless they traverse one tree together (parser,
/// resolver, printer, code generator): then the reason begins with `RECURSION`.
const MOST_ENTANGLED: usize = 6;
const RECURSION: &str = "recursive descent";

/// A longer file probably holds a second concept.
const LONGEST: usize = 800;

/// The crates named by a manifest's ordinary and build dependencies.
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

/// The crates mentioned in a line of code as `beeline_NAME`.
fn mentions(line: &str) -> impl Iterator<Item = &'static str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter_map(|word| word.strip_prefix("beeline_"))
        .filter_map(|name| LAYERS.iter().find(|layer| layer.name.replace('-', "_") == name))
        .map(|layer| layer.name)
}

/// Fails with all messages at once.
pub(crate) fn conclude(complaints: &str) {
    assert!(complaints.is_empty(), "\n{complaints}");
}

#[test]
fn imports_are_allowed_dependencies() {
    let mut complaints = String::new();
    for name in crates() {
        let Some(layer) = LAYERS.iter().find(|layer| layer.name == name) else {
            let _ = writeln!(
                complaints,
                "crates/{name} has no level: see ARCHITECTURE.md, then add it to LAYERS"
            );
            continue;
        };
        let mut imported = |location: &str, other: &str| {
            if other != name && !layer.allowed.contains(&other) {
                let _ = writeln!(
                    complaints,
                    "{location} imports {other} into {name}. {name} may import {:?}: \
                     see ARCHITECTURE.md",
                    layer.allowed
                );
            }
        };
        let manifest = format!("crates/{name}/Cargo.toml");
        let text = fs::read_to_string(root().join(&manifest)).expect("every crate has a manifest");
        for other in dependencies(&text) {
            imported(&manifest, &other);
        }
        for source in sources(&name).iter().filter(|source| !source.is_test()) {
            for (number, line) in source.code() {
                for other in mentions(line) {
                    imported(&format!("{}:{number}", source.path), other);
                }
            }
        }
    }
    conclude(&complaints);
}

#[test]
fn allowed_dependencies_are_at_lower_levels() {
    for layer in LAYERS {
        for name in layer.allowed {
            let other = LAYERS.iter().find(|other| other.name == *name);
            let other = other.unwrap_or_else(|| panic!("{name} has no level"));
            assert!(other.level < layer.level, "{} imports {name} from above", layer.name);
            let is_for_development =
                |name| matches!(name, "testkit" | "lab" | "test-size" | "what-was-skipped");
            assert!(
                !is_for_development(other.name) || is_for_development(layer.name),
                "{name} is for development only"
            );
        }
    }
}

/// The import cycles of all crates, and the imports that make them up.
fn all_cycles() -> (Vec<Cycle>, String) {
    let mut found = Vec::new();
    let mut edges = String::new();
    for name in crates() {
        let graph = imports::graph(&sources(&name));
        let mut add = |kind, members| {
            let crate_name = name.clone();
            found.push(Cycle { crate_name, kind, members, reason: String::new() });
        };
        for members in cycles::components(&graph) {
            for (one, others) in graph.iter().filter(|(one, _)| members.contains(*one)) {
                for two in others.iter().filter(|two| members.contains(*two)) {
                    let _ = writeln!(edges, "{name}: {one} -> {two}");
                }
            }
            add(Kind::Files, members);
        }
        for members in cycles::between_modules(&graph) {
            add(Kind::Modules, members);
        }
    }
    (found, edges)
}

/// A row for each crate with cycles: their number and sizes.
fn table(found: &[Cycle]) -> String {
    let sizes = |name: Option<&str>, kind| {
        let of = |cycle: &&Cycle| name.is_none_or(|name| cycle.crate_name == name);
        let mut sizes: Vec<usize> = found
            .iter()
            .filter(|cycle| cycle.kind == kind)
            .filter(of)
            .map(|cycle| cycle.members.len())
            .collect();
        sizes.sort_unstable_by(|one, two| two.cmp(one));
        let shown: Vec<String> = sizes.iter().map(usize::to_string).collect();
        format!("{} | {}", sizes.len(), shown.join(" "))
    };
    let mut text = String::from(
        "| crate | file cycles | files in each | module cycles | modules in each |\n\
         |---|---:|---|---:|---|\n",
    );
    let names = crates();
    for name in names.iter().map(|name| Some(name.as_str())).chain([None]) {
        let (files, modules) = (sizes(name, Kind::Files), sizes(name, Kind::Modules));
        let _ = writeln!(text, "| {} | {files} | {modules} |", name.unwrap_or("all"));
    }
    text
}

#[test]
fn import_cycles_inside_of_crates_are_listed() {
    let path = root().join("crates/testkit/tests/testkit/layering/cycles.txt");
    let text = fs::read_to_string(&path).expect("the list is there");
    let (found, edges) = all_cycles();
    println!("{}", table(&found));
    if let Ok(name) = std::env::var("CYCLES") {
        for line in edges.lines().filter(|line| line.starts_with(&format!("{name}: "))) {
            println!("{line}");
        }
    }
    let difference = allowed::compare(&found, &allowed::read(&text));
    let is_same = difference.new.is_empty() && difference.stale.is_empty();
    if let (false, Some(shrunk), Some(_)) =
        (is_same, &difference.shrunk, std::env::var_os("UPDATE_EXPECT"))
    {
        fs::write(&path, allowed::write(shrunk, &text)).expect("the list can be written");
        return;
    }
    let mut complaints = String::new();
    for cycle in allowed::read(&text) {
        if cycle.members.len() > MOST_ENTANGLED && !cycle.reason.starts_with(RECURSION) {
            let _ = writeln!(complaints, "too large: {}", cycle.title());
        }
    }
    for cycle in &difference.new {
        let _ = writeln!(complaints, "not in cycles.txt: an import cycle between {cycle}");
    }
    for cycle in &difference.stale {
        let _ = writeln!(
            complaints,
            "gone or smaller, remove it from cycles.txt (UPDATE_EXPECT=1 does): {cycle}"
        );
    }
    conclude(&complaints);
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
fn unsafe_code_stays_where_it_is_allowed() {
    let allowed = |path: &str| UNSAFE.iter().any(|prefix| path.starts_with(prefix));
    let mut complaints = String::new();
    for name in crates() {
        let home = format!("crates/{name}/src/");
        let partly = UNSAFE.iter().any(|prefix| prefix.starts_with(&home));
        for source in sources(&name) {
            // `forbid` cannot be overridden in a file of the crate; `deny` can.
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
                        "{}:{number} uses unsafe, which is allowed only in {UNSAFE:?}: \
                         see ARCHITECTURE.md",
                        source.path
                    );
                }
            }
        }
    }
    conclude(&complaints);
}

/// Attributes of a crate are in its root; a package has one per binary and library.
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
                use beeline_promela_model::PromelaModel;\n\
                #[cfg(test)]\nfn f() {\n    beeline_logic::g();\n}\n\
                fn h() {}\n#[cfg(test)]\nmod tests {\n    use beeline_testkit::spin;\n}\n";
    let source = Source { path: String::new(), text: text.to_owned() };
    let found: Vec<(usize, &str)> = source
        .code()
        .flat_map(|(number, line)| mentions(line).map(move |name| (number, name)))
        .collect();
    assert_eq!(found, [(1, "kernel"), (2, "jit"), (3, "promela-model")]);
}
