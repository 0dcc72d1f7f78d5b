//! Claim distance: the least number of steps until the claim reaches its end.
//!
//! Source: h^c of HSF-SPIN, as [AWW15] §1 describes it.
//! Deviation: the claim moves before the system, so its last step needs no step of the system and
//! is not counted; claim steps inside of an atomic sequence belong to its last step. For claims
//! about cycles, accepting states on cycles are targets, too.
//! Claims: all, since every claim step but the last comes with a step of the system.

use std::collections::VecDeque;

use beeline_engine::claim::{Claim, ClaimState};
use beeline_engine::interpreter::Machine;
use beeline_kernel::{Claims, Cost, CycleKind, Estimate, Heuristic};

use crate::goal::{GoalKind, HeuristicGoal};
use crate::request::{HeuristicBuilder, HeuristicRow};
use crate::static_facts::automaton_distance::UNREACHABLE;

/// The registry row.
pub(crate) const ROW: HeuristicRow = HeuristicRow {
    name: "claim-distance",
    aliases: &["hc"],
    arguments: &[],
    about: "steps of the never claim to its end",
    promises: Some("admissible, consistent, safe"),
    source: Some("[AWW15] §1"),
    build: HeuristicBuilder {
        goals: &[GoalKind::Claim],
        build: |of| match of.goal {
            HeuristicGoal::Claim => Ok(Box::new(ClaimDistance::new(of.machine))),
            _ => Err(of.wrong_goal()),
        },
    },
};

/// The distance to the end of a claim.
#[derive(Clone)]
pub struct ClaimDistance<'a> {
    machine: &'a Machine<'a>,
    /// By claim state.
    distances: Vec<u32>,
}

impl<'a> ClaimDistance<'a> {
    /// For the states of the product with the claim of a machine.
    pub fn new(machine: &'a Machine<'a>) -> Self {
        let distances = machine.claim().map(claim_distances).unwrap_or_default();
        ClaimDistance { machine, distances }
    }
}

/// Whether a claim state may complete a violation: the claim can end, or the state is accepting and
/// on a cycle.
fn is_near(claim: &Claim, place: &ClaimState) -> bool {
    let accepts = place.accepting || claim.counts_labels;
    let goes_round = place.component.cycles != CycleKind::Never;
    place.moves.iter().any(|step| step.violated) || accepts && goes_round
}

/// By claim state: lower bound of the steps of the system before a violation.
pub(crate) fn claim_distances(claim: &Claim) -> Vec<u32> {
    let mut distances = vec![UNREACHABLE; claim.states.len()];
    let mut waiting = VecDeque::new();
    for (at, place) in claim.states.iter().enumerate() {
        if is_near(claim, place) {
            distances[at] = 0;
            waiting.push_back(at);
        }
    }
    while let Some(at) = waiting.pop_front() {
        for (from, place) in claim.states.iter().enumerate() {
            let leads_there = place.moves.iter().any(|step| step.to as usize == at);
            if leads_there && distances[from] == UNREACHABLE {
                distances[from] = distances[at] + 1;
                waiting.push_back(from);
            }
        }
    }
    distances
}

impl Heuristic for ClaimDistance<'_> {
    fn name(&self) -> &str {
        "claim-distance"
    }

    fn claims(&self) -> Claims {
        Claims::ALL
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        let place = self.machine.layout().frame.claim(state);
        match self.distances.get(place as usize) {
            None => Estimate::Finite(Cost::ZERO),
            Some(&UNREACHABLE) => Estimate::DeadEnd,
            Some(&distance) => Estimate::Finite(Cost(distance)),
        }
    }
}
