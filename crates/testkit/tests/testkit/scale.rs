//! Hundreds of processes, whose deadlock a directed search finds with work that grows with their
//! number, not with the number of states.
//!
//! The models are those of [ELL00]. With the heuristic `active`, A\* expands 2n + 1 states
//! for n philosophers, stores n² + 3, and finds 4n + 2 steps to the deadlock.

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_heuristics::{HeuristicGoal, build};
use beeline_jit::NativeSpace;
use beeline_kernel::spec::Spec;
use beeline_kernel::{Cost, Space};
use beeline_promela::hir::USUAL_PROCESSES;
use beeline_promela::preprocess::NoIncludes;
use beeline_search::{
    BestFirst, BestFirstConfig, CompactStore, ExactStore, Exploration, FindingKind, Outcome,
    Search, SearchQuery, SearchTarget, StateStore, Weight,
};

const PHILOSOPHERS: &str = include_str!("../models/philosophers_crowded.pml");
const TELEGRAPH: &str = include_str!("../../../../models/telegraph_hsf.pml");

/// The work of a search: states expanded and stored, and the cost of its hit.
#[derive(Debug, PartialEq, Eq)]
struct Did {
    expanded: u64,
    stored: u64,
    cost: u32,
}

fn search<T: StateStore>(space: &dyn Space, machine: &Machine<'_>, method: BestFirstConfig) -> Did {
    let spec = Spec::parse("active").expect("it is well formed");
    let heuristic = build(&spec, machine, &HeuristicGoal::Deadlock).expect("it is for deadlocks");
    let query = SearchQuery::new(SearchTarget::DEADLOCK);
    let mut search =
        BestFirst::<T>::with_store(space, heuristic, method, query).expect("the model starts");
    assert_eq!(search.finish(), Outcome::Found);
    let Some(Cost(cost)) = search.hits()[0].cost else { panic!("costs are counted") };
    let stats = search.stats();
    Did { expanded: stats.expanded, stored: stats.stored, cost }
}

/// With a limit of processes, interpreted and in native code.
fn check<T: StateStore>(
    text: &str,
    size: u64,
    processes: usize,
    method: BestFirstConfig,
    expected: &Did,
) {
    let text = format!("#define N {size}\n{text}");
    let options = beeline_promela::preprocess::PreprocessOptions::default();
    let front = beeline_promela::read("model.pml", &text, &mut NoIncludes, &options);
    assert!(!front.diagnostics.has_errors());
    let machine = Machine::with_process_limit(&front.hir, AutomataOptions::OPTIMISED, processes);
    let native = NativeSpace::compile(&machine).expect("it can be compiled");
    assert_eq!(search::<T>(&native, &machine, method), *expected, "native, {size}");
    if size <= 60 {
        assert_eq!(search::<T>(&machine, &machine, method), *expected, "interpreted, {size}");
    }
}

fn philosophers(n: u64) -> Did {
    Did { expanded: 2 * n + 1, stored: n * n + 3, cost: 4 * n as u32 + 2 }
}

#[test]
fn expansions_are_linear_in_the_number_of_philosophers() {
    for n in [3, 10, 60] {
        for processes in [USUAL_PROCESSES, 2000] {
            let expected = philosophers(n);
            check::<ExactStore>(PHILOSOPHERS, n, processes, BestFirstConfig::A_STAR, &expected);
            check::<CompactStore>(PHILOSOPHERS, n, processes, BestFirstConfig::A_STAR, &expected);
        }
    }
}

#[test]
fn more_processes_than_a_byte_can_count_are_estimated_correctly() {
    check::<CompactStore>(PHILOSOPHERS, 300, 2000, BestFirstConfig::A_STAR, &philosophers(300));
}

#[test]
fn expansions_are_linear_in_the_number_of_stations() {
    for (n, stored) in [(10, 217), (40, 3262)] {
        let expected = Did { expanded: 2 * n + 2, stored, cost: 6 * n as u32 + 2 };
        let method = BestFirstConfig::weighted(Weight { over: 2, under: 1 });
        check::<ExactStore>(TELEGRAPH, n, 2000, method, &expected);
        check::<CompactStore>(TELEGRAPH, n, 2000, method, &expected);
    }
}

/// As in generated models.
#[test]
fn a_process_may_have_more_statements_than_two_bytes_can_count() {
    const MANY: usize = 66_000;
    let text =
        format!("byte x; active proctype P() {{ {} assert(x == 2) }}", "x = 1; ".repeat(MANY));
    let front = beeline_testkit::model::read_text("long.pml", &text);
    let machine = Machine::new(&front.hir, AutomataOptions::PLAIN);
    assert!(NativeSpace::compile(&machine).is_err(), "native code has two bytes for a location");
    let mut exploration = Exploration::new(&machine, Default::default()).expect("it starts");
    assert_eq!(exploration.finish(), Outcome::Complete);
    let stats = exploration.stats();
    // The assertion and the end are steps, too.
    assert_eq!((stats.depth, stats.errors), (MANY as u64 + 2, 1));
    assert!(matches!(exploration.findings()[0].kind, FindingKind::Fault(_)));
}
