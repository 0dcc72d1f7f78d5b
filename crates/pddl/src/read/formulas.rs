//! Conditions, in the scope of the variables of a schema.

use std::sync::Arc;

use beeline_source::diagnostic::{Diagnostic, did_you_mean};
use beeline_source::source::Span;

use super::feature::Feature;
use super::reader::Reader;
use crate::syntax::Node;
use crate::task::{
    Fluent, FunctionId, NumericComparison, NumericExpr, ObjectId, PredicateId, SchemaAtom,
    SchemaFormula, SchemaVariable, Term, TypeId,
};

/// The variables of a schema, and those that are visible.
#[derive(Debug, Default)]
pub(super) struct Scope {
    pub(super) variables: Vec<SchemaVariable>,
    /// Visible names with their variables, inner ones last.
    visible: Vec<(Arc<str>, u32)>,
}

impl Reader<'_> {
    /// Declares variables; returns their numbers.
    pub(super) fn declare(&mut self, nodes: &[Node], scope: &mut Scope) -> Vec<u32> {
        let mut numbers: Vec<u32> = Vec::new();
        for (node, written) in self.typed_list(nodes) {
            let types = self.types_of(written.as_ref());
            let Some((name, span)) = self.variable_name(node) else { continue };
            let name: Arc<str> = name.into();
            if numbers.iter().any(|&at| scope.variables[at as usize].name == name) {
                self.error(
                    "pddl-declared-twice",
                    span,
                    format!("variable `{name}` is declared twice"),
                );
                continue;
            }
            let number = scope.variables.len() as u32;
            let objects = self.objects_of(&types);
            scope.variables.push(SchemaVariable { name: name.clone(), objects });
            scope.visible.push((name, number));
            numbers.push(number);
        }
        numbers
    }

    /// Ends the visibility of variables.
    pub(super) fn leave(&mut self, scope: &mut Scope, numbers: &[u32]) {
        scope.visible.retain(|(_, number)| !numbers.contains(number));
    }

    /// Reads a condition. A mistake is reported, and the condition is taken as true.
    pub(super) fn formula(&mut self, node: &Node, scope: &mut Scope) -> SchemaFormula {
        // `()` is the empty conjunction.
        if node.list().is_some_and(<[Node]>::is_empty) {
            return SchemaFormula::TRUE;
        }
        let Some((head, word, rest)) = node.headed() else {
            self.error("pddl-syntax", node.span, "expected a condition in parentheses");
            return SchemaFormula::TRUE;
        };
        match word {
            "and" => SchemaFormula::And(rest.iter().map(|one| self.formula(one, scope)).collect()),
            "or" => {
                self.uses(Feature::DisjunctivePreconditions, head.span);
                SchemaFormula::Or(rest.iter().map(|one| self.formula(one, scope)).collect())
            }
            "not" => {
                let [inner] = rest else { return self.wrong_form(node, "(not CONDITION)") };
                let is_atom = inner.headed().is_some_and(|(_, word, _)| word != "=");
                if is_atom {
                    self.uses(Feature::NegativePreconditions, head.span);
                }
                SchemaFormula::Not(Box::new(self.formula(inner, scope)))
            }
            "imply" => {
                let [from, to] = rest else {
                    return self.wrong_form(node, "(imply CONDITION CONDITION)");
                };
                self.uses(Feature::DisjunctivePreconditions, head.span);
                let from = SchemaFormula::Not(Box::new(self.formula(from, scope)));
                SchemaFormula::Or(vec![from, self.formula(to, scope)])
            }
            "forall" | "exists" => {
                let [variables, inner] = rest else {
                    return self.wrong_form(node, &format!("({word} (?x - TYPE …) CONDITION)"));
                };
                let Some(variables) = variables.list() else {
                    return self.wrong_form(variables, "a list of variables, as (?x - TYPE …)");
                };
                let is_universal = word == "forall";
                self.uses(
                    match is_universal {
                        true => Feature::UniversalPreconditions,
                        false => Feature::ExistentialPreconditions,
                    },
                    head.span,
                );
                let numbers = self.declare(variables, scope);
                let inner = Box::new(self.formula(inner, scope));
                self.leave(scope, &numbers);
                match is_universal {
                    true => SchemaFormula::Forall(numbers, inner),
                    false => SchemaFormula::Exists(numbers, inner),
                }
            }
            "preference" => {
                self.refuse(head.span, "preferences");
                SchemaFormula::TRUE
            }
            "=" => self.equality(node, head, rest, scope),
            "<" | "<=" | ">" | ">=" => {
                let comparison = match word {
                    "<" => NumericComparison::Less,
                    "<=" => NumericComparison::LessEqual,
                    ">" => NumericComparison::Greater,
                    _ => NumericComparison::GreaterEqual,
                };
                let [a, b] = rest else {
                    return self.wrong_form(node, &format!("({word} NUMBER NUMBER)"));
                };
                self.uses(Feature::NumericFluents, head.span);
                SchemaFormula::Compare(comparison, self.number(a, scope), self.number(b, scope))
            }
            _ => self.atom(node, scope).map_or(SchemaFormula::TRUE, SchemaFormula::Atom),
        }
    }

    fn wrong_form(&mut self, node: &Node, form: &str) -> SchemaFormula {
        self.error("pddl-syntax", node.span, format!("expected `{form}`"));
        SchemaFormula::TRUE
    }

    /// `=` compares objects or numbers.
    fn equality(
        &mut self,
        node: &Node,
        head: &Node,
        rest: &[Node],
        scope: &mut Scope,
    ) -> SchemaFormula {
        let [a, b] = rest else { return self.wrong_form(node, "(= TERM TERM)") };
        let is_number = |node: &Node| match node.word() {
            Some(word) => word.starts_with(|letter: char| letter.is_ascii_digit() || letter == '-'),
            None => true,
        };
        let is_object =
            |node: &Node| node.word().is_some_and(|word| self.names.objects.get(word).is_some());
        if (is_number(a) || is_number(b)) && !is_object(a) && !is_object(b) {
            self.uses(Feature::NumericFluents, head.span);
            return SchemaFormula::Compare(
                NumericComparison::Equal,
                self.number(a, scope),
                self.number(b, scope),
            );
        }
        self.uses(Feature::Equality, head.span);
        match (self.term(a, scope), self.term(b, scope)) {
            (Some(a), Some(b)) => SchemaFormula::Same(a, b),
            _ => SchemaFormula::TRUE,
        }
    }

    /// An atom of a declared predicate.
    pub(super) fn atom(&mut self, node: &Node, scope: &Scope) -> Option<SchemaAtom> {
        let Some((head, rest)) = node.list().and_then(<[Node]>::split_first) else {
            self.error("pddl-syntax", node.span, "expected an atom, as `(PREDICATE ?x)`");
            return None;
        };
        let name = self.name(head, "a predicate")?;
        let Some(id) = self.names.predicates.get(&name) else {
            let mut unknown = self.names.predicates.unknown(&name, head.span);
            if self.names.functions.get(&name).is_some() {
                unknown = unknown.note(format!("`{name}` is a numeric function"));
            }
            self.diagnostics.push(unknown);
            return None;
        };
        let declared = self.task.predicates[id as usize].parameters.clone();
        let terms = self.arguments(head, &name, rest, &declared, scope)?;
        Some(SchemaAtom { predicate: PredicateId(id), terms })
    }

    /// The value of a declared function.
    pub(super) fn fluent(&mut self, node: &Node, scope: &Scope) -> Option<Fluent> {
        // `total-cost` may stand without parentheses.
        let (head, rest) = match node.list() {
            Some(nodes) => nodes.split_first()?,
            None => (node, &[][..]),
        };
        let name = self.name(head, "a function")?;
        let Some(id) = self.names.functions.get(&name) else {
            let unknown = self.names.functions.unknown(&name, head.span);
            self.diagnostics.push(unknown);
            return None;
        };
        let declared = self.task.functions[id as usize].parameters.clone();
        let terms = self.arguments(head, &name, rest, &declared, scope)?;
        Some(Fluent { function: FunctionId(id), terms })
    }

    /// The arguments of an atom or a fluent: their number and types are checked.
    fn arguments(
        &mut self,
        head: &Node,
        name: &str,
        nodes: &[Node],
        declared: &[Vec<TypeId>],
        scope: &Scope,
    ) -> Option<Vec<Term>> {
        if nodes.len() != declared.len() {
            let takes = match declared.len() {
                0 => "no argument".to_owned(),
                1 => "one argument".to_owned(),
                count => format!("{count} arguments"),
            };
            let message = format!("`{name}` takes {takes}, not {}", nodes.len());
            self.error("pddl-arity", head.span, message);
            return None;
        }
        let mut terms = Vec::new();
        for (node, types) in nodes.iter().zip(declared) {
            let term = self.term(node, scope)?;
            self.check_type(node.span, name, term, types, scope);
            terms.push(term);
        }
        Some(terms)
    }

    /// Warns if no value of a term has the declared type.
    fn check_type(&mut self, span: Span, name: &str, term: Term, types: &[TypeId], scope: &Scope) {
        // An unknown type was reported where it is declared.
        if types.is_empty() {
            return;
        }
        let allowed = self.objects_of(types);
        let fits = match term {
            Term::Object(object) => allowed.binary_search(&object).is_ok(),
            Term::Variable(variable) => {
                let objects = &scope.variables[variable as usize].objects;
                objects.is_empty()
                    || objects.iter().any(|object| allowed.binary_search(object).is_ok())
            }
        };
        if !fits {
            let names: Vec<&str> =
                types.iter().map(|id| &*self.task.types[id.0 as usize].name).collect();
            let message = format!("this argument of `{name}` is no `{}`", names.join("` or `"));
            let is_object = matches!(term, Term::Object(_));
            let diagnostic = match is_object {
                true => Diagnostic::error("pddl-type", span, message),
                false => Diagnostic::warning("pddl-type", span, message),
            };
            self.diagnostics.push(diagnostic);
        }
    }

    /// A variable or an object.
    pub(super) fn term(&mut self, node: &Node, scope: &Scope) -> Option<Term> {
        let Some(word) = node.word() else {
            self.error("pddl-syntax", node.span, "expected a variable or an object");
            return None;
        };
        if word.starts_with('?') {
            let found = scope.visible.iter().rev().find(|(name, _)| **name == *word);
            if let Some(&(_, number)) = found {
                return Some(Term::Variable(number));
            }
            let message = format!("unknown variable `{word}`");
            let mut diagnostic = Diagnostic::error("pddl-unknown-name", node.span, message);
            let known = scope.visible.iter().map(|(name, _)| &**name);
            if let Some(similar) = did_you_mean(word, known) {
                diagnostic =
                    diagnostic.fix(format!("did you mean `{similar}`?"), node.span, similar);
            }
            self.diagnostics.push(diagnostic);
            return None;
        }
        match self.names.objects.get(word) {
            Some(id) => Some(Term::Object(ObjectId(id))),
            None => {
                let unknown = self.names.objects.unknown(word, node.span);
                self.diagnostics.push(unknown);
                None
            }
        }
    }

    /// A numeric expression; 0 after a mistake.
    pub(super) fn number(&mut self, node: &Node, scope: &Scope) -> NumericExpr {
        self.numeric_expr(node, scope).unwrap_or(NumericExpr::Number(0))
    }
}
