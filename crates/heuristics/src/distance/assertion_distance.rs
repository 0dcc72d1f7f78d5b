//! Assertion distance: the least number of steps in which a process can reach an edge that may
//! fail.
//!
//! Source: ours, from the distances of [ELL01] §4.2 and from assertions as locations in [EMJ05]
//! (Heuristics). A process that is not created yet has the distance of its creator. Every edge that
//! may fail is a target (`faults.rs`), or only assertions if asked for.
//! Claims: all, for any fault. With assertions only: none, unless nothing else can fail.

use std::collections::VecDeque;

use beeline_engine::automata::{Automaton, Edge};
use beeline_engine::interpreter::Machine;
use beeline_kernel::{Claims, Cost, Estimate, Heuristic};
use beeline_promela::hir::{Expr, ExprKind, ProcessId};

use crate::goal::GoalKind;
use crate::incremental::current_state::CurrentState;
use crate::request::{HeuristicBuilder, HeuristicRow, argument};
use crate::static_facts::automaton_distance::UNREACHABLE;
use beeline_analysis::faults::{FaultAnalysis, all_actions};

/// The registry row.
pub(crate) const ROW: HeuristicRow = HeuristicRow {
    name: "assertion-distance",
    aliases: &[],
    arguments: &[argument("sites", "all or assertions (default: all)")],
    about: "steps of the nearest process to a statement that can fail",
    promises: Some(
        "admissible, consistent, safe; with `assertions` only where nothing else can fail",
    ),
    source: Some("[ELL01] §4.2"),
    build: HeuristicBuilder {
        goals: &[GoalKind::Assertions],
        build: |of| {
            let sites = of.arguments.choice(
                "sites",
                &[("all", FaultSites::All), ("assertions", FaultSites::Assertions)],
            )?;
            Ok(Box::new(AssertionDistance::new(of.machine, sites)))
        },
    },
};

/// The target edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultSites {
    /// All edges that may fail.
    All,
    /// Edges with assertions.
    Assertions,
}

/// The distance to the nearest edge that may fail, including the failing step.
#[derive(Clone)]
pub struct AssertionDistance<'a> {
    opened: CurrentState<'a>,
    /// By process type and location.
    distances: Vec<Vec<u32>>,
    covers_all: bool,
}

impl<'a> AssertionDistance<'a> {
    /// For the states of a machine.
    pub fn new(machine: &'a Machine<'a>, sites: FaultSites) -> Self {
        let faults = FaultAnalysis::new(machine);
        let all = |id, edge: &Edge| faults.can_fail(id, edge);
        let asserted = |id, edge: &Edge| FaultAnalysis::asserts(machine.automaton(id), edge);
        let differs = |(id, edge): (ProcessId, &Edge)| all(id, edge) != asserted(id, edge);
        AssertionDistance {
            opened: CurrentState::new(machine),
            distances: match sites {
                FaultSites::All => site_distances(machine, all),
                FaultSites::Assertions => site_distances(machine, asserted),
            },
            covers_all: sites == FaultSites::All || !all_edges(machine).any(differs),
        }
    }
}

pub(crate) fn all_edges<'a>(
    machine: &'a Machine<'_>,
) -> impl Iterator<Item = (ProcessId, &'a Edge)> {
    let ids = (0..machine.model().processes.len() as u32).map(ProcessId);
    ids.flat_map(|id| machine.automaton(id).edges.iter().map(move |edge| (id, edge)))
}

/// The process types that an edge may create.
pub(crate) fn started<'a>(automaton: &'a Automaton, edge: &'a Edge) -> Vec<ProcessId> {
    use beeline_engine::automata::EdgeAction;
    use beeline_promela::hir::DeclaredValue;
    let mut found = Vec::new();
    let mut look = |expr: &Expr| {
        expr.visit(&mut |part| {
            if let ExprKind::Run { process, .. } = &part.kind {
                found.push(*process);
            }
        });
    };
    for action in all_actions(automaton, edge) {
        match action {
            EdgeAction::Guard(expr) | EdgeAction::Assign { value: expr, .. } => look(expr),
            EdgeAction::Declare { value: Some(DeclaredValue::Value(expr)), .. } => look(expr),
            _ => {}
        }
    }
    found
}

/// By process type and location: the least number of steps until the process, or a process that it
/// creates (transitively), has executed a target edge.
pub(crate) fn site_distances(
    machine: &Machine<'_>,
    is_site: impl Fn(ProcessId, &Edge) -> bool,
) -> Vec<Vec<u32>> {
    let ids = (0..machine.model().processes.len() as u32).map(ProcessId);
    let sizes = ids.map(|id| machine.automaton(id).marks.len());
    let mut distances: Vec<Vec<u32>> = sizes.map(|size| vec![UNREACHABLE; size]).collect();
    let mut before: Vec<Vec<Vec<(usize, usize)>>> =
        distances.iter().map(|locations| vec![Vec::new(); locations.len()]).collect();
    let mut waiting = VecDeque::new();
    for (id, edge) in all_edges(machine) {
        let from = (id.index(), edge.from.0 as usize);
        before[id.index()][edge.to.0 as usize].push(from);
        for child in started(machine.automaton(id), edge) {
            let start = machine.automaton(child).start;
            before[child.index()][start.0 as usize].push(from);
        }
        if is_site(id, edge) && distances[from.0][from.1] == UNREACHABLE {
            distances[from.0][from.1] = 1;
            waiting.push_back(from);
        }
    }
    while let Some((process, at)) = waiting.pop_front() {
        for &(other, from) in &before[process][at] {
            if distances[other][from] == UNREACHABLE {
                distances[other][from] = distances[process][at] + 1;
                waiting.push_back((other, from));
            }
        }
    }
    distances
}

impl Heuristic for AssertionDistance<'_> {
    fn name(&self) -> &str {
        "assertion-distance"
    }

    fn claims(&self) -> Claims {
        if self.covers_all { Claims::ALL } else { Claims::NONE }
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        self.opened.open(state);
        let now = &self.opened.now;
        let distance =
            |pid: usize| self.distances[now.process(pid).index()][now.location(pid).0 as usize];
        match (0..now.process_count()).map(distance).min() {
            None | Some(UNREACHABLE) => Estimate::DeadEnd,
            Some(distance) => Estimate::Finite(Cost(distance)),
        }
    }
}
