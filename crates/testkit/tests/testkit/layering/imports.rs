//! Imports between the files of a crate: names are followed through re-exports to the file that
//! defines them.
//!
//! Rules: `mod x;` is no import. A `pub use` counts only if the file uses the name itself. An
//! import of a module does not count, the paths through its name do. A name without a visible
//! definition (made by a macro) belongs to the file of its module.

use std::collections::{BTreeMap, BTreeSet};

use super::sources::Source;
use super::syntax::{Import, Syntax};

/// The files of a crate by their paths below `src`, with their imports.
pub(crate) type Graph = BTreeMap<String, BTreeSet<String>>;

type ModulePath = Vec<String>;

struct File {
    path: String,
    syntax: Syntax,
}

/// A crate's files by module.
struct Modules {
    files: BTreeMap<ModulePath, File>,
}

/// The target of a path.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Module(ModulePath),
    /// An item of the module's own file.
    Item(ModulePath),
    /// Another crate.
    Outside,
}

/// The import graph of one crate; its sources are those below `crates/NAME/src`.
pub(crate) fn graph(sources: &[Source]) -> Graph {
    let mut files = BTreeMap::new();
    for source in sources.iter().filter(|source| !source.is_test()) {
        let (_, path) = source.path.split_once("/src/").unwrap_or(("", &source.path));
        let file = File { path: path.to_owned(), syntax: Syntax::of(&source.text) };
        files.insert(module_path(path), file);
    }
    let modules = Modules { files };
    modules.files.keys().map(|module| modules.imports(module)).collect()
}

fn module_path(path: &str) -> ModulePath {
    let mut names: ModulePath =
        path.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    let last = names.last().map_or("", String::as_str);
    if last == "mod" || path == "lib.rs" || path == "main.rs" {
        names.pop();
    }
    names
}

impl Modules {
    /// The file of a module, and the files that it imports from.
    fn imports(&self, module: &ModulePath) -> (String, BTreeSet<String>) {
        let file = &self.files[module];
        let mut found = BTreeSet::new();
        for import in &file.syntax.imports {
            match &import.name {
                Some(name) if import.is_public && !file.syntax.words.contains(name) => {}
                Some(_) => found.extend(self.item(module, &import.path)),
                None => found.extend(self.all_used(module, import)),
            }
        }
        for path in &file.syntax.paths {
            if self.is_internal(module, &path[0]) {
                found.extend(self.item(module, path));
            }
        }
        found.remove(module);
        let paths = found.iter().map(|module| self.files[module].path.clone()).collect();
        (file.path.clone(), paths)
    }

    /// Whether a path that begins with a name stays inside the crate.
    fn is_internal(&self, module: &ModulePath, name: &str) -> bool {
        let syntax = &self.files[module].syntax;
        matches!(name, "crate" | "self" | "super")
            || syntax.children.contains(name)
            || syntax.imports.iter().any(|import| import.name.as_deref() == Some(name))
    }

    /// The module whose file defines the target of a path.
    fn item(&self, module: &ModulePath, path: &[String]) -> Option<ModulePath> {
        match self.resolve(module, path, &mut BTreeSet::new())? {
            Target::Item(module) => Some(module),
            Target::Module(_) | Target::Outside => None,
        }
    }

    /// The modules whose items a file uses through `use path::*`.
    fn all_used(&self, module: &ModulePath, import: &Import) -> BTreeSet<ModulePath> {
        match self.resolve(module, &import.path, &mut BTreeSet::new()) {
            Some(Target::Item(item)) => BTreeSet::from([item]),
            Some(Target::Module(other)) => self.files[module]
                .syntax
                .words
                .iter()
                .filter_map(|word| self.lookup(&other, word, true, &mut BTreeSet::new()))
                .filter_map(|target| match target {
                    Target::Item(item) => Some(item),
                    Target::Module(_) | Target::Outside => None,
                })
                .collect(),
            Some(Target::Outside) | None => BTreeSet::new(),
        }
    }

    fn resolve(
        &self,
        module: &ModulePath,
        path: &[String],
        seen: &mut BTreeSet<(ModulePath, String)>,
    ) -> Option<Target> {
        let mut here = module.clone();
        let mut names = path.iter().peekable();
        let mut is_anchored = false;
        while let Some(name) = names.peek() {
            match name.as_str() {
                "crate" => here.clear(),
                "self" => {}
                "super" => {
                    here.pop();
                }
                _ => break,
            }
            is_anchored = true;
            names.next();
        }
        while let Some(name) = names.next() {
            let is_last = names.peek().is_none();
            match self.lookup(&here, name, is_last, seen) {
                Some(Target::Module(inner)) => here = inner,
                Some(other) => return Some(other),
                None if is_anchored => return Some(Target::Item(here)),
                None => return Some(Target::Outside),
            }
            is_anchored = true;
        }
        Some(Target::Module(here))
    }

    /// The meaning of a name in a module. The last name of a path is preferably an item, any other
    /// name a module.
    fn lookup(
        &self,
        module: &ModulePath,
        name: &str,
        is_last: bool,
        seen: &mut BTreeSet<(ModulePath, String)>,
    ) -> Option<Target> {
        let file = self.files.get(module)?;
        let child = || {
            let mut path = module.clone();
            path.push(name.to_owned());
            self.files.contains_key(&path).then_some(Target::Module(path))
        };
        if !is_last && let Some(child) = child() {
            return Some(child);
        }
        if file.syntax.items.contains(name) {
            return Some(Target::Item(module.clone()));
        }
        if !seen.insert((module.clone(), name.to_owned())) {
            return child();
        }
        let mut imported = None;
        for import in &file.syntax.imports {
            let found = match &import.name {
                Some(own) if own == name => self.resolve(module, &import.path, seen),
                Some(_) => None,
                None => match self.resolve(module, &import.path, seen) {
                    Some(Target::Module(other)) => self.lookup(&other, name, is_last, seen),
                    _ => None,
                },
            };
            if matches!(found, Some(Target::Item(_))) {
                imported = found;
                break;
            }
            imported = imported.or(found);
        }
        seen.remove(&(module.clone(), name.to_owned()));
        match imported {
            Some(Target::Item(_)) => imported,
            other => child().or(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(files: &[(&str, &str)], expected: &[&str]) {
        let sources: Vec<Source> = files
            .iter()
            .map(|(path, text)| Source {
                path: format!("crates/x/src/{path}"),
                text: (*text).to_owned(),
            })
            .collect();
        let graph = graph(&sources);
        let found: Vec<String> = graph
            .iter()
            .flat_map(|(one, others)| others.iter().map(move |other| format!("{one} {other}")))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_name_is_followed_through_re_exports() {
        check(
            &[
                ("lib.rs", "mod a; mod b; pub use a::A;"),
                ("a/mod.rs", "mod inner; pub use inner::{A, Other};"),
                ("a/inner.rs", "pub struct A; pub struct Other;"),
                ("b.rs", "use crate::A; fn f() { crate::a::Other; }"),
            ],
            &["b.rs a/inner.rs"],
        );
    }

    #[test]
    fn a_re_export_that_is_used_is_an_import() {
        check(
            &[("lib.rs", "mod a; pub use a::A; fn f(a: A) {}"), ("a.rs", "pub struct A;")],
            &["lib.rs a.rs"],
        );
    }

    #[test]
    fn paths_through_imported_modules_count() {
        check(
            &[
                ("main.rs", "mod a; mod b; mod c;"),
                ("a.rs", "use crate::b; use super::c::*; fn f() { b::g(C); }"),
                ("b.rs", "pub fn g() {} #[cfg(test)] mod tests { use crate::a; }"),
                ("c.rs", "pub struct C; pub struct D;"),
            ],
            &["a.rs b.rs", "a.rs c.rs"],
        );
    }

    #[test]
    fn a_function_may_have_the_name_of_its_module() {
        check(
            &[
                ("lib.rs", "mod check; mod run;"),
                ("check/mod.rs", "mod check; mod more; pub use check::check;"),
                ("check/check.rs", "pub fn check() { super::more::x(); }"),
                ("check/more.rs", "pub fn x() {}"),
                ("run.rs", "use crate::check::check; fn f() { check() }"),
            ],
            &["check/check.rs check/more.rs", "run.rs check/check.rs"],
        );
    }

    #[test]
    fn what_another_crate_defines_is_no_import() {
        check(
            &[
                ("lib.rs", "mod a; pub use other::text; fn f() { a::g() }"),
                ("a.rs", "use crate::text::Span; use std::fmt; fn g() { crate::text::h(); }"),
            ],
            &["lib.rs a.rs"],
        );
    }
}
