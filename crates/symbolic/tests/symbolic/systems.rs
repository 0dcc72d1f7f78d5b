//! Random systems: symbolic results against explicit enumeration.

use std::collections::BTreeSet;

use beeline_factored::{
    Assignment, AssignmentTarget, FactorExpr, FactorKind, Goal, Instruction, Interval, Operator,
    Ranges, System, holds,
};
use beeline_kernel::{SplitMix64, StepLabel};
use beeline_symbolic::{
    ControlSets, DiagramLimits, Set, SymbolicError, SymbolicStrategy, SymbolicSystem,
};
use beeline_test_size::portion;

use crate::explicit::{self, State};
use crate::generator;

const STRATEGIES: [SymbolicStrategy; 4] = [
    SymbolicStrategy::BreadthFirst,
    SymbolicStrategy::Chaining,
    SymbolicStrategy::Saturation,
    SymbolicStrategy::Auto,
];

fn states(symbolic: &SymbolicSystem<'_>, set: &Set) -> BTreeSet<State> {
    symbolic.states(set).collect()
}

fn made(symbolic: &mut SymbolicSystem<'_>, states: impl IntoIterator<Item = State>) -> Set {
    let mut all = symbolic.forest().empty();
    for state in states {
        let one = symbolic.singleton(&state).expect("no limits");
        all = symbolic.forest().union(&all, &one).expect("no limits");
    }
    all
}

/// A random part of some states.
fn part(states: &BTreeSet<State>, rng: &mut SplitMix64) -> BTreeSet<State> {
    states.iter().filter(|_| rng.below(3) == 0).cloned().collect()
}

/// Calls `check` with random systems that have some states, and with those states.
fn each_system(seeds: std::ops::Range<u64>, check: impl Fn(u64, &System, &BTreeSet<State>)) {
    let seeds = seeds.start..seeds.start + portion(seeds.end - seeds.start);
    let mut interesting = 0;
    for seed in seeds.clone() {
        let system = generator::system(seed);
        let reachable = explicit::reachable(&system).remove(&None).expect("the initial state");
        interesting += u64::from(reachable.len() > 5);
        check(seed, &system, &reachable);
    }
    assert!(interesting * 4 > seeds.end - seeds.start, "most systems are trivial");
}

/// The reachable states of a system.
fn reached(symbolic: &mut SymbolicSystem<'_>) -> ControlSets {
    symbolic.reachable(SymbolicStrategy::Auto).expect("no limits").states
}

#[test]
fn all_strategies_reach_the_same_states_as_an_explicit_search() {
    let (mut held, mut checked) = (0, 0);
    for seed in 0..portion(400) {
        let system = generator::system(seed);
        let ranges = Ranges::of(&system);
        let expected = explicit::reachable(&system);
        for strategy in STRATEGIES {
            let mut symbolic = SymbolicSystem::new(&system, &ranges, DiagramLimits::default());
            if seed % 2 == 0 {
                // Garbage is collected whenever it is allowed.
                symbolic.forest().collect_from(0);
            }
            let sets = symbolic.reachable(strategy).expect("no limits").states;
            assert_eq!(states(&symbolic, &sets.free), expected[&None], "{strategy:?} {seed}");
            for (process, set) in symbolic.holders().iter().zip(&sets.held) {
                let expected = expected.get(&Some(*process)).cloned().unwrap_or_default();
                held += expected.len();
                assert_eq!(states(&symbolic, set), expected, "{strategy:?} {seed} {process}");
            }
            let count = symbolic.count(&sets.free).to_u64();
            assert_eq!(count, Some(expected[&None].len() as u64));
            checked += expected[&None].len();
        }
    }
    assert!(held > portion(1000) && checked > portion(10_000), "{held} {checked}");
}

#[test]
fn layers_are_the_shortest_distances() {
    each_system(0..200, |seed, system, _| {
        let ranges = Ranges::of(system);
        let distances = explicit::distances(system);
        let mut symbolic = SymbolicSystem::new(system, &ranges, DiagramLimits::default());
        let initial = symbolic.initial().expect("no limits");
        let mut search = symbolic.layers(&initial).expect("no limits");
        while search.advance(&mut symbolic).expect("no limits") {}
        for (distance, layer) in search.layers().iter().enumerate() {
            let expected = distances.iter().filter(|(_, at)| **at == distance);
            let expected = expected.map(|(state, _)| state.clone()).collect();
            assert_eq!(states(&symbolic, layer), expected, "{seed}: {distance}");
        }
        assert_eq!(distances.values().max(), Some(&search.depth()));
    });
}

#[test]
fn image_and_preimage_are_those_of_steps_of_the_model() {
    each_system(1000..1400, |seed, system, reachable| {
        let ranges = Ranges::of(system);
        let mut rng = SplitMix64::new(seed);
        let mut symbolic = SymbolicSystem::new(system, &ranges, DiagramLimits::default());
        let within = reached(&mut symbolic);
        for _ in 0..3 {
            let from = part(reachable, &mut rng);
            let set = made(&mut symbolic, from.clone());
            let image = symbolic.image(&set).expect("no limits");
            let expected = from.iter().flat_map(|state| explicit::image(system, state)).collect();
            assert_eq!(states(&symbolic, &image), expected, "image {seed}");
            let preimage = symbolic.preimage(&set, &within).expect("no limits");
            let leads = |state: &&State| !explicit::image(system, state).is_disjoint(&from);
            let expected = reachable.iter().filter(leads).cloned().collect();
            assert_eq!(states(&symbolic, &preimage), expected, "preimage {seed}");
        }
    });
}

#[test]
fn an_image_needs_no_search_before_it() {
    each_system(1400..1600, |seed, system, reachable| {
        let ranges = Ranges::of(system);
        let from = part(reachable, &mut SplitMix64::new(seed));
        let mut symbolic = SymbolicSystem::new(system, &ranges, DiagramLimits::default());
        let set = made(&mut symbolic, from.clone());
        let image = symbolic.image(&set).expect("no limits");
        let expected = from.iter().flat_map(|state| explicit::image(system, state)).collect();
        assert_eq!(states(&symbolic, &image), expected, "{seed}");
    });
}

#[test]
fn deadlocks_and_enabled_operators_are_found() {
    each_system(2000..2300, |seed, system, reachable| {
        let ranges = Ranges::of(system);
        let mut rng = SplitMix64::new(seed);
        let mut symbolic = SymbolicSystem::new(system, &ranges, DiagramLimits::default());
        let within = reached(&mut symbolic).free;
        let deadlocks = symbolic.deadlocks(&within).expect("no limits");
        let is_dead = |state: &&State| explicit::is_deadlock(system, state);
        let expected = reachable.iter().filter(is_dead).cloned().collect();
        assert_eq!(states(&symbolic, &deadlocks), expected, "deadlocks {seed}");
        let some: Vec<u32> = (0..system.steps.len() as u32).filter(|_| rng.below(3) == 0).collect();
        let enabled = symbolic.enabled(&some, &within).expect("no limits");
        let is_enabled = |state: &&State| {
            some.iter().any(|&at| explicit::is_applicable(system, at as usize, state))
        };
        let expected = reachable.iter().filter(is_enabled).cloned().collect();
        assert_eq!(states(&symbolic, &enabled), expected, "enabled {seed}");
    });
}

#[test]
fn states_where_an_expression_is_true_are_those_where_a_goal_holds() {
    each_system(3000..3300, |seed, system, reachable| {
        let ranges = Ranges::of(system);
        let mut symbolic = SymbolicSystem::new(system, &ranges, DiagramLimits::default());
        let within = reached(&mut symbolic).free;
        for at in 0..5 {
            let condition = generator::condition(system, seed * 5 + at);
            let found = symbolic.states_where(&condition, &within).expect("no limits");
            let goal = Goal { name: String::new(), conditions: vec![condition] };
            let is_goal = |state: &&State| holds(&goal, state).expect("few choices");
            let expected = reachable.iter().filter(is_goal).cloned().collect();
            assert_eq!(states(&symbolic, &found), expected, "{seed}: {:?}", goal.conditions);
        }
    });
}

#[test]
fn membership_and_choice_agree_with_the_states() {
    each_system(0..250, |seed, system, reachable| {
        let ranges = Ranges::of(system);
        let mut symbolic = SymbolicSystem::new(system, &ranges, DiagramLimits::default());
        let within = reached(&mut symbolic).free;
        assert!(reachable.iter().all(|state| symbolic.contains(&within, state)), "{seed}");
        let chosen = symbolic.pick(&within).expect("not empty");
        assert!(reachable.contains(&chosen), "{seed}");
        let mut other = system.initial.clone();
        other[0] += 17;
        assert!(!symbolic.contains(&within, &other));
        let nothing = symbolic.forest().empty();
        assert_eq!(symbolic.pick(&nothing), None);
    });
}

#[test]
fn a_system_may_have_many_levels() {
    let count = 20_000;
    let mut system = System::default();
    for at in 0..count {
        let kind = FactorKind::Variable;
        let bit = system.add(format!("bit {at}"), kind, Interval::TRUTH, 0);
        let is_off = Instruction::Require(FactorExpr::Factor(bit).equals(0));
        let place = AssignmentTarget::Factor(bit);
        let turn_on = Instruction::Set(vec![Assignment { place, value: FactorExpr::Const(1) }]);
        let label = StepLabel { edge: at, process: at };
        let actions = vec![is_off, turn_on];
        system.steps.push(Operator::new(format!("turn on {at}"), label, 1, actions));
    }
    let ranges = Ranges::of(&system);
    let mut symbolic = SymbolicSystem::new(&system, &ranges, DiagramLimits::default());
    let reached = symbolic.reachable(SymbolicStrategy::Saturation).expect("no limits");
    assert_eq!(reached.statistics.nodes, 2 * count as usize);
    let deadlocks = symbolic.deadlocks(&reached.states.free).expect("no limits");
    assert_eq!(symbolic.pick(&deadlocks), Some(vec![1; count as usize]));
    let before = symbolic.preimage(&deadlocks, &reached.states).expect("no limits");
    assert_eq!(symbolic.count(&before).to_u64(), Some(u64::from(count)));
}

#[test]
fn an_operator_with_too_many_outcomes_is_an_error() {
    let mut system = System::default();
    let any = FactorExpr::Any(Interval { least: 0, greatest: 99_999 });
    let number = system.add("number".to_owned(), FactorKind::Variable, Interval::ALL, 0);
    let place = AssignmentTarget::Factor(number);
    let actions = vec![Instruction::Set(vec![Assignment { place, value: any.clone() }])];
    let label = StepLabel { edge: 0, process: 0 };
    system.steps.push(Operator::new("guess".to_owned(), label, 1, actions));
    let ranges = Ranges::of(&system);
    let mut symbolic = SymbolicSystem::new(&system, &ranges, DiagramLimits::default());
    let result = symbolic.reachable(SymbolicStrategy::Auto).map(|_| ());
    assert_eq!(result, Err(SymbolicError::TooManyOutcomes("guess".to_owned())));
    let initial = symbolic.initial().expect("no limits");
    assert!(symbolic.states_where(&any.equals(-1), &initial).is_err());
    // The system remains usable.
    let zero = FactorExpr::Factor(number).equals(0);
    assert_eq!(symbolic.states_where(&zero, &initial), Ok(initial));
}
