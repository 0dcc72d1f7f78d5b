//! Which queries share a state space. The clocks that a query compares keep their values in all
//! states, a query about deadlocks allows less extrapolation, and one that compares a difference of
//! clocks allows none: such a query has no share in the space of the others.

use std::collections::BTreeMap;

use crate::network::code::Code;
use crate::network::traverse::{has_differences, visit};
use crate::resolve::queries::{Query, QueryCode};

/// What a query needs of its state space.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Needs {
    /// Nothing: it is about locations and variables.
    Nothing,
    /// The values of these clocks: ranges of numbers.
    Clocks(Vec<(usize, usize)>),
    /// All steps.
    Deadlocks,
    /// Exact zones: the number of the query.
    Differences(usize),
    /// The runs of its own product.
    Runs,
}

impl Needs {
    fn of(at: usize, query: &Query) -> Needs {
        let (QueryCode::Possibly(code) | QueryCode::Invariantly(code)) = &query.code else {
            return Needs::Runs;
        };
        if has_differences(code) {
            return Needs::Differences(at);
        }
        let (mut clocks, mut has_deadlock) = (Vec::new(), false);
        visit(code, &mut |one| match one {
            Code::Deadlock => has_deadlock = true,
            Code::Clocks(comparison) => {
                let places = [&comparison.plus, &comparison.minus].into_iter().flatten();
                clocks.extend(places.map(|place| place.range().unwrap_or((0, usize::MAX))));
            }
            _ => {}
        });
        clocks.sort_unstable();
        clocks.dedup();
        match (has_deadlock, clocks.is_empty()) {
            (true, _) => Needs::Deadlocks,
            (false, true) => Needs::Nothing,
            (false, false) => Needs::Clocks(clocks),
        }
    }
}

/// By query: the number of its state space.
pub(super) fn shared_spaces(queries: &[Query]) -> Vec<usize> {
    let needs: Vec<Needs> =
        queries.iter().enumerate().map(|(at, query)| Needs::of(at, query)).collect();
    let mut numbers: BTreeMap<&Needs, usize> = needs.iter().map(|one| (one, 0)).collect();
    numbers.values_mut().enumerate().for_each(|(at, number)| *number = at);
    needs.iter().map(|one| numbers[one]).collect()
}
