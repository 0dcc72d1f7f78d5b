//! Estimates as sets, against explicit computations.

use std::collections::{BTreeMap, BTreeSet};

use beeline_factored::{
    Binary, CascadingTable, CascadingTables, FactorExpr, FactorId, Goal, Interval, Ranges,
    TableSource, Unary, holds,
};
use beeline_kernel::SplitMix64;
use beeline_symbolic::{
    ComponentSum, DiagramLimits, FactorDistances, LargestEstimate, PatternDistances, PatternGoal,
    SymbolicEstimate, SymbolicGoal, SymbolicRanking, SymbolicSystem, TruthDistances, WeightTable,
    ZeroEstimate,
};
use beeline_test_size::portion;

use crate::explicit::{MIXED, Reach, STEPS, State, least_costs};
use crate::generator;
use crate::philosophers::philosophers;
use crate::search::{Problem, by_state, each_problem, set_of};

#[test]
fn a_sum_over_factors_is_that_of_each_state() {
    each_problem(2000..2150, STEPS, |problem, symbolic| {
        let mut rng = SplitMix64::new(problem.seed);
        let mut tables = Vec::new();
        for at in 0..problem.system.factors.len() as u32 {
            let mut values: BTreeMap<i32, u64> =
                (-1..4).map(|value| (value, rng.below(4) as u64)).collect();
            values.retain(|_, _| rng.below(4) > 0);
            let otherwise = (rng.below(4) > 0).then_some(2);
            tables.push(FactorDistances { factor: FactorId(at), values, otherwise });
        }
        let sum = |state: &State| -> Option<u64> {
            let each = tables
                .iter()
                .map(|one| one.values.get(&state[one.factor.index()]).copied().or(one.otherwise));
            each.sum()
        };
        let all: BTreeSet<State> = problem.from_initial.keys().cloned().collect();
        let set = set_of(symbolic, &all);
        let mut estimate = ComponentSum::of_factors(symbolic, &tables).expect("no limits");
        let parts = estimate.split(symbolic, &set).expect("no limits");
        let expected = all.iter().filter_map(|state| Some((state.clone(), sum(state)?))).collect();
        assert_eq!(by_state(symbolic, &parts), expected, "{}", problem.seed);
    });
}

/// A random partition of the factors of a problem into groups of at most three.
fn partition(rng: &mut SplitMix64, factors: usize) -> Vec<Vec<FactorId>> {
    let mut all: Vec<FactorId> = (0..factors as u32).map(FactorId).collect();
    rng.shuffle(&mut all);
    let mut groups = Vec::new();
    while !all.is_empty() {
        let rest = all.split_off((1 + rng.below(3)).min(all.len()));
        groups.push(std::mem::replace(&mut all, rest));
    }
    groups
}

#[test]
fn a_sum_of_tables_over_several_levels_is_that_of_each_state() {
    let mut dead = 0;
    each_problem(2600..2750, STEPS, |problem, symbolic| {
        let mut rng = SplitMix64::new(problem.seed);
        let all: BTreeSet<State> = problem.from_initial.keys().cloned().collect();
        let set = set_of(symbolic, &all);
        let rows: Vec<Vec<i32>> = symbolic.forest().vectors(&set).collect();
        // Tables with common and with interleaved levels; some vectors are not listed.
        let (mut tables, mut expected) = (Vec::new(), vec![Some(0); rows.len()]);
        for _ in 0..6.min(symbolic.levels()) {
            let mut levels: Vec<u32> = (0..symbolic.levels() as u32).collect();
            rng.shuffle(&mut levels);
            levels.truncate(1 + rng.below(3));
            levels.sort_unstable();
            let short = |row: &Vec<i32>| -> Vec<i32> {
                levels.iter().map(|&level| row[level as usize]).collect()
            };
            let otherwise = (rng.below(3) > 0).then_some(1);
            let mut weights: BTreeMap<Vec<i32>, u64> = BTreeMap::new();
            for row in &rows {
                let weight = rng.below(5) as u64;
                weights.entry(short(row)).or_insert(weight);
            }
            weights.retain(|_, weight| *weight < 4);
            let mut sets = Vec::new();
            for weight in 0..4 {
                let own = weights.iter().filter(|(_, one)| **one == weight);
                let own: Vec<&[i32]> = own.map(|(row, _)| &row[..]).collect();
                sets.push((weight, symbolic.forest().from_vectors(own).expect("no limits")));
            }
            for (row, sum) in rows.iter().zip(&mut expected) {
                let weight = weights.get(&short(row)).copied().or(otherwise);
                *sum = sum.zip(weight).map(|(a, b)| a + b);
            }
            let table = WeightTable::new(symbolic.forest(), levels, &sets, otherwise);
            tables.push(table.expect("no limits"));
        }
        let divided = symbolic.forest().divide(&set, &tables).expect("no limits");
        let is_dead = expected.iter().any(Option::is_none);
        assert!(divided.is_complete != is_dead, "{}", problem.seed);
        dead += usize::from(is_dead);
        let expected: BTreeMap<Vec<i32>, u64> =
            rows.into_iter().zip(expected).filter_map(|(row, sum)| Some((row, sum?))).collect();
        let mut found = BTreeMap::new();
        for (sum, part) in &divided.parts {
            assert!(!part.is_empty());
            found.extend(symbolic.forest().vectors(part).map(|row| (row, *sum)));
        }
        assert_eq!(found, expected, "{}", problem.seed);
        let mut estimate = ComponentSum::new(Some(2), tables);
        let parts = estimate.split(symbolic, &set).expect("no limits");
        let shifted: Vec<_> = divided.parts.into_iter().map(|(sum, set)| (sum + 2, set)).collect();
        assert_eq!(parts, shifted, "{}", problem.seed);
    });
    assert!(dead > portion(20), "{dead}");
}

/// Random tables over groups of factors, composed one after the other.
fn cascading_tables(rng: &mut SplitMix64, problem: &Problem) -> CascadingTables {
    let mut made = CascadingTables::default();
    let mut last: Option<(usize, usize)> = None;
    for group in partition(rng, problem.system.factors.len()) {
        let domains = group.into_iter().map(|factor| {
            let values = problem.from_initial.keys().map(|state| state[factor.index()]);
            let (least, greatest) = values
                .fold((i32::MAX, i32::MIN), |(least, greatest), value| {
                    (least.min(value), greatest.max(value))
                });
            (factor, Interval { least: i64::from(least), greatest: i64::from(greatest) })
        });
        made.groups.push(domains.collect());
        let size = made.groups.last().expect("it was added").iter();
        let size: u64 = size.map(|(_, domain)| domain.size()).product();
        let mut table = |source, size: usize, made: &mut CascadingTables| {
            let count = 1 + rng.below(4);
            let mut state = || (rng.below(12) > 0).then(|| rng.below(count) as u32);
            let states = (0..size).map(|_| state()).collect();
            made.tables.push(CascadingTable { source, states });
            (made.tables.len() - 1, count)
        };
        let own = table(TableSource::Group(made.groups.len() - 1), size as usize, &mut made);
        last = Some(match last {
            None => own,
            Some((first, count)) => {
                let (second, width) = own;
                let source = TableSource::Pairs { first, second, width };
                let (both, size) = table(source, count * width, &mut made);
                table(TableSource::Table(both), size, &mut made)
            }
        });
        if rng.below(3) == 0 {
            made.roots.extend(last.map(|(root, count)| (root, distances(rng, count))));
        }
    }
    made.roots.extend(last.map(|(root, count)| (root, distances(rng, count))));
    made
}

fn distances(rng: &mut SplitMix64, count: usize) -> Vec<Option<u32>> {
    (0..count).map(|_| (rng.below(8) > 0).then(|| rng.below(9) as u32)).collect()
}

#[test]
fn cascading_tables_have_the_distance_of_each_state() {
    let (mut informed, mut dead) = (0, 0);
    each_problem(2800..2950, STEPS, |problem, symbolic| {
        let mut rng = SplitMix64::new(problem.seed);
        let tables = cascading_tables(&mut rng, problem);
        let all: BTreeSet<State> = problem.from_initial.keys().cloned().collect();
        let set = set_of(symbolic, &all);
        let mut estimate = symbolic.distances_in(&tables, false).expect("no limits");
        let parts = estimate.split(symbolic, &set).expect("no limits");
        let distance = |state: &State| Some((state.clone(), u64::from(tables.distance(state)?)));
        let expected: BTreeMap<State, u64> = all.iter().filter_map(distance).collect();
        dead += all.len() - expected.len();
        informed += expected.values().filter(|&&distance| distance > 0).count();
        assert_eq!(by_state(symbolic, &parts), expected, "{}", problem.seed);
    });
    assert!(informed > portion(300) && dead > portion(100), "{informed} {dead}");
}

#[test]
fn additive_pattern_databases_are_admissible_and_consistent() {
    let mut informed = 0;
    each_problem(3000..3180, MIXED, |problem, symbolic| {
        let mut rng = SplitMix64::new(problem.seed);
        let patterns: Vec<Vec<FactorId>> = partition(&mut rng, problem.system.factors.len())
            .into_iter()
            .filter(|pattern| pattern.iter().any(|factor| problem.varies(*factor)))
            .collect();
        let goals = vec![(0, problem.goal_set(symbolic))];
        let all: BTreeSet<State> = problem.from_initial.keys().cloned().collect();
        let set = set_of(symbolic, &all);
        let limits = &DiagramLimits::default;
        let mut sum =
            ComponentSum::of_patterns(symbolic, &patterns, &goals, limits).expect("no limits");
        let parts = sum.split(symbolic, &set).expect("no limits");
        let values = by_state(symbolic, &parts);
        for (state, distance) in &problem.to_goal {
            assert!(values.get(state).is_some_and(|value| value <= distance), "{}", problem.seed);
            let next = least_costs(&problem.system, state, MIXED, Reach::OneStep).states;
            let is_consistent = |(next, cost): (&State, &u64)| {
                values.get(next).is_none_or(|value| values[state] <= value + cost)
            };
            assert!(next.iter().all(is_consistent), "{}", problem.seed);
        }
        informed += values.values().filter(|&&value| value > 0).count();
    });
    assert!(informed > portion(200), "{informed}");
}

#[test]
fn pattern_databases_are_admissible_and_consistent() {
    let mut informed = 0;
    for costs in [STEPS, MIXED] {
        each_problem(2200..2380, costs, |problem, symbolic| {
            let mut rng = SplitMix64::new(problem.seed);
            let count = problem.system.factors.len();
            let goal = problem.goal_set(symbolic);
            let mut databases: Vec<Box<dyn SymbolicEstimate>> = Vec::new();
            for _ in 0..2 {
                let mut all: Vec<FactorId> = (0..count as u32).map(FactorId).collect();
                rng.shuffle(&mut all);
                all.truncate(1 + rng.below(count));
                let limits = DiagramLimits::default();
                let goals = vec![(0, goal.clone())];
                let goals = PatternGoal::States(&goals);
                let mut database =
                    PatternDistances::new(symbolic, &all, goals, limits).expect("no limits");
                let all = problem.from_initial.keys().cloned().collect();
                let all = set_of(symbolic, &all);
                let parts = database.split(symbolic, &all).expect("no limits");
                let values = by_state(symbolic, &parts);
                for (state, distance) in &problem.to_goal {
                    assert!(values.get(state).is_some_and(|value| value <= distance));
                    informed += usize::from(values[state] > 0);
                    let next = least_costs(&problem.system, state, costs, Reach::OneStep).states;
                    let is_consistent = |(next, cost): (&State, &u64)| {
                        values.get(next).is_none_or(|value| values[state] <= value + cost)
                    };
                    assert!(next.iter().all(is_consistent), "{}", problem.seed);
                }
                databases.push(Box::new(database));
            }
            let mut largest = LargestEstimate::new(databases);
            for ranking in [SymbolicRanking::BDD_A_STAR, SymbolicRanking::GH] {
                let mut goal = SymbolicGoal::set(goal.clone());
                let found = symbolic.best_first(&mut goal, &mut largest, ranking);
                let found = found.expect("no limits");
                assert!(found.statistics.ranks.is_sorted(), "{}", problem.seed);
                let cost = found.path.as_ref().map(|path| path.cost);
                assert_eq!(cost, problem.optimum(), "{}", problem.seed);
                found.path.iter().for_each(|path| problem.check(path));
            }
        });
    }
    assert!(informed > portion(300), "{informed}");
}

#[test]
fn the_pattern_of_all_factors_has_the_true_distances() {
    let mut system = philosophers(3);
    let dead = (0..3).map(|at| FactorExpr::Factor(FactorId(3 * at + 1)).equals(1));
    system.goals.push(Goal { name: "dead".to_owned(), conditions: dead.collect() });
    let ranges = Ranges::of(&system);
    let mut symbolic = SymbolicSystem::new(&system, &ranges, DiagramLimits::default());
    let all: Vec<FactorId> = (0..9).map(FactorId).collect();
    let goals = PatternGoal::Conditions(&system.goals);
    let limits = DiagramLimits::default();
    let mut database = PatternDistances::new(&mut symbolic, &all, goals, limits).expect("none");
    assert_eq!(database.greatest(), Some(4));
    let mut goal = SymbolicGoal::deadlocks();
    let directed = symbolic.best_first(&mut goal, &mut database, SymbolicRanking::GH);
    let directed = directed.expect("no limits");
    assert_eq!(directed.path.as_ref().map(|path| path.cost), Some(3));
    assert_eq!(directed.statistics.ranks, [3; 4]);
    let blind = symbolic.best_first(&mut goal, &mut ZeroEstimate, SymbolicRanking::DIJKSTRA);
    assert!(blind.expect("no limits").statistics.expanded > directed.statistics.expanded);
    // Without a philosopher's bits, one step less is known to be needed.
    let some: Vec<FactorId> = (0..6).map(FactorId).collect();
    let limits = DiagramLimits::default();
    let mut database = PatternDistances::new(&mut symbolic, &some, goals, limits).expect("none");
    let initial = symbolic.initial().expect("no limits");
    let parts = database.split(&mut symbolic, &initial).expect("no limits");
    assert_eq!(parts, [(2, initial)]);
}

/// The distance of a condition in a state, evaluated state by state. Without unknown values.
fn truth_distance(expr: &FactorExpr, is_wanted: bool, state: &State) -> u64 {
    let value = |expr: &FactorExpr| {
        let read = |factor: FactorId| beeline_factored::Interval::one(state[factor.index()]);
        beeline_factored::evaluate(expr, &read).and_then(beeline_factored::Interval::single)
    };
    match expr {
        FactorExpr::Unary(Unary::Not, operand) => truth_distance(operand, !is_wanted, state),
        FactorExpr::Binary(op @ (Binary::And | Binary::Or), a, b) => {
            let (a, b) = (truth_distance(a, is_wanted, state), truth_distance(b, is_wanted, state));
            if (*op == Binary::And) == is_wanted { a + b } else { a.min(b) }
        }
        FactorExpr::Binary(Binary::Equal, a, b) => match (value(a), value(b)) {
            (Some(a), Some(b)) if is_wanted => u64::from(a.abs_diff(b)),
            (Some(a), Some(b)) => u64::from(a == b),
            _ => 1,
        },
        other => {
            let wanted = if is_wanted { other.clone() } else { other.clone().negated() };
            let goal = Goal { name: String::new(), conditions: vec![wanted] };
            u64::from(!holds(&goal, state).expect("few outcomes"))
        }
    }
}

/// A random condition with the parts for which `truth_distance` is written.
fn simple(rng: &mut SplitMix64, factors: usize, depth: usize) -> FactorExpr {
    let factor = FactorExpr::Factor(FactorId(rng.below(factors) as u32));
    if depth == 0 {
        let value = match rng.below(2) {
            0 => FactorExpr::Const(rng.below(4) as i32),
            _ => FactorExpr::Factor(FactorId(rng.below(factors) as u32)),
        };
        return factor.binary(Binary::Equal, value);
    }
    let mut part = || Box::new(simple(rng, factors, depth - 1));
    let (a, b) = (part(), part());
    match rng.below(4) {
        0 => FactorExpr::Unary(Unary::Not, a),
        1 => factor,
        2 => FactorExpr::Binary(Binary::And, a, b),
        _ => FactorExpr::Binary(Binary::Or, a, b),
    }
}

#[test]
fn formula_distances_are_those_of_each_state() {
    let mut far = 0;
    each_problem(2400..2500, STEPS, |problem, symbolic| {
        let all: BTreeSet<State> = problem.from_initial.keys().cloned().collect();
        let set = set_of(symbolic, &all);
        let mut rng = SplitMix64::new(problem.seed);
        for seed in 0..20 {
            let condition = simple(&mut rng, problem.system.factors.len(), 3);
            let mut estimate = TruthDistances::new(condition.clone());
            let parts = estimate.split(symbolic, &set).expect("no limits");
            let expected =
                all.iter().map(|state| (state.clone(), truth_distance(&condition, true, state)));
            let found = by_state(symbolic, &parts);
            assert_eq!(found, expected.collect(), "{condition:?}");
            far += usize::from(found.values().any(|&distance| distance > 1));
            let wild = generator::condition(&problem.system, seed);
            let parts = TruthDistances::new(wild).split(symbolic, &set).expect("no limits");
            assert_eq!(by_state(symbolic, &parts).len(), all.len(), "there are no dead ends");
        }
    });
    assert!(far > portion(100), "{far}");
}
