//! Relaxation against the truth: distances in small state spaces, and relaxed states computed by
//! enumerating their states. Pattern databases are tested on the same systems.

mod oracle;
mod patterns;
mod recipes;
mod systems;

use std::sync::Arc;

use beeline_factored::{
    Binary, FactorExpr, FactorId, FactorKind, FlatOperator, Instruction, Interval, Operator,
    Ranges, System, successors,
};
use beeline_heuristics::relaxation::{
    ChannelModel, Hff, Hpl, Relaxation, RelaxationOptions, RelaxedHeuristic, ValueSets,
};
use beeline_kernel::{Claims, Cost, Estimate, Heuristic, StepLabel};
use oracle::Graph;
use systems::{Parts, Plain, bytes, compare, goal, plain, plus, random, require, set, step};

const SETS: RelaxationOptions =
    RelaxationOptions { values: ValueSets::Sets, channels: ChannelModel::Slots };
const POOLED: RelaxationOptions =
    RelaxationOptions { values: ValueSets::Sets, channels: ChannelModel::Pooled };
const INTERVALS: RelaxationOptions =
    RelaxationOptions { values: ValueSets::Intervals, channels: ChannelModel::Slots };
const BOTH: RelaxationOptions =
    RelaxationOptions { values: ValueSets::Intervals, channels: ChannelModel::Pooled };
const ALL: [RelaxationOptions; 4] = [SETS, POOLED, INTERVALS, BOTH];

fn finite(cost: u32) -> Estimate {
    Estimate::Finite(Cost(cost))
}

fn estimate(of: Option<u32>) -> Estimate {
    of.map_or(Estimate::DeadEnd, finite)
}

/// Estimates of the initial state, by `hpl`, `hmax`, `hadd` and `hff`.
fn at_first(system: &System, options: RelaxationOptions) -> [Estimate; 4] {
    let relaxation = Relaxation::new(system, plain(system), options);
    RelaxedHeuristic::ALL.map(|which| which.build(&relaxation).estimate(&bytes(&system.initial)))
}

#[test]
fn the_example_of_the_paper_has_the_distances_of_the_paper() {
    let listing = systems::listing();
    let system = &listing.system;
    assert_eq!(oracle::distance(system), 6);
    assert_eq!(oracle::h_plus(system, &system.initial), Some(Some(5)));
    for options in ALL {
        assert_eq!(at_first(system, options)[..2], [finite(4), finite(4)], "{options:?}");
    }
}

#[test]
fn the_example_of_the_paper_has_the_relaxed_states_of_the_paper() {
    let listing = systems::listing();
    let system = &listing.system;
    let reading =
        Plain { factors: system.factors.len(), unless: vec![(listing.slot, listing.length)] };
    let relaxation = Relaxation::new(system, Arc::new(reading), POOLED);
    let cells = [("a", listing.a), ("b", listing.b), ("c", listing.slot)];
    let layers = relaxation.dump(&bytes(&system.initial), &cells);
    let expected = [
        "a {0}, b {0}, c {}",
        "a {0}, b {0}, c {0}",
        "a {0, 1}, b {0}, c {0}",
        "a {0, 1, 2}, b {0}, c {0, 1}",
        "a {0, 1, 2, 3}, b {0, 1}, c {0, 1, 2}",
    ];
    assert_eq!(layers, expected);
}

#[test]
fn what_a_step_requires_narrows_what_it_sets() {
    let mut system = System::default();
    let i = system.add("i".into(), FactorKind::Variable, Interval { least: 0, greatest: 9 }, 0);
    let next = vec![require(compare(i, Binary::Less, 5)), set(i, plus(i, 1))];
    step(&mut system, "i < 5; i = i + 1", next);
    goal(&mut system, vec![compare(i, Binary::Equal, 5)]);
    // The relaxed plan has a single operator, which is repeated.
    assert_eq!(at_first(&system, SETS), [finite(5); 4]);
    system.goals[0].conditions = vec![compare(i, Binary::Equal, 6)];
    assert_eq!(at_first(&system, SETS), [Estimate::DeadEnd; 4]);
}

#[test]
fn sums_and_paths_count_what_layers_do_at_once() {
    let mut system = System::default();
    let mut conditions = Vec::new();
    for at in 0..3 {
        let x = system.add(format!("x{at}"), FactorKind::Variable, Interval::TRUTH, 0);
        step(&mut system, "x = 1", vec![set(x, FactorExpr::Const(1))]);
        conditions.push(compare(x, Binary::Equal, 1));
    }
    goal(&mut system, conditions);
    for options in ALL {
        assert_eq!(at_first(&system, options), [1, 1, 3, 3].map(finite));
    }
}

#[test]
fn steps_of_the_relaxed_path_that_can_be_taken_are_preferred() {
    let mut system = System::default();
    let x = system.add("x".into(), FactorKind::Variable, Interval { least: 0, greatest: 3 }, 0);
    let y = system.add("y".into(), FactorKind::Variable, Interval::TRUTH, 0);
    let useless = vec![require(compare(x, Binary::Equal, 0)), set(y, FactorExpr::Const(1))];
    step(&mut system, "useless", useless);
    for at in 0..3 {
        let next = vec![require(compare(x, Binary::Equal, at)), set(x, FactorExpr::Const(at + 1))];
        step(&mut system, "next", next);
    }
    goal(&mut system, vec![compare(x, Binary::Equal, 3)]);
    let relaxation = Relaxation::new(&system, plain(&system), SETS);
    let mut path = Hff::new(&relaxation);
    for at in 0..3 {
        assert_eq!(path.estimate(&bytes(&[at, 0])), finite(3 - at as u32));
        assert_eq!(path.preferred(), [StepLabel { edge: 1 + at as u32, process: 0 }]);
    }
    assert_eq!(path.estimate(&bytes(&[3, 0])), finite(0));
    assert_eq!(path.preferred(), []);
}

#[test]
fn what_cannot_be_read_is_not_judged() {
    struct Nothing;
    impl beeline_factored::FactorReader for Nothing {
        fn read(&self, _: &[u8], _: &mut dyn FnMut(FactorId, i32)) -> bool {
            false
        }
    }
    let mut system = System::default();
    let x = system.add("x".into(), FactorKind::Variable, Interval::TRUTH, 0);
    goal(&mut system, vec![compare(x, Binary::Equal, 1)]);
    assert_eq!(at_first(&system, SETS), [Estimate::DeadEnd; 4]);
    let relaxation = Relaxation::new(&system, Arc::new(Nothing), SETS);
    let other = Relaxation::new(&system, plain(&system), SETS);
    for which in RelaxedHeuristic::ALL {
        assert_eq!(which.build(&relaxation).estimate(&[]), finite(0));
        // Values that the analysis excluded.
        assert_eq!(which.build(&other).estimate(&bytes(&[7])), finite(0));
    }
}

#[test]
fn a_far_goal_is_at_least_far() {
    let mut system = System::default();
    let i = system.add("i".into(), FactorKind::Variable, Interval::ALL, 0);
    step(&mut system, "i = i + 1", vec![set(i, plus(i, 1))]);
    goal(&mut system, vec![compare(i, Binary::Equal, 1_000_000)]);
    for options in ALL {
        assert_eq!(at_first(&system, options), [1000, 1000, 4000, 1000].map(finite));
    }
}

/// Estimates of all states, by `hpl`, `hmax`, `hadd` and `hff`.
fn estimates(system: &System, graph: &Graph, options: RelaxationOptions) -> [Vec<Estimate>; 4] {
    let relaxation = Relaxation::new(system, plain(system), options);
    RelaxedHeuristic::ALL.map(|which| {
        let mut heuristic = which.build(&relaxation);
        graph.states.iter().map(|state| heuristic.estimate(&bytes(state))).collect()
    })
}

/// Checks the claims of estimates.
fn check(claims: Claims, of: &[Estimate], graph: &Graph, context: &str) {
    for (at, (&said, &distance)) in of.iter().zip(&graph.distances).enumerate() {
        let is_safe = said != Estimate::DeadEnd || distance.is_none();
        assert!(!claims.safe || is_safe, "{context}: {:?} is no dead end", graph.states[at]);
        let is_admissible = said <= estimate(distance);
        assert!(!claims.admissible || is_admissible, "{context}: {said:?} of {distance:?}");
    }
    if claims.consistent {
        for &(from, to, cost) in &graph.edges {
            let after = of[to].finite().map(|after| after.0 + cost);
            let states = (&graph.states[from], &graph.states[to]);
            assert!(of[from] <= estimate(after), "{context}: {:?} {after:?} {states:?}", of[from]);
        }
    }
}

const SEEDS: u64 = 500;

#[test]
fn claims_are_kept_in_every_state_of_random_systems() {
    let (mut checked, mut informed, mut dead, mut states) = (0, 0, 0, 0);
    for seed in 0..SEEDS {
        let system = random(seed, Parts::All);
        let Some(graph) = oracle::graph(&system, 600) else { continue };
        checked += 1;
        states += graph.states.len();
        let all = ALL.map(|options| estimates(&system, &graph, options));
        for (options, each) in ALL.iter().zip(&all) {
            let relaxation = Relaxation::new(&system, plain(&system), *options);
            for (which, of) in RelaxedHeuristic::ALL.into_iter().zip(each) {
                let context = format!("{which:?} with {options:?} in {seed}");
                check(which.build(&relaxation).claims(), of, &graph, &context);
            }
            let [layers, max, add, path] = each;
            assert_eq!(layers, max);
            for at in 0..graph.states.len() {
                assert!(path[at] >= layers[at], "{seed}: {:?} {:?}", path[at], layers[at]);
                assert!(add[at] >= layers[at], "{seed}: {:?} {:?}", add[at], layers[at]);
                // The bound on layers is smaller than that on costs.
                let said = [layers[at], add[at], path[at]];
                let is_far = layers[at] == finite(1000);
                let is_dead = said.map(|said| said == Estimate::DeadEnd);
                assert!(is_far || is_dead == [is_dead[0]; 3], "{options:?} in {seed}: {said:?}");
            }
        }
        // A finer representation has larger estimates.
        for (more, less) in [(0, 1), (0, 2), (1, 3), (2, 3)] {
            for (more, less) in all[more][0].iter().zip(&all[less][0]) {
                assert!(more >= less, "{seed}: {more:?} {less:?}");
            }
        }
        informed += all[0][0].iter().filter(|&&of| of > finite(0)).count();
        dead += all[0][0].iter().filter(|&&of| of == Estimate::DeadEnd).count();
    }
    println!("{checked} systems, {states} states, {informed} informed, {dead} dead ends");
    assert!(checked >= 400 && informed > states / 4 && dead > states / 20);
}

#[test]
fn layers_are_at_most_as_many_as_steps_of_relaxed_paths() {
    let (mut checked, mut longer) = (0, 0);
    for seed in 0..SEEDS {
        let system = random(seed, Parts::All);
        let Some(graph) = oracle::graph(&system, 100) else { continue };
        let relaxation = Relaxation::new(&system, plain(&system), SETS);
        let mut hpl = Hpl::new(&relaxation);
        for (state, distance) in graph.states.iter().zip(&graph.distances).take(3) {
            let Some(shortest) = oracle::h_plus(&system, state) else { continue };
            checked += 1;
            let said = hpl.estimate(&bytes(state));
            assert!(said <= estimate(shortest), "{seed}: {said:?} {shortest:?}");
            assert!(estimate(shortest) <= estimate(*distance), "{seed}: {shortest:?} {distance:?}");
            longer += usize::from(said < estimate(shortest));
        }
    }
    println!("{checked} states, {longer} with longer relaxed paths");
    assert!(checked >= 300);
}

#[test]
fn layers_are_exact_where_conditions_and_values_are_about_single_factors() {
    let (mut checked, mut informed) = (0, 0);
    for seed in 0..SEEDS {
        let system = random(seed, Parts::Single);
        let Some(graph) = oracle::graph(&system, 100) else { continue };
        let relaxation = Relaxation::new(&system, plain(&system), SETS);
        let mut hpl = Hpl::new(&relaxation);
        for state in graph.states.iter().take(5) {
            let Some(exact) = oracle::layers(&system, state) else { continue };
            checked += 1;
            informed += usize::from(exact.is_some_and(|exact| exact > 0));
            assert_eq!(hpl.estimate(&bytes(state)), estimate(exact), "{seed}: {state:?}");
        }
    }
    println!("{checked} states, {informed} at some distance");
    assert!(checked >= 300 && informed >= 50);
}

#[test]
fn a_step_at_once_does_what_it_does_one_after_the_other() {
    let (mut checked, mut exact) = (0, 0);
    for seed in 0..SEEDS {
        let system = random(seed, Parts::All);
        let ranges = Ranges::of(&system);
        let Some(graph) = oracle::graph(&system, 300) else { continue };
        for step in &system.steps {
            let flat = FlatOperator::step(&system, &ranges, step);
            for state in graph.states.iter().take(20) {
                let mut expected = all_after(step, state).expect("small steps");
                let mut found = Vec::new();
                if let Some(flat) = &flat {
                    let mut actions: Vec<Instruction> =
                        flat.conditions.iter().cloned().map(Instruction::Require).collect();
                    actions.push(Instruction::Set(flat.effects.clone()));
                    // A flat operator may have more unknown values, and so too many outcomes.
                    let all = all_after(&Operator { actions, ..step.clone() }, state);
                    let Some(all) = all else { continue };
                    found = all;
                }
                checked += 1;
                exact += usize::from(expected == found);
                expected.retain(|after| !found.contains(after));
                assert!(expected.is_empty(), "{seed}: {state:?} {step:?} {flat:?}");
            }
        }
    }
    println!("{exact} of {checked} are exact");
    assert!(checked > 10_000 && exact * 100 > checked * 95);
}

fn all_after(step: &Operator, state: &[i32]) -> Option<Vec<Vec<i32>>> {
    let mut all = Vec::new();
    successors(step, state, &mut |after| all.push(after.to_vec())).ok()?;
    all.sort_unstable();
    all.dedup();
    Some(all)
}

/// Three objects of one kind, as factors of their own and as a summary factor.
#[test]
fn one_of_a_crowd_says_nothing_about_the_others() {
    let alike = |crowd: bool| {
        let mut system = System::default();
        let domain = Interval { least: 0, greatest: 9 };
        let count = if crowd { 1 } else { 3 };
        let all: Vec<FactorId> = (0..count)
            .map(|at| system.add(format!("at{at}"), FactorKind::Location, domain, 0))
            .collect();
        all.iter().for_each(|one| system.factors[one.index()].is_summary = crowd);
        for &one in &all {
            for (from, to) in [(0, 1), (0, 2)] {
                let go = vec![
                    require(compare(one, Binary::Equal, from)),
                    set(one, FactorExpr::Const(to)),
                ];
                step(&mut system, "go", go);
            }
            for &other in all.iter().filter(|&&other| crowd || other != one) {
                // They synchronise, and both proceed.
                let meet = vec![
                    require(compare(one, Binary::Equal, 1)),
                    require(compare(other, Binary::Equal, 2)),
                    set(one, FactorExpr::Const(3)),
                    set(other, FactorExpr::Const(4)),
                ];
                step(&mut system, "meet", meet);
            }
        }
        let met = |at| {
            let any = all.iter().map(|&one| compare(one, Binary::Equal, at));
            any.reduce(FactorExpr::or).expect("there are some")
        };
        goal(&mut system, vec![met(3), met(4)]);
        system
    };
    struct Crowd;
    impl beeline_factored::FactorReader for Crowd {
        fn read(&self, state: &[u8], tell: &mut dyn FnMut(FactorId, i32)) -> bool {
            state.iter().step_by(4).for_each(|&value| tell(FactorId(0), i32::from(value)));
            true
        }
    }
    let (single, crowd) = (alike(false), alike(true));
    let graph = oracle::graph(&single, 1000).expect("it is small");
    assert_eq!(graph.distances[0], Some(3));
    let relaxation = Relaxation::new(&crowd, Arc::new(Crowd), SETS);
    for which in RelaxedHeuristic::ALL {
        let mut heuristic = which.build(&relaxation);
        let all: Vec<Estimate> =
            graph.states.iter().map(|state| heuristic.estimate(&bytes(state))).collect();
        check(heuristic.claims(), &all, &graph, heuristic.name());
        assert!(all[0] >= finite(2));
    }
}
