//! Tables of the names of types, objects, predicates and functions.

use std::collections::HashMap;
use std::sync::Arc;

use beeline_source::diagnostic::{Diagnostic, did_you_mean};
use beeline_source::source::Span;

/// A table of names with the places of their declarations.
#[derive(Debug)]
pub(super) struct NameTable {
    what: &'static str,
    ids: HashMap<Arc<str>, (u32, Option<Span>)>,
    order: Vec<Arc<str>>,
}

/// All tables.
#[derive(Debug)]
pub(super) struct Names {
    pub(super) types: NameTable,
    pub(super) objects: NameTable,
    pub(super) predicates: NameTable,
    pub(super) functions: NameTable,
    pub(super) actions: NameTable,
}

impl Default for Names {
    fn default() -> Names {
        let mut types = NameTable::new("type");
        types.insert(&"object".into(), None).expect("the table is empty");
        Names {
            types,
            objects: NameTable::new("object"),
            predicates: NameTable::new("predicate"),
            functions: NameTable::new("function"),
            actions: NameTable::new("action"),
        }
    }
}

impl NameTable {
    fn new(what: &'static str) -> NameTable {
        NameTable { what, ids: HashMap::new(), order: Vec::new() }
    }

    /// The number of a name.
    pub(super) fn get(&self, name: &str) -> Option<u32> {
        self.ids.get(name).map(|&(id, _)| id)
    }

    /// Adds a name. Returns its number, or the place of the earlier declaration.
    pub(super) fn insert(
        &mut self,
        name: &Arc<str>,
        span: Option<Span>,
    ) -> Result<u32, Option<Span>> {
        if let Some(&(_, earlier)) = self.ids.get(name) {
            return Err(earlier);
        }
        let id = self.order.len() as u32;
        self.ids.insert(name.clone(), (id, span));
        self.order.push(name.clone());
        Ok(id)
    }

    /// The error for a name that is not in the table.
    pub(super) fn unknown(&self, name: &str, span: Span) -> Diagnostic {
        let message = format!("unknown {} `{name}`", self.what);
        let diagnostic = Diagnostic::error("pddl-unknown-name", span, message);
        match did_you_mean(name, self.order.iter().map(|name| &**name)) {
            Some(similar) => diagnostic.fix(format!("did you mean `{similar}`?"), span, similar),
            None if self.order.is_empty() => {
                diagnostic.help(format!("no {} is declared", self.what))
            }
            None => diagnostic.label(format!("not declared as a {}", self.what)),
        }
    }

    /// The error for a name that is declared twice.
    pub(super) fn twice(&self, name: &str, span: Span, earlier: Option<Span>) -> Diagnostic {
        let message = format!("{} `{name}` is declared twice", self.what);
        let diagnostic = Diagnostic::error("pddl-declared-twice", span, message);
        match earlier {
            Some(earlier) => diagnostic.related(earlier, "first declared here"),
            None => diagnostic,
        }
    }
}
