//! The product of a Kripke structure with a Büchi automaton, with one set of states per state of the
//! automaton; and the fixpoints of CTL on it. The automaton of CTL has one state.
//!
//! Source: [EMJ05], CTL: EU is a least fixpoint, EG a greatest one. With fairness constraints, EG is
//! the fixpoint of Emerson and Lei: from each state, each constraint can be satisfied once more.

use beeline_logic::Buchi;
use beeline_symbolic::{Set, SymbolicError};

use crate::fairness::FairnessConstraint;
use crate::kripke::KripkeStructure;

/// A set of states of the product: a set for each state of the automaton.
pub(crate) type Family = Vec<Set>;

/// The automaton of a product, with sets of states as guards.
#[derive(Clone, Debug)]
pub(crate) struct ProductAutomaton {
    pub(crate) start: usize,
    /// The edges of each state: the states of the structure in which they are taken, and their
    /// targets.
    pub(crate) edges: Vec<Vec<(Set, usize)>>,
    /// Whether each state is accepting. `None` if acceptance does not matter.
    pub(crate) accepting: Option<Vec<bool>>,
}

impl ProductAutomaton {
    /// The automaton with one state, which accepts all paths.
    pub(crate) fn trivial(structure: &KripkeStructure<'_>) -> ProductAutomaton {
        let edges = vec![vec![(structure.all().clone(), 0)]];
        ProductAutomaton { start: 0, edges, accepting: None }
    }

    /// A Büchi automaton whose atoms are sets of states.
    pub(crate) fn new(
        structure: &mut KripkeStructure<'_>,
        automaton: &Buchi,
        atoms: &[Set],
    ) -> Result<ProductAutomaton, SymbolicError> {
        let mut edges = Vec::new();
        for state in &automaton.states {
            let mut own = Vec::new();
            for edge in &state.edges {
                let mut guard = structure.all().clone();
                for literal in edge.guard.literals() {
                    let atom = &atoms[literal.atom.0 as usize];
                    guard = match literal.positive {
                        true => structure.and(&guard, atom)?,
                        false => structure.minus(&guard, atom)?,
                    };
                }
                own.push((guard, edge.to as usize));
            }
            edges.push(own);
        }
        let accepting = automaton.states.iter().map(|state| state.accepting).collect();
        let start = automaton.start as usize;
        Ok(ProductAutomaton { start, edges, accepting: Some(accepting) })
    }
}

/// A product.
#[derive(Debug)]
pub(crate) struct Product<'k, 'p> {
    pub(crate) structure: &'k mut KripkeStructure<'p>,
    pub(crate) automaton: ProductAutomaton,
}

impl<'k, 'p> Product<'k, 'p> {
    /// The structure itself.
    pub(crate) fn trivial(structure: &'k mut KripkeStructure<'p>) -> Product<'k, 'p> {
        let automaton = ProductAutomaton::trivial(structure);
        Product { structure, automaton }
    }

    pub(crate) fn none(&mut self) -> Family {
        vec![self.structure.none(); self.automaton.edges.len()]
    }

    /// The same set for each state of the automaton.
    pub(crate) fn everywhere(&self, set: &Set) -> Family {
        vec![set.clone(); self.automaton.edges.len()]
    }

    /// The states with a step into a family.
    pub(crate) fn next(&mut self, family: &Family) -> Result<Family, SymbolicError> {
        let structure = &mut *self.structure;
        let mut before = Vec::new();
        for set in family {
            before.push(structure.before_or_dead(set)?);
        }
        self.through_edges(&before)
    }

    /// The states with a step that a constraint counts into a family.
    pub(crate) fn next_by(
        &mut self,
        family: &Family,
        constraint: &mut FairnessConstraint,
    ) -> Result<Family, SymbolicError> {
        let Some(steps) = &mut constraint.steps else { return Ok(self.none()) };
        let mut before = Vec::new();
        for set in family {
            before.push(self.structure.before_by(steps, set)?);
        }
        self.through_edges(&before)
    }

    /// The states with an edge of the automaton to a state that is in the set of its target.
    fn through_edges(&mut self, before: &Family) -> Result<Family, SymbolicError> {
        let mut found = Vec::new();
        for edges in &self.automaton.edges {
            let mut sum = self.structure.none();
            for (guard, to) in edges {
                let part = self.structure.and(guard, &before[*to])?;
                sum = self.structure.or(&sum, &part)?;
            }
            found.push(sum);
        }
        Ok(found)
    }

    pub(crate) fn and(&mut self, a: &Family, b: &Family) -> Result<Family, SymbolicError> {
        a.iter().zip(b).map(|(a, b)| self.structure.and(a, b)).collect()
    }

    pub(crate) fn or(&mut self, a: &Family, b: &Family) -> Result<Family, SymbolicError> {
        a.iter().zip(b).map(|(a, b)| self.structure.or(a, b)).collect()
    }

    pub(crate) fn minus(&mut self, a: &Family, b: &Family) -> Result<Family, SymbolicError> {
        a.iter().zip(b).map(|(a, b)| self.structure.minus(a, b)).collect()
    }

    /// E[p U q], by distance from q: the states of ring n are n steps away from it.
    pub(crate) fn rings(&mut self, p: &Family, q: &Family) -> Result<Vec<Family>, SymbolicError> {
        let mut rings = vec![q.clone()];
        let mut all = q.clone();
        loop {
            let last = rings.last().expect("there is a first ring");
            let before = self.next(&last.clone())?;
            let before = self.and(&before, p)?;
            let new = self.minus(&before, &all)?;
            if is_empty(&new) {
                return Ok(rings);
            }
            all = self.or(&all, &new)?;
            rings.push(new);
        }
    }

    /// E[p U q]
    pub(crate) fn until(&mut self, p: &Family, q: &Family) -> Result<Family, SymbolicError> {
        let mut all = q.clone();
        let mut new = q.clone();
        while !is_empty(&new) {
            let before = self.next(&new)?;
            let before = self.and(&before, p)?;
            new = self.minus(&before, &all)?;
            all = self.or(&all, &new)?;
        }
        Ok(all)
    }

    /// EG p on paths that satisfy all constraints infinitely often.
    pub(crate) fn always(
        &mut self,
        p: &Family,
        constraints: &mut [FairnessConstraint],
    ) -> Result<Family, SymbolicError> {
        let mut set = p.clone();
        loop {
            let mut smaller = set.clone();
            for constraint in &mut *constraints {
                let once_more = self.once_more(p, &smaller, constraint)?;
                smaller = self.and(&smaller, &once_more)?;
            }
            if let Some(accepting) = self.accepting_states(&smaller) {
                let once_more = self.reach_again(p, &accepting)?;
                smaller = self.and(&smaller, &once_more)?;
            }
            let next = self.next(&smaller)?;
            smaller = self.and(&smaller, &next)?;
            if smaller == set {
                return Ok(set);
            }
            set = smaller;
        }
    }

    /// The states from which a constraint is satisfied at least one step later, on a path in p that
    /// ends in a set.
    fn once_more(
        &mut self,
        p: &Family,
        set: &Family,
        constraint: &mut FairnessConstraint,
    ) -> Result<Family, SymbolicError> {
        let states = self.everywhere(&constraint.states.clone());
        let there = self.and(set, &states)?;
        let by_state = self.reach_again(p, &there)?;
        let before = self.next_by(set, constraint)?;
        let before = self.and(&before, p)?;
        let by_step = self.until(p, &before)?;
        self.or(&by_state, &by_step)
    }

    /// EX E[p U q]
    fn reach_again(&mut self, p: &Family, q: &Family) -> Result<Family, SymbolicError> {
        let until = self.until(p, q)?;
        self.next(&until)
    }

    /// The states of a family with an accepting state of the automaton.
    pub(crate) fn accepting_states(&mut self, family: &Family) -> Option<Family> {
        let accepting = self.automaton.accepting.clone()?;
        let none = self.structure.none();
        let part = |(set, accepts): (&Set, bool)| if accepts { set.clone() } else { none.clone() };
        Some(family.iter().zip(accepting).map(part).collect())
    }
}

/// Whether a family has no state.
pub(crate) fn is_empty(family: &Family) -> bool {
    family.iter().all(Set::is_empty)
}
