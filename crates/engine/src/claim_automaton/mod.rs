//! Claims as automata: states, guarded moves, and accepting states.
//!
//! A claim observes a system. In every state it takes one move whose conditions hold there;
//! then the system takes one step. It is violated when it reaches its end or passes accepting
//! states infinitely often. `crate::claim` builds claims and composes them with a system.

mod components;
mod persistence;

use beeline_kernel::ClaimComponent;
use beeline_promela::hir::{Expr, ProcessId};

use crate::automata::EdgeId;

pub(crate) use persistence::PersistenceClaim;

/// The origin of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The never claim that is this process of the model.
    Never(ProcessId),
    /// The formula of this number.
    Formula(usize),
    /// Every cycle has to pass a progress label.
    Progress,
    /// No cycle may pass an accept label.
    Acceptance,
}

/// A condition on a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClaimCondition {
    /// The expression of this number is true.
    Holds(u32),
    /// The expression of this number has no value: it divides by zero, or reads beyond an array.
    Undefined(u32),
    /// No process is at a progress label, and some process can move: as in SPIN, a terminated or
    /// deadlocked system does not lack progress.
    NoProgress,
}

/// A condition that has to be true, or false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClaimLiteral {
    /// The condition.
    pub condition: ClaimCondition,
    /// Whether it has to be true.
    pub is: bool,
}

/// A move of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimMove {
    /// Its conditions.
    pub when: Vec<ClaimLiteral>,
    /// The target state.
    pub to: u32,
    /// The claim reaches its end, or one of its assertions fails: the run is a violation.
    pub violated: bool,
    /// The edges of a never claim: several edges of one atomic sequence.
    pub edges: Vec<EdgeId>,
}

/// A state of a claim.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClaimState {
    /// Visiting it infinitely often is a violation.
    pub accepting: bool,
    /// Its component, with the kind of its cycles.
    pub component: ClaimComponent,
    /// Its moves, in order.
    pub moves: Vec<ClaimMove>,
}

/// A claim.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its origin.
    pub origin: Origin,
    /// The expressions that it evaluates, each once.
    pub conditions: Vec<Expr>,
    /// The states by number; those of a never claim are its locations.
    pub states: Vec<ClaimState>,
    /// The initial state.
    pub start: u32,
    /// Whether accept labels of processes count as well.
    pub counts_labels: bool,
}

impl Claim {
    /// A claim with these states. A constant condition is omitted.
    pub(crate) fn new(
        origin: Origin,
        conditions: Vec<Expr>,
        states: Vec<ClaimState>,
        start: u32,
    ) -> Claim {
        let mut claim = Claim { origin, conditions, states, start, counts_labels: false };
        claim.find_components();
        claim
    }

    /// Whether a cycle can violate it, and not only its end.
    pub fn is_about_cycles(&self) -> bool {
        use beeline_kernel::CycleKind::Never;
        self.states.iter().any(|place| place.component.cycles != Never)
    }

    /// The never claim that it comes from, if any.
    pub fn written(&self) -> Option<ProcessId> {
        match self.origin {
            Origin::Never(process) => Some(process),
            _ => None,
        }
    }

    /// Every cycle passes a progress label: SPIN's claim for non-progress cycles.
    pub fn progress() -> Claim {
        let when = vec![ClaimLiteral { condition: ClaimCondition::NoProgress, is: true }];
        let go = |when, to| ClaimMove { when, to, violated: false, edges: Vec::new() };
        // In SPIN's order.
        let before =
            ClaimState { moves: vec![go(when.clone(), 1), go(vec![], 0)], ..ClaimState::default() };
        let within =
            ClaimState { accepting: true, moves: vec![go(when, 1)], ..ClaimState::default() };
        Claim::new(Origin::Progress, Vec::new(), vec![before, within], 0)
    }

    /// The claim that no cycle passes an accept label.
    pub fn acceptance() -> Claim {
        let stay = ClaimMove { when: Vec::new(), to: 0, violated: false, edges: Vec::new() };
        let place = ClaimState { moves: vec![stay], ..ClaimState::default() };
        Claim::new(Origin::Acceptance, Vec::new(), vec![place], 0).counting_labels()
    }

    /// Lets accept labels of processes count, as SPIN does beside a never claim.
    pub(crate) fn counting_labels(mut self) -> Claim {
        self.counts_labels = true;
        self.find_components();
        self
    }
}
