//! Labels as claims: that every cycle makes progress, and that none passes an accept label.
//!
//! Both are about where processes are, which takes no expression: the records of a state
//! say it.

use beeline_promela::hir::{Model, ProcessKind};

use super::{Claim, ClaimCondition, ClaimLiteral, ClaimMove, ClaimState, Origin};
use crate::automata::{Automaton, LocationMarks};
use crate::frame::RecordKind;
use crate::interpreter::{DecodedState, Machine};
use crate::layout::StateLayout;

impl Claim {
    /// That every cycle passes a progress label: the claim that SPIN makes up for it.
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

    /// That no cycle passes an accept label.
    pub fn acceptance() -> Claim {
        let stay = ClaimMove { when: Vec::new(), to: 0, violated: false, edges: Vec::new() };
        let place = ClaimState { moves: vec![stay], ..ClaimState::default() };
        Claim::new(Origin::Acceptance, Vec::new(), vec![place], 0).counting_labels()
    }

    /// Lets accept labels of processes count, as SPIN does beside a never claim.
    pub(super) fn counting_labels(mut self) -> Claim {
        self.counts_labels = true;
        self.find_components();
        self
    }
}

/// By process type and location, whether a label with a meaning stands there.
#[derive(Clone, Debug)]
pub(crate) struct Labels {
    marked: Vec<Vec<bool>>,
}

impl Labels {
    /// Those of this kind.
    pub(crate) fn of(
        model: &Model,
        automata: &[Automaton],
        is_marked: fn(&LocationMarks) -> bool,
    ) -> Labels {
        let by_location = |(automaton, kind): (&Automaton, ProcessKind)| {
            let marks = automaton.marks.iter();
            marks.map(|mark| kind != ProcessKind::Never && is_marked(mark)).collect()
        };
        let kinds = model.processes.iter().map(|process| process.kind);
        Labels { marked: automata.iter().zip(kinds).map(by_location).collect() }
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.marked.iter().flatten().all(|marked| !marked)
    }

    /// Whether a process is at one of them.
    pub(crate) fn are_met(&self, layout: &StateLayout, state: &[u8]) -> bool {
        layout.records(state).any(|(at, record)| match record {
            RecordKind::Process(process) => {
                self.marked[process][layout.frame.location(state, at) as usize]
            }
            RecordKind::Channel(_) => false,
        })
    }
}

impl Machine<'_> {
    /// Whether a process is at a progress label.
    pub fn makes_progress(&self, now: &DecodedState) -> bool {
        self.progress_labels().are_met(self.layout(), &now.bytes)
    }

    /// Whether no process is at a progress label, though something can happen.
    pub fn lacks_progress(&self, now: &DecodedState) -> bool {
        !self.makes_progress(now) && !self.is_stuck(now)
    }

    /// Whether a process is at an accept label.
    pub fn meets_accept_label(&self, now: &DecodedState) -> bool {
        self.accept_labels().are_met(self.layout(), &now.bytes)
    }
}
