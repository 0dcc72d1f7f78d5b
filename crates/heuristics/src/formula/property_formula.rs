//! Formula-based estimate of the distance to a violation.
//!
//! Source: "Invariant and Assertion Errors" and "Formula-Based Estimate" in [EMJ05] (Heuristics);
//! the estimate of a condition is in `truth_distance.rs`.
//!
//! - Invariant: the dual estimate of its condition.
//! - Assertions: the minimum over processes and assertions of the distance to the assertion plus
//!   the dual estimate of its condition in the current state, and one for the failing step. A
//!   process that is not created yet counts with its distance alone.
//! - Claim: the shortest path to its end or to an accepting state on a cycle, where an edge costs
//!   the estimates of its conditions, at least one unless it is the last.
//!
//! Claims: safe. Dead ends come from constants and from unreachable faults. Not admissible, since
//! one step can make many conditions true.

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
use beeline_analysis::faults::{FaultAnalysis, all_actions};

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

/// Assertions with distances.
#[derive(Clone)]
struct Assertions {
    /// By process type: each condition with its distance from each location.
    own: Vec<Vec<(Expr, Vec<u32>)>>,
    /// By process type and location: distance to an assertion of a process that is created later.
    children: Vec<Vec<u32>>,
    /// By process type and location: distance to any edge that may fail.
    anything: Vec<Vec<u32>>,
}

/// A claim with estimates of the path to its end.
#[derive(Clone)]
struct Claim {
    edges: Vec<ClaimEdge>,
    /// By claim state: whether visiting it infinitely often is a violation.
    near: Vec<bool>,
    /// By claim state: whether no path leads to a violation.
    hopeless: Vec<bool>,
    /// Reused buffer: distance of each claim state.
    distances: Vec<u64>,
}

#[derive(Clone)]
struct ClaimEdge {
    from: usize,
    to: usize,
    /// It leads to a violation.
    last: bool,
    /// Conditions with their wanted truth.
    guard: Vec<(Expr, WantedTruth)>,
}

impl<'a> FormulaDistance<'a> {
    /// The estimate for this goal; `None` for deadlocks and known states, which have their own
    /// heuristics.
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
            // A lower bound for this process and those that it creates.
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
        // No assertion can fail; another fault may occur.
        let anything =
            |pid: usize| self.anything[now.process(pid).index()][now.location(pid).0 as usize];
        match (0..now.process_count()).map(anything).min() {
            None | Some(UNREACHABLE) => FAR,
            Some(distance) => u64::from(distance),
        }
    }
}

/// The asserted conditions of a process type with their distances.
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
                    // A condition without a value is false.
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
        // The guard of this path is constant false; another path may exist.
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
                // An undefined condition does not hold, whatever its constants are.
                if *may_fail { distance.min(UNLIKELY) } else { distance }
            }
            Subject::Assertions(assertions) => assertions.distance(&self.truth, now),
            Subject::Claim(claim) => claim.distance(&self.truth, now, now.claim() as usize),
        })
    }
}
