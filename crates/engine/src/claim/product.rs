//! The product of a system and its claim, as a state space.
//!
//! The state of the claim is in the header of a system state, so states of the product are states
//! of the system.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use beeline_kernel::{
    AcceptanceMarks, Expander, Expansion, Fault, FaultKind, FaultTransition, SiteId, Space,
    Transition,
};

use crate::claim_automaton::{Claim, ClaimCondition, ClaimMove, ClaimState, PersistenceClaim};
use crate::interpreter::Machine;

/// A system with its claim.
pub struct Product<'a> {
    pub(super) machine: &'a Machine<'a>,
    pub(super) claim: &'a Claim,
    system: &'a dyn Space,
    /// Whether the transitions of the system have marks, the first of which is the claim's.
    pub(super) is_marked: bool,
    /// The conditions of the claim that were true in some state, for the first 64.
    true_once: AtomicU64,
    /// Whether the claim could not stay in its initial state in some state.
    left: AtomicBool,
}

impl<'a> Product<'a> {
    /// The product of `system`, whose states are those of the machine, with the machine's claim;
    /// `None` without a claim.
    pub fn new(machine: &'a Machine<'a>, system: &'a dyn Space) -> Option<Self> {
        Product::with(machine, system, false)
    }

    /// The product for fair cycles: transitions of `system` have the marks of a
    /// [`FairSpace`](super::FairSpace).
    pub fn fair(machine: &'a Machine<'a>, system: &'a dyn Space) -> Option<Self> {
        Product::with(machine, system, true)
    }

    fn with(machine: &'a Machine<'a>, system: &'a dyn Space, is_marked: bool) -> Option<Self> {
        let (true_once, left) = (AtomicU64::new(0), AtomicBool::new(false));
        machine.claim().map(|claim| Product { machine, claim, system, is_marked, true_once, left })
    }

    /// Whether exploring the product explores the whole system: the claim can always stay in its
    /// initial state. Where it rejects runs, later states of these runs are not visited.
    pub fn sees_everything(&self) -> bool {
        !self.left.load(Ordering::Relaxed)
    }

    /// Whether a condition of the claim was true in some expanded state, or may have been: only the
    /// first conditions are recorded.
    pub fn was_true(&self, condition: ClaimCondition) -> bool {
        match condition {
            ClaimCondition::Holds(number) if number < u64::BITS => {
                self.true_once.load(Ordering::Relaxed) >> number & 1 == 1
            }
            _ => true,
        }
    }
}

impl Space for Product<'_> {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        self.system.initial(state)
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        expansion.clear();
        self.expander().expand(state, expansion);
    }

    fn expander(&self) -> Box<dyn Expander + '_> {
        Box::new(ProductExpander::new(self, None))
    }
}

impl<'a> ProductExpander<'a> {
    pub(super) fn new(product: &'a Product<'a>, persistence: Option<PersistenceClaim>) -> Self {
        let conditions = (product.claim.conditions.len() as u32).clamp(1, u64::BITS);
        ProductExpander {
            product,
            persistence,
            system: product.system.expander(),
            unseen: !0 >> (u64::BITS - conditions),
            targets: Vec::new(),
            sites: Vec::new(),
            state: Vec::new(),
        }
    }
}

pub(super) struct ProductExpander<'a> {
    product: &'a Product<'a>,
    /// Where the claim has this form: it stays in its initial state, and the states where it could
    /// stay in its accepting state accept.
    persistence: Option<PersistenceClaim>,
    system: Box<dyn Expander + 'a>,
    /// The conditions that were not true yet, for the first 64.
    unseen: u64,
    /// Kept to reuse their memory.
    targets: Vec<u32>,
    sites: Vec<SiteId>,
    state: Vec<u8>,
}

/// Numbers below 64 as a bit set.
#[inline]
fn bits(numbers: &[u32]) -> u64 {
    numbers.iter().fold(0, |bits, &number| bits | 1u64.checked_shl(number).unwrap_or(0))
}

/// Facts about a state.
struct Seen<'a> {
    /// The conditions of the claim that are false there.
    broken: &'a [u32],
    /// Whether some process can move.
    goes_on: bool,
}

impl ProductExpander<'_> {
    /// Computes the moves of the claim from a state, and whether one is a violation.
    fn move_claim(&mut self, place: &ClaimState, state: &[u8], seen: &Seen<'_>) {
        self.targets.clear();
        self.sites.clear();
        for step in &place.moves {
            if !self.is_possible(step, state, seen) {
                continue;
            }
            if step.violated {
                self.sites.push(SiteId(step.edges.last().map_or(0, |edge| edge.0)));
            } else if !self.targets.contains(&step.to) {
                self.targets.push(step.to);
            }
        }
        let first_time = self.unseen & !bits(seen.broken);
        if first_time != 0 {
            self.unseen &= !first_time;
            self.product.true_once.fetch_or(first_time, Ordering::Relaxed);
        }
    }

    /// Whether a move of the claim is enabled in a state.
    fn is_possible(&self, step: &ClaimMove, state: &[u8], seen: &Seen<'_>) -> bool {
        step.when.iter().all(|literal| {
            let value = match literal.condition {
                ClaimCondition::Holds(number) => !seen.broken.contains(&number),
                ClaimCondition::Undefined(number) => {
                    let Product { machine, claim, .. } = *self.product;
                    let lacks = || claim.is_undefined(number, machine, &machine.decode(state));
                    seen.broken.contains(&number) && lacks()
                }
                ClaimCondition::NoProgress => {
                    let machine = self.product.machine;
                    seen.goes_on && !machine.progress_labels().are_met(machine.layout(), state)
                }
            };
            value == literal.is
        })
    }

    /// Sets the claim state in the successors from this one on to each of its targets: the first
    /// target in place, the others in copies.
    fn point(&mut self, expansion: &mut Expansion, first: usize) {
        let frame = self.product.machine.layout().frame;
        let last = expansion.len();
        let Some((&here, others)) = self.targets.split_first() else { return };
        for at in first..last {
            frame.set_claim(expansion.successors.state_mut(at), here);
        }
        for &to in others {
            for at in first..last {
                self.state.clear();
                self.state.extend_from_slice(expansion.state(at));
                frame.set_claim(&mut self.state, to);
                let Transition { steps, label, .. } = expansion.successors.transitions()[at];
                expansion.push_labelled(steps, label, &self.state);
                if self.product.is_marked {
                    expansion.marks.push(expansion.marks[at]);
                }
            }
        }
    }
}

impl Expander for ProductExpander<'_> {
    fn expand(&mut self, state: &[u8], expansion: &mut Expansion) {
        let Product { machine, claim, .. } = *self.product;
        let layout = machine.layout();
        let here = layout.frame.claim(state);
        let observer = self.persistence.map_or(here, |claim| claim.within);
        let place = &claim.states[observer as usize];
        let first = expansion.len();
        let (faults, broken) = (expansion.faults.len(), expansion.violated_invariants.len());
        let hidden = expansion.hidden_steps;
        self.system.expand(state, expansion);
        expansion.deadlock = false;
        let goes_on = expansion.len() > first || expansion.faults.len() > faults;
        self.move_claim(
            place,
            state,
            &Seen { broken: &expansion.violated_invariants[broken..], goes_on },
        );
        expansion.violated_invariants.truncate(broken);
        expansion.accepting = place.accepting
            || claim.counts_labels && machine.accept_labels().are_met(layout, state);
        if let Some(PersistenceClaim { before, .. }) = self.persistence {
            expansion.accepting = !self.targets.is_empty();
            self.targets.clear();
            self.targets.push(before);
        }
        if here == claim.start && !self.targets.contains(&here) {
            self.product.left.store(true, Ordering::Relaxed);
        }
        if self.targets.is_empty() {
            // The claim rejects this run.
            expansion.successors.truncate(first);
            expansion.marks.truncate(first);
            expansion.faults.truncate(faults);
            expansion.hidden_steps = hidden;
        } else if !goes_on {
            // The system stutters.
            expansion.push(state);
            if self.product.is_marked {
                expansion.marks.push(AcceptanceMarks::ALL);
            }
        }
        // The violation is in the state itself.
        let violated =
            |&site| FaultTransition { fault: Fault { kind: FaultKind::Claim, site }, steps: 0 };
        expansion.faults.extend(self.sites.iter().map(violated));
        if !expansion.accepting && self.product.is_marked {
            expansion.marks[first..].iter_mut().for_each(|marks| *marks = marks.without(0));
        }
        self.point(expansion, first);
        expansion.component = place.component;
    }
}
