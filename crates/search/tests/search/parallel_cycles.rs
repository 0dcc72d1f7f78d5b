//! Parallel searches for cycles against brute force and sequential ones, with any number of threads
//! and random delays; their lassos are replayed.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use beeline_kernel::{AcceptanceMarks, Expansion, Fault, Space, SplitMix64, StatePath, Stop};
use beeline_search::{
    CycleRule, CycleSearch, CycleThreads, Degeneralized, ExactStore, Exploration,
    ExplorationOptions, Lasso, Limits, NestedDfs, Nesting, Outcome, PersistenceSearch, Progress,
    Search as _, SearchQuery, SearchTarget, SliceBudget, Stats, search_cycles_in_parallel,
};
use beeline_test_size::portion;

use crate::automata::{Automaton, Dice, node};

const THREADS: [usize; 6] = [1, 2, 3, 4, 8, 16];
const QUERY: SearchQuery<'static> = SearchQuery {
    target: SearchTarget::NOTHING,
    after_hit: beeline_search::AfterHit::Stop,
    limits: Limits { depth: None, states: None, bytes: None },
    keep: 1,
    bound: None,
    stop: None,
};

/// The number of random automata; more in a long run.
fn seeds(few: u64) -> u64 {
    std::env::var("BEELINE_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(few)
}

/// Delays expansions at random, so that threads meet in all states of the algorithm.
struct Delayed<'a> {
    space: &'a dyn Space,
    seed: AtomicU64,
    /// One in this many expansions is delayed.
    one_in: usize,
}

impl<'a> Delayed<'a> {
    fn new(space: &'a dyn Space, seed: u64, one_in: usize) -> Delayed<'a> {
        Delayed { space, seed: AtomicU64::new(seed), one_in }
    }
}

impl Space for Delayed<'_> {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        self.space.initial(state)
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        let mut rng = SplitMix64::new(self.seed.fetch_add(1, Ordering::Relaxed));
        if rng.below(self.one_in) == 0 {
            for _ in 0..=rng.below(3) {
                std::thread::yield_now();
            }
        }
        self.space.expand(state, expansion);
    }
}

/// The result of a search.
struct Run {
    outcome: Outcome,
    stats: Stats,
    lasso: Option<Lasso>,
    paths: Vec<StatePath>,
}

fn run(
    space: &dyn Space,
    rule: CycleRule,
    query: SearchQuery<'_>,
    (threads, slice): (usize, u64),
) -> Run {
    let wanted = AtomicUsize::new(threads);
    let threads = CycleThreads { wanted: &wanted, most: threads };
    let body = |search: &mut dyn CycleSearch| {
        let outcome = loop {
            if let Progress::Done(outcome) = search.advance(SliceBudget::expansions(slice)) {
                break outcome;
            }
        };
        let paths = (0..search.hits().len()).map(|hit| search.path(hit)).collect();
        Run { outcome, stats: search.stats(), lasso: search.lasso(), paths }
    };
    search_cycles_in_parallel(space, rule, query, threads, body).expect("toys do not fail at once")
}

/// Whether a parallel search finds a cycle, which is as expected and replayed.
fn check(space: &dyn Space, rule: CycleRule, expected: bool, stored: u64, seed: u64) {
    let threads = THREADS[seed as usize % THREADS.len()];
    // Delays are frequent in small graphs only: each may take long on a busy machine.
    let one_in = 1 + seed as usize % 7 + stored as usize / 10;
    let delayed = Delayed::new(space, seed, one_in);
    let found = run(&delayed, rule, QUERY, (threads, 1 + seed % 50));
    let outcome = if expected { Outcome::Found } else { Outcome::Complete };
    assert_eq!(found.outcome, outcome, "seed {seed}, {threads} threads, {rule:?}");
    assert_eq!(found.lasso.is_some(), expected);
    assert!(found.paths.is_empty());
    if let Some(lasso) = found.lasso {
        assert!(lasso.is_valid(space), "seed {seed}, {lasso:?}");
        if rule == CycleRule::Persistent {
            let mut expansion = Expansion::default();
            lasso.cycle.iter().for_each(|state| {
                space.expand(&state, &mut expansion);
                assert!(expansion.accepting, "seed {seed}");
            });
        }
    } else {
        assert_eq!(found.stats.stored, stored, "seed {seed}");
    }
}

/// Whether the sequential search finds a cycle.
fn has_cycle(space: &dyn Space) -> bool {
    let mut search: NestedDfs<'_, ExactStore> =
        NestedDfs::with_store(space, Nesting::Improved, QUERY).expect("toys do not fail at once");
    search.finish() == Outcome::Found
}

/// The number of reachable states.
fn all_states<S: Space>(space: &S) -> u64 {
    let mut exploration = Exploration::new(space, ExplorationOptions::default()).expect("fine");
    assert_eq!(exploration.finish(), Outcome::Complete);
    exploration.stats().stored
}

#[test]
fn agree_with_brute_force_on_random_graphs() {
    let (mut with, mut without) = (0, 0);
    for seed in 0..seeds(portion(1500)) {
        let mut dice = Dice::new(seed);
        let (states, one_in) = (1 + dice.below(40), 1 + dice.below(20));
        let automaton = Automaton::random(&mut dice, states, one_in);
        let expected = automaton.has_cycle();
        let stored = all_states(&automaton);
        check(&automaton, CycleRule::Accepting, expected, stored, seed);
        check(&automaton, CycleRule::Persistent, automaton.has_persistent_cycle(), stored, seed);
        *(if expected { &mut with } else { &mut without }) += 1;
    }
    assert!(with > portion(300) && without > portion(300), "{with} {without}");
}

#[test]
fn fairness_marks_are_unfolded() {
    let (mut with, mut without) = (0, 0);
    for seed in 0..seeds(portion(600)) {
        let mut dice = Dice::new(seed);
        let (states, one_in) = (1 + dice.below(30), 1 + dice.below(10));
        let mut automaton = Automaton::random(&mut dice, states, one_in);
        automaton.has_marks = true;
        let (unfolded, expected) = (Degeneralized::new(&automaton), automaton.has_cycle());
        check(&unfolded, CycleRule::Components, expected, all_states(&unfolded), seed);
        *(if expected { &mut with } else { &mut without }) += 1;
    }
    assert!(with > portion(100) && without > portion(50), "{with} {without}");
}

#[test]
fn agree_with_brute_force_where_a_claim_tells_of_its_components() {
    let (mut with, mut without) = (0, 0);
    for seed in 0..seeds(portion(1500)) {
        let mut dice = Dice::new(seed);
        let (states, watchers) = (1 + dice.below(9), 1 + dice.below(7));
        let one_in = 1 + dice.below(12);
        let claim = Automaton::random(&mut dice, watchers, one_in);
        let mut system = Automaton::random(&mut dice, states, 1);
        if seed % 4 == 0 {
            system = Automaton::empty(1);
            system.edges[0].push((0, AcceptanceMarks::ALL));
        }
        let product = Automaton::product(&system, &claim);
        let unfolded = Degeneralized::new(&product);
        let space: &dyn Space = if seed % 3 == 0 { &unfolded } else { &product };
        let expected = product.has_cycle();
        let stored = if seed % 3 == 0 { all_states(&unfolded) } else { all_states(&product) };
        check(space, CycleRule::Components, expected, stored, seed);
        check(space, CycleRule::Accepting, expected, stored, seed);
        *(if expected { &mut with } else { &mut without }) += 1;
    }
    assert!(with > portion(300) && without > portion(300), "{with} {without}");
}

/// A graph of several thousand states with few cycles, some of them long: transitions lead forward,
/// but for some of the last states.
fn long(seed: u64, states: usize) -> Automaton {
    let mut dice = Dice::new(seed);
    let mut graph = Automaton::empty(states);
    for from in 0..states {
        for _ in 0..1 + dice.below(3) {
            let to = (from + 1 + dice.below(40)).min(states - 1);
            graph.edges[from].push((to as u32, AcceptanceMarks::NONE));
        }
    }
    for _ in 0..dice.below(6) {
        let (from, to) = (dice.below(states), dice.below(states));
        graph.edges[from].push((to as u32, AcceptanceMarks::NONE));
    }
    graph.edges[states - 1].clear();
    let one_in = 1 + dice.below(200);
    graph.accepting.iter_mut().for_each(|accepting| *accepting = dice.below(one_in) == 0);
    graph
}

#[test]
fn long_cycles_in_large_graphs_are_found_by_any_number_of_threads() {
    let (mut with, mut without) = (0, 0);
    for seed in 0..seeds(40) {
        let graph = long(seed, 200 + 40 * (seed as usize % 60));
        let (expected, stored) = (has_cycle(&graph), all_states(&graph));
        let mut persistent = PersistenceSearch::new(&graph, QUERY).expect("it begins");
        let persists = persistent.finish() == Outcome::Found;
        for threads in 0..6 {
            check(&graph, CycleRule::Accepting, expected, stored, 6 * seed + threads);
            check(&graph, CycleRule::Persistent, persists, stored, 6 * seed + threads);
        }
        *(if expected { &mut with } else { &mut without }) += 1;
    }
    assert!(with > 10 && without > 10, "{with} {without}");
}

/// A line of this many states whose last one leads to `back`, if given.
fn line(states: u32, back: Option<u32>, accepting: u32) -> Automaton {
    let mut line = Automaton::empty(states as usize);
    for at in 0..states {
        let next = if at + 1 < states { Some(at + 1) } else { back };
        line.edges[at as usize].extend(next.map(|next| (next, AcceptanceMarks::NONE)));
    }
    line.accepting[accepting as usize] = true;
    line
}

#[test]
fn the_table_grows_while_threads_search() {
    const MANY: u32 = 60_000;
    for threads in THREADS {
        for rule in [CycleRule::Accepting, CycleRule::Persistent] {
            let chain = line(MANY, None, 0);
            let found = run(&chain, rule, QUERY, (threads, 1000));
            assert_eq!((found.outcome, found.stats.stored), (Outcome::Complete, MANY.into()));
        }
        let circle = line(MANY, Some(MANY / 3), MANY - 1);
        let lasso = run(&circle, CycleRule::Accepting, QUERY, (threads, 1000)).lasso;
        let lasso = lasso.expect("there is a cycle");
        assert!(lasso.is_valid(&circle));
        assert_eq!(lasso.moves(), MANY as usize);
    }
}

#[test]
fn an_error_of_the_target_ends_a_search() {
    let mut chain = line(3_000, None, 7);
    chain.faults.push(2_900);
    let query = SearchQuery { target: SearchTarget::ANYTHING, ..QUERY };
    for threads in THREADS {
        let found = run(&chain, CycleRule::Accepting, query, (threads, 64));
        assert_eq!((found.outcome, found.paths.len()), (Outcome::Found, 1));
        let nodes: Vec<u32> = found.paths[0].iter().map(|state| node(&state)).collect();
        assert_eq!(nodes, (0..=2_900).collect::<Vec<u32>>());
    }
}

#[test]
fn limits_and_flags_end_a_search() {
    let circle = line(50_000, Some(0), 40_000);
    for threads in THREADS {
        for limits in [
            Limits { states: Some(0), ..Limits::default() },
            Limits { states: Some(5_000), ..Limits::default() },
            Limits { bytes: Some(1), ..Limits::default() },
            Limits { bytes: Some(400_000), ..Limits::default() },
        ] {
            let found =
                run(&circle, CycleRule::Accepting, SearchQuery { limits, ..QUERY }, (threads, 64));
            assert_eq!(found.outcome, Outcome::Incomplete(Stop::Memory), "{limits:?}");
        }
        let stop = AtomicBool::new(true);
        let query = SearchQuery { stop: Some(&stop), ..QUERY };
        let found = run(&circle, CycleRule::Accepting, query, (threads, 64));
        assert_eq!(found.outcome, Outcome::Incomplete(Stop::Interrupted));
        // A caller may leave a search.
        let wanted = AtomicUsize::new(threads);
        let threads = CycleThreads { wanted: &wanted, most: threads };
        let progress =
            search_cycles_in_parallel(&circle, CycleRule::Accepting, QUERY, threads, |search| {
                search.advance(SliceBudget::expansions(500))
            });
        assert_eq!(progress, Ok(Progress::Paused));
    }
}

/// Memory ends anywhere: when a record is written, when the table grows, when a path does, or never.
#[test]
fn memory_may_run_out_at_any_moment() {
    let circle = line(30_000, Some(0), 20_000);
    let (mut full, mut found) = (0, 0);
    for (number, bytes) in (40_000..4_000_000).step_by(90_000).enumerate() {
        let limits = Limits { bytes: Some(bytes), ..Limits::default() };
        let (query, threads) = (SearchQuery { limits, ..QUERY }, THREADS[number % 3]);
        let run = run(&circle, CycleRule::Accepting, query, (threads, 64));
        match run.outcome {
            Outcome::Found => {
                assert!(run.lasso.expect("a cycle was found").is_valid(&circle));
                found += 1;
            }
            outcome => {
                assert_eq!(outcome, Outcome::Incomplete(Stop::Memory), "{bytes} bytes");
                full += 1;
            }
        }
    }
    assert!(full > 3 && found > 3, "{full} {found}");
}

#[test]
fn threads_may_join_later() {
    let chain = line(40_000, None, 100);
    let wanted = AtomicUsize::new(1);
    let threads = CycleThreads { wanted: &wanted, most: 8 };
    let outcome =
        search_cycles_in_parallel(&chain, CycleRule::Accepting, QUERY, threads, |search| {
            for more in [1, 2, 5, 8, 20] {
                wanted.store(more, Ordering::Relaxed);
                if let Progress::Done(outcome) = search.advance(SliceBudget::expansions(3_000)) {
                    return outcome;
                }
            }
            search.finish()
        });
    assert_eq!(outcome, Ok(Outcome::Complete));
}

/// Panics in one state.
struct Broken(Automaton);

impl Space for Broken {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        self.0.initial(state)
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        assert_ne!(node(state), 2_000, "this state is broken");
        self.0.expand(state, expansion);
    }
}

#[test]
fn a_panic_of_any_thread_is_one_of_the_search() {
    let broken = Broken(line(3_000, None, 10));
    for threads in THREADS {
        let search = || run(&broken, CycleRule::Accepting, QUERY, (threads, 64)).outcome;
        let payload = std::panic::catch_unwind(search).expect_err("one state is broken");
        let text = payload.downcast_ref::<String>().expect("a message");
        assert!(text.contains("this state is broken"), "{text}");
    }
}
