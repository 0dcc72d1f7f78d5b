//! Reachable states of random systems: saturation, chaining and breadth-first search against a
//! fixpoint of OxiDD.

use beeline_factored::{FactorExpr, FactorId, Ranges};
use beeline_kernel::SplitMix64;
use beeline_oracles::{BddSets, BitRelation, LocalStep, NewValue, system_of};
use beeline_symbolic::{DiagramLimits, SymbolicStrategy, SymbolicSystem};
use oxidd::BooleanFunction as _;

const STRATEGIES: [SymbolicStrategy; 3] =
    [SymbolicStrategy::BreadthFirst, SymbolicStrategy::Chaining, SymbolicStrategy::Saturation];
const NO_LIMITS: &str = "there are no limits";

/// Steps between neighbours, so that there are many states with small diagrams.
fn random_steps(rng: &mut SplitMix64, length: usize, values: i32) -> Vec<LocalStep> {
    let step = |rng: &mut SplitMix64| {
        let near = |rng: &mut SplitMix64, home: usize| (home + rng.below(3)) % length;
        let home = rng.below(length);
        let mut needs = vec![(home, rng.below(values as usize) as i32)];
        if rng.below(3) > 0 {
            let other = near(rng, home);
            needs.push((other, rng.below(values as usize) as i32));
        }
        let mut sets: Vec<(usize, NewValue)> = Vec::new();
        for _ in 0..1 + rng.below(2) {
            let position = near(rng, home);
            if sets.iter().any(|(set, _)| *set == position) {
                continue;
            }
            let value = match rng.below(3) {
                0 => NewValue::Copy(near(rng, home)),
                _ => NewValue::Constant(rng.below(values as usize) as i32),
            };
            sets.push((position, value));
        }
        LocalStep { needs, sets }
    };
    let count = rng.below(2 * length + 1);
    let mut steps: Vec<LocalStep> = (0..count).map(|_| step(rng)).collect();
    // Some values grow by themselves, so that there are many states.
    for position in 0..length {
        if rng.below(6) > 0 {
            let value = rng.below(values as usize - 1) as i32;
            let sets = vec![(position, NewValue::Constant(value + 1))];
            steps.push(LocalStep { needs: vec![(position, value)], sets });
        }
    }
    steps
}

#[test]
fn reachable_states_and_deadlocks_agree() {
    let (mut is_large, mut has_deadlocks) = (0, 0);
    for seed in 0..120 {
        let mut rng = SplitMix64::new(seed);
        // Every second system is long.
        let length = if seed % 2 == 0 { 2 + rng.below(20) } else { 50 + rng.below(40) };
        let values = 2 + rng.below(3) as i32;
        let steps = random_steps(&mut rng, length, values);
        let oracle = BddSets::with_capacity(length, 2, 1 << 19);
        let relations: Vec<BitRelation> = steps.iter().map(|step| step.relation(&oracle)).collect();
        let expected = oracle.reachable(&oracle.singleton(&vec![0; length]), &relations);
        let enabled = oracle.enabled(&expected, &relations);
        let stuck = expected.and(&enabled.not().unwrap()).unwrap();
        let (place, value) = (rng.below(length), rng.below(values as usize) as i32);
        let chosen = expected.and(&oracle.value(place, value)).unwrap();
        let system = system_of(length, values, &steps);
        let ranges = Ranges::of(&system);
        for strategy in STRATEGIES {
            let mut symbolic = SymbolicSystem::new(&system, &ranges, DiagramLimits::default());
            let reached = symbolic.reachable(strategy).expect(NO_LIMITS).states.free;
            let count = symbolic.count(&reached).to_string();
            assert_eq!(count, oracle.count(&expected), "seed {seed}, {strategy:?}");
            let deadlocks = symbolic.deadlocks(&reached).expect(NO_LIMITS);
            let count = symbolic.count(&deadlocks).to_string();
            assert_eq!(count, oracle.count(&stuck), "seed {seed}, {strategy:?}");
            let condition = FactorExpr::Factor(FactorId(place as u32)).equals(value);
            let states = symbolic.states_where(&condition, &reached).expect(NO_LIMITS);
            let count = symbolic.count(&states).to_string();
            assert_eq!(count, oracle.count(&chosen), "seed {seed}, {strategy:?}");
        }
        is_large += usize::from(oracle.count(&expected).len() > 16);
        has_deadlocks += usize::from(stuck.satisfiable());
    }
    // Beyond 2^53, a floating-point count would be wrong.
    assert!(is_large > 10 && has_deadlocks > 10, "{is_large} {has_deadlocks}");
}
