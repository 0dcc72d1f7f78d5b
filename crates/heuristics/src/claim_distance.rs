//! Claim distance: how many steps the never claim is away from its end.
//!
//! Source: h^c of HSF-SPIN, as [AWW15] §1 describes it.
//! Deviation: the claim moves before the system does, so its last step takes no step of
//! the system and does not count; steps of the claim inside of an atomic sequence belong
//! to the one that ends it. In a claim with accept states, those are looked for, too,
//! since it can be violated by a cycle through them.
//! Claims: all: every step of the claim but the last comes with one of the system.

use std::collections::VecDeque;

use beeline_engine::automata::{Action, Automaton, Edge};
use beeline_engine::claim::Product;
use beeline_engine::interpreter::Machine;
use beeline_kernel::{Claims, Cost, Estimate, Heuristic};
use beeline_promela::hir::ProcessId;

use crate::distances::UNREACHABLE;

/// The distance to the end of a claim.
#[derive(Clone, Debug)]
pub struct ClaimDistance {
    /// By location of the claim.
    distances: Vec<u32>,
}

impl ClaimDistance {
    /// For the states of the product with this claim.
    pub fn new(machine: &Machine<'_>, claim: ProcessId) -> Self {
        ClaimDistance { distances: claim_distances(machine.automaton(claim)) }
    }
}

/// Whether a claim that takes this edge has seen what must not happen, or may have.
pub(crate) fn violates(automaton: &Automaton, edge: &Edge) -> bool {
    let asserts = |action: &Action| matches!(action, Action::Assert(_));
    edge.to == automaton.end || edge.steps.iter().any(|step| asserts(&step.action))
}

/// By location of a claim: steps of the system, at least, before it is violated.
pub(crate) fn claim_distances(automaton: &Automaton) -> Vec<u32> {
    let mut distances = vec![UNREACHABLE; automaton.marks.len()];
    let mut waiting = VecDeque::new();
    let found = automaton.edges.iter().filter(|edge| violates(automaton, edge));
    let ends = found.map(|edge| edge.from.0 as usize);
    let accepting = (0..automaton.marks.len()).filter(|&at| automaton.marks[at].accept);
    for at in ends.chain(accepting) {
        distances[at] = 0;
        waiting.push_back(at);
    }
    while let Some(at) = waiting.pop_front() {
        for edge in automaton.edges.iter().filter(|edge| edge.to.0 as usize == at) {
            let from = edge.from.0 as usize;
            let distance = distances[at] + u32::from(!edge.hold.atomic);
            if distance < distances[from] {
                distances[from] = distance;
                waiting.push_back(from);
            }
        }
    }
    distances
}

impl Heuristic for ClaimDistance {
    fn name(&self) -> &str {
        "claim-distance"
    }

    fn claims(&self) -> Claims {
        Claims::ALL
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        let (_, location) = Product::split(state);
        match self.distances[location.0 as usize] {
            UNREACHABLE => Estimate::DeadEnd,
            distance => Estimate::Finite(Cost(distance)),
        }
    }

    fn fork(&self) -> Box<dyn Heuristic + '_> {
        Box::new(self.clone())
    }
}
