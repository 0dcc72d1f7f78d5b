//! How a best-first search is made of its arguments.

use beeline_search::{Arrival, Evaluation, Method, Reopening, Second};

use super::options::heuristic_of;
use super::way::{Algorithm, Directed, Way};
use crate::arguments::Arguments;

/// Why A\* does not follow several heuristics, and what to do about it.
const TOO_MANY: &str = "with several lists, what is found first need not be nearest: write \
                        `max(h1, h2)`, which keeps what both promise, give a `w` of more than 1 \
                        or a `mix` of more than 0.5, or take `gbfs`";

/// The usual one, but for what the arguments say.
pub(super) fn best_first(
    arguments: &mut Arguments<'_>,
    usual: Method,
    seed: u64,
) -> Result<Way, String> {
    let (heuristic, others) = arguments.heuristics()?;
    if !others.is_empty() && !usual.ranking.is_greedy() {
        return Err(TOO_MANY.to_owned());
    }
    let (second, arrival, by) = match arguments.take("ties") {
        None => (Second::Nothing, Arrival::LastFirst, None),
        Some(value) => match value.text() {
            Some("lifo") => (Second::Nothing, Arrival::LastFirst, None),
            Some("fifo") => (Second::Nothing, Arrival::FirstFirst, None),
            Some("low-h") => (Second::LowH, Arrival::LastFirst, None),
            Some("low-g") => (Second::LowG, Arrival::LastFirst, None),
            _ => (Second::Heuristic, Arrival::LastFirst, Some(heuristic_of(value)?)),
        },
    };
    let evaluations = [("eager", Evaluation::Eager), ("lazy", Evaluation::Lazy)];
    let reopenings = match usual.reopening {
        Reopening::Always => [("yes", Reopening::Always), ("no", Reopening::Never)],
        Reopening::Never => [("no", Reopening::Never), ("yes", Reopening::Always)],
    };
    let method = Method {
        second,
        arrival,
        evaluation: arguments.choice("evaluate", &evaluations)?,
        test: arguments.test()?,
        reopening: arguments.choice("reopen", &reopenings)?,
        successors: arguments.order()?,
        variety: arguments.variety(seed)?,
        ..usual
    };
    if method.variety.novelty.is_some() && second != Second::Nothing {
        return Err("`novelty` comes before the estimate, and nothing after it: of `ties`, only \
                    lifo and fifo go with it"
            .to_owned());
    }
    let algorithm = Algorithm::BestFirst(method);
    Ok(Way::Directed(Directed { algorithm, heuristic, others, second: by, price: None }))
}
