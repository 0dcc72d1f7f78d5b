//! The rows of the registry: the description, guarantees and arguments of each search, and the
//! function that builds it from its arguments.

use beeline_kernel::registry::{ArgumentRow, Arguments, Row};
use beeline_kernel::spec::Spec;
use beeline_model::HeuristicScope;
use beeline_search::{
    BeamConfig, BestFirstConfig, Branching, ClimbKind, DfsConfig, DfsGoal, ExplorationOrder,
    FrontierConfig, IdaConfig, IdaMemory, Ranking, Revisit,
};

use super::best_first::best_first;
use super::diversification::{
    BOOSTED, EPSILON, HEURISTIC_LIST, NOVELTY, PREFERRED, SEED, TYPES, USELESS, diversification,
};
use super::options::{
    COST, EVALUATE, HEURISTIC, MIX, MOST_WEIGHT, ORDER, REOPEN, TEST, TIES, WEIGHT, cost,
    goal_test, heuristic, order, weight,
};
use super::strategy::Strategy;
use crate::plan::auto_config::{AutoConfig, GreedyStart};
use crate::plan::cycle_algorithm::CycleAlgorithm;
use crate::plan::error::PlanError;

/// A row of the registry of searches; `build` gets the arguments and the seed.
pub type SearchRow = Row<fn(&Arguments<'_>, u64) -> Result<Strategy, PlanError>>;

/// All searches. The first is the default of `check`.
pub const SEARCHES: &[SearchRow] = &[
    SearchRow {
        name: "auto",
        aliases: &[],
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
        about: "breadth-first at first; then a proof, greedy searches and a random one side by \
                side; trails are shortened. For cycles, the shortest lasso at first; then a proof \
                and a directed search in turns",
        promises: Some("complete; says whether a trail is shortest"),
        source: Some("ours; docs/book/auto.md"),
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
        aliases: &[],
        arguments: &[],
        about: "breadth-first: the nearest errors first; for cycles, the shortest lasso",
        promises: Some("complete; fewest moves between stored states"),
        source: Some("textbook"),
        build: |_, _| Ok(Strategy::Blind(ExplorationOrder::Breadth)),
    },
    SearchRow {
        name: "dfs",
        aliases: &[],
        arguments: &[],
        about: "depth-first, in SPIN's order; for cycles, as indfs",
        promises: Some("complete"),
        source: Some("textbook"),
        build: |_, _| Ok(Strategy::Blind(ExplorationOrder::Depth)),
    },
    SearchRow {
        name: "random-dfs",
        aliases: &[],
        arguments: &[],
        about: "depth-first, successors in random order (--seed)",
        promises: Some("complete"),
        source: Some("textbook"),
        build: |_, seed| Ok(Strategy::Blind(ExplorationOrder::RandomDepth { seed })),
    },
    SearchRow {
        name: "ndfs",
        aliases: &[],
        arguments: &[],
        about: "nested depth-first: a second search from each accepting state looks for the way \
                back; depth-first for everything but cycles",
        promises: Some("complete"),
        source: Some("[EMJ05], Automata-Based Model Checking"),
        build: |_, _| Ok(Strategy::Cycles(CycleAlgorithm::Nested)),
    },
    SearchRow {
        name: "indfs",
        aliases: &[],
        arguments: &[],
        about: "improved nested depth-first: the components of the claim tell where a second \
                search is needed",
        promises: Some("complete"),
        source: Some("[EMJ05], Automata-Based Model Checking"),
        build: |_, _| Ok(Strategy::Cycles(CycleAlgorithm::Improved)),
    },
    SearchRow {
        name: "scc",
        aliases: &[],
        arguments: &[],
        about: "depth-first by strongly connected components: for cycles that have to pass \
                several things, as fair ones do",
        promises: Some("complete"),
        source: Some("[Cou99]; [Gab00]"),
        build: |_, _| Ok(Strategy::Cycles(CycleAlgorithm::Components)),
    },
    SearchRow {
        name: "dijkstra",
        aliases: &[],
        arguments: &[COST, ORDER],
        about: "the fewest steps first, without a heuristic; for cycles, the shortest lasso",
        promises: Some("complete; shortest trails"),
        source: Some("[EMJ05], Directed Search, section 4"),
        build: |arguments, _| {
            let successor_order = order(arguments)?;
            let config = BestFirstConfig { successor_order, ..BestFirstConfig::DIJKSTRA };
            let strategy = Strategy::directed(config, Some(Spec::named("blind")));
            Ok(strategy.with_cost(cost(arguments)?))
        },
    },
    SearchRow {
        name: "astar",
        aliases: &[],
        arguments: &[HEURISTIC_LIST, WEIGHT, MIX, TIES, EVALUATE, TEST, REOPEN, ORDER, COST],
        about: "A*: the least sum of steps so far and estimate first",
        promises: Some(
            "complete; shortest trails with an admissible heuristic and w of at most 1, \
                   at most w times as long with a larger one, unless there are several lists",
        ),
        source: Some("[ELL00] §3.1, Table 3; [EMJ05], Directed Search, sections 4 and 6"),
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
        aliases: &[],
        arguments: &[
            HEURISTIC_LIST,
            TIES,
            EVALUATE,
            TEST,
            REOPEN,
            ORDER,
            PREFERRED,
            BOOSTED,
            USELESS,
            EPSILON,
            TYPES,
            NOVELTY,
            SEED,
        ],
        about: "greedy best-first: the least estimate first",
        promises: Some("complete"),
        source: Some(
            "[EMJ05], Directed Search, section 6; [RW10]; [WKP08]; [VSX14]; [XMHI14]; [LG17]",
        ),
        build: |arguments, seed| {
            let diversification = diversification(arguments, seed)?;
            best_first(arguments, BestFirstConfig { diversification, ..BestFirstConfig::GREEDY })
        },
    },
    SearchRow {
        name: "ida",
        aliases: &[],
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
        about: "IDA*: depth-first up to a bound that grows",
        promises: Some("complete; shortest trails with an admissible heuristic"),
        source: Some("[ELL00] §3.1, Table 4; [EMJ05], Directed Search, section 5"),
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
        aliases: &[],
        arguments: &[
            HEURISTIC,
            ArgumentRow::new(
                "enforced",
                "no, yes",
                "look breadth-first for a better state where no successor is better",
            ),
        ],
        about: "always on to the best successor, never back",
        promises: Some("none: it may miss errors, and says so"),
        source: Some("[EMJ05], Directed Search, section 6"),
        build: |arguments, _| {
            let kinds = [("no", ClimbKind::Steepest), ("yes", ClimbKind::Enforced)];
            let kind = arguments.choice("enforced", &kinds)?;
            Ok(Strategy::directed(kind, heuristic(arguments)?))
        },
    },
    SearchRow {
        name: "beam",
        aliases: &[],
        arguments: &[
            HEURISTIC,
            ArgumentRow::new("width", "1000, or any number", "how many states of a layer are kept"),
        ],
        about: "breadth-first, keeping only the best states of each layer",
        promises: Some("none: it may miss errors, and says so"),
        source: Some("[EMJ05], Directed Search, section 6"),
        build: |arguments, _| {
            let width = arguments.count("width", 1, usize::MAX)?.unwrap_or(1000);
            Ok(Strategy::directed(BeamConfig { width }, heuristic(arguments)?))
        },
    },
    SearchRow {
        name: "frontier",
        aliases: &[],
        arguments: &[],
        about: "breadth-first with two layers in memory; trails by divide and conquer",
        promises: Some("complete; fewest moves between stored states"),
        source: Some("[EMJ05], Directed Search, section 6"),
        build: |_, _| Ok(Strategy::directed(FrontierConfig, Some(Spec::named("blind")))),
    },
    SearchRow {
        name: "bounded-dfs",
        aliases: &[],
        arguments: &[
            ArgumentRow::new(
                "revisit",
                "shorter, never",
                "whether a state is expanded again when there is a shorter way to it",
            ),
            ORDER,
        ],
        about: "depth-first up to --depth steps",
        promises: Some(
            "none with `revisit=never`, where a state first met too deep hides what is \
                   behind it; otherwise everything within the bound is found",
        ),
        source: Some("[ELL01] §4, Figure 1"),
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
        aliases: &[],
        arguments: &[HEURISTIC, COST],
        about: "depth-first; each error found bounds the search for shorter trails",
        promises: Some("complete; shortest trails with an admissible heuristic"),
        source: Some("[ELL01] §4"),
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
