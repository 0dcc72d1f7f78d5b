//! Types, objects, and the declarations of predicates and functions.

use std::sync::Arc;

use beeline_source::diagnostic::Diagnostic;

use super::feature::Feature;
use super::reader::Reader;
use crate::syntax::Node;
use crate::task::{
    NumericFunction, ObjectId, ObjectType, PlanningObject, PlanningPredicate, TypeId,
};

/// The greatest number of arguments.
const MOST_ARGUMENTS: usize = 64;

impl Reader<'_> {
    /// The hierarchy of types.
    pub(super) fn types(&mut self, nodes: &[Node]) {
        let list = self.typed_list(nodes);
        let mut places = vec![None; 1];
        for (node, _) in &list {
            let Some(name) = self.name(node, "a type") else { continue };
            // Some domains repeat the root.
            if &*name == "object" {
                continue;
            }
            match self.names.types.insert(&name, Some(node.span)) {
                Ok(_) => {
                    self.task.types.push(ObjectType { name, parents: Vec::new() });
                    places.push(Some(node.span));
                }
                // The same type may be below several others.
                Err(_) => continue,
            }
        }
        for (node, written) in &list {
            let Some(id) = node.word().and_then(|name| self.names.types.get(name)) else {
                continue;
            };
            for parent in self.types_of(written.as_ref()) {
                let parents = &mut self.task.types[id as usize].parents;
                if id != 0 && parent.0 != 0 && !parents.contains(&parent) {
                    parents.push(parent);
                }
            }
        }
        for (id, place) in places.into_iter().enumerate().skip(1) {
            let cycle = self.cycle_from(id);
            if let Some(cycle) = cycle
                && cycle.iter().all(|&other| other >= id)
            {
                let names: Vec<&str> =
                    cycle.iter().chain(&cycle[..1]).map(|&at| &*self.task.types[at].name).collect();
                let message = format!("the hierarchy of types has a cycle: {}", names.join(" - "));
                let place = place.expect("declared types have places");
                self.error("pddl-type-cycle", place, message);
                // Broken, so that it is reported once and nothing runs in circles.
                self.task.types[id].parents.clear();
            }
        }
    }

    /// The types on a cycle from this one.
    fn cycle_from(&self, start: usize) -> Option<Vec<usize>> {
        let mut from = vec![None; self.task.types.len()];
        let mut waiting = vec![start];
        while let Some(at) = waiting.pop() {
            for parent in &self.task.types[at].parents {
                let parent = parent.0 as usize;
                if parent == start {
                    let mut cycle = vec![at];
                    let mut at = at;
                    while at != start {
                        at = from[at]?;
                        cycle.push(at);
                    }
                    cycle.reverse();
                    return Some(cycle);
                }
                if from[parent].is_none() {
                    from[parent] = Some(at);
                    waiting.push(parent);
                }
            }
        }
        None
    }

    /// Constants or objects.
    pub(super) fn objects(&mut self, nodes: &[Node]) {
        for (node, written) in self.typed_list(nodes) {
            let types = self.types_of(written.as_ref());
            let Some(name) = self.name(node, "an object") else { continue };
            match self.names.objects.insert(&name, Some(node.span)) {
                Ok(_) => self.task.objects.push(PlanningObject { name, types }),
                Err(earlier) => {
                    let known = self.names.objects.get(&name);
                    let is_same =
                        known.is_some_and(|id| self.task.objects[id as usize].types == types);
                    // Problems often repeat the constants of their domain.
                    let twice = self.names.objects.twice(&name, node.span, earlier);
                    let is_other_file =
                        earlier.is_some_and(|earlier| earlier.file != node.span.file);
                    if !(is_same && is_other_file) {
                        self.diagnostics.push(twice);
                    }
                }
            }
        }
    }

    /// Finds the objects of each type.
    pub(super) fn count_members(&mut self) {
        let types = &self.task.types;
        let mut members: Vec<Vec<ObjectId>> = vec![Vec::new(); types.len()];
        for (id, object) in (0..).zip(&self.task.objects) {
            let mut above = vec![false; types.len()];
            above[0] = true;
            let mut waiting: Vec<TypeId> = object.types.clone();
            while let Some(TypeId(at)) = waiting.pop() {
                if !std::mem::replace(&mut above[at as usize], true) || at == 0 {
                    waiting.extend(&types[at as usize].parents);
                }
            }
            for (all, is_above) in members.iter_mut().zip(above) {
                if is_above {
                    all.push(ObjectId(id));
                }
            }
        }
        self.members = members.into_iter().map(Into::into).collect();
    }

    /// The objects of some types.
    pub(super) fn objects_of(&self, types: &[TypeId]) -> Arc<[ObjectId]> {
        match types {
            [one] => self.members[one.0 as usize].clone(),
            several => {
                let all = several.iter().flat_map(|one| self.members[one.0 as usize].iter());
                let mut all: Vec<ObjectId> = all.copied().collect();
                all.sort_unstable();
                all.dedup();
                all.into()
            }
        }
    }

    /// Declarations of predicates.
    pub(super) fn predicates(&mut self, nodes: &[Node]) {
        for node in nodes {
            let Some((name, parameters)) = self.declaration(node, "a predicate") else { continue };
            if &*name == "=" {
                continue;
            }
            match self.names.predicates.insert(&name, Some(node.span)) {
                Ok(_) => self.task.predicates.push(PlanningPredicate {
                    name,
                    parameters,
                    is_derived: false,
                }),
                Err(earlier) => {
                    let twice = self.names.predicates.twice(&name, node.span, earlier);
                    self.diagnostics.push(twice);
                }
            }
        }
    }

    /// Declarations of numeric functions, with or without `- number`.
    pub(super) fn functions(&mut self, nodes: &[Node]) {
        let mut at = 0;
        while at < nodes.len() {
            let node = &nodes[at];
            at += 1;
            if node.word() == Some("-") {
                match nodes.get(at) {
                    Some(kind) if kind.word() == Some("number") => {}
                    Some(kind) => self.refuse(kind.span, "functions with values that are objects"),
                    None => self.error("pddl-syntax", node.span, "expected `number` after `-`"),
                }
                at += 1;
                continue;
            }
            let Some((name, parameters)) = self.declaration(node, "a function") else { continue };
            if &*name != "total-cost" {
                let is_cost = self.declared.contains(":action-costs");
                if !is_cost {
                    self.uses(Feature::NumericFluents, node.span);
                }
            }
            match self.names.functions.insert(&name, Some(node.span)) {
                Ok(_) => self.task.functions.push(NumericFunction { name, parameters }),
                Err(earlier) => {
                    let twice = self.names.functions.twice(&name, node.span, earlier);
                    self.diagnostics.push(twice);
                }
            }
        }
    }

    /// `(name ?x - type …)`
    fn declaration(&mut self, node: &Node, what: &str) -> Option<(Arc<str>, Vec<Vec<TypeId>>)> {
        let Some((head, rest)) = node.list().and_then(<[Node]>::split_first) else {
            self.error("pddl-syntax", node.span, format!("expected {what}, as `(NAME ?x - TYPE)`"));
            return None;
        };
        let name = self.name(head, what)?;
        let mut parameters = Vec::new();
        for (variable, written) in self.typed_list(rest) {
            self.variable_name(variable);
            parameters.push(self.types_of(written.as_ref()));
        }
        if parameters.len() > MOST_ARGUMENTS {
            let message = format!("more than {MOST_ARGUMENTS} arguments");
            self.diagnostics.push(Diagnostic::error("pddl-syntax", node.span, message));
            return None;
        }
        Some((name, parameters))
    }
}
