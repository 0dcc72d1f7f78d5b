//! The registry of searches, and the parsing of their specs.
//!
//! A spec is `name(heuristic, key=value, ...)`. Each option of a search is an argument, and each
//! argument has a row, from which the help, the messages and the book are made.

mod best_first;
mod diversification;
mod options;
mod rows;
mod strategy;
mod symbolic;

use beeline_kernel::registry::{self, Arguments};
use beeline_kernel::spec::Spec;

use super::error::PlanError;
use super::heuristic_names::HeuristicNames;

use diversification::is_greedy_only;
pub use rows::{SEARCHES, SearchRow};
pub use strategy::{DirectedConfig, SearchConfig, Strategy};
pub use symbolic::{SetAlgorithm, SetSearchConfig};

/// The row of a search, by name.
pub fn find_search(name: &str) -> Option<&'static SearchRow> {
    registry::find(SEARCHES, name)
}

/// Parses a search as written on the command line. `seed` is the seed of random searches,
/// `heuristics` the known names of heuristics.
///
/// # Errors
///
/// When the syntax, the name, a heuristic or another argument is wrong.
pub fn parse_search(
    text: &str,
    seed: u64,
    heuristics: &HeuristicNames,
) -> Result<SearchConfig, PlanError> {
    let spec = Spec::parse(text)?;
    let Some(row) = find_search(&spec.name) else {
        let known = registry::names(SEARCHES).into_iter().map(str::to_owned).collect();
        return Err(PlanError::Unknown { kind: "search", name: spec.name, known });
    };
    let is_known = |key: &str| row.arguments.iter().any(|argument| argument.name == key);
    let mut keys = spec.arguments.iter().filter_map(|argument| argument.key.as_deref());
    if let Some(key) = keys.find(|key| !is_known(key) && is_greedy_only(key)) {
        return Err(PlanError::GreedyOnly { search: row.name, argument: key.to_owned() });
    }
    let arguments = Arguments::new(row.name, &spec, row.arguments)?;
    let of_search = |error: PlanError| error.of_search(row.name);
    let strategy = (row.build)(&arguments, seed).map_err(of_search)?;
    strategy.heuristics().try_for_each(|spec| heuristics.check(spec)).map_err(of_search)?;
    Ok(SearchConfig { name: spec.to_string(), strategy })
}

#[cfg(test)]
mod tests {
    use beeline_heuristics::HEURISTICS;
    use beeline_search::{
        BestFirstConfig, Evaluation, GoalTest, QueueOrder, Reopening, SuccessorOrder, TieBreak,
        Weight,
    };

    use super::*;

    /// The names of the heuristics for Promela.
    fn promela() -> HeuristicNames {
        let listed = HEURISTICS.iter().map(|row| row.name).collect();
        let others = HEURISTICS.iter().flat_map(|row| row.aliases).copied().collect();
        HeuristicNames { listed, others }
    }

    fn method(text: &str) -> BestFirstConfig {
        match parse_search(text, 1, &promela()).map(|search| search.strategy) {
            Ok(Strategy::Directed(DirectedConfig { algorithm, .. })) => {
                *algorithm.best_first().expect("it is best-first search")
            }
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn every_row_can_be_asked_for_by_its_name_alone() {
        for row in SEARCHES {
            parse_search(row.name, 1, &promela()).expect(row.name);
        }
    }

    #[test]
    fn arguments_make_the_difference() {
        assert_eq!(method("astar(active)"), BestFirstConfig::A_STAR);
        assert_eq!(method("gbfs"), BestFirstConfig::GREEDY);
        let two = Weight { over: 2, under: 1 };
        assert_eq!(method("astar(active, w=2)"), BestFirstConfig::weighted(two));
        let half = Weight { over: 1, under: 2 };
        assert_eq!(method("astar(h=active, mix=0.5)"), BestFirstConfig::mixed(half));
        let all = "gbfs(max(active, nonempty-queues), ties=fifo, evaluate=lazy, \
                   test=generation, reopen=yes, order=reversed)";
        assert_eq!(
            method(all),
            BestFirstConfig {
                queue_order: QueueOrder::Fifo,
                evaluation: Evaluation::Lazy,
                goal_test: GoalTest::Generation,
                reopening: Reopening::Always,
                successor_order: SuccessorOrder::Reversed,
                ..BestFirstConfig::GREEDY
            }
        );
        assert_eq!(method("astar(active, ties=nonempty-queues)").tie_break, TieBreak::Heuristic);
    }

    #[test]
    fn mistakes_are_named() {
        let wrong = |text| parse_search(text, 1, &promela()).expect_err("it is wrong").to_string();
        assert!(wrong("astra").contains("there is no search `astra`; did you mean `astar`?"));
        assert!(wrong("astra").contains("There are: auto, bfs, dfs"));
        assert!(wrong("astar(actve)").contains("there is no heuristic `actve`"));
        assert!(wrong("astar(active, wight=2)").contains("no argument `wight`"));
        assert!(wrong("astar(active, w=fast)").contains("`w` must be a number"));
        assert!(wrong("astar(active, w=2, mix=0.5)").contains("not both"));
        assert!(wrong("gbfs(active, reopen=maybe)").contains("`reopen` must be one of no, yes"));
        assert!(wrong("bfs(active)").contains("takes no arguments"));
        assert!(wrong("astar(active").contains("column"));
    }
}
