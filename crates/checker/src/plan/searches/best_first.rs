//! How a best-first search is made of its arguments.

use beeline_search::{BestFirstConfig, Evaluation, QueueOrder, Reopening, TieBreak};

use super::options::heuristic_of;
use super::strategy::{DirectedAlgorithm, DirectedConfig, Strategy};
use crate::plan::arguments::Arguments;

/// Why A\* does not follow several heuristics, and what to do about it.
const TOO_MANY: &str = "with several lists, what is found first need not be nearest: write \
                        `max(h1, h2)`, which keeps what both promise, give a `w` of more than 1 \
                        or a `mix` of more than 0.5, or take `gbfs`";

/// The usual one, but for what the arguments say.
pub(super) fn best_first(
    arguments: &mut Arguments<'_>,
    usual: BestFirstConfig,
    seed: u64,
) -> Result<Strategy, String> {
    let (heuristic, others) = arguments.heuristics()?;
    if !others.is_empty() && !usual.ranking.is_greedy() {
        return Err(TOO_MANY.to_owned());
    }
    let (second, arrival, by) = match arguments.take("ties") {
        None => (TieBreak::Nothing, QueueOrder::Lifo, None),
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
    let method = BestFirstConfig {
        tie_break: second,
        queue_order: arrival,
        evaluation: arguments.choice("evaluate", &evaluations)?,
        goal_test: arguments.test()?,
        reopening: arguments.choice("reopen", &reopenings)?,
        successor_order: arguments.order()?,
        diversification: arguments.variety(seed)?,
        ..usual
    };
    if method.diversification.novelty.is_some() && second != TieBreak::Nothing {
        return Err("`novelty` comes before the estimate, and nothing after it: of `ties`, only \
                    lifo and fifo go with it"
            .to_owned());
    }
    let algorithm = DirectedAlgorithm::BestFirst(method);
    Ok(Strategy::Directed(DirectedConfig { algorithm, heuristic, others, second: by, price: None }))
}
