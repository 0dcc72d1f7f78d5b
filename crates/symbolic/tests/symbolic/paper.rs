//! The example of [EMJ05], "Symbolic Search", and the bound on the iterations of gh-search.

use beeline_factored::{
    Assignment, AssignmentTarget, FactorExpr, FactorId, FactorKind, Instruction, Interval,
    Operator, Ranges, System,
};
use beeline_kernel::{SplitMix64, StepLabel};
use beeline_symbolic::{
    DiagramLimits, EstimateRelation, Set, SymbolicGoal, SymbolicOutcome, SymbolicRanking,
    SymbolicSystem, ZeroEstimate,
};

/// An undirected graph: the number of the node is the only factor.
fn graph(nodes: i32, edges: &[(i32, i32)]) -> System {
    let mut system = System::default();
    let domain = Interval { least: 0, greatest: i64::from(nodes) - 1 };
    let node = system.add("node".to_owned(), FactorKind::Variable, domain, 0);
    let both = edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
    for (edge, (from, to)) in (0..).zip(both) {
        let is_there = FactorExpr::Factor(node).equals(from);
        let place = AssignmentTarget::Factor(node);
        let go = Assignment { place, value: FactorExpr::Const(to) };
        let actions = vec![Instruction::Require(is_there), Instruction::Set(vec![go])];
        let label = StepLabel { edge, process: 0 };
        system.steps.push(Operator::new(format!("{from} {to}"), label, 1, actions));
    }
    system
}

fn at_nodes(symbolic: &mut SymbolicSystem<'_>, nodes: impl IntoIterator<Item = i32>) -> Set {
    let mut all = symbolic.forest().empty();
    for node in nodes {
        let one = symbolic.singleton(&[node]).expect("no limits");
        all = symbolic.forest().union(&all, &one).expect("no limits");
    }
    all
}

/// A search for the last node with an estimate for each node.
fn search(system: &System, estimates: &[u64], ranking: SymbolicRanking) -> SymbolicOutcome {
    let ranges = Ranges::of(system);
    let mut symbolic = SymbolicSystem::new(system, &ranges, DiagramLimits::default());
    let most = estimates.iter().max().copied().unwrap_or(0);
    let mut values = Vec::new();
    for value in 0..=most {
        let nodes = (0..).zip(estimates).filter(|(_, one)| **one == value).map(|(node, _)| node);
        values.push((value, at_nodes(&mut symbolic, nodes)));
    }
    let goal = at_nodes(&mut symbolic, [estimates.len() as i32 - 1]);
    let mut estimate = EstimateRelation::new(values);
    let result = symbolic.best_first(&mut SymbolicGoal::set(goal), &mut estimate, ranking);
    result.expect("no limits")
}

#[test]
fn the_example_has_the_optimum_and_the_f_values_of_the_paper() {
    let system = graph(4, &[(0, 1), (1, 2), (2, 3)]);
    let estimates = [1, 1, 0, 0];
    for ranking in [SymbolicRanking::BDD_A_STAR, SymbolicRanking::GH] {
        let outcome = search(&system, &estimates, ranking);
        let path = outcome.path.expect("the error is reachable");
        assert_eq!(path.cost, 3);
        assert_eq!(path.states, [[0], [1], [2], [3]].map(Vec::from));
        assert_eq!(outcome.statistics.ranks, [1, 2, 2, 3]);
        // d·h(s) + h(s) + d²/4 with h(s) = 1 and d = 3 - 1.
        assert!(outcome.statistics.iterations <= 2 + 1 + 1);
        assert_eq!(outcome.statistics.expanded.to_u64(), Some(3));
    }
}

#[test]
fn gh_search_has_at_most_the_iterations_of_the_paper() {
    let mut most_used = 0;
    for seed in 0..300 {
        let mut rng = SplitMix64::new(seed);
        let nodes = 4 + rng.below(30) as i32;
        let mut edges: Vec<(i32, i32)> =
            (1..nodes).map(|node| ((node - 1 - rng.below(2) as i32).max(0), node)).collect();
        for _ in 0..rng.below(6) {
            let from = rng.below(nodes as usize) as i32;
            edges.push((from, (from + 2).min(nodes - 1)));
        }
        let distances = distances_to(nodes - 1, nodes, &edges);
        // Consistent, and 0 at the goal only: distances to a set around the goal, at least 1.
        let less = rng.below(6) as u64;
        let goal = nodes as usize - 1;
        let estimates: Vec<u64> = (distances.iter().enumerate())
            .map(|(node, d)| if node == goal { 0 } else { d.saturating_sub(less).max(1) })
            .collect();
        let outcome = search(&graph(nodes, &edges), &estimates, SymbolicRanking::GH);
        let (shortest, h) = (distances[0], estimates[0]);
        assert_eq!(outcome.path.map(|path| path.cost), Some(shortest), "{seed}");
        let d = shortest - h;
        let bound = d * h + h + d * d / 4;
        let used = outcome.statistics.iterations as u64 - 1;
        assert!(used <= bound, "{seed}: {used} iterations, bound {bound}");
        most_used = most_used.max(used);
    }
    assert!(most_used > 20, "the bound was hardly tested: {most_used}");
}

fn distances_to(goal: i32, nodes: i32, edges: &[(i32, i32)]) -> Vec<u64> {
    let mut found = vec![u64::MAX; nodes as usize];
    found[goal as usize] = 0;
    let mut layer = vec![goal];
    for distance in 1.. {
        let near = |node: i32| {
            let both = edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
            both.filter(move |(from, _)| *from == node).map(|(_, to)| to)
        };
        let mut next: Vec<i32> = layer.iter().flat_map(|&node| near(node)).collect();
        next.retain(|&node| found[node as usize] == u64::MAX);
        next.iter().for_each(|&node| found[node as usize] = distance);
        layer = next;
        if layer.is_empty() {
            break;
        }
    }
    found
}

#[test]
fn an_unreachable_goal_is_an_answer() {
    let system = graph(4, &[(0, 1), (1, 2)]);
    let ranges = Ranges::of(&system);
    let mut symbolic = SymbolicSystem::new(&system, &ranges, DiagramLimits::default());
    let mut goal = SymbolicGoal::states(|system, set| {
        let there = FactorExpr::Factor(FactorId(0)).equals(3);
        system.states_where(&there, set)
    });
    for ranking in [SymbolicRanking::DIJKSTRA, SymbolicRanking::GH, SymbolicRanking::GREEDY] {
        let found = symbolic.best_first(&mut goal, &mut ZeroEstimate, ranking).expect("no limits");
        assert_eq!(found.path, None);
        assert_eq!(found.statistics.expanded.to_u64(), Some(3));
    }
    let found = symbolic.breadth_first(&mut goal).expect("no limits");
    assert_eq!((found.path, found.statistics.iterations), (None, 3));
}
