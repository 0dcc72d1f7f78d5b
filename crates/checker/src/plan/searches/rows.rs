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
use super::symbolic::{self, BUCKETS, DIRECTION, ESTIMATE, SET_WEIGHT};
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
                "scope of the heuristics: also the whole system (`hff`), or only one process or \
                 one formula at a time",
            ),
            ArgumentRow::new(
                "greedy",
                "early, late",
                "start of the greedy searches: soon, or after the first phase of breadth-first \
                 search, which takes a third of a second",
            ),
            ArgumentRow::new(
                "sets",
                "yes, no",
                "whether a proof on sets of states runs beside the others",
            ),
        ],
        about: "breadth-first search first; then an exhaustive search, greedy searches and a \
                random depth-first search side by side, and a proof on sets of states; trails are \
                shortened. For liveness \
                properties, a search for the shortest lasso first; then an exhaustive search and \
                a directed search in turns",
        promises: Some("complete; reports whether a trail is shortest"),
        source: Some("ours; docs/book/auto.md"),
        build: |arguments, _| {
            let scope = [("whole", HeuristicScope::Whole), ("local", HeuristicScope::Local)];
            let scope = arguments.choice("estimates", &scope)?;
            let greedy_start = arguments
                .choice("greedy", &[("early", GreedyStart::Early), ("late", GreedyStart::Late)])?;
            let sets = arguments.choice("sets", &[("yes", true), ("no", false)])?;
            Ok(Strategy::Auto(AutoConfig { scope, greedy_start, sets }))
        },
    },
    SearchRow {
        name: "bfs",
        aliases: &[],
        arguments: &[],
        about: "breadth-first search, nearest errors first; for liveness properties, the shortest \
                lasso",
        promises: Some("complete; fewest moves between stored states"),
        source: Some("textbook"),
        build: |_, _| Ok(Strategy::Blind(ExplorationOrder::Breadth)),
    },
    SearchRow {
        name: "dfs",
        aliases: &[],
        arguments: &[],
        about: "depth-first search, in SPIN's order; for liveness properties, the same as indfs",
        promises: Some("complete"),
        source: Some("textbook"),
        build: |_, _| Ok(Strategy::Blind(ExplorationOrder::Depth)),
    },
    SearchRow {
        name: "random-dfs",
        aliases: &[],
        arguments: &[],
        about: "depth-first search with successors in random order (--seed)",
        promises: Some("complete"),
        source: Some("textbook"),
        build: |_, seed| Ok(Strategy::Blind(ExplorationOrder::RandomDepth { seed })),
    },
    SearchRow {
        name: "ndfs",
        aliases: &[],
        arguments: &[],
        about: "nested depth-first search: a second search from each accepting state looks for a \
                cycle through it; depth-first search for safety properties",
        promises: Some("complete"),
        source: Some("[EMJ05], Automata-Based Model Checking"),
        build: |_, _| Ok(Strategy::Cycles(CycleAlgorithm::Nested)),
    },
    SearchRow {
        name: "indfs",
        aliases: &[],
        arguments: &[],
        about: "improved nested depth-first search: the strongly connected components of the \
                claim determine where a second search is needed",
        promises: Some("complete"),
        source: Some("[EMJ05], Automata-Based Model Checking"),
        build: |_, _| Ok(Strategy::Cycles(CycleAlgorithm::Improved)),
    },
    SearchRow {
        name: "cndfs",
        aliases: &[],
        arguments: &[],
        about: "indfs in threads (--jobs), each in its own order; which cycle is found depends on \
                the run; depth-first search in one thread for safety properties",
        promises: Some("complete"),
        source: Some("[ELPP12]"),
        build: |_, _| Ok(Strategy::Cycles(CycleAlgorithm::Parallel)),
    },
    SearchRow {
        name: "scc",
        aliases: &[],
        arguments: &[],
        about: "depth-first search by strongly connected components, for cycles with several \
                acceptance conditions, such as fair ones",
        promises: Some("complete"),
        source: Some("[Cou99]; [Gab00]"),
        build: |_, _| Ok(Strategy::Cycles(CycleAlgorithm::Components)),
    },
    SearchRow {
        name: "dijkstra",
        aliases: &[],
        arguments: &[COST, ORDER],
        about: "Dijkstra's algorithm: fewest steps first, without a heuristic; for liveness \
                properties, the shortest lasso",
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
        about: "A*: least sum of the steps so far and the estimate first",
        promises: Some(
            "complete; with one admissible heuristic, shortest trails if w is at most 1, and \
             trails at most w times as long as the shortest otherwise",
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
        about: "greedy best-first search: least estimate first",
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
                "0, or any number",
                "maximum number of states of an iteration that are stored in addition to the path",
            ),
            TEST,
            ORDER,
        ],
        about: "IDA*: depth-first search with a bound on f that increases from iteration to \
                iteration",
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
                "if no successor is better, search breadth-first for a better state",
            ),
        ],
        about: "hill climbing: moves to the best successor, without backtracking",
        promises: Some("none: it may miss errors, and then reports unknown"),
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
            ArgumentRow::new("width", "1000, or any number", "maximum number of states of a layer"),
        ],
        about: "breadth-first search that keeps only the best states of each layer",
        promises: Some("none: it may miss errors, and then reports unknown"),
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
        about: "breadth-first search with two layers in memory; the trail is recovered by divide \
                and conquer",
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
                "whether a state is expanded again when a shorter path to it is found",
            ),
            ORDER,
        ],
        about: "depth-first search up to --depth steps",
        promises: Some(
            "finds all errors within the bound; with `revisit=never` it may miss errors, because \
             a state that is first reached near the bound is not expanded again",
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
        about: "depth-first search; each error bounds the length of later trails",
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
    SearchRow {
        name: "symbolic-bfs",
        aliases: &[],
        arguments: &[DIRECTION],
        about: "breadth-first search on sets of states, each a decision diagram; for properties \
                about single states and steps",
        promises: Some("complete; fewest moves between stored states"),
        source: Some("[EMJ05], Symbolic Search, section 5"),
        build: |arguments, _| Ok(Strategy::Symbolic(symbolic::breadth_first(arguments)?)),
    },
    SearchRow {
        name: "symbolic-dijkstra",
        aliases: &[],
        arguments: &[],
        about: "Dijkstra's algorithm on sets of states: fewest steps first",
        promises: Some("complete; shortest trails"),
        source: Some("[EMJ05], Symbolic Search, section 6"),
        build: |_, _| Ok(Strategy::Symbolic(symbolic::dijkstra())),
    },
    SearchRow {
        name: "symbolic-astar",
        aliases: &["bdd-astar"],
        arguments: &[ESTIMATE, SET_WEIGHT, BUCKETS],
        about: "A* on sets of states: sets with the least sum of the steps so far and the estimate \
                first (BDD-A*)",
        promises: Some("complete; shortest trails with `h=pattern`, `h=dpa` and `h=blind`"),
        source: Some("[EMJ05], Symbolic Search, section 7"),
        build: |arguments, _| Ok(Strategy::Symbolic(symbolic::a_star(arguments)?)),
    },
    SearchRow {
        name: "symbolic-gbfs",
        aliases: &[],
        arguments: &[ESTIMATE],
        about: "greedy best-first search on sets of states: least estimate first",
        promises: Some("complete"),
        source: Some("[EMJ05], Symbolic Search, section 7"),
        build: |arguments, _| Ok(Strategy::Symbolic(symbolic::greedy(arguments)?)),
    },
];
