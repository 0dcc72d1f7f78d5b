//! The registry of heuristics: the rows of all modules, in the order of lists.
//!
//! A row is in the file of its heuristic; each module has a table of its rows. Rows that depend on
//! several modules are in `goal_rows`.

use beeline_engine::interpreter::Machine;
use beeline_kernel::spec::Spec;
use beeline_kernel::{Blind, BoxedHeuristic, Resources, registry};

use crate::error::BuildError;
use crate::goal::{GoalKind, HeuristicGoal};
use crate::request::{HeuristicBuilder, HeuristicRow, Request};
use crate::{combine, deadlock, distance, facts, goal_rows, merge_and_shrink, pattern, relaxation};

/// The row of the blind heuristic, which `kernel` has.
const BLIND: HeuristicRow = HeuristicRow {
    name: "blind",
    aliases: &["h0"],
    arguments: &[],
    about: "zero everywhere",
    promises: Some("admissible, consistent, safe"),
    source: Some("[ELL00] §3.5"),
    build: HeuristicBuilder { goals: GoalKind::ALL, build: |_| Ok(Box::new(Blind)) },
};

/// The tables of all modules.
const TABLES: &[&[HeuristicRow]] = &[
    &[BLIND],
    deadlock::ROWS,
    &[goal_rows::FORMULA],
    distance::ERROR_ROWS,
    &[goal_rows::FSM],
    distance::STATE_ROWS,
    &[combine::max::ROW],
    relaxation::ROWS,
    facts::ROWS,
    &[merge_and_shrink::row::ROW],
    &[pattern::row::ROW],
    combine::ROWS,
];

/// All heuristics.
pub const HEURISTICS: &[HeuristicRow] = &concatenated::<{ count() }>();

const fn count() -> usize {
    let (mut count, mut table) = (0, 0);
    while table < TABLES.len() {
        count += TABLES[table].len();
        table += 1;
    }
    count
}

/// The rows of all tables, in order.
const fn concatenated<const COUNT: usize>() -> [HeuristicRow; COUNT] {
    let mut rows = [BLIND; COUNT];
    let (mut at, mut table) = (0, 0);
    while table < TABLES.len() {
        let mut row = 0;
        while row < TABLES[table].len() {
            rows[at] = TABLES[table][row];
            at += 1;
            row += 1;
        }
        table += 1;
    }
    rows
}

/// The heuristic with this name or alias.
pub fn find(name: &str) -> Option<&'static HeuristicRow> {
    registry::find(HEURISTICS, name)
}

/// Builds a heuristic for the states of a machine.
///
/// # Errors
///
/// When the name is unknown, the goal is not supported, or the arguments are rejected; the error
/// lists the alternatives.
pub fn build<'a>(
    spec: &Spec,
    machine: &'a Machine<'a>,
    goal: &HeuristicGoal,
) -> Result<BoxedHeuristic<'a>, BuildError> {
    build_with(spec, machine, goal, Resources::default())
}

/// Builds a heuristic with files, and within limits.
///
/// # Errors
///
/// As [`build`], and when a file cannot be read, written or parsed.
pub fn build_with<'a>(
    spec: &Spec,
    machine: &'a Machine<'a>,
    goal: &HeuristicGoal,
    resources: Resources<'_>,
) -> Result<BoxedHeuristic<'a>, BuildError> {
    Request::build(HEURISTICS, spec, machine, goal, resources)
}
