//! The rows of the registry: everything there is to say about each search, and how it is made of its
//! arguments.

use beeline_kernel::registry::ArgumentRow;
use beeline_kernel::spec::Spec;
use beeline_model::HeuristicScope;
use beeline_search::{
    BeamConfig, BestFirstConfig, Branching, ClimbKind, DfsConfig, DfsGoal, ExplorationOrder,
    FrontierConfig, IdaConfig, IdaMemory, Ranking, Revisit,
};

use super::best_first::best_first;
use super::diversification::{
    BOOSTED, EPSILON, HEURISTICS, NOVELTY, PREFERRED, SEED, TYPES, USELESS, diversification,
};
use super::options::{
    COST, EVALUATE, HEURISTIC, MIX, MOST_WEIGHT, ORDER, REOPEN, TEST, TIES, WEIGHT, cost,
    goal_test, heuristic, order, weight,
};
use super::row::SearchRow;
use super::strategy::Strategy;
use crate::plan::auto_config::{AutoConfig, GreedyStart};
use crate::plan::cycle_algorithm::CycleAlgorithm;
use crate::plan::error::PlanError;

/// All searches there are. The first is the default.
pub const SEARCHES: &[SearchRow] = &[
    SearchRow {
        name: "auto",
        about: "breadth-first at first; then a proof, greedy searches and a random one side by \
                side; trails are shortened. For cycles, the shortest lasso at first; then a proof \
                and a directed search in turns",
        promises: "complete; says whether a trail is shortest",
        source: "ours; docs/book/auto.md",
        arguments: &[
            ArgumentRow::new(
                "estimates",
                "whole, local",
                "what heuristics look at: at the whole system, too (`hff`), or only at one \
                        process or one formula at a time",
            ),
            ArgumentRow::new(
                "hunts",
                "early, late",
                "when directed searches begin: soon, or when breadth-first search has had \
                        its third of a second",
            ),
        ],
        build: |arguments, _| {
            let scope = [("whole", HeuristicScope::Whole), ("local", HeuristicScope::Local)];
            let scope = arguments.choice("estimates", &scope)?;
            let greedy_start = arguments
                .choice("hunts", &[("early", GreedyStart::Early), ("late", GreedyStart::Late)])?;
            Ok(Strategy::Auto(AutoConfig { scope, greedy_start }))
        },
    },
    SearchRow {
        name: "bfs",
        about: "breadth-first: the nearest errors first; for cycles, the shortest lasso",
        promises: "complete; fewest moves between stored states",
        source: "textbook",
        arguments: &[],
        build: |_, _| Ok(Strategy::Blind(ExplorationOrder::Breadth)),
    },
    SearchRow {
        name: "dfs",
        about: "depth-first, in SPIN's order; for cycles, as indfs",
        promises: "complete",
        source: "textbook",
        arguments: &[],
        build: |_, _| Ok(Strategy::Blind(ExplorationOrder::Depth)),
    },
    SearchRow {
        name: "random-dfs",
        about: "depth-first, successors in random order (--seed)",
        promises: "complete",
        source: "textbook",
        arguments: &[],
        build: |_, seed| Ok(Strategy::Blind(ExplorationOrder::RandomDepth { seed })),
    },
    SearchRow {
        name: "ndfs",
        about: "nested depth-first: a second search from each accepting state looks for the way \
                back; depth-first for everything but cycles",
        promises: "complete",
        source: "[EMJ05], Automata-Based Model Checking",
        arguments: &[],
        build: |_, _| Ok(Strategy::Cycles(CycleAlgorithm::Nested)),
    },
    SearchRow {
        name: "indfs",
        about: "improved nested depth-first: the components of the claim tell where a second \
                search is needed",
        promises: "complete",
        source: "[EMJ05], Automata-Based Model Checking",
        arguments: &[],
        build: |_, _| Ok(Strategy::Cycles(CycleAlgorithm::Improved)),
    },
    SearchRow {
        name: "scc",
        about: "depth-first by strongly connected components: for cycles that have to pass \
                several things, as fair ones do",
        promises: "complete",
        source: "[Cou99]; [Gab00]",
        arguments: &[],
        build: |_, _| Ok(Strategy::Cycles(CycleAlgorithm::Components)),
    },
    SearchRow {
        name: "dijkstra",
        about: "the fewest steps first, without a heuristic; for cycles, the shortest lasso",
        promises: "complete; shortest trails",
        source: "[EMJ05], Directed Search, section 4",
        arguments: &[COST, ORDER],
        build: |arguments, _| {
            let successor_order = order(arguments)?;
            let config = BestFirstConfig { successor_order, ..BestFirstConfig::DIJKSTRA };
            let strategy = Strategy::directed(config, Some(Spec::named("blind")));
            Ok(strategy.with_cost(cost(arguments)?))
        },
    },
    SearchRow {
        name: "astar",
        about: "A*: the least sum of steps so far and estimate first",
        promises: "complete; shortest trails with an admissible heuristic and w of at most 1, \
                   at most w times as long with a larger one, unless there are several lists",
        source: "[ELL00] §3.1, Table 3; [EMJ05], Directed Search, sections 4 and 6",
        arguments: &[HEURISTICS, WEIGHT, MIX, TIES, EVALUATE, TEST, REOPEN, ORDER, COST],
        build: |arguments, _| {
            let w = weight(arguments, WEIGHT.name, MOST_WEIGHT)?;
            let ranking = match (w, weight(arguments, MIX.name, 1)?) {
                (Some(_), Some(_)) => return Err(PlanError::WeightAndMix),
                (Some(weight), None) => Ranking::weighted(weight),
                (None, Some(weight)) => Ranking::mixed(weight),
                (None, None) => Ranking::SUM,
            };
            let config = BestFirstConfig { ranking, ..BestFirstConfig::A_STAR };
            Ok(best_first(arguments, config)?.with_cost(cost(arguments)?))
        },
    },
    SearchRow {
        name: "gbfs",
        about: "greedy best-first: the least estimate first",
        promises: "complete",
        source: "[EMJ05], Directed Search, section 6; [RW10]; [WKP08]; [VSX14]; [XMHI14]; [LG17]",
        arguments: &[
            HEURISTICS, TIES, EVALUATE, TEST, REOPEN, ORDER, PREFERRED, BOOSTED, USELESS, EPSILON,
            TYPES, NOVELTY, SEED,
        ],
        build: |arguments, seed| {
            let diversification = diversification(arguments, seed)?;
            best_first(arguments, BestFirstConfig { diversification, ..BestFirstConfig::GREEDY })
        },
    },
    SearchRow {
        name: "ida",
        about: "IDA*: depth-first up to a bound that grows",
        promises: "complete; shortest trails with an admissible heuristic",
        source: "[ELL00] §3.1, Table 4; [EMJ05], Directed Search, section 5",
        arguments: &[
            HEURISTIC,
            ArgumentRow::new(
                "table",
                "0, or how many states",
                "how many states of an iteration are remembered beside the path",
            ),
            TEST,
            ORDER,
        ],
        build: |arguments, _| {
            let memory = match arguments.count("table", 0, usize::MAX)? {
                None | Some(0) => IdaMemory::Path,
                Some(states) => IdaMemory::Table(states),
            };
            let config = IdaConfig {
                memory,
                goal_test: goal_test(arguments)?,
                successor_order: order(arguments)?,
            };
            Ok(Strategy::directed(config, heuristic(arguments)?))
        },
    },
    SearchRow {
        name: "hill-climbing",
        about: "always on to the best successor, never back",
        promises: "none: it may miss errors, and says so",
        source: "[EMJ05], Directed Search, section 6",
        arguments: &[
            HEURISTIC,
            ArgumentRow::new(
                "enforced",
                "no, yes",
                "look breadth-first for a better state where no successor is better",
            ),
        ],
        build: |arguments, _| {
            let kinds = [("no", ClimbKind::Steepest), ("yes", ClimbKind::Enforced)];
            let kind = arguments.choice("enforced", &kinds)?;
            Ok(Strategy::directed(kind, heuristic(arguments)?))
        },
    },
    SearchRow {
        name: "beam",
        about: "breadth-first, keeping only the best states of each layer",
        promises: "none: it may miss errors, and says so",
        source: "[EMJ05], Directed Search, section 6",
        arguments: &[
            HEURISTIC,
            ArgumentRow::new("width", "1000, or any number", "how many states of a layer are kept"),
        ],
        build: |arguments, _| {
            let width = arguments.count("width", 1, usize::MAX)?.unwrap_or(1000);
            Ok(Strategy::directed(BeamConfig { width }, heuristic(arguments)?))
        },
    },
    SearchRow {
        name: "frontier",
        about: "breadth-first with two layers in memory; trails by divide and conquer",
        promises: "complete; fewest moves between stored states",
        source: "[EMJ05], Directed Search, section 6",
        arguments: &[],
        build: |_, _| Ok(Strategy::directed(FrontierConfig, Some(Spec::named("blind")))),
    },
    SearchRow {
        name: "bounded-dfs",
        about: "depth-first up to --depth steps",
        promises: "none with `revisit=never`, where a state first met too deep hides what is \
                   behind it; otherwise everything within the bound is found",
        source: "[ELL01] §4, Figure 1",
        arguments: &[
            ArgumentRow::new(
                "revisit",
                "shorter, never",
                "whether a state is expanded again when there is a shorter way to it",
            ),
            ORDER,
        ],
        build: |arguments, _| {
            let choices = [("shorter", Revisit::WhenCheaper), ("never", Revisit::Never)];
            let revisit = arguments.choice("revisit", &choices)?;
            let branching = order(arguments)?.into();
            let config = DfsConfig { revisit, goal: DfsGoal::Any, branching };
            Ok(Strategy::directed(config, Some(Spec::named("blind"))))
        },
    },
    SearchRow {
        name: "branch-and-bound",
        about: "depth-first; each error found bounds the search for shorter trails",
        promises: "complete; shortest trails with an admissible heuristic",
        source: "[ELL01] §4",
        arguments: &[HEURISTIC, COST],
        build: |arguments, _| {
            let config = DfsConfig {
                revisit: Revisit::WhenCheaper,
                goal: DfsGoal::Cheapest,
                branching: Branching::MostPromising,
            };
            let strategy = Strategy::directed(config, heuristic(arguments)?);
            Ok(strategy.with_cost(cost(arguments)?))
        },
    },
];
