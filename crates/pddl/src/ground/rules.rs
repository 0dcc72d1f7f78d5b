//! The rules of relaxed reachability: an action is reachable where its positive conditions are, and
//! so are its effects. Negative conditions are ignored, except for those on predicates that never
//! change.

use std::sync::Arc;

use super::datalog::{Rule, RuleAtom, RuleCheck, RuleTerm};
use crate::task::{Change, PlanningTask, SchemaAtom, SchemaFormula, SchemaVariable, Term};

/// The most conjunctions of a condition; a part with more of them is ignored.
const MOST_BODIES: usize = 64;

/// The relations: one for each predicate, then one for each action schema.
#[derive(Debug)]
pub(super) struct RuleSet {
    pub(super) rules: Vec<Rule>,
    /// By relation: whether it never changes.
    pub(super) is_static: Vec<bool>,
    pub(super) arities: Vec<usize>,
}

/// A conjunction of atoms and checks.
#[derive(Clone, Debug, Default)]
struct Body {
    atoms: Vec<RuleAtom>,
    checks: Vec<RuleCheck>,
}

/// Makes the rules of a task.
pub(super) fn rules(task: &PlanningTask) -> RuleSet {
    let predicates = task.predicates.len();
    let mut is_static = vec![true; predicates + task.actions.len()];
    for (at, predicate) in task.predicates.iter().enumerate() {
        is_static[at] = !predicate.is_derived;
    }
    for action in &task.actions {
        for effect in &action.effects {
            if let Change::Add(atom) | Change::Delete(atom) = &effect.change {
                is_static[atom.predicate.0 as usize] = false;
            }
        }
    }
    is_static[predicates..].fill(false);
    let mut arities: Vec<usize> = task.predicates.iter().map(|one| one.parameters.len()).collect();
    arities.extend(task.actions.iter().map(|action| action.parameters));
    let mut set = RuleSet { rules: Vec::new(), is_static, arities };
    for (at, action) in task.actions.iter().enumerate() {
        let terms = (0..action.parameters).map(RuleTerm::Variable).collect();
        let head = RuleAtom { relation: predicates + at, terms };
        let bodies = set.bodies(&action.precondition, true);
        set.add(&head, bodies, &action.variables);
        for effect in &action.effects {
            let Change::Add(atom) = &effect.change else { continue };
            let mut bodies = set.bodies(&effect.condition, true);
            for body in &mut bodies {
                body.atoms.insert(0, head.clone());
            }
            set.add(&rule_atom(atom), bodies, &action.variables);
        }
    }
    for axiom in &task.axioms {
        let terms = (0..axiom.parameters).map(RuleTerm::Variable).collect();
        let head = RuleAtom { relation: axiom.head.0 as usize, terms };
        let bodies = set.bodies(&axiom.body, true);
        set.add(&head, bodies, &axiom.variables);
    }
    set
}

impl RuleSet {
    fn add(&mut self, head: &RuleAtom, bodies: Vec<Body>, variables: &[SchemaVariable]) {
        let domains: Vec<Arc<_>> = variables.iter().map(|one| one.objects.clone()).collect();
        for Body { atoms, checks } in bodies {
            let (head, domains) = (head.clone(), domains.clone());
            self.rules.push(Rule { head, body: atoms, checks, domains });
        }
    }

    /// Conjunctions of which one holds wherever the formula can hold.
    fn bodies(&self, formula: &SchemaFormula, is_positive: bool) -> Vec<Body> {
        match (formula, is_positive) {
            (SchemaFormula::And(all), true) | (SchemaFormula::Or(all), false) => {
                let mut product = vec![Body::default()];
                for one in all {
                    let bodies = self.bodies(one, is_positive);
                    if product.len() * bodies.len() > MOST_BODIES {
                        continue;
                    }
                    let joined = product.iter().flat_map(|left| {
                        bodies.iter().map(|right| Body {
                            atoms: [&left.atoms[..], &right.atoms].concat(),
                            checks: [&left.checks[..], &right.checks].concat(),
                        })
                    });
                    product = joined.collect();
                }
                product
            }
            (SchemaFormula::Or(all), true) | (SchemaFormula::And(all), false) => {
                let bodies: Vec<Body> =
                    all.iter().flat_map(|one| self.bodies(one, is_positive)).collect();
                if bodies.len() > MOST_BODIES { vec![Body::default()] } else { bodies }
            }
            (SchemaFormula::Not(inner), _) => self.bodies(inner, !is_positive),
            (SchemaFormula::Exists(_, inner), true) | (SchemaFormula::Forall(_, inner), false) => {
                self.bodies(inner, is_positive)
            }
            (SchemaFormula::Forall(..), true) | (SchemaFormula::Exists(..), false) => {
                vec![Body::default()]
            }
            (SchemaFormula::Atom(atom), true) => {
                vec![Body { atoms: vec![rule_atom(atom)], checks: Vec::new() }]
            }
            (SchemaFormula::Atom(atom), false) => {
                let checks = match self.is_static[atom.predicate.0 as usize] {
                    true => vec![RuleCheck::Absent(rule_atom(atom))],
                    false => Vec::new(),
                };
                vec![Body { atoms: Vec::new(), checks }]
            }
            (SchemaFormula::Same(a, b), _) => {
                let (a, b) = (rule_term(*a), rule_term(*b));
                let check =
                    if is_positive { RuleCheck::Same(a, b) } else { RuleCheck::Different(a, b) };
                vec![Body { atoms: Vec::new(), checks: vec![check] }]
            }
            (SchemaFormula::Compare(..), _) => vec![Body::default()],
        }
    }
}

fn rule_term(term: Term) -> RuleTerm {
    match term {
        Term::Variable(variable) => RuleTerm::Variable(variable as usize),
        Term::Object(object) => RuleTerm::Object(object.0),
    }
}

fn rule_atom(atom: &SchemaAtom) -> RuleAtom {
    RuleAtom {
        relation: atom.predicate.0 as usize,
        terms: atom.terms.iter().map(|&term| rule_term(term)).collect(),
    }
}
