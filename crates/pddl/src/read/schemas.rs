//! Actions and axioms.

use beeline_source::diagnostic::{Diagnostic, did_you_mean};

use super::feature::Feature;
use super::formulas::Scope;
use super::reader::Reader;
use crate::syntax::Node;
use crate::task::{ActionSchema, Axiom, PredicateId, SchemaFormula};

const PARTS: [&str; 3] = [":parameters", ":precondition", ":effect"];

impl Reader<'_> {
    /// `(:action NAME :parameters … :precondition … :effect …)`
    pub(super) fn action(&mut self, head: &Node, rest: &[Node]) {
        let Some((name_node, parts)) = rest.split_first() else {
            return self.error("pddl-syntax", head.span, "expected the name of the action");
        };
        let Some(name) = self.name(name_node, "the action") else { return };
        if let Err(earlier) = self.names.actions.insert(&name, Some(name_node.span)) {
            let twice = self.names.actions.twice(&name, name_node.span, earlier);
            self.diagnostics.push(twice);
        }
        let mut found: [Option<&Node>; 3] = [None; 3];
        let mut at = 0;
        while at < parts.len() {
            let keyword = &parts[at];
            let number = keyword.word().and_then(|word| PARTS.iter().position(|one| *one == word));
            match number {
                Some(number) if parts.get(at + 1).is_some() => {
                    if found[number].replace(&parts[at + 1]).is_some() {
                        let message = format!("a second `{}` of this action", PARTS[number]);
                        self.error("pddl-syntax", keyword.span, message);
                    }
                    at += 2;
                }
                Some(_) => {
                    self.error("pddl-syntax", keyword.span, "expected a list after this keyword");
                    break;
                }
                None => {
                    self.unknown_part(keyword);
                    // A part with its value, or something that stands alone.
                    let is_keyword = keyword.word().is_some_and(|word| word.starts_with(':'));
                    at += if is_keyword { 2 } else { 1 };
                }
            }
        }
        let mut scope = Scope::default();
        if let Some(node) = found[0] {
            match node.list() {
                Some(nodes) => {
                    self.declare(nodes, &mut scope);
                }
                None => self.error("pddl-syntax", node.span, "expected a list of variables"),
            }
        }
        let parameters = scope.variables.len();
        let precondition =
            found[1].map_or(SchemaFormula::TRUE, |node| self.formula(node, &mut scope));
        let effects = found[2].map_or_else(Vec::new, |node| self.effect(node, &mut scope));
        let span = name_node.span;
        let variables = scope.variables;
        self.task.actions.push(ActionSchema {
            name,
            span,
            parameters,
            variables,
            precondition,
            effects,
        });
    }

    fn unknown_part(&mut self, node: &Node) {
        let Some(word) = node.word() else {
            return self.error(
                "pddl-syntax",
                node.span,
                "expected `:parameters`, `:precondition` or `:effect`",
            );
        };
        if [":duration", ":condition"].contains(&word) {
            return self.refuse(node.span, "durative actions");
        }
        let message = format!("an action has no part `{word}`");
        let diagnostic = Diagnostic::error("pddl-syntax", node.span, message);
        let diagnostic = match did_you_mean(word, PARTS) {
            Some(similar) => {
                diagnostic.fix(format!("did you mean `{similar}`?"), node.span, similar)
            }
            None => diagnostic.help(format!("there are: {}", PARTS.join(", "))),
        };
        self.diagnostics.push(diagnostic);
    }

    /// Marks the predicate of an axiom as derived.
    pub(super) fn mark_derived(&mut self, rest: &[Node]) {
        let name = rest.first().and_then(Node::headed).map(|(_, name, _)| name);
        if let Some(id) = name.and_then(|name| self.names.predicates.get(name)) {
            self.task.predicates[id as usize].is_derived = true;
        }
    }

    /// `(:derived (NAME ?x - TYPE) CONDITION)`
    pub(super) fn axiom(&mut self, head: &Node, rest: &[Node]) {
        self.uses(Feature::DerivedPredicates, head.span);
        let [declared, body] = rest else {
            let message = "expected `(:derived (PREDICATE ?x - TYPE) CONDITION)`";
            return self.error("pddl-syntax", head.span, message);
        };
        let Some((name_node, _, arguments)) = declared.headed() else {
            return self.error("pddl-syntax", declared.span, "expected `(PREDICATE ?x - TYPE)`");
        };
        let mut scope = Scope::default();
        // The arguments of the head without their types are an atom.
        let numbers = self.declare(arguments, &mut scope);
        let Some(name) = self.name(name_node, "a predicate") else { return };
        let Some(id) = self.names.predicates.get(&name) else {
            let unknown = self.names.predicates.unknown(&name, name_node.span);
            return self.diagnostics.push(unknown);
        };
        let arity = self.task.predicates[id as usize].parameters.len();
        if numbers.len() != arity {
            let message = format!("`{name}` has {arity} arguments, not {}", numbers.len());
            return self.error("pddl-arity", declared.span, message);
        }
        // An argument has the declared type of the predicate, too.
        for (&number, types) in
            numbers.iter().zip(&self.task.predicates[id as usize].parameters.clone())
        {
            let allowed = self.objects_of(types);
            let variable = &mut scope.variables[number as usize];
            if variable.objects.iter().any(|object| allowed.binary_search(object).is_err()) {
                let both = variable.objects.iter().filter(|one| allowed.binary_search(one).is_ok());
                variable.objects = both.copied().collect();
            }
        }
        let body = self.formula(body, &mut scope);
        let (parameters, variables, span) = (numbers.len(), scope.variables, declared.span);
        let head = PredicateId(id);
        self.task.axioms.push(Axiom { head, span, parameters, variables, body, layer: 0 });
    }
}
