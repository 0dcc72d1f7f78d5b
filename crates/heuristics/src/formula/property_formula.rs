//! The formula-based estimate: how far the property is from being violated.
//!
//! Source: "Invariant and Assertion Errors" and "Formula-Based Estimate" in [EMJ05]
//! (Heuristics); the estimate of a condition is in `truth.rs`.
//!
//! - An invariant: the dual estimate of its condition.
//! - Assertions: the minimum over processes and assertions of the distance to the
//!   assertion, the dual estimate of its condition as the process sees it now, and one
//!   for the step that fails. A process that is still to be started counts with the
//!   distance alone.
//! - A claim: the shortest way to its end, or to a place that it must not pass again and
//!   again, where a move costs the estimates of its conditions, and one step at least
//!   unless it is the last.
//!
//! Claims: safe. It sees a dead end only in constants, and where nothing that can fail
//! is reachable. Not admissible, since one step can make many conditions true.

use beeline_engine::automata::{Automaton, EdgeAction};
use beeline_engine::claim as engine;
use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_kernel::{Claims, CycleKind, Estimate, Heuristic};
use beeline_promela::hir::{Expr, ProcessId};

use crate::distance::assertion_distance::site_distances;
use crate::distance::claim_distance::claim_distances;
use crate::formula::truth_distance::{TruthDistance, WantedTruth};
use crate::goal::HeuristicGoal;
use crate::incremental::current_state::CurrentState;
use crate::incremental::process_sum::{FAR, UNLIKELY, estimate};
use crate::static_facts::automaton_distance::{UNREACHABLE, distances_to};
use crate::static_facts::faults::{FaultAnalysis, all_actions};

/// The estimated distance to a violation.
#[derive(Clone)]
pub struct FormulaDistance<'a> {
    opened: CurrentState<'a>,
    truth: TruthDistance<'a>,
    subject: Subject,
}

#[derive(Clone)]
enum Subject {
    Invariant { condition: Expr, may_fail: bool },
    Assertions(Assertions),
    Claim(Claim),
}

/// Where assertions are.
#[derive(Clone)]
struct Assertions {
    /// By type: each condition, with the distance from each location to it.
    own: Vec<Vec<(Expr, Vec<u32>)>>,
    /// By type and location: the distance to an assertion of a process to be started.
    children: Vec<Vec<u32>>,
    /// By type and location: the distance to anything that can fail.
    anything: Vec<Vec<u32>>,
}

/// A claim, with the way to its end.
#[derive(Clone)]
struct Claim {
    edges: Vec<ClaimEdge>,
    /// By place: to pass it again and again must not happen.
    near: Vec<bool>,
    /// By place: where no way leads to the end there is none.
    hopeless: Vec<bool>,
    /// Kept for its memory: how far each place is.
    distances: Vec<u64>,
}

#[derive(Clone)]
struct ClaimEdge {
    from: usize,
    to: usize,
    /// It leads to the end.
    last: bool,
    /// What has to be true, or false.
    guard: Vec<(Expr, WantedTruth)>,
}

impl<'a> FormulaDistance<'a> {
    /// The estimate for this goal; `None` for deadlocks and known states, which have
    /// heuristics of their own.
    pub fn new(machine: &'a Machine<'a>, goal: &HeuristicGoal) -> Option<Self> {
        let subject = match goal {
            HeuristicGoal::Invariant(condition) => Subject::Invariant {
                condition: condition.clone(),
                may_fail: FaultAnalysis::new(machine).global_expr(condition),
            },
            HeuristicGoal::Assertions => Subject::Assertions(Assertions::new(machine)),
            HeuristicGoal::Claim => Subject::Claim(Claim::new(machine.claim()?)),
            HeuristicGoal::Deadlock | HeuristicGoal::State(_) => return None,
        };
        let conditions: Vec<&Expr> = match &subject {
            Subject::Invariant { condition, .. } => vec![condition],
            Subject::Assertions(assertions) => {
                assertions.own.iter().flatten().map(|(condition, _)| condition).collect()
            }
            Subject::Claim(claim) => {
                claim.edges.iter().flat_map(|edge| &edge.guard).map(|(guard, _)| guard).collect()
            }
        };
        let truth = TruthDistance::new(machine, conditions);
        Some(FormulaDistance { opened: CurrentState::new(machine), truth, subject })
    }
}

impl Assertions {
    fn new(machine: &Machine<'_>) -> Self {
        let faults = FaultAnalysis::new(machine);
        let asserted = |id, edge: &_| FaultAnalysis::asserts(machine.automaton(id), edge);
        let ids = || (0..machine.model().processes.len() as u32).map(ProcessId);
        Assertions {
            own: ids().map(|id| conditions(machine.automaton(id))).collect(),
            children: site_distances(machine, asserted),
            anything: site_distances(machine, |id, edge| faults.can_fail(id, edge)),
        }
    }

    fn distance(&self, truth: &TruthDistance<'_>, now: &DecodedState) -> u64 {
        let mut best = FAR;
        for pid in 0..now.process_count() {
            let (process, at) = (now.process(pid).index(), now.location(pid).0 as usize);
            let nearest = u64::from(self.children[process][at]);
            // No assertion of this process or of its children is nearer than that.
            if nearest >= best {
                continue;
            }
            for (condition, distances) in &self.own[process] {
                let steps = u64::from(distances[at]) + 1;
                if distances[at] != UNREACHABLE && steps < best {
                    best =
                        best.min(steps + truth.distance(condition, WantedTruth::False, now, pid));
                }
            }
            let starts = self.children[process][at] != UNREACHABLE
                && !self.own[process].iter().any(|(_, one)| u64::from(one[at]) + 1 == nearest);
            if starts {
                best = best.min(nearest);
            }
        }
        if best < FAR {
            return best;
        }
        // No assertion can fail; something else may.
        let anything =
            |pid: usize| self.anything[now.process(pid).index()][now.location(pid).0 as usize];
        match (0..now.process_count()).map(anything).min() {
            None | Some(UNREACHABLE) => FAR,
            Some(distance) => u64::from(distance),
        }
    }
}

/// The conditions that a process asserts, and how far each is.
fn conditions(automaton: &Automaton) -> Vec<(Expr, Vec<u32>)> {
    let mut found = Vec::new();
    for edge in &automaton.edges {
        for action in all_actions(automaton, edge) {
            if let EdgeAction::Assert(condition) = action {
                found.push((condition.clone(), distances_to(automaton, &[edge.from])));
            }
        }
    }
    found
}

impl Claim {
    fn new(claim: &engine::Claim) -> Self {
        let size = claim.states.len();
        let mut edges: Vec<ClaimEdge> = Vec::new();
        for (from, place) in claim.states.iter().enumerate() {
            for step in &place.moves {
                let holds = |literal: &engine::ClaimLiteral| match literal.condition {
                    engine::ClaimCondition::Holds(number) => {
                        let wanted =
                            if literal.is { WantedTruth::True } else { WantedTruth::False };
                        Some((claim.conditions[number as usize].clone(), wanted))
                    }
                    // What has no value is false.
                    engine::ClaimCondition::Undefined(number) => {
                        Some((claim.conditions[number as usize].clone(), WantedTruth::False))
                    }
                    engine::ClaimCondition::NoProgress => None,
                };
                let guard = step.when.iter().filter_map(holds).collect();
                edges.push(ClaimEdge { from, to: step.to as usize, last: step.violated, guard });
            }
        }
        let accepts = |place: &engine::ClaimState| place.accepting || claim.counts_labels;
        let goes_round = |place: &engine::ClaimState| place.component.cycles != CycleKind::Never;
        let near = claim.states.iter().map(|place| accepts(place) && goes_round(place)).collect();
        let hopeless =
            claim_distances(claim).iter().map(|&distance| distance == UNREACHABLE).collect();
        Claim { edges, near, hopeless, distances: vec![0; size] }
    }

    fn distance(&mut self, truth: &TruthDistance<'_>, now: &DecodedState, at: usize) -> u64 {
        if self.hopeless[at] {
            return FAR;
        }
        for (distance, near) in self.distances.iter_mut().zip(&self.near) {
            *distance = if *near { 0 } else { FAR };
        }
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for edge in &self.edges {
                let behind = if edge.last { 0 } else { self.distances[edge.to] };
                if behind >= self.distances[edge.from] {
                    continue;
                }
                let parts = edge.guard.iter();
                let guard = parts.map(|(guard, wanted)| truth.distance(guard, *wanted, now, 0));
                let guard = guard.sum::<u64>();
                let total = (behind + guard.max(u64::from(!edge.last))).min(FAR);
                if total < self.distances[edge.from] {
                    self.distances[edge.from] = total;
                    changed = true;
                }
            }
        }
        // A guard that is never true shuts the way; what else is there, we do not know.
        self.distances[at].min(UNLIKELY)
    }
}

impl Heuristic for FormulaDistance<'_> {
    fn name(&self) -> &str {
        "formula"
    }

    fn claims(&self) -> Claims {
        Claims { safe: true, ..Claims::NONE }
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        self.opened.open(state);
        let now = &self.opened.now;
        estimate(match &mut self.subject {
            Subject::Invariant { condition, may_fail } => {
                let distance = self.truth.distance(condition, WantedTruth::False, now, 0);
                // Without a value it does not hold, whatever its constants say.
                if *may_fail { distance.min(UNLIKELY) } else { distance }
            }
            Subject::Assertions(assertions) => assertions.distance(&self.truth, now),
            Subject::Claim(claim) => claim.distance(&self.truth, now, now.claim() as usize),
        })
    }
}
