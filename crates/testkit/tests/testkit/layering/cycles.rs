//! Import cycles between the files and between the modules of a crate.

use std::collections::{BTreeMap, BTreeSet};

use super::imports::Graph;

/// The sets of two files or more each of which imports from all others, directly or not.
pub(crate) fn components(graph: &Graph) -> Vec<BTreeSet<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        graph.keys().map(|file| (file, reachable(graph, file))).collect();
    let mut found: Vec<BTreeSet<String>> = Vec::new();
    for (file, others) in &reached {
        if found.iter().any(|component| component.contains(*file)) {
            continue;
        }
        let component: BTreeSet<String> = others
            .iter()
            .filter(|other| reached.get(*other).is_some_and(|back| back.contains(file)))
            .map(|other| (*other).clone())
            .chain([(*file).clone()])
            .collect();
        if component.len() > 1 {
            found.push(component);
        }
    }
    found
}

fn reachable<'a>(graph: &'a Graph, from: &String) -> BTreeSet<&'a String> {
    let mut found = BTreeSet::new();
    let mut waiting: Vec<&String> = graph[from].iter().collect();
    while let Some(file) = waiting.pop() {
        if found.insert(file) {
            waiting.extend(graph.get(file).into_iter().flatten());
        }
    }
    found
}

/// The cycles between modules. A module is a directory, with the file of its name beside it; in
/// each directory, its modules and its single files import from each other. A cycle of single
/// files only is one of files, and no cycle between modules.
pub(crate) fn between_modules(graph: &Graph) -> Vec<BTreeSet<String>> {
    let directories = directories(graph);
    let mut levels: BTreeSet<&str> = directories.iter().map(String::as_str).collect();
    levels.insert("");
    let mut found = Vec::new();
    for level in levels {
        let inside = |path: &str| member(level, path, &directories);
        let mut quotient = Graph::new();
        for (file, others) in graph {
            let Some(one) = inside(file) else { continue };
            let imported = quotient.entry(one.clone()).or_default();
            imported
                .extend(others.iter().filter_map(|other| inside(other)).filter(|two| *two != one));
        }
        let is_module = |name: &String| directories.contains(name);
        found.extend(components(&quotient).into_iter().filter(|cycle| cycle.iter().any(is_module)));
    }
    found
}

/// All directories that hold files, at any depth, without a slash at the end.
fn directories(graph: &Graph) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for path in graph.keys() {
        let slashes = path.match_indices('/').map(|(at, _)| path[..at].to_owned());
        found.extend(slashes);
    }
    found
}

/// The member of a directory that a file belongs to: a file of it, or a directory in it.
fn member(level: &str, path: &str, directories: &BTreeSet<String>) -> Option<String> {
    let own = |path: &str| path.trim_end_matches(".rs").to_owned();
    if !level.is_empty() && own(path) == level {
        return Some(path.to_owned());
    }
    let rest = match level {
        "" => path,
        _ => path.strip_prefix(level)?.strip_prefix('/')?,
    };
    let end = path.len() - rest.len() + rest.find('/').unwrap_or(rest.len());
    let name = own(&path[..end]);
    Some(if directories.contains(&name) { name } else { path[..end].to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[(&str, &str)]) -> Graph {
        let mut graph = Graph::new();
        for (one, two) in edges {
            graph.entry((*one).to_owned()).or_default().insert((*two).to_owned());
            graph.entry((*two).to_owned()).or_default();
        }
        graph
    }

    fn names(cycles: &[BTreeSet<String>]) -> Vec<String> {
        let joined = |cycle: &BTreeSet<String>| cycle.iter().cloned().collect::<Vec<_>>().join(" ");
        cycles.iter().map(joined).collect()
    }

    #[test]
    fn files_that_import_each_other_are_a_cycle() {
        let graph =
            graph(&[("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("e", "d"), ("d", "e")]);
        assert_eq!(names(&components(&graph)), ["a b c", "d e"]);
    }

    #[test]
    fn modules_can_be_a_cycle_without_one_of_files() {
        let graph = graph(&[("a/x.rs", "b/x.rs"), ("b.rs", "a.rs")]);
        assert_eq!(names(&components(&graph)), Vec::<String>::new());
        assert_eq!(names(&between_modules(&graph)), ["a b"]);
    }

    #[test]
    fn single_files_are_no_cycle_between_modules() {
        let graph = graph(&[("a/x.rs", "a/y.rs"), ("a/y.rs", "a/x.rs"), ("a/z/b.rs", "a/mod.rs")]);
        assert_eq!(names(&between_modules(&graph)), Vec::<String>::new());
    }

    #[test]
    fn a_module_may_not_import_what_is_beside_it_and_imports_it() {
        let graph = graph(&[("a/z/b.rs", "a/mod.rs"), ("a/mod.rs", "a/z.rs")]);
        assert_eq!(names(&between_modules(&graph)), ["a/mod.rs a/z"]);
    }
}
