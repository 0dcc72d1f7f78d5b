//! Builds a best-first search from its arguments.

use std::sync::Arc;

use beeline_kernel::registry::Arguments;
use beeline_search::{BestFirstConfig, Evaluation, QueueOrder, Reopening, TieBreak};

use super::diversification::heuristics;
use super::options::{EVALUATE, REOPEN, TIES, goal_test, heuristic_of, order};
use super::strategy::{DirectedConfig, Strategy};
use crate::plan::error::PlanError;

/// Best-first search by these arguments. Ties, queue order, reopening, ranking and diversification
/// are those of `usual` unless an argument says otherwise; the other options have one default for
/// all searches.
pub(super) fn best_first(
    arguments: &Arguments<'_>,
    usual: BestFirstConfig,
) -> Result<Strategy, PlanError> {
    let (heuristic, others) = heuristics(arguments)?;
    if !others.is_empty() && !usual.ranking.is_greedy() {
        return Err(PlanError::SeveralLists);
    }
    let (tie_break, queue_order, tie_breaker) = match arguments.value(TIES.name) {
        None => (usual.tie_break, usual.queue_order, None),
        Some(value) => match value.text() {
            Some("lifo") => (TieBreak::Nothing, QueueOrder::Lifo, None),
            Some("fifo") => (TieBreak::Nothing, QueueOrder::Fifo, None),
            Some("low-h") => (TieBreak::LowH, QueueOrder::Lifo, None),
            Some("low-g") => (TieBreak::LowG, QueueOrder::Lifo, None),
            _ => (TieBreak::Heuristic, QueueOrder::Lifo, Some(heuristic_of(value)?)),
        },
    };
    let evaluations = [("eager", Evaluation::Eager), ("lazy", Evaluation::Lazy)];
    let reopenings = match usual.reopening {
        Reopening::Always => [("yes", Reopening::Always), ("no", Reopening::Never)],
        Reopening::Never => [("no", Reopening::Never), ("yes", Reopening::Always)],
    };
    let config = BestFirstConfig {
        tie_break,
        queue_order,
        evaluation: arguments.choice(EVALUATE.name, &evaluations)?,
        goal_test: goal_test(arguments)?,
        reopening: arguments.choice(REOPEN.name, &reopenings)?,
        successor_order: order(arguments)?,
        ..usual
    };
    if config.diversification.novelty.is_some() && tie_break != TieBreak::Nothing {
        return Err(PlanError::NoveltyWithTies);
    }
    Ok(Strategy::Directed(DirectedConfig {
        algorithm: Arc::new(config),
        heuristic,
        others,
        tie_breaker,
        cost: None,
    }))
}
