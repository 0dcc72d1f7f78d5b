//! Reduced searches have the findings of full ones.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use beeline_kernel::{
    Blind, CandidateSets, Claims, Cost, Estimate, Expansion, Fault, FaultKind, Heuristic, Reducer,
    Space, Stop, Transition,
};
use beeline_search::{
    AfterHit, Backoff, BestFirstConfig, Bitstate, Branching, CompactStore, CycleCondition,
    DepthFirst, DfsConfig, DfsGoal, ExactStore, Exploration, ExplorationOptions, ExplorationOrder,
    FindingKind, HashCompact, IdaConfig, IdaMemory, IdaStar, Limits, NestedDfs, Nesting, Outcome,
    ParallelOptions, PathCompression, Reduced, Reduction, Refusal, Restarts, Revisit, SccSearch,
    Search, SearchQuery, SearchTarget, SliceBudget, StackSearch, StateStore, Stats, StopCondition,
    StoreLimits, explore_reduced_in_parallel,
};
use beeline_test_size::portion;

use crate::crowds::{Act, Crowd, Harmless, Judge, Move, alone};
use crate::toys::{Graph, Grid, ORDERS, assertion, explore};

use CycleCondition::{Duplicate, DuplicateMinus, Open, Stack, StackMinus};

fn reduction(crowd: &Crowd, condition: CycleCondition) -> Reduction<'_> {
    Reduction::new(Judge::boxed(crowd, Harmless::Alone), condition, Backoff::Always)
}

/// Arbitrary estimates, so that states are reached on costly paths first.
#[derive(Clone)]
struct Noise;

impl Heuristic for Noise {
    fn name(&self) -> &str {
        "noise"
    }

    fn claims(&self) -> Claims {
        Claims::NONE
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        let sum = state.iter().fold(7_u32, |sum, &byte| sum.wrapping_mul(31) + u32::from(byte));
        Estimate::Finite(Cost(sum % 13))
    }
}

/// Findings of each kind to keep: more than there are deadlocks.
const KEEP: usize = 40;

/// A search, or why it refuses the reduction.
type Made<'a> = Result<Box<dyn Search + 'a>, Refusal>;

fn boxed<'a, T: Search + 'a>(made: Result<T, Refusal>) -> Made<'a> {
    made.map(|search| Box::new(search) as Box<dyn Search + 'a>)
}

/// All kinds of searches with this condition, or without a reduction.
fn searches<'a>(
    crowd: &'a Crowd,
    condition: Option<CycleCondition>,
    limits: Limits,
) -> Vec<(String, Made<'a>)> {
    let query = SearchQuery {
        after_hit: AfterHit::Continue,
        keep: KEEP,
        limits,
        ..SearchQuery::new(SearchTarget::ANYTHING)
    };
    let ok = "toys do not fail at once";
    let mut all = Vec::new();
    macro_rules! add {
        ($name:expr, $search:expr) => {
            let search = $search.expect(ok);
            all.push((
                $name,
                match condition {
                    None => boxed(Ok(search)),
                    Some(condition) => boxed(search.with_reduction(reduction(crowd, condition))),
                },
            ));
        };
    }
    for order in ORDERS {
        let options =
            ExplorationOptions { order, keep: KEEP, limits, ..ExplorationOptions::default() };
        add!(format!("{order:?}, exact"), Exploration::<ExactStore>::with_store(crowd, options));
        add!(
            format!("{order:?}, compact"),
            Exploration::<CompactStore>::with_store(crowd, options)
        );
    }
    for (name, method) in [
        ("dijkstra", BestFirstConfig::DIJKSTRA),
        ("astar", BestFirstConfig::A_STAR),
        ("greedy", BestFirstConfig::GREEDY),
    ] {
        add!(
            name.to_string(),
            beeline_search::BestFirst::new(crowd, Box::new(Noise), method, query)
        );
    }
    // Searches that revisit states on cheaper paths take long.
    let is_small = limits.depth.is_some() || crowd.most_states() < 120;
    if is_small {
        let deepening = IdaConfig { memory: IdaMemory::Table(usize::MAX), ..IdaConfig::default() };
        add!("ida".to_string(), IdaStar::new(crowd, Box::new(Blind), deepening, query));
    }
    for revisit in [Revisit::WhenCheaper, Revisit::Never] {
        if is_small || revisit == Revisit::Never {
            let dive =
                DfsConfig { revisit, branching: Branching::MostPromising, ..DfsConfig::default() };
            add!(format!("{revisit:?}"), DepthFirst::new(crowd, Box::new(Noise), dive, query));
        }
    }
    let again = Restarts { seed: 1, runs: 1 };
    let prints = HashCompact::new(1, StoreLimits::NONE);
    add!("hash-compact".to_string(), StackSearch::new(crowd, prints, again, query));
    let bits = Bitstate::new(1, 1 << 16, 3).expect("there is memory for a small array");
    add!("bitstate".to_string(), StackSearch::new(crowd, bits, again, query));
    all
}

/// The results of a search.
#[derive(Debug)]
struct Seen {
    outcome: Outcome,
    kinds: HashSet<FindingKind>,
    /// The deadlocks.
    stuck: HashSet<Vec<u8>>,
    stats: Stats,
}

fn see(crowd: &Crowd, search: &mut dyn Search) -> Seen {
    let outcome = search.finish();
    let mut stuck = HashSet::new();
    let mut expansion = Expansion::default();
    let hits = search.hits();
    for (at, hit) in hits.iter().enumerate() {
        let mut path = search.path(at);
        let mut pairs = path.pairs();
        while let Some((from, to)) = pairs.advance() {
            crowd.expand(from, &mut expansion);
            assert!(expansion.states().any(|next| next == to), "no such move");
        }
        if hit.kind == FindingKind::Deadlock {
            stuck.extend(path.pop());
        }
    }
    let kinds = hits.iter().map(|hit| hit.kind).collect();
    Seen { outcome, kinds, stuck, stats: search.stats() }
}

/// Whether a search of this name supports a condition, according to its documentation.
fn is_suited(name: &str, condition: CycleCondition) -> bool {
    let is_about_stack = matches!(condition, Stack | StackMinus);
    match name {
        _ if condition == CycleCondition::None => true,
        "ida" => is_about_stack,
        "hash-compact" | "bitstate" => matches!(condition, Duplicate | DuplicateMinus),
        "dijkstra" | "astar" | "greedy" | "Breadth, exact" | "Breadth, compact" => !is_about_stack,
        _ => true,
    }
}

fn crowds() -> impl Iterator<Item = Crowd> {
    (1..=portion(60)).map(|seed| Crowd::random(seed, 3 + seed as usize % 2))
}

#[test]
fn deadlocks_stay_with_every_condition_and_errors_with_every_one_but_none() {
    let (mut lost, mut sum, mut stored, mut all) = (0, Stats::default(), 0, 0);
    for (seed, crowd) in crowds().enumerate() {
        let limits = Limits::default();
        let full: HashMap<String, Seen> = searches(&crowd, None, limits)
            .into_iter()
            .map(|(name, made)| (name, see(&crowd, &mut *made.expect("nothing to refuse"))))
            .collect();
        let truth = &full["Breadth, exact"];
        assert!(truth.stuck.len() < KEEP);
        for condition in CycleCondition::ALL {
            for (name, made) in searches(&crowd, Some(condition), limits) {
                let mut search = match made {
                    Err(refusal) => {
                        assert_eq!(refusal, Refusal::Unsuited(condition));
                        assert!(!is_suited(&name, condition), "{name} refuses {condition}");
                        continue;
                    }
                    Ok(search) => search,
                };
                assert!(is_suited(&name, condition), "{name} takes {condition}");
                let seen = see(&crowd, &mut *search);
                let what = format!("crowd {seed}, {name}, {condition}");
                assert_eq!(seen.outcome, full[&name].outcome, "{what}");
                assert_eq!(seen.stuck, truth.stuck, "{what}");
                assert!(seen.kinds.is_subset(&truth.kinds), "{what}");
                if condition == CycleCondition::None {
                    lost += usize::from(seen.kinds != truth.kinds);
                } else {
                    assert_eq!(seen.kinds, truth.kinds, "{what}");
                }
                sum.add(&seen.stats);
                if name != "ida" {
                    assert!(seen.stats.stored <= truth.stats.stored, "{what}");
                    stored += seen.stats.stored;
                    all += truth.stats.stored;
                }
            }
        }
    }
    // The test is meaningful: unsound conditions do lose findings, and states are saved.
    assert!(lost > portion(20), "{lost}");
    assert!(stored * 10 < all * 9, "{stored} of {all}");
    assert!(sum.reduced > portion(1000) && sum.refused > portion(1000), "{sum:?}");
    assert!(sum.unreduced > portion(1000) && sum.reopened > portion(1000), "{sum:?}");
    assert!(sum.cut > sum.reduced, "{sum:?}");
}

/// An exploration with path compression.
fn passing<'a, T: StateStore>(crowd: &'a Crowd, order: ExplorationOrder) -> Exploration<'a, T> {
    let exploration = Exploration::<T>::with_store(crowd, options(order)).expect("it begins");
    let reduced = exploration.with_reduction(reduction(crowd, CycleCondition::None));
    let passage = PathCompression::new(crowd, Judge::boxed(crowd, Harmless::Alone));
    reduced.expect("it is suited").with_passage(passage)
}

#[test]
fn whoever_passes_states_finds_all_deadlocks_and_the_way_there() {
    let (mut passed, mut stored, mut unpassed) = (0, 0, 0);
    for (seed, crowd) in crowds().enumerate() {
        let truth = see(&crowd, &mut explore(&crowd, options(ExplorationOrder::Breadth)));
        for order in ORDERS {
            let reduced = see(&crowd, &mut explored(&crowd, order, CycleCondition::None));
            let exact = see(&crowd, &mut passing::<ExactStore>(&crowd, order));
            let compact = see(&crowd, &mut passing::<CompactStore>(&crowd, order));
            for seen in [&exact, &compact] {
                assert_eq!(seen.outcome, Outcome::Complete, "crowd {seed}, {order:?}");
                assert_eq!(seen.stuck, truth.stuck, "crowd {seed}, {order:?}");
                assert!(seen.kinds.is_subset(&truth.kinds), "crowd {seed}, {order:?}");
            }
            passed += exact.stats.passed;
            stored += exact.stats.stored;
            unpassed += reduced.stats.stored;
        }
    }
    assert!(
        passed > portion(1_000) && stored * 10 < unpassed * 9,
        "{passed}, {stored} of {unpassed}"
    );
}

#[test]
fn whoever_passes_states_that_go_round_comes_to_an_end() {
    // A cycle of 40 states beside a process that is postponed.
    const ROUND: u8 = 40;
    let round = (0..ROUND).map(|at| vec![alone((at + 1) % ROUND)]).collect();
    let crowd = Crowd { processes: vec![vec![vec![alone(1)], vec![]], round] };
    for order in ORDERS {
        let seen = see(&crowd, &mut passing::<ExactStore>(&crowd, order));
        assert_eq!(seen.outcome, Outcome::Complete);
        assert!(seen.stats.passed > 0 && seen.stats.stored < ROUND.into(), "{:?}", seen.stats);
    }
}

#[test]
fn nothing_is_passed_where_a_condition_has_to_look_at_it() {
    let crowd = ignored();
    for order in ORDERS {
        let exploration = explored(&crowd, order, Open);
        let passage = PathCompression::new(&crowd, Judge::boxed(&crowd, Harmless::Alone));
        let seen = see(&crowd, &mut exploration.with_passage(passage));
        assert!(seen.stats.passed == 0 && seen.kinds.contains(&FindingKind::Invariant(1)));
    }
}

#[test]
fn within_a_depth_limit_what_is_complete_is_so() {
    let mut complete = 0;
    for (seed, crowd) in crowds().enumerate() {
        let truth = see(&crowd, &mut explore(&crowd, options(ExplorationOrder::Breadth)));
        for condition in CycleCondition::ALL.into_iter().filter(|&c| c != CycleCondition::None) {
            for depth in 1..24 {
                let limits = Limits { depth: Some(depth), ..Limits::default() };
                for (name, made) in searches(&crowd, Some(condition), limits) {
                    let Ok(mut search) = made else { continue };
                    let seen = see(&crowd, &mut *search);
                    if seen.outcome == Outcome::Complete {
                        let what = format!("crowd {seed}, {name}, {condition}, {depth}");
                        assert_eq!(seen.kinds, truth.kinds, "{what}");
                        complete += usize::from(depth < 8);
                    }
                }
            }
        }
    }
    assert!(complete > portion(1000), "{complete}");
}

#[test]
fn whoever_remembers_nothing_but_the_path_finds_everything() {
    let mut reduced = 0;
    let crowds = (1..=portion(200)).map(|seed| Crowd::random(seed, 2));
    for (seed, crowd) in crowds.enumerate().filter(|(_, crowd)| crowd.most_states() <= 18) {
        let truth = see(&crowd, &mut explore(&crowd, options(ExplorationOrder::Breadth)));
        for condition in [Stack, StackMinus] {
            let query = SearchQuery {
                after_hit: AfterHit::Continue,
                keep: KEEP,
                ..SearchQuery::new(SearchTarget::ANYTHING)
            };
            let search = IdaStar::new(&crowd, Box::new(Blind), IdaConfig::default(), query);
            let search = search.expect("toys do not fail at once");
            let search = search.with_reduction(reduction(&crowd, condition));
            let seen = see(&crowd, &mut search.expect("it is suited"));
            assert_eq!(seen.outcome, Outcome::Complete);
            assert_eq!(seen.kinds, truth.kinds, "crowd {seed}, {condition}");
            assert_eq!(seen.stuck, truth.stuck, "crowd {seed}, {condition}");
            reduced += seen.stats.reduced;
        }
    }
    assert!(reduced > portion(100), "{reduced}");
}

fn options(order: ExplorationOrder) -> ExplorationOptions<'static> {
    ExplorationOptions { order, keep: KEEP, ..ExplorationOptions::default() }
}

/// Process 1 cycles independently; process 0 has an error one move away.
fn ignored() -> Crowd {
    let round = vec![vec![alone(1)], vec![alone(0)]];
    Crowd { processes: vec![vec![vec![alone(1)], vec![]], round] }
}

fn explored<'a>(
    crowd: &'a Crowd,
    order: ExplorationOrder,
    condition: CycleCondition,
) -> Exploration<'a> {
    let exploration = explore(crowd, options(order));
    exploration.with_reduction(reduction(crowd, condition)).expect("it is suited")
}

#[test]
fn without_a_condition_what_is_postponed_for_ever_is_lost() {
    let crowd = ignored();
    for order in ORDERS {
        for condition in CycleCondition::ALL {
            let exploration = explore(&crowd, options(order));
            let Ok(mut search) = exploration.with_reduction(reduction(&crowd, condition)) else {
                continue;
            };
            let seen = see(&crowd, &mut search);
            assert_eq!(seen.outcome, Outcome::Complete);
            let expected = condition != CycleCondition::None;
            assert_eq!(seen.kinds.contains(&FindingKind::Invariant(1)), expected, "{condition}");
        }
    }
}

#[test]
fn one_successor_beside_the_stack_is_enough_for_the_weaker_condition() {
    // Process 1 moves on, and may then move back or on: the example of C3⁻stack.
    let moves = vec![vec![alone(1)], vec![alone(0), alone(2)], vec![]];
    let crowd = Crowd { processes: vec![vec![vec![alone(1)], vec![]], moves] };
    let stats = |condition| {
        let mut exploration = explored(&crowd, ExplorationOrder::Depth, condition);
        assert_eq!(exploration.finish(), Outcome::Complete);
        exploration.stats()
    };
    let (strict, weak) = (stats(Stack), stats(StackMinus));
    // Of the two states with process 0 at its start, both conditions reduce the first.
    assert_eq!((strict.reduced, strict.refused), (1, 1));
    assert_eq!((weak.reduced, weak.refused), (2, 0));
    assert!(weak.stored < strict.stored);
}

#[test]
fn a_loop_leads_back_to_the_stack() {
    let crowd = Crowd { processes: vec![vec![vec![alone(1)], vec![]], vec![vec![alone(0)]]] };
    for order in ORDERS {
        for condition in CycleCondition::ALL.into_iter().filter(|&c| c != CycleCondition::None) {
            if order == ExplorationOrder::Breadth && matches!(condition, Stack | StackMinus) {
                continue;
            }
            let mut exploration = explored(&crowd, order, condition);
            exploration.finish();
            assert_eq!(exploration.stats().stored, 2, "{order:?}, {condition}");
        }
    }
}

/// Proposes the first transition, and counts the calls.
struct First<'a> {
    asked: &'a AtomicU64,
    /// Whether it makes proposals.
    proposes: bool,
}

impl Reducer for First<'_> {
    fn propose(&mut self, _: &[u8], _: &[Transition], choices: &mut CandidateSets) {
        self.asked.fetch_add(1, Ordering::Relaxed);
        choices.clear();
        // The empty set and the full set are no reduction.
        choices.push([]);
        if self.proposes {
            choices.push([0]);
        }
    }
}

#[test]
fn where_a_way_fails_all_are_kept() {
    for (fails, stored) in [(false, 2), (true, 3)] {
        let mut graph = Graph::new(vec![vec![1, 2], vec![], vec![]]);
        if fails {
            graph.faults.insert(0, vec![assertion(1)]);
        }
        let asked = AtomicU64::new(0);
        let first = Box::new(First { asked: &asked, proposes: true });
        let reduction = Reduction::new(first, CycleCondition::None, Backoff::Always);
        let exploration = explore(&graph, ExplorationOptions::default());
        let mut exploration = exploration.with_reduction(reduction).expect("it is suited");
        exploration.finish();
        assert_eq!(exploration.stats().stored, stored);
    }
}

/// Proposes each transition alone; runs continue after failed assertions.
struct Each;

impl Reducer for Each {
    fn propose(&mut self, _: &[u8], ways: &[Transition], choices: &mut CandidateSets) {
        choices.clear();
        (0..ways.len() as u32).for_each(|at| choices.push([at]));
    }

    fn passes(&self, fault: FaultKind) -> bool {
        fault == FaultKind::Assertion
    }
}

/// The number of stored states of a graph that is reduced to single transitions.
fn stored_of_each(graph: &Graph, condition: CycleCondition) -> u64 {
    let reduction = Reduction::new(Box::new(Each), condition, Backoff::Always);
    let exploration = explore(graph, ExplorationOptions::default());
    let mut exploration = exploration.with_reduction(reduction).expect("it is suited");
    exploration.finish();
    exploration.stats().stored
}

#[test]
fn a_way_that_fails_and_goes_on_is_no_obstacle() {
    for (kind, stored) in [(FaultKind::Assertion, 2), (FaultKind::Division, 3)] {
        let mut graph = Graph::new(vec![vec![1, 2], vec![], vec![]]);
        graph.faults.insert(0, vec![Fault { kind, ..assertion(1) }]);
        assert_eq!(stored_of_each(&graph, CycleCondition::None), stored);
    }
}

#[test]
fn where_nothing_is_asked_of_a_set_the_fewest_new_states_are_best() {
    // From the second state, the first transition leads on, and the last one back.
    let graph = Graph::new(vec![vec![1], vec![2, 3, 0], vec![], vec![]]);
    assert_eq!(stored_of_each(&graph, CycleCondition::None), 2);
    assert_eq!(stored_of_each(&graph, Open), 3);
}

#[test]
fn who_has_nothing_to_say_is_no_longer_asked() {
    let grid = Grid { counters: 4, top: 12 };
    for (proposes, effort, is_asked_on) in [
        (false, Backoff::Always, true),
        (false, Backoff::WhenItPays, false),
        (true, Backoff::WhenItPays, true),
    ] {
        let asked = AtomicU64::new(0);
        let first = Box::new(First { asked: &asked, proposes });
        // A set that is never chosen counts like no proposal.
        let condition = if proposes { Open } else { CycleCondition::None };
        let reduction = Reduction::new(first, condition, effort);
        let mut exploration = explore(&grid, options(ExplorationOrder::Depth))
            .with_reduction(reduction)
            .expect("it is suited");
        assert_eq!(exploration.finish(), Outcome::Complete);
        let asked = asked.load(Ordering::Relaxed);
        if proposes {
            // The first transition always leads to a new state.
            assert_eq!(exploration.stats().stored, 4 * 12 + 1);
            continue;
        }
        assert_eq!(exploration.stats().stored, grid.stored());
        assert_eq!(asked > 10_000, is_asked_on, "{asked}");
        assert!(asked >= 10_000);
        assert_eq!(exploration.stats().unreduced, asked);
    }
}

/// The first search proves its path shortest, the second one finds another path.
fn check_costs(searches: [Box<dyn Search + '_>; 2]) {
    for (mut search, cost) in searches.into_iter().zip([1, 2]) {
        assert_eq!(search.finish(), Outcome::Found);
        assert_eq!(search.hits()[0].cost, Some(Cost(cost)));
        assert_eq!(search.is_shortest(0), cost == 1, "{}", search.name());
        assert!(search.lower_bound() <= Cost(1));
    }
}

#[test]
fn a_path_in_a_reduced_space_is_not_called_shortest() {
    // The reduction postpones process 0, since process 1 is independent.
    let crowd =
        Crowd { processes: vec![vec![vec![alone(1)], vec![]], vec![vec![alone(1)], vec![]]] };
    let query = SearchQuery::new(SearchTarget { deadlock: false, ..SearchTarget::ANYTHING });
    let ok = "toys do not fail at once";
    let best = || {
        beeline_search::BestFirst::new(&crowd, Box::new(Blind), BestFirstConfig::DIJKSTRA, query)
            .expect(ok)
    };
    check_costs([
        Box::new(best()),
        Box::new(best().with_reduction(reduction(&crowd, Open)).expect(ok)),
    ]);
    let ida = || IdaStar::new(&crowd, Box::new(Blind), IdaConfig::default(), query).expect(ok);
    check_costs([
        Box::new(ida()),
        Box::new(ida().with_reduction(reduction(&crowd, Stack)).expect(ok)),
    ]);
    let dive = DfsConfig { goal: DfsGoal::Cheapest, ..DfsConfig::default() };
    let depth = || DepthFirst::new(&crowd, Box::new(Blind), dive, query).expect(ok);
    check_costs([
        Box::new(depth()),
        Box::new(depth().with_reduction(reduction(&crowd, StackMinus)).expect(ok)),
    ]);
}

#[test]
fn a_search_that_has_begun_takes_no_reduction() {
    let crowd = ignored();
    let mut exploration = explore(&crowd, ExplorationOptions::default());
    exploration.advance(SliceBudget::expansions(1));
    let refused = exploration.with_reduction(reduction(&crowd, Open)).err();
    assert_eq!(refused, Some(Refusal::TooLate));
    let limits = Limits { depth: Some(9), ..Limits::default() };
    let query = SearchQuery { limits, ..SearchQuery::new(SearchTarget::ANYTHING) };
    let bounded = DepthFirst::new(&crowd, Box::new(Blind), DfsConfig::default(), query);
    let bounded = bounded.expect("toys do not fail at once");
    let refused = bounded.with_reduction(reduction(&crowd, StackMinus)).err();
    assert_eq!(refused, Some(Refusal::Unsuited(StackMinus)));
}

#[test]
fn states_are_moved_to_another_store_with_the_reduction() {
    for crowd in crowds().take(20) {
        for (order, condition) in [
            (ExplorationOrder::Breadth, Open),
            (ExplorationOrder::Depth, Stack),
            (ExplorationOrder::Depth, StackMinus),
        ] {
            let mut whole = explored(&crowd, order, condition);
            whole.finish();
            let mut moved = explored(&crowd, order, condition);
            moved.advance(SliceBudget::expansions(15));
            let mut moved = moved.migrate::<CompactStore>().finish().expect("there is room");
            moved.finish();
            assert_eq!(moved.findings(), whole.findings());
            let Stats { stored, matched, reduced, refused, .. } = whole.stats();
            let now = moved.stats();
            assert_eq!(
                (now.stored, now.matched, now.reduced, now.refused),
                (stored, matched, reduced, refused)
            );
        }
    }
}

/// A space that checks that a state has the same successors at every visit.
struct Spy<'a> {
    space: &'a dyn Space,
    before: Mutex<HashMap<Vec<u8>, Vec<Vec<u8>>>>,
    again: AtomicU64,
}

impl Space for Spy<'_> {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        self.space.initial(state)
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        self.space.expand(state, expansion);
        let now: Vec<Vec<u8>> = expansion.states().map(<[u8]>::to_vec).collect();
        let mut before = self.before.lock().expect("nobody panics here");
        if let Some(before) = before.insert(state.to_vec(), now.clone()) {
            assert_eq!(before, now);
            self.again.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// A method of the search itself would hide the one of this trait, and not return a truth value.
#[test]
fn a_search_for_cycles_takes_no_reduction() {
    trait WithoutReduction: Sized {
        fn with_reduction(self, _: Reduction<'_>) -> bool {
            true
        }
    }
    impl<T> WithoutReduction for T {}

    let crowd = Crowd::random(1, 3);
    let query = SearchQuery::new(SearchTarget::NOTHING);
    let nested = NestedDfs::new(&crowd, Nesting::Plain, query).expect("toys do not fail at once");
    let is_without: bool = nested.with_reduction(reduction(&crowd, Stack));
    assert!(is_without);
}

#[test]
fn a_search_for_cycles_takes_a_reduced_space() {
    let crowd = Crowd::random(1, 3);
    let space: &dyn Space = &crowd;
    let reduced = Reduced::new(space, || Judge::boxed(&crowd, Harmless::Onwards));
    let query = SearchQuery::new(SearchTarget::NOTHING);
    assert!(NestedDfs::new(&reduced, Nesting::Plain, query).is_ok());
}

#[test]
fn cycles_stay_in_a_reduced_space_which_is_the_same_for_all_who_come_back() {
    let (mut found, mut again, mut smaller) = (0, 0, 0);
    for seed in 1..=120 {
        let crowd = Crowd::random(seed, 3 + seed as usize % 2);
        let reduced = Reduced::new(&crowd, || Judge::boxed(&crowd, Harmless::Onwards));
        let mut truth = None;
        let spaces: [&dyn Space; 2] = [&crowd, &reduced];
        for space in spaces {
            let spy = Spy { space, before: Mutex::default(), again: AtomicU64::new(0) };
            let query = SearchQuery::new(SearchTarget::NOTHING);
            let ok = "toys do not fail at once";
            let outcomes = [
                NestedDfs::new(&spy, Nesting::Plain, query).expect(ok).finish(),
                NestedDfs::new(&spy, Nesting::Improved, query).expect(ok).finish(),
                SccSearch::new(&spy, query).expect(ok).finish(),
            ];
            let truth = *truth.get_or_insert(outcomes[0]);
            assert_eq!(outcomes, [truth; 3], "crowd {seed}");
            found += usize::from(truth == Outcome::Found);
            again += spy.again.into_inner();
        }
        let stored = |space: &dyn Space| {
            let mut exploration =
                Exploration::new(space, ExplorationOptions::default()).expect("a toy");
            assert_eq!(exploration.finish(), Outcome::Complete);
            exploration.stats().stored
        };
        smaller += usize::from(stored(&reduced) < stored(&crowd));
    }
    assert!(found > 40 && found < 200, "{found}");
    assert!(again > 1000 && smaller > 40, "{again}, {smaller}");
}

#[test]
fn a_reduced_space_says_of_a_state_what_the_whole_one_says() {
    let mut cut = 0;
    for crowd in crowds() {
        let reduced = Reduced::new(&crowd, || Judge::boxed(&crowd, Harmless::Onwards));
        let mut exploration = explore(&crowd, ExplorationOptions::default());
        exploration.finish();
        let mut expander = reduced.expander();
        let (mut whole, mut part, mut added) = <(Expansion, Expansion, Expansion)>::default();
        for index in 0..exploration.stats().stored as usize {
            let id = beeline_kernel::StateId::new(index).expect("a small number");
            let state = exploration.state(id);
            crowd.expand(&state, &mut whole);
            expander.expand_only(&state, &mut part);
            added.clear();
            added.push(&[9]);
            expander.expand(&state, &mut added);
            assert_eq!(added.len(), part.len() + 1);
            assert!(added.states().skip(1).eq(part.states()));
            assert_eq!((part.deadlock, part.accepting), (whole.deadlock, whole.accepting));
            assert_eq!(
                (&part.faults, &part.violated_invariants),
                (&whole.faults, &whole.violated_invariants)
            );
            assert_eq!(part.is_empty(), whole.is_empty());
            assert!(part.states().all(|next| whole.states().any(|other| other == next)));
            cut += whole.len() - part.len();
        }
    }
    assert!(cut > portion(1000), "{cut}");
}

#[test]
fn a_lossy_search_with_a_reduction_never_says_complete() {
    let crowd = Crowd { processes: vec![vec![vec![Move { to: 0, steps: 1, act: Act::Count }]]; 2] };
    let prints = HashCompact::new(1, StoreLimits::NONE);
    let query = SearchQuery::new(SearchTarget::NOTHING);
    let search = StackSearch::new(&crowd, prints, Restarts { seed: 1, runs: 3 }, query);
    let search = search.expect("toys do not fail at once");
    let mut search = search.with_reduction(reduction(&crowd, Duplicate)).expect("it is suited");
    assert_eq!(search.finish(), Outcome::Incomplete(Stop::LossyStore));
    // The counter of one run, not of three.
    assert_eq!(search.stats().unreduced, search.stats().expanded);
}

/// A breadth-first search with this condition in threads.
fn in_threads(crowd: &Crowd, condition: CycleCondition, threads: usize) -> Seen {
    let (until, limits) = (StopCondition::Exhausted, Limits::default());
    let options = ParallelOptions { threads, until, limits, stop: None };
    let make = || reduction(crowd, condition);
    let seen = explore_reduced_in_parallel(crowd, &make, options, |search| see(crowd, search));
    let seen = seen.expect("toys do not fail at once");
    let stats = Stats { store_bytes: 0, table_bytes: 0, ..seen.stats };
    Seen { stats, ..seen }
}

#[test]
fn threads_find_all_kinds_of_errors_and_choose_the_same_in_every_run() {
    let (mut cut, mut refused) = (0, 0);
    let large = (1..=3).map(|seed| Crowd::random(100 + seed, 7));
    for (seed, crowd) in crowds().step_by(2).chain(large).enumerate() {
        let truth = see(&crowd, &mut explore(&crowd, options(ExplorationOrder::Breadth)));
        for condition in CycleCondition::WITHOUT_STACK {
            let first = in_threads(&crowd, condition, 1);
            let what = format!("crowd {seed}, {condition}");
            assert_eq!(first.outcome, Outcome::Complete, "{what}");
            let deadlock = |seen: &Seen| -> bool { seen.kinds.contains(&FindingKind::Deadlock) };
            assert_eq!(deadlock(&first), deadlock(&truth), "{what}");
            assert!(first.kinds.is_subset(&truth.kinds), "{what}");
            if condition != CycleCondition::None {
                assert_eq!(first.kinds, truth.kinds, "{what}");
            }
            assert!(first.stats.stored <= truth.stats.stored, "{what}");
            for threads in [2, 4, 16] {
                let again = in_threads(&crowd, condition, threads);
                assert_eq!(again.stats, first.stats, "{what}, {threads} threads");
                assert_eq!((again.kinds, again.stuck), (first.kinds.clone(), first.stuck.clone()));
            }
            (cut, refused) = (cut + first.stats.cut, refused + first.stats.refused);
        }
    }
    assert!(cut > 1_000 && refused > 1_000, "{cut} {refused}");
}
