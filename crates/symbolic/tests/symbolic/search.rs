//! Searches on random systems against explicit shortest paths.

use std::collections::{BTreeMap, BTreeSet};

use beeline_factored::{FactorId, Goal, Ranges, System, holds};
use beeline_kernel::{Faults, SplitMix64};
use beeline_symbolic::{
    ControlSets, CostedSets, DiagramLimits, EstimateRelation, Set, StepCosts, SymbolicGoal,
    SymbolicPath, SymbolicRanking, SymbolicStrategy, SymbolicSystem, ZeroEstimate,
};
use beeline_test_size::portion;

use crate::explicit::{self, Costs, MIXED, Reach, STEPS, State, least_costs};
use crate::generator;

/// A random system with the states that are goals, and the least costs between its states.
pub(crate) struct Problem {
    pub(crate) seed: u64,
    pub(crate) system: System,
    pub(crate) costs: Costs,
    pub(crate) goals: BTreeSet<State>,
    pub(crate) from_initial: BTreeMap<State, u64>,
    /// The least cost to a goal, if one is reachable.
    pub(crate) to_goal: BTreeMap<State, u64>,
}

impl Problem {
    fn new(seed: u64, costs: Costs) -> Problem {
        let system = generator::system(seed);
        let mut rng = SplitMix64::new(seed);
        let from_initial = least_costs(&system, &system.initial, costs, Reach::AllSteps).states;
        let few = 2 + rng.below(12);
        let mut goals: BTreeSet<State> =
            from_initial.keys().filter(|_| rng.below(few) == 0).cloned().collect();
        if !seed.is_multiple_of(3) {
            let farthest = from_initial.values().max().copied().unwrap_or(0);
            goals.retain(|state| from_initial[state] * 3 >= farthest * 2);
        }
        let to_goal = costs_to(&system, costs, &goals, &from_initial);
        Problem { seed, system, costs, goals, from_initial, to_goal }
    }

    pub(crate) fn optimum(&self) -> Option<u64> {
        self.to_goal.get(&self.system.initial).copied()
    }

    pub(crate) fn symbolic<'s>(&'s self, ranges: &'s Ranges) -> SymbolicSystem<'s> {
        let (per_step, cost) = self.costs;
        let costs = match per_step {
            0 => StepCosts::operators(&self.system, cost),
            _ => StepCosts::steps(),
        };
        let limits = DiagramLimits::default();
        let mut symbolic = SymbolicSystem::with_costs(&self.system, ranges, limits, costs);
        if self.seed.is_multiple_of(4) {
            // Garbage is collected whenever it is allowed.
            symbolic.forest().collect_from(0);
        }
        symbolic
    }

    /// Whether a factor has several values.
    pub(crate) fn varies(&self, factor: FactorId) -> bool {
        Ranges::of(&self.system).get(factor).single().is_none()
    }

    pub(crate) fn goal_set(&self, symbolic: &mut SymbolicSystem<'_>) -> Set {
        set_of(symbolic, &self.goals)
    }

    /// Whether the path is one of the system, to a goal, and has its cost.
    pub(crate) fn check(&self, path: &SymbolicPath) {
        let seed = self.seed;
        assert_eq!(path.states.first(), Some(&self.system.initial), "{seed}");
        let last = path.states.last().expect("it has a state");
        assert!(self.goals.contains(last), "{seed}: {last:?} is no goal");
        assert_eq!(self.cost_of(path), path.cost, "{seed}");
    }

    /// The cost of a path up to its last state.
    fn cost_of(&self, path: &SymbolicPath) -> u64 {
        let step = |pair: &[State]| {
            let costs = least_costs(&self.system, &pair[0], self.costs, Reach::OneStep).states;
            *costs.get(&pair[1]).unwrap_or_else(|| panic!("{}: no step {pair:?}", self.seed))
        };
        path.states.windows(2).map(step).sum()
    }

    /// Random estimates for all states.
    pub(crate) fn estimates(
        &self,
        symbolic: &mut SymbolicSystem<'_>,
        mut value: impl FnMut(u64) -> u64,
    ) -> EstimateRelation {
        let mut values: BTreeMap<u64, BTreeSet<State>> = BTreeMap::new();
        for state in self.from_initial.keys() {
            // Some states that reach no goal are dead ends.
            let distance = self.to_goal.get(state).copied();
            if distance.is_some() || value(100) > 50 {
                let value = value(distance.unwrap_or(9));
                values.entry(value).or_default().insert(state.clone());
            }
        }
        let sets = values.iter().map(|(value, states)| (*value, set_of(symbolic, states)));
        EstimateRelation::new(sets.collect::<CostedSets>())
    }
}

/// The least costs of states to goals, as a fixpoint over the steps.
fn costs_to(
    system: &System,
    costs: Costs,
    goals: &BTreeSet<State>,
    states: &BTreeMap<State, u64>,
) -> BTreeMap<State, u64> {
    let steps: Vec<_> = (states.keys())
        .map(|state| (state, least_costs(system, state, costs, Reach::OneStep).states))
        .collect();
    let mut found: BTreeMap<State, u64> = goals.iter().map(|goal| (goal.clone(), 0)).collect();
    loop {
        let mut is_changed = false;
        for (state, next) in &steps {
            let known = next.iter().filter_map(|(next, cost)| Some(found.get(next)? + cost));
            if let Some(least) = known.min()
                && found.get(*state).is_none_or(|old| least < *old)
            {
                found.insert((*state).clone(), least);
                is_changed = true;
            }
        }
        if !is_changed {
            return found;
        }
    }
}

pub(crate) fn set_of(symbolic: &mut SymbolicSystem<'_>, states: &BTreeSet<State>) -> Set {
    let mut all = symbolic.forest().empty();
    for state in states {
        let one = symbolic.singleton(state).expect("no limits");
        all = symbolic.forest().union(&all, &one).expect("no limits");
    }
    all
}

/// Random systems, without those of too many states.
pub(crate) fn each_problem(
    seeds: std::ops::Range<u64>,
    costs: Costs,
    mut check: impl FnMut(&Problem, &mut SymbolicSystem<'_>),
) {
    let (mut solvable, mut far) = (0, 0);
    let seeds = seeds.start..seeds.start + portion(seeds.end - seeds.start);
    for seed in seeds.clone() {
        if explicit::distances(&generator::system(seed)).len() > 120 {
            continue;
        }
        let problem = Problem::new(seed, costs);
        solvable += u64::from(problem.optimum().is_some());
        far += u64::from(problem.optimum() > Some(2));
        let ranges = Ranges::of(&problem.system);
        check(&problem, &mut problem.symbolic(&ranges));
    }
    assert!(solvable * 3 > seeds.end - seeds.start, "few systems are interesting: {solvable}");
    assert!(far > portion(10), "few systems have long paths: {far}");
}

fn reached(symbolic: &mut SymbolicSystem<'_>) -> ControlSets {
    symbolic.reachable(SymbolicStrategy::Auto).expect("no limits").states
}

fn check_path(problem: &Problem, path: Option<SymbolicPath>, name: &str) {
    let cost = path.as_ref().map(|path| path.cost);
    assert_eq!(cost, problem.optimum(), "{name} {}", problem.seed);
    path.iter().for_each(|path| problem.check(path));
}

#[test]
fn breadth_first_searches_in_all_directions_find_shortest_paths() {
    each_problem(0..250, STEPS, |problem, symbolic| {
        let goal = problem.goal_set(symbolic);
        let within = reached(symbolic);
        let forward = symbolic.breadth_first(&mut SymbolicGoal::set(goal.clone()));
        check_path(problem, forward.expect("no limits").path, "forward");
        let backward = symbolic.backward(&goal, &within).expect("no limits");
        check_path(problem, backward.path, "backward");
        let both = symbolic.bidirectional(&goal, &within).expect("no limits");
        check_path(problem, both.path, "bidirectional");
    });
}

#[test]
fn dijkstra_finds_cheapest_paths() {
    for costs in [STEPS, MIXED] {
        each_problem(0..250, costs, |problem, symbolic| {
            let mut goal = SymbolicGoal::set(problem.goal_set(symbolic));
            let ranking = SymbolicRanking::DIJKSTRA;
            let found = symbolic.best_first(&mut goal, &mut ZeroEstimate, ranking);
            let found = found.expect("no limits");
            assert!(found.statistics.ranks.is_sorted());
            check_path(problem, found.path, "dijkstra");
        });
    }
}

#[test]
fn admissible_estimates_give_cheapest_paths_also_if_they_are_inconsistent() {
    let (mut reopened, mut saved) = (0, 0);
    for costs in [STEPS, MIXED] {
        each_problem(300..480, costs, |problem, symbolic| {
            let mut rng = SplitMix64::new(problem.seed);
            let goal = problem.goal_set(symbolic);
            let less = rng.below(4) as u64;
            let consistent = problem.estimates(symbolic, |distance| distance.saturating_sub(less));
            let random =
                problem.estimates(symbolic, |distance| rng.below(distance as usize + 1) as u64);
            for (is_consistent, mut estimate) in [(true, consistent), (false, random)] {
                for ranking in [SymbolicRanking::BDD_A_STAR, SymbolicRanking::GH] {
                    let mut goal = SymbolicGoal::set(goal.clone());
                    let found = symbolic.best_first(&mut goal, &mut estimate, ranking);
                    let found = found.expect("no limits");
                    let ranks = &found.statistics.ranks;
                    assert!(!is_consistent || ranks.is_sorted(), "{}: {ranks:?}", problem.seed);
                    reopened += usize::from(!ranks.is_sorted());
                    let expanded = found.statistics.expanded.to_u64().expect("few states");
                    saved += usize::from(expanded < problem.from_initial.len() as u64);
                    check_path(problem, found.path, "A*");
                }
            }
        });
    }
    assert!(reopened > portion(20) && saved > portion(100), "{reopened} {saved}");
}

#[test]
fn weighted_searches_keep_their_bound_and_greedy_ones_find_paths() {
    for costs in [STEPS, MIXED] {
        each_problem(500..650, costs, |problem, symbolic| {
            let mut rng = SplitMix64::new(problem.seed);
            let goal = problem.goal_set(symbolic);
            let mut lower =
                problem.estimates(symbolic, |distance| rng.below(distance as usize + 1) as u64);
            for w in [2, 5] {
                let mut goal = SymbolicGoal::set(goal.clone());
                let ranking = SymbolicRanking::weighted(w);
                let found = symbolic.best_first(&mut goal, &mut lower, ranking);
                let path = found.expect("no limits").path;
                let bound = problem.optimum().map(|cost| cost * w);
                assert_eq!(path.is_some(), bound.is_some());
                assert!(path.as_ref().map(|path| path.cost) <= bound, "{}", problem.seed);
                path.iter().for_each(|path| problem.check(path));
            }
            let mut wild = problem.estimates(symbolic, |_| rng.below(9) as u64);
            for ranking in [SymbolicRanking::GREEDY, SymbolicRanking::BDD_A_STAR] {
                let mut goal = SymbolicGoal::set(goal.clone());
                let found = symbolic.best_first(&mut goal, &mut wild, ranking);
                let path = found.expect("no limits").path;
                assert_eq!(path.is_some(), problem.optimum().is_some(), "{}", problem.seed);
                path.iter().for_each(|path| problem.check(path));
            }
        });
    }
}

#[test]
fn failing_steps_and_deadlocks_are_found_on_cheapest_paths() {
    let (mut failures, mut deadlocks) = (0, 0);
    for costs in [STEPS, MIXED] {
        each_problem(700..900, costs, |problem, symbolic| {
            let Problem { seed, system, .. } = problem;
            let expected = least_costs(system, &system.initial, costs, Reach::AllSteps).failure;
            let mut goal = SymbolicGoal::faults(system, Faults::ALL);
            let ranking = SymbolicRanking::DIJKSTRA;
            let found = symbolic.best_first(&mut goal, &mut ZeroEstimate, ranking);
            let path = found.expect("no limits").path;
            assert_eq!(path.as_ref().map(|path| path.cost), expected, "{seed}");
            if let Some(path) = path {
                let last = path.states.last().expect("it has a state");
                let step = least_costs(system, last, costs, Reach::OneStep).failure;
                assert_eq!(step.map(|step| problem.cost_of(&path) + step), expected, "{seed}");
                failures += 1;
            }
            let dead = problem
                .from_initial
                .iter()
                .filter(|(state, _)| explicit::is_deadlock(system, state));
            let dead = dead.map(|(_, cost)| *cost).min();
            let mut goal = SymbolicGoal::deadlocks();
            let found = symbolic.best_first(&mut goal, &mut ZeroEstimate, ranking);
            assert_eq!(found.expect("no limits").path.map(|path| path.cost), dead, "{seed}");
            deadlocks += usize::from(dead.is_some());
            let valid = system.valid_end.clone().expect("random systems have valid ends");
            let valid = Goal { name: String::new(), conditions: vec![valid] };
            let is_invalid = |state: &State| {
                explicit::is_deadlock(system, state) && !holds(&valid, state).expect("few outcomes")
            };
            let invalid = problem.from_initial.iter().filter(|(state, _)| is_invalid(state));
            let invalid = invalid.map(|(_, cost)| *cost).min();
            let mut goal = SymbolicGoal::invalid_ends();
            let found = symbolic.best_first(&mut goal, &mut ZeroEstimate, ranking);
            assert_eq!(found.expect("no limits").path.map(|path| path.cost), invalid, "{seed}");
            if costs.0 == 1 {
                let mut goal = SymbolicGoal::faults(system, Faults::ALL);
                let found = symbolic.breadth_first(&mut goal).expect("no limits");
                assert_eq!(found.path.map(|path| path.cost), expected, "{seed}");
            }
        });
    }
    assert!(failures > portion(50) && deadlocks > portion(20), "{failures} {deadlocks}");
}

#[test]
fn successors_and_predecessors_have_the_least_costs_of_steps() {
    each_problem(1000..1200, MIXED, |problem, symbolic| {
        let Problem { seed, system, from_initial, .. } = problem;
        let within = reached(symbolic);
        let all: BTreeSet<State> = from_initial.keys().cloned().collect();
        let some: BTreeSet<State> = all.iter().step_by(3).cloned().collect();
        let set = set_of(symbolic, &some);
        let mut held = within.held.clone();
        let found = symbolic.successors_by_cost(&set, &mut held).expect("no limits");
        assert_eq!(held, within.held);
        let mut expected: BTreeMap<State, u64> = BTreeMap::new();
        let mut before: BTreeMap<State, u64> = BTreeMap::new();
        for state in &all {
            for (next, cost) in least_costs(system, state, MIXED, Reach::OneStep).states {
                let keep = |least: &mut u64| *least = cost.min(*least);
                if some.contains(state) {
                    expected.entry(next.clone()).and_modify(keep).or_insert(cost);
                }
                if some.contains(&next) {
                    before.entry(state.clone()).and_modify(keep).or_insert(cost);
                }
            }
        }
        assert_eq!(by_state(symbolic, &found), expected, "{seed}");
        let found = symbolic.predecessors_by_cost(&set, &within).expect("no limits");
        assert_eq!(by_state(symbolic, &found), before, "{seed}");
    });
}

/// The number of each state.
pub(crate) fn by_state(symbolic: &SymbolicSystem<'_>, sets: &CostedSets) -> BTreeMap<State, u64> {
    let mut found = BTreeMap::new();
    for (value, set) in sets {
        for state in symbolic.states(set) {
            assert_eq!(found.insert(state, *value), None, "parts are disjoint");
        }
    }
    found
}
