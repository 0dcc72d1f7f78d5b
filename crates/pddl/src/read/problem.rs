//! The sections of a problem: its domain, the initial state, the goal and the metric.

use std::collections::HashSet;

use super::definition::Definition;
use super::feature::Feature;
use super::formulas::Scope;
use super::reader::Reader;
use crate::syntax::Node;
use crate::task::{Metric, NumericExpr};

impl Reader<'_> {
    pub(super) fn problem(
        &mut self,
        problem: &Definition,
        domain: &Definition,
        sections: &[(&Node, &str, &[Node])],
    ) {
        let mut has = HashSet::new();
        for &(head, keyword, rest) in sections {
            has.insert(keyword);
            match keyword {
                ":domain" => {
                    let name = rest.first().and_then(Node::word);
                    if name != Some(&*domain.name) {
                        let message = format!(
                            "the problem belongs to the domain `{}`, not to `{}`",
                            name.unwrap_or_default(),
                            domain.name
                        );
                        let place = rest.first().map_or(head.span, |node| node.span);
                        self.diagnostics.push(
                            beeline_source::diagnostic::Diagnostic::warning(
                                "pddl-domain",
                                place,
                                message,
                            )
                            .related(domain.span, "this is the domain"),
                        );
                    }
                }
                ":init" => self.initial(rest),
                ":goal" => match rest {
                    [goal] => {
                        let mut scope = Scope::default();
                        self.task.goal = self.formula(goal, &mut scope);
                        self.task.goal_variables = scope.variables;
                    }
                    _ => self.error("pddl-syntax", head.span, "expected `(:goal CONDITION)`"),
                },
                ":metric" => self.metric(head, rest),
                _ => {}
            }
        }
        for keyword in [":init", ":goal"] {
            if !has.contains(keyword) {
                let message = format!("the problem has no section `{keyword}`");
                self.error("pddl-syntax", problem.span, message);
            }
        }
    }

    fn initial(&mut self, nodes: &[Node]) {
        let scope = Scope::default();
        let (mut atoms, mut fluents) = (HashSet::new(), HashSet::new());
        for node in nodes {
            match node.headed() {
                Some((head, "=", [fluent, value])) => {
                    if fluent.word().is_some()
                        && self.names.functions.get(fluent.word().unwrap_or_default()).is_none()
                    {
                        self.error(
                            "pddl-syntax",
                            head.span,
                            "the initial state sets functions to numbers",
                        );
                        continue;
                    }
                    let fluent = self.fluent(fluent, &scope);
                    let value = match value.word() {
                        Some(word) => self.literal(value, word),
                        None => {
                            self.error("pddl-syntax", value.span, "expected a number");
                            None
                        }
                    };
                    let (Some(fluent), Some(value)) = (fluent, value) else { continue };
                    if fluents.insert(fluent.clone()) {
                        self.task.numbers.push((fluent, value));
                    } else {
                        self.error("pddl-declared-twice", head.span, "a second initial value");
                    }
                }
                // The closed world: what is not listed is false.
                Some((_, "not", [inner])) => {
                    self.atom(inner, &scope);
                }
                Some((head, "at", [time, _]))
                    if time
                        .word()
                        .is_some_and(|word| word.starts_with(|one: char| one.is_ascii_digit()))
                        && self.names.objects.get(time.word().unwrap_or_default()).is_none() =>
                {
                    self.refuse(head.span, "timed initial literals");
                }
                _ => {
                    let Some(atom) = self.atom(node, &scope) else { continue };
                    let predicate = &self.task.predicates[atom.predicate.0 as usize];
                    if predicate.is_derived {
                        let message = format!("`{}` is derived by axioms", predicate.name);
                        self.error("pddl-derived", node.span, message);
                    } else if atoms.insert(atom.clone()) {
                        self.task.initial.push(atom);
                    }
                }
            }
        }
    }

    fn metric(&mut self, head: &Node, rest: &[Node]) {
        let [direction, value] = rest else {
            return self.error("pddl-syntax", head.span, "expected `(:metric minimize NUMBER)`");
        };
        self.uses(Feature::ActionCosts, head.span);
        match direction.word() {
            Some("minimize") => {}
            Some("maximize") => return self.refuse(direction.span, "metrics that are maximised"),
            _ => return self.error("pddl-syntax", direction.span, "expected `minimize`"),
        }
        let is_time = |node: &Node| {
            let word = match node.list() {
                Some([one]) => one.word(),
                _ => node.word(),
            };
            word == Some("total-time")
        };
        // Without durations, each action takes one unit of time.
        if is_time(value) && self.names.functions.get("total-time").is_none() {
            self.task.metric = Metric::Steps;
            return;
        }
        let scope = Scope::default();
        if let Some(value) = self.numeric_expr(value, &scope) {
            self.task.metric = match value {
                NumericExpr::Number(_) => Metric::Steps,
                value => Metric::Minimize(value),
            };
        }
    }
}
