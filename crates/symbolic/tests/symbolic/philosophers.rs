//! Dining philosophers with forks as bits: a system with local operators and many states.

use beeline_factored::{
    Assignment, AssignmentTarget, FactorExpr, FactorId, FactorKind, Instruction, Interval,
    Operator, Ranges, System,
};
use beeline_kernel::StepLabel;
use beeline_symbolic::{BigUint, DiagramLimits, Statistics, SymbolicStrategy, SymbolicSystem};

use crate::explicit;

/// Philosophers that take the left fork, then the right one, then put both back. Per philosopher
/// two bits and a fork.
pub(crate) fn philosophers(count: u32) -> System {
    let mut system = System::default();
    let bit = |system: &mut System, name: String| {
        system.add(name, FactorKind::Variable, Interval::TRUTH, 0)
    };
    let mut parts = Vec::new();
    for at in 0..count {
        let fork = bit(&mut system, format!("fork{at}"));
        let left = bit(&mut system, format!("left{at}"));
        let right = bit(&mut system, format!("right{at}"));
        parts.push((fork, left, right));
    }
    for at in 0..count {
        let (own, left, right) = parts[at as usize];
        let other = parts[((at + 1) % count) as usize].0;
        let mut add = |edge: u32, before: &[(FactorId, i32)], after: &[(FactorId, i32)]| {
            let require = before.iter().map(|&(factor, value)| {
                Instruction::Require(FactorExpr::Factor(factor).equals(value))
            });
            let set = after.iter().map(|&(factor, value)| Assignment {
                place: AssignmentTarget::Factor(factor),
                value: FactorExpr::Const(value),
            });
            let set = Instruction::Set(set.collect());
            let actions = require.chain([set]).collect();
            let label = StepLabel { edge, process: at };
            system.steps.push(Operator::new(format!("{at}.{edge}"), label, 1, actions));
        };
        add(0, &[(left, 0), (own, 0)], &[(left, 1), (own, 1)]);
        add(1, &[(left, 1), (right, 0), (other, 0)], &[(right, 1), (other, 1)]);
        add(2, &[(left, 1), (right, 1)], &[(left, 0), (right, 0), (own, 0), (other, 0)]);
    }
    system
}

#[test]
fn few_philosophers_have_the_states_of_an_explicit_search() {
    for count in 2..8 {
        let system = philosophers(count);
        let ranges = Ranges::of(&system);
        let expected = explicit::reachable(&system).remove(&None).expect("the initial state");
        for strategy in [
            SymbolicStrategy::BreadthFirst,
            SymbolicStrategy::Chaining,
            SymbolicStrategy::Saturation,
        ] {
            let mut symbolic = SymbolicSystem::new(&system, &ranges, DiagramLimits::default());
            let states = symbolic.reachable(strategy).expect("no limits").states.free;
            let found = symbolic.count(&states).to_u64();
            assert_eq!(found, Some(expected.len() as u64), "{count} {strategy:?}");
            let deadlocks = symbolic.deadlocks(&states).expect("no limits");
            let dead = symbolic.pick(&deadlocks).expect("all have the left fork");
            assert!(explicit::is_deadlock(&system, &dead));
            assert_eq!(symbolic.count(&deadlocks).to_u64(), Some(1));
        }
    }
}

#[test]
fn the_nodes_of_many_philosophers_grow_linearly() {
    let nodes = |count: u32| {
        let system = philosophers(count);
        let ranges = Ranges::of(&system);
        let mut symbolic = SymbolicSystem::new(&system, &ranges, DiagramLimits::default());
        // Among few philosophers, each fork concerns a large part of the levels.
        assert_eq!(symbolic.is_local(), count > 10);
        let reached = symbolic.reachable(SymbolicStrategy::Auto).expect("no limits");
        let Statistics { nodes, peak_nodes, iterations } = reached.statistics;
        assert!(nodes < 17 * count as usize, "{nodes} nodes for {count}");
        assert!(peak_nodes < 32 * count as usize, "{peak_nodes} nodes at a time for {count}");
        assert_eq!(iterations, 1);
        symbolic.count(&reached.states.free)
    };
    // The numbers of states a(n) satisfy a(n) = 2 a(n-1) + a(n-2): 82 for 5 philosophers.
    let (mut before, mut last) = (BigUint::from(2), BigUint::from(2));
    for _ in 1..250 {
        let mut next = last.clone();
        next.add(&last);
        next.add(&before);
        (before, last) = (last, next);
    }
    assert_eq!(nodes(250), last);
    assert_eq!(nodes(5).to_u64(), Some(82));
}

#[test]
fn atomic_sequences_are_saturated_like_single_operators() {
    let atomic = |count: u32| {
        let mut system = philosophers(count);
        // Behind the first fork, a philosopher goes on as long as the second one is free.
        for step in system.steps.iter_mut().filter(|step| step.label.edge == 0) {
            step.holds = Some(step.label.process);
        }
        system
    };
    let system = atomic(5);
    let ranges = Ranges::of(&system);
    let expected = explicit::reachable(&system).remove(&None).expect("the initial state");
    let mut symbolic = SymbolicSystem::new(&system, &ranges, DiagramLimits::default());
    let reached = symbolic.reachable(SymbolicStrategy::Saturation).expect("no limits");
    assert_eq!(symbolic.count(&reached.states.free).to_u64(), Some(expected.len() as u64));
    let system = atomic(40);
    let ranges = Ranges::of(&system);
    let mut symbolic = SymbolicSystem::new(&system, &ranges, DiagramLimits::default());
    let reached = symbolic.reachable(SymbolicStrategy::Saturation).expect("no limits");
    // The outer loop finds nothing that saturation has not found.
    assert_eq!(reached.statistics.iterations, 1);
    assert!(reached.states.held.iter().all(|set| !set.is_empty()));
}
