//! Searches for cycles against brute force; their lassos are replayed.

use std::sync::atomic::AtomicBool;

use beeline_kernel::{
    AcceptanceMarks, ClaimComponent, CycleKind, FaultKind, Faults, Space, StatePath, Stop,
};
use beeline_search::{
    AfterHit, CompactStore, CycleSearch, Degeneralized, ExactStore, Lasso, Limits, NestedDfs,
    Nesting, Outcome, PersistenceSearch, Progress, SccSearch, Search as _, SearchQuery,
    SearchTarget, SliceBudget, StateStore, Stats,
};
use beeline_test_size::portion;

use crate::automata::{Automaton, Dice, node, state};

/// An algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    Plain,
    Improved,
    Components,
}

const METHODS: [Method; 3] = [Method::Plain, Method::Improved, Method::Components];
const CLAIM: SearchTarget = SearchTarget { faults: Faults::ALL, ..SearchTarget::NOTHING };

fn make<'a, T: StateStore + 'a>(
    space: &'a dyn Space,
    method: Method,
    query: SearchQuery<'a>,
) -> Box<dyn CycleSearch + 'a> {
    let nested = |nesting| {
        let search: NestedDfs<'a, T> =
            NestedDfs::with_store(space, nesting, query).expect("toys do not fail at once");
        Box::new(search)
    };
    match method {
        Method::Plain => nested(Nesting::Plain),
        Method::Improved => nested(Nesting::Improved),
        Method::Components => {
            let search: SccSearch<'a, T> =
                SccSearch::with_store(space, query).expect("toys do not fail at once");
            Box::new(search)
        }
    }
}

/// Outcome, counters, lasso and paths.
type Run = (Outcome, Stats, Option<Lasso>, Vec<StatePath>);

fn run<T: StateStore>(
    space: &dyn Space,
    method: Method,
    query: SearchQuery<'_>,
    slice: u64,
) -> Run {
    let mut search = make::<T>(space, method, query);
    let outcome = loop {
        let before = search.stats().expanded;
        let progress = search.advance(SliceBudget::expansions(slice));
        let expanded = search.stats().expanded - before;
        match progress {
            Progress::Paused => assert_eq!(expanded, slice),
            Progress::Done(outcome) => {
                assert!(expanded <= slice);
                break outcome;
            }
        }
    };
    let stats = search.stats();
    assert_eq!(stats.generated + 1, stats.stored.max(1) + stats.matched);
    let paths = (0..search.hits().len()).map(|hit| search.path(hit)).collect();
    (outcome, stats, search.lasso(), paths)
}

/// Runs a search with several stores and slices, which must make no difference.
fn run_all<'a>(space: &'a dyn Space, method: Method, query: SearchQuery<'a>) -> Run {
    let exact = run::<ExactStore>(space, method, query, u64::MAX);
    assert_eq!(run::<ExactStore>(space, method, query, 1), exact);
    let compact = run::<CompactStore>(space, method, query, 3);
    assert_eq!((compact.0, &compact.2, &compact.3), (exact.0, &exact.2, &exact.3));
    exact
}

/// Each method finds a cycle if and only if there is one, and its lasso is valid.
fn check(automaton: &Automaton, is_unfolded: bool) -> bool {
    let unfolded = Degeneralized::new(automaton);
    let space: &dyn Space = if is_unfolded { &unfolded } else { automaton };
    let (cycle, fault) = (automaton.has_cycle(), automaton.has_fault());
    for method in METHODS {
        // Nested search does not support marks.
        if automaton.has_marks && !is_unfolded && method != Method::Components {
            continue;
        }
        let (outcome, stats, lasso, paths) =
            run_all(space, method, SearchQuery::new(SearchTarget::NOTHING));
        let expected = if cycle { Outcome::Found } else { Outcome::Complete };
        assert_eq!(outcome, expected, "{method:?} {automaton:?}");
        assert_eq!(lasso.is_some(), cycle);
        assert!(paths.is_empty());
        assert!(cycle || stats.expanded >= stats.stored);
        if let Some(lasso) = lasso {
            assert!(lasso.is_valid(space), "{method:?} {lasso:?} {automaton:?}");
            let lasso = if is_unfolded { unfolded.without_levels(lasso) } else { lasso };
            assert!(lasso.is_valid(automaton));
        }
        let (outcome, _, lasso, paths) = run_all(space, method, SearchQuery::new(CLAIM));
        let expected = if cycle || fault { Outcome::Found } else { Outcome::Complete };
        assert_eq!(outcome, expected);
        assert_eq!(lasso.iter().len() + paths.len(), usize::from(cycle || fault));
        assert!(paths.iter().all(|path| {
            let nodes: Vec<u32> = path.iter().map(|state| node(&state)).collect();
            let steps = |pair: &[u32]| {
                automaton.edges[pair[0] as usize].iter().any(|&(to, _)| to == pair[1])
            };
            let ends = nodes.last().is_some_and(|last| automaton.faults.contains(last));
            nodes[0] == 0 && ends && nodes.windows(2).all(steps)
        }));
    }
    cycle
}

#[test]
fn agree_with_brute_force_on_random_graphs() {
    let (mut with, mut without) = (0, 0);
    for seed in 0..portion(4000) {
        let mut dice = Dice::new(seed);
        let (states, one_in) = (1 + dice.below(40), 1 + dice.below(20));
        let mut automaton = Automaton::random(&mut dice, states, one_in);
        if seed % 3 == 0 {
            automaton.faults.push(dice.below(states) as u32);
        }
        automaton.has_marks = seed % 4 == 1;
        let cycle = check(&automaton, seed % 2 == 1);
        if automaton.has_marks {
            check(&automaton, false);
        }
        *(if cycle { &mut with } else { &mut without }) += 1;
    }
    assert!(with > portion(1000) && without > portion(1000), "{with} {without}");
}

#[test]
fn agree_with_brute_force_where_a_claim_tells_of_its_components() {
    let (mut with, mut without, mut kinds) = (0, 0, [0; 3]);
    for seed in 0..portion(4000) {
        let mut dice = Dice::new(seed);
        let (states, watchers) = (1 + dice.below(9), 1 + dice.below(7));
        let one_in = 1 + dice.below(12);
        let claim = Automaton::random(&mut dice, watchers, one_in);
        // Sometimes the system is trivial, so that the claim is the product.
        let mut system = Automaton::random(&mut dice, states, 1);
        if seed % 4 == 0 {
            system = Automaton::empty(1);
            system.edges[0].push((0, AcceptanceMarks::ALL));
        }
        let mut product = Automaton::product(&system, &claim);
        if seed % 5 == 0 {
            product.faults.push(dice.below(product.edges.len()) as u32);
        }
        for component in &product.components {
            kinds[component.cycles as usize] += 1;
        }
        let cycle = check(&product, seed % 3 == 2);
        *(if cycle { &mut with } else { &mut without }) += 1;
    }
    assert!(with > portion(1000) && without > portion(1000), "{with} {without}");
    assert!(kinds.iter().all(|&kind| kind > portion(1000)), "{kinds:?}");
}

/// The result of a search for a cycle all of whose states accept.
fn run_persistence<T: StateStore>(automaton: &Automaton, slice: u64) -> (Outcome, Option<Lasso>) {
    let query = SearchQuery::new(SearchTarget::NOTHING);
    let mut search: PersistenceSearch<'_, T> =
        PersistenceSearch::with_store(automaton, query).expect("toys do not fail at once");
    loop {
        if let Progress::Done(outcome) = search.advance(SliceBudget::expansions(slice)) {
            let stats = search.stats();
            assert!(outcome == Outcome::Found || stats.expanded == stats.stored, "{stats:?}");
            return (outcome, search.lasso());
        }
    }
}

#[test]
fn persistent_cycles_agree_with_brute_force() {
    let (mut with, mut without) = (0, 0);
    for seed in 0..portion(4000) {
        let mut dice = Dice::new(seed);
        let states = 1 + dice.below(40);
        let mut automaton = Automaton::random(&mut dice, states, 1);
        let one_in = 1 + dice.below(4);
        automaton.accepting.iter_mut().for_each(|accepts| *accepts = dice.below(one_in) > 0);
        let expected = automaton.has_persistent_cycle();
        let (outcome, lasso) = run_persistence::<ExactStore>(&automaton, u64::MAX);
        assert_eq!(run_persistence::<CompactStore>(&automaton, 3), (outcome, lasso.clone()));
        assert_eq!(outcome == Outcome::Found, expected, "{automaton:?}");
        assert_eq!(lasso.is_some(), expected);
        if let Some(lasso) = lasso {
            assert!(lasso.is_valid(&automaton), "{lasso:?} {automaton:?}");
            assert!(lasso.cycle.iter().all(|state| automaton.accepting[node(&state) as usize]));
        }
        *(if expected { &mut with } else { &mut without }) += 1;
    }
    assert!(with > portion(1000) && without > portion(1000), "{with} {without}");
}

/// A line of this many states whose last one leads to `back`, if given.
fn line(states: u32, back: Option<u32>, accepting: u32) -> Automaton {
    let mut line = Automaton::empty(states as usize);
    for at in 0..states {
        let next = if at + 1 < states { Some(at + 1) } else { back };
        line.edges[at as usize]
            .extend(next.map(|next| (next, AcceptanceMarks::leaving(at == accepting))));
    }
    line.accepting[accepting as usize] = true;
    line
}

#[test]
fn a_million_states_in_a_row_or_in_a_circle_are_no_trouble() {
    let many: u32 = portion(1_000_000);
    for method in METHODS {
        let query = SearchQuery::new(SearchTarget::NOTHING);
        let chain = line(many, None, 0);
        let (outcome, stats, ..) = run::<ExactStore>(&chain, method, query, 1000);
        assert_eq!((outcome, stats.depth), (Outcome::Complete, u64::from(many) - 1));
        for accepting in [0, many / 2, many - 1] {
            let circle = line(many, Some(many / 3), accepting);
            let (outcome, _, lasso, _) = run::<ExactStore>(&circle, method, query, u64::MAX);
            if accepting < many / 3 {
                assert_eq!((outcome, lasso), (Outcome::Complete, None));
                continue;
            }
            let lasso = lasso.expect("there is a cycle");
            assert!(lasso.is_valid(&circle));
            assert_eq!(lasso.moves(), many as usize);
        }
    }
    // Sixty-four marks, spread over the circle in the wrong order.
    let mut circle = line(100_000, Some(0), 0);
    circle.has_marks = true;
    for (at, edges) in circle.edges.iter_mut().enumerate() {
        let mark = if at % 1000 == 0 { 1 << (63 - at / 1000 % 64) } else { 0 };
        edges[0].1 = AcceptanceMarks(mark);
    }
    let query = SearchQuery::new(SearchTarget::NOTHING);
    let (_, _, lasso, _) = run::<ExactStore>(&circle, Method::Components, query, 77);
    assert!(lasso.expect("there is a cycle").is_valid(&circle));
}

#[test]
fn a_limit_that_is_met_is_admitted() {
    let circle = line(1000, Some(0), 500);
    for method in METHODS {
        let run = |limits| {
            let query = SearchQuery { limits, ..SearchQuery::new(SearchTarget::NOTHING) };
            run_all(&circle, method, query).0
        };
        let depth = |depth| Limits { depth: Some(depth), ..Limits::default() };
        assert_eq!(run(depth(999)), Outcome::Found);
        assert_eq!(run(depth(998)), Outcome::Incomplete(Stop::Depth));
        assert_eq!(run(depth(0)), Outcome::Incomplete(Stop::Depth));
        for states in [0, 1, 999] {
            let limits = Limits { states: Some(states), ..Limits::default() };
            assert_eq!(run(limits), Outcome::Incomplete(Stop::Memory));
        }
        assert_eq!(run(Limits { states: Some(1000), ..Limits::default() }), Outcome::Found);
        let limits = Limits { bytes: Some(1_000), ..Limits::default() };
        assert_eq!(run(limits), Outcome::Incomplete(Stop::Memory));
        let stop = AtomicBool::new(true);
        let query = SearchQuery { stop: Some(&stop), ..SearchQuery::new(SearchTarget::NOTHING) };
        assert_eq!(run_all(&circle, method, query).0, Outcome::Incomplete(Stop::Interrupted));
    }
}

#[test]
fn a_cycle_that_a_limit_hides_is_not_denied_when_all_states_were_seen() {
    // 0 → 1 → 2 → 3 → 1 and 0 → 3: with depth 2, all states are expanded, but 2 is left before 3 is
    // entered.
    let mut automaton = Automaton::empty(4);
    for (from, to) in [(0, 1), (0, 3), (1, 2), (2, 3), (3, 1)] {
        automaton.edges[from].push((to, AcceptanceMarks::NONE));
    }
    automaton.accepting[1] = true;
    for method in METHODS {
        let limits = Limits { depth: Some(2), ..Limits::default() };
        let query = SearchQuery { limits, ..SearchQuery::new(SearchTarget::NOTHING) };
        assert_ne!(run_all(&automaton, method, query).0, Outcome::Complete);
    }
}

#[test]
fn goes_on_behind_faults_when_asked_to() {
    let mut circle = line(10, Some(4), 7);
    circle.faults.extend([2, 5]);
    for method in METHODS {
        let query =
            SearchQuery { after_hit: AfterHit::Continue, keep: 9, ..SearchQuery::new(CLAIM) };
        let (outcome, _, lasso, paths) = run_all(&circle, method, query);
        assert_eq!(outcome, Outcome::Found);
        assert_eq!(lasso.expect("there is a cycle").stem.len(), 4);
        let lengths: Vec<usize> = paths.iter().map(StatePath::len).collect();
        assert_eq!(lengths, [3, 6]);
        // A fault that is not in the target is ignored.
        let other =
            SearchTarget { faults: Faults::of(&[FaultKind::Index]), ..SearchTarget::NOTHING };
        assert!(run_all(&circle, method, SearchQuery::new(other)).2.is_some());
    }
}

#[test]
fn a_claim_spares_the_red_search() {
    // The cycle of states 50 to 99, perhaps with an accepting state; the claim knows its kind.
    let mut circle = line(100, Some(50), 0);
    circle.accepting[60] = true;
    let expanded = |cycles, accepting: bool| {
        let mut known = circle.clone();
        known.components = vec![ClaimComponent { number: 0, cycles }; 100];
        known.accepting[60] = accepting;
        let query = SearchQuery::new(SearchTarget::NOTHING);
        let (outcome, stats, lasso, _) = run_all(&known, Method::Improved, query);
        assert_eq!(lasso.is_some(), outcome == Outcome::Found);
        (outcome, stats.expanded)
    };
    assert_eq!(expanded(CycleKind::Never, false), (Outcome::Complete, 100));
    assert_eq!(expanded(CycleKind::Sometimes, false), (Outcome::Complete, 200));
    assert_eq!(expanded(CycleKind::Always, true), (Outcome::Found, 100));
}

#[test]
fn a_loop_is_a_cycle_of_one() {
    let circle = line(3, Some(2), 2);
    for method in METHODS {
        let (.., lasso, _) = run_all(&circle, method, SearchQuery::new(SearchTarget::NOTHING));
        let lasso = lasso.expect("there is a loop");
        assert_eq!(
            lasso,
            Lasso {
                stem: [state(0), state(1)].iter().collect(),
                cycle: [state(2)].iter().collect()
            }
        );
    }
}
