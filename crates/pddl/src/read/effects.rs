//! Effects of actions.

use beeline_source::source::Span;

use super::feature::Feature;
use super::formulas::Scope;
use super::reader::Reader;
use crate::syntax::Node;
use crate::task::{Change, NumericChange, SchemaEffect, SchemaFormula};

/// The quantifiers and conditions around an effect.
#[derive(Clone, Default)]
struct Around {
    variables: Vec<u32>,
    conditions: Vec<SchemaFormula>,
}

impl Reader<'_> {
    /// Reads an effect into a list.
    pub(super) fn effect(&mut self, node: &Node, scope: &mut Scope) -> Vec<SchemaEffect> {
        let mut effects = Vec::new();
        self.effect_within(node, scope, &Around::default(), &mut effects);
        effects
    }

    fn effect_within(
        &mut self,
        node: &Node,
        scope: &mut Scope,
        around: &Around,
        effects: &mut Vec<SchemaEffect>,
    ) {
        if node.list().is_some_and(<[Node]>::is_empty) {
            return;
        }
        let Some((head, word, rest)) = node.headed() else {
            return self.error("pddl-syntax", node.span, "expected an effect in parentheses");
        };
        let change = match word {
            "and" => {
                for one in rest {
                    self.effect_within(one, scope, around, effects);
                }
                return;
            }
            "forall" => {
                let [variables, inner] = rest else {
                    return self.wrong_effect(node, "(forall (?x - TYPE …) EFFECT)");
                };
                let Some(variables) = variables.list() else {
                    return self.wrong_effect(variables, "a list of variables, as (?x - TYPE …)");
                };
                self.uses(Feature::ConditionalEffects, head.span);
                let numbers = self.declare(variables, scope);
                let mut around = around.clone();
                around.variables.extend(&numbers);
                self.effect_within(inner, scope, &around, effects);
                self.leave(scope, &numbers);
                return;
            }
            "when" => {
                let [condition, inner] = rest else {
                    return self.wrong_effect(node, "(when CONDITION EFFECT)");
                };
                self.uses(Feature::ConditionalEffects, head.span);
                let mut around = around.clone();
                around.conditions.push(self.formula(condition, scope));
                self.effect_within(inner, scope, &around, effects);
                return;
            }
            "probabilistic" | "oneof" => {
                return self.refuse(head.span, "nondeterministic effects");
            }
            "at" | "over" if self.names.predicates.get(word).is_none() => {
                return self.refuse(head.span, "durative actions");
            }
            "not" => {
                let [inner] = rest else { return self.wrong_effect(node, "(not ATOM)") };
                self.changed_atom(inner, scope).map(Change::Delete)
            }
            "assign" | "increase" | "decrease" | "scale-up" | "scale-down" => {
                let [fluent, value] = rest else {
                    return self.wrong_effect(node, &format!("({word} (FUNCTION ?x) NUMBER)"));
                };
                let change = match word {
                    "assign" => NumericChange::Assign,
                    "increase" => NumericChange::Increase,
                    "decrease" => NumericChange::Decrease,
                    "scale-up" => NumericChange::ScaleUp,
                    _ => NumericChange::ScaleDown,
                };
                let fluent = self.fluent(fluent, scope);
                let value = self.numeric_expr(value, scope);
                fluent.zip(value).map(|(fluent, value)| Change::Number(change, fluent, value))
            }
            _ => self.changed_atom(node, scope).map(Change::Add),
        };
        if let Some(change) = change {
            let Around { variables, conditions } = around.clone();
            effects.push(SchemaEffect {
                variables,
                condition: SchemaFormula::And(conditions),
                change,
            });
        }
    }

    fn wrong_effect(&mut self, node: &Node, form: &str) {
        self.error("pddl-syntax", node.span, format!("expected `{form}`"));
    }

    /// An atom that an effect changes: no derived one.
    fn changed_atom(&mut self, node: &Node, scope: &Scope) -> Option<crate::task::SchemaAtom> {
        let atom = self.atom(node, scope)?;
        let predicate = &self.task.predicates[atom.predicate.0 as usize];
        if predicate.is_derived {
            let message =
                format!("`{}` is derived by axioms: no effect can change it", predicate.name);
            let span: Span = node.span;
            self.error("pddl-derived", span, message);
            return None;
        }
        Some(atom)
    }
}
