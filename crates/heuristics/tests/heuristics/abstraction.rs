//! Abstractions of systems whose labels have any number of participants, against the system
//! itself, composed by brute force.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use beeline_heuristics::merge_and_shrink::{
    Abstraction, BucketOrder, LabelReduction, LabelledComponent, LabelledComponents, LabelledEdge,
    MergeAndShrinkOptions, MergeAndShrinkSettings, MergeBudget, MergeOrder, Shortage, Shrinking,
    TAU,
};

/// Random numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        ((self.0 >> 33) % u64::from(bound)) as u32
    }
}

/// A few small components; labels with one to all of them as participants.
fn system(seed: u64) -> LabelledComponents {
    let mut numbers = Numbers(seed);
    let count = 2 + numbers.below(3);
    let participants: Vec<Vec<u32>> = (0..2 + numbers.below(4))
        .map(|_| {
            let mut who: Vec<u32> = (0..count).filter(|_| numbers.below(2) == 0).collect();
            if who.is_empty() {
                who.push(numbers.below(count));
            }
            who
        })
        .collect();
    let mut component = |number: u32| {
        let states = 2 + numbers.below(4);
        let own: Vec<u32> = (0..participants.len() as u32)
            .filter(|&label| participants[label as usize].contains(&number))
            .collect();
        let edges = (0..2 + numbers.below(8)).map(|_| {
            let choice = numbers.below(own.len() as u32 + 1) as usize;
            let label = own.get(choice).copied().unwrap_or(TAU);
            LabelledEdge { from: numbers.below(states), label, to: numbers.below(states) }
        });
        let edges = edges.collect();
        let error = (0..states).map(|_| numbers.below(3) == 0).collect();
        LabelledComponent { states: states as usize, initial: vec![0], error, edges }
    };
    let each = (0..count).map(&mut component).collect();
    LabelledComponents { each, participants }
}

/// The successors of a state of the whole system.
fn successors(system: &LabelledComponents, state: &[u32]) -> Vec<Vec<u32>> {
    let mut found = Vec::new();
    for (at, component) in system.each.iter().enumerate() {
        for edge in component.edges.iter().filter(|edge| edge.from == state[at]) {
            if edge.label == TAU {
                let mut next = state.to_vec();
                next[at] = edge.to;
                found.push(next);
            }
        }
    }
    for (label, who) in system.participants.iter().enumerate() {
        let mut partial = vec![state.to_vec()];
        for &at in who {
            let edges = &system.each[at as usize].edges;
            let own =
                edges.iter().filter(|e| e.label == label as u32 && e.from == state[at as usize]);
            partial = own
                .flat_map(|edge| {
                    partial.iter().map(|one| {
                        let mut next = one.clone();
                        next[at as usize] = edge.to;
                        next
                    })
                })
                .collect();
        }
        found.extend(partial);
    }
    found
}

/// All reachable states, with their distances to an error.
fn distances(system: &LabelledComponents) -> HashMap<Vec<u32>, Option<u32>> {
    let initial = vec![0; system.each.len()];
    let mut predecessors: HashMap<Vec<u32>, Vec<Vec<u32>>> = HashMap::new();
    predecessors.insert(initial.clone(), Vec::new());
    let mut queue = VecDeque::from([initial]);
    while let Some(state) = queue.pop_front() {
        for next in successors(system, &state) {
            if !predecessors.contains_key(&next) {
                queue.push_back(next.clone());
            }
            predecessors.entry(next).or_default().push(state.clone());
        }
    }
    let is_error = |state: &[u32]| {
        state.iter().zip(&system.each).all(|(&local, one)| one.error[local as usize])
    };
    let mut found: HashMap<Vec<u32>, Option<u32>> =
        predecessors.keys().map(|state| (state.clone(), None)).collect();
    let mut queue = VecDeque::new();
    for state in predecessors.keys().filter(|state| is_error(state)) {
        found.insert(state.clone(), Some(0));
        queue.push_back(state.clone());
    }
    while let Some(state) = queue.pop_front() {
        let depth = found[&state].expect("it has a distance") + 1;
        for before in &predecessors[&state] {
            if found[before].is_none() {
                found.insert(before.clone(), Some(depth));
                queue.push_back(before.clone());
            }
        }
    }
    found
}

fn estimates(abstraction: &Abstraction, state: &[u32]) -> Option<u32> {
    abstraction.distance(state, &mut vec![0; abstraction.nodes()])
}

/// All combinations of settings, for this n.
fn all_settings(n: usize) -> Vec<MergeAndShrinkSettings> {
    let mut all = Vec::new();
    for (order, buckets) in
        [(MergeOrder::Ranking, BucketOrder::Near), (MergeOrder::Default, BucketOrder::Far)]
    {
        for labels in [LabelReduction::Apart, LabelReduction::Combined] {
            for shrink in [Shrinking::Buckets, Shrinking::Bisimulation] {
                all.push(MergeAndShrinkSettings { n, order, buckets, labels, shrink });
            }
        }
    }
    all
}

#[test]
fn with_room_for_every_state_distances_are_true() {
    let (mut finite, mut dead) = (0, 0);
    for seed in 0..400 {
        let system = system(seed);
        let truths = distances(&system);
        for settings in all_settings(10_000) {
            let abstraction = Abstraction::new(&system, settings.into());
            assert!(abstraction.is_whole());
            for (state, &truth) in &truths {
                assert_eq!(estimates(&abstraction, state), truth, "seed {seed}, {state:?}");
                finite += usize::from(truth.is_some());
                dead += usize::from(truth.is_none());
            }
        }
    }
    assert!(finite > 500 && dead > 500, "{finite} and {dead}");
}

/// Checks the claims of an abstraction; returns the sum of its estimates, with a dead end as 10.
fn is_consistent(
    system: &LabelledComponents,
    truths: &HashMap<Vec<u32>, Option<u32>>,
    abstraction: &Abstraction,
    what: &str,
) -> u32 {
    let mut informed = 0;
    for (state, &truth) in truths {
        let estimate = estimates(abstraction, state);
        let what = format!("{what}, {state:?}: {estimate:?}, {truth:?}");
        match (estimate, truth) {
            (None, truth) => assert_eq!(truth, None, "{what}"),
            (Some(h), Some(truth)) => assert!(h <= truth, "{what}"),
            (Some(_), None) => {}
        }
        for next in successors(system, state) {
            match (estimate, estimates(abstraction, &next)) {
                (_, None) => {}
                (None, Some(_)) => panic!("{what}: not dead"),
                (Some(h), Some(next)) => assert!(h <= next + 1, "{what}"),
            }
        }
        informed += estimate.unwrap_or(10);
    }
    informed
}

#[test]
fn with_less_room_they_are_consistent() {
    for seed in 0..400 {
        let system = system(seed);
        let truths = distances(&system);
        for n in [1, 3, 6] {
            for settings in all_settings(n) {
                for work in [30, u64::MAX] {
                    let budget = MergeBudget { work, ..MergeBudget::AMPLE };
                    let abstraction =
                        Abstraction::new(&system, MergeAndShrinkOptions { settings, budget });
                    let what = format!("seed {seed}, {settings:?}");
                    is_consistent(&system, &truths, &abstraction, &what);
                }
            }
        }
    }
}

/// When any limit is reached, the intermediate result is used.
#[test]
fn without_bytes_or_time_they_are_consistent() {
    let budgets = [
        MergeBudget::seconds(Duration::ZERO),
        MergeBudget { bytes: 0, ..MergeBudget::AMPLE },
        MergeBudget { bytes: 1_000, ..MergeBudget::AMPLE },
        MergeBudget { bytes: 5_000, ..MergeBudget::seconds(Duration::MAX) },
        MergeBudget { bytes: 20_000, ..MergeBudget::QUICK },
    ];
    let mut cut = [0; 5];
    let mut informed = [0; 5];
    for seed in 0..400 {
        let system = system(seed);
        let truths = distances(&system);
        for settings in all_settings(6) {
            for (at, &budget) in budgets.iter().enumerate() {
                let abstraction =
                    Abstraction::new(&system, MergeAndShrinkOptions { settings, budget });
                let what = format!("seed {seed}, {settings:?}, {budget:?}");
                informed[at] += is_consistent(&system, &truths, &abstraction, &what);
                let short_of = if at == 0 { Shortage::Time } else { Shortage::Bytes };
                assert!(abstraction.shortage().is_none_or(|one| one == short_of), "{what}");
                cut[at] += usize::from(!abstraction.is_whole());
            }
            // A random time limit.
            let budget = MergeBudget::seconds(Duration::from_micros(seed % 50));
            let abstraction = Abstraction::new(&system, MergeAndShrinkOptions { settings, budget });
            is_consistent(&system, &truths, &abstraction, &format!("seed {seed}, {budget:?}"));
        }
    }
    // A larger limit allows more compositions, and better estimates. Distances of single components
    // are available in any case.
    assert!(cut[0] == cut[1] && cut[0] > 1_000, "{cut:?}");
    assert!(cut[1..].is_sorted_by(|less, more| less > more), "{cut:?}");
    assert!(informed[0] == informed[1] && informed[0] > 10_000, "{informed:?}");
    assert!(informed[1..].is_sorted() && informed[4] > informed[1], "{cut:?} {informed:?}");
}

/// The same system with each state s of a component duplicated as 2s and 2s + 1.
fn doubled(system: &LabelledComponents, seed: u64) -> LabelledComponents {
    let mut numbers = Numbers(seed);
    let mut copy = |component: &LabelledComponent| {
        let both = |edge: &LabelledEdge| {
            [0, 1].map(|one| LabelledEdge { from: 2 * edge.from + one, ..*edge })
        };
        let edges = component.edges.iter().flat_map(both);
        let edges =
            edges.map(|edge| LabelledEdge { to: 2 * edge.to + numbers.below(2), ..edge }).collect();
        let error = component.error.iter().flat_map(|&error| [error; 2]).collect();
        LabelledComponent { states: 2 * component.states, initial: vec![0], error, edges }
    };
    let each = system.each.iter().map(&mut copy).collect();
    LabelledComponents { each, participants: system.participants.clone() }
}

#[test]
fn bisimilar_states_are_one_and_leave_less_to_compose() {
    let (mut work, mut bytes) = ([0, 0], [0, 0]);
    for seed in 0..400 {
        let system = system(seed);
        let twice = doubled(&system, seed);
        let states: Vec<Vec<u32>> = distances(&twice).into_keys().collect();
        for n in [1, 3, 6, 100] {
            let settings = MergeAndShrinkSettings {
                n,
                shrink: Shrinking::Bisimulation,
                ..MergeAndShrinkSettings::default()
            };
            let single = Abstraction::new(&system, settings.into());
            let of_two = Abstraction::new(&twice, settings.into());
            for state in &states {
                let halves: Vec<u32> = state.iter().map(|local| local / 2).collect();
                let (one, two) = (estimates(&single, &halves), estimates(&of_two, state));
                assert_eq!(one, two, "seed {seed}, n {n}, {state:?}");
            }
            let settings = MergeAndShrinkSettings { shrink: Shrinking::Buckets, ..settings };
            let without = Abstraction::new(&twice, settings.into());
            work = [work[0] + of_two.work(), work[1] + without.work()];
            bytes = [bytes[0] + of_two.bytes(), bytes[1] + without.bytes()];
        }
    }
    assert!(work[0] < work[1], "{work:?}");
    assert!(bytes[0] < bytes[1], "{bytes:?}");
}

/// A work limit ends composing; the intermediate result is used, with little more work.
#[test]
fn bounds_on_work_and_memory_are_kept() {
    let (mut cut, mut informed) = (0, 0);
    for seed in 0..400 {
        let system = system(seed);
        let all = Abstraction::new(&system, MergeAndShrinkSettings::default().into());
        let most = all.work() / 2;
        let pairs = 30;
        let budget = MergeBudget { work: most, pairs, ..MergeBudget::AMPLE };
        let options = MergeAndShrinkOptions { settings: MergeAndShrinkSettings::default(), budget };
        let abstraction = Abstraction::new(&system, options);
        // Only the composition that reaches the limit exceeds it.
        let one = 40 * pairs as u64;
        assert!(abstraction.work() <= most + one, "seed {seed}: {} of {most}", abstraction.work());
        cut += usize::from(!abstraction.is_whole());
        for (state, truth) in distances(&system) {
            let estimate = estimates(&abstraction, &state);
            let number = |far: Option<u32>| far.unwrap_or(u32::MAX);
            assert!(number(estimate) <= number(truth), "seed {seed}, {state:?}");
            informed += usize::from(estimate != Some(0));
        }
    }
    assert!(cut > 50 && informed > 1_000, "{cut} and {informed}");
}
