//! Graphs with edges of different numbers of steps and with errors, heuristics of every kind, and
//! the true distances from a search of a dozen lines.

use std::collections::HashMap;

use beeline_kernel::{
    Claims, Cost, Estimate, Expansion, Fault, FaultTransition, Heuristic, Space, StatePath,
};
use beeline_search::{
    FindingKind, Hit, Outcome, Progress, Search, SearchTarget, SliceBudget, Stats,
};

use crate::toys::assertion;

/// A directed graph. Node 0 is the initial state; a state is the number of its node.
#[derive(Clone, Default)]
pub(crate) struct Roads {
    /// For each node its successors, with their steps.
    pub(crate) edges: Vec<Vec<(u32, u32)>>,
    /// Failing assertions after a node: steps and site.
    pub(crate) faults: HashMap<u32, Vec<(u32, u32)>>,
    /// The nodes that violate an invariant, with its number.
    pub(crate) broken: HashMap<u32, u32>,
    /// The deadlocks. They may have edges nevertheless.
    pub(crate) stuck: Vec<u32>,
}

/// Random numbers: Knuth's MMIX generator, with its upper half.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(0xb5);
        (((self.0 >> 32) * u64::from(bound)) >> 32) as u32
    }
}

/// The state of a node.
pub(crate) fn state(node: u32) -> Vec<u8> {
    node.to_le_bytes().to_vec()
}

/// The node of a state.
pub(crate) fn node(state: &[u8]) -> u32 {
    u32::from_le_bytes(state.try_into().expect("four bytes"))
}

impl Roads {
    /// Edges of one step each.
    pub(crate) fn plain(edges: &[&[u32]]) -> Roads {
        let edges = edges.iter().map(|to| to.iter().map(|&node| (node, 1)).collect());
        Roads { edges: edges.collect(), ..Roads::default() }
    }

    /// A graph with some errors of all kinds. Edges take up to `steps` steps.
    pub(crate) fn random(seed: u64, nodes: u32, degree: u32, steps: u32) -> Roads {
        let mut dice = Dice(seed);
        let edges = (0..nodes).map(|node| {
            let count = if node == 0 { 3 } else { 1 + dice.below(degree) };
            // Most edges lead to near nodes, so that distances are large.
            let mut target = || match dice.below(4) {
                0 => dice.below(nodes),
                _ => (node + dice.below(9)).saturating_sub(3).min(nodes - 1),
            };
            let targets: Vec<u32> = (0..count).map(|_| target()).collect();
            targets.into_iter().map(|to| (to, 1 + dice.below(steps))).collect()
        });
        let mut roads = Roads { edges: edges.collect(), ..Roads::default() };
        for _ in 0..1 + nodes / 40 {
            let faults = vec![(1 + dice.below(steps), dice.below(3))];
            roads.faults.insert(dice.below(nodes), faults);
            roads.broken.insert(dice.below(nodes), dice.below(2));
            roads.stuck.push(dice.below(nodes));
        }
        roads
    }

    /// The cost of a target from each node; `None` if none is reachable.
    pub(crate) fn distances(&self, target: SearchTarget) -> Vec<Option<u32>> {
        let mut distances: Vec<Option<u32>> = (0..self.edges.len() as u32)
            .map(|node| {
                let mut expansion = Expansion::default();
                self.expand(&state(node), &mut expansion);
                let stuck = expansion.deadlock && target.includes(FindingKind::Deadlock);
                let mut broken =
                    expansion.violated_invariants.iter().map(|&n| FindingKind::Invariant(n));
                if stuck || broken.any(|kind| target.includes(kind)) {
                    return Some(0);
                }
                let faults = expansion.faults.iter();
                let wanted = faults.filter(|f| target.includes(FindingKind::Fault(f.fault)));
                wanted.map(|failure| failure.steps).min()
            })
            .collect();
        // Bellman and Ford, until a fixpoint.
        loop {
            let before = distances.clone();
            for (from, edges) in self.edges.iter().enumerate() {
                for &(to, steps) in edges {
                    if let Some(behind) = distances[to as usize] {
                        let here = &mut distances[from];
                        *here = Some(here.map_or(behind + steps, |h| h.min(behind + steps)));
                    }
                }
            }
            if distances == before {
                return distances;
            }
        }
    }
}

impl Space for Roads {
    fn initial(&self, initial: &mut Vec<u8>) -> Result<(), Fault> {
        *initial = state(0);
        Ok(())
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        let node = node(state);
        expansion.clear();
        for &(to, steps) in &self.edges[node as usize] {
            expansion.push_with_cost(steps, &self::state(to));
        }
        let faults = self.faults.get(&node).into_iter().flatten();
        expansion
            .faults
            .extend(faults.map(|&(steps, site)| FaultTransition { fault: assertion(site), steps }));
        expansion.violated_invariants.extend(self.broken.get(&node));
        expansion.deadlock = self.stuck.contains(&node);
    }
}

/// A heuristic with given estimates.
#[derive(Clone)]
pub(crate) struct Oracle {
    pub(crate) estimates: Vec<Estimate>,
    pub(crate) claims: Claims,
}

impl Oracle {
    /// Finite estimates, without claims.
    pub(crate) fn numbers(numbers: &[u32]) -> Oracle {
        let estimates = numbers.iter().map(|&h| Estimate::Finite(Cost(h))).collect();
        Oracle { estimates, claims: Claims::NONE }
    }

    /// The true distances, changed by `change` where they are finite.
    pub(crate) fn from_truth(
        roads: &Roads,
        target: SearchTarget,
        claims: Claims,
        mut change: impl FnMut(u32) -> u32,
    ) -> Oracle {
        let mut estimate = |distance: Option<u32>| {
            distance.map_or(Estimate::DeadEnd, |d| Estimate::Finite(Cost(change(d))))
        };
        let distances = roads.distances(target);
        Oracle { estimates: distances.into_iter().map(&mut estimate).collect(), claims }
    }

    pub(crate) fn boxed(&self) -> Box<dyn Heuristic> {
        Box::new(self.clone())
    }
}

impl Heuristic for Oracle {
    fn name(&self) -> &str {
        "oracle"
    }

    fn claims(&self) -> Claims {
        self.claims
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        self.estimates[node(state) as usize]
    }
}

/// Heuristics with their claims: perfect, admissible (and inconsistent), halved, which is
/// consistent, and arbitrary.
pub(crate) fn oracles(roads: &Roads, target: SearchTarget, seed: u64) -> Vec<Oracle> {
    let mut dice = Dice(seed);
    let admissible = Claims { consistent: false, ..Claims::ALL };
    let mut nonsense = |_: u32| dice.below(30);
    let wild = Oracle::from_truth(roads, target, Claims::NONE, &mut nonsense);
    let mut lower = |d: u32| if dice.below(2) == 0 { d } else { dice.below(d + 1) };
    vec![
        Oracle::from_truth(roads, target, Claims::ALL, |d| d),
        Oracle::from_truth(roads, target, Claims::ALL, |d| d / 2),
        Oracle::from_truth(roads, target, admissible, &mut lower),
        wild,
    ]
}

/// Graphs of all densities, with edges of one step and of several.
pub(crate) fn random_roads() -> impl Iterator<Item = Roads> {
    (1..=30).map(|seed| {
        Roads::random(seed, 10 + 9 * seed as u32, 2 + seed as u32 % 4, 1 + seed as u32 % 5)
    })
}

/// The targets of the tests.
pub(crate) const TARGETS: [SearchTarget; 4] = [
    SearchTarget::DEADLOCK,
    SearchTarget::FAULT,
    SearchTarget { invariants: beeline_search::Invariants::Only(1), ..SearchTarget::NOTHING },
    SearchTarget::ANYTHING,
];

/// Follows the path of each hit, and returns its cost.
pub(crate) fn check_paths(roads: &Roads, target: SearchTarget, search: &dyn Search) -> Vec<u32> {
    let check = |(at, hit): (usize, Hit)| {
        assert!(target.includes(hit.kind), "{:?}", hit.kind);
        let path = search.path(at);
        assert_eq!(path.first(), Some(&*state(0)));
        let mut expansion = Expansion::default();
        let mut cost = 0;
        let mut pairs = path.pairs();
        while let Some((from, to)) = pairs.advance() {
            roads.expand(from, &mut expansion);
            let ways = (0..expansion.len()).filter(|&at| expansion.state(at) == to);
            cost += ways.map(|at| expansion.steps(at)).min().expect("a move that exists");
        }
        roads.expand(path.last().expect("not empty"), &mut expansion);
        match hit.kind {
            FindingKind::Deadlock => assert!(expansion.deadlock),
            FindingKind::Invariant(number) => {
                assert!(expansion.violated_invariants.contains(&number))
            }
            FindingKind::Fault(fault) => {
                let failures = expansion.faults.iter().filter(|f| f.fault == fault);
                cost += failures.map(|f| f.steps).min().expect("a fault that exists");
            }
        }
        assert_eq!(hit.cost, Some(Cost(cost)));
        cost
    };
    let costs: Vec<u32> = search.hits().into_iter().enumerate().map(check).collect();
    let bound = search.lower_bound().0;
    if let Some(truth) = roads.distances(target)[0] {
        assert!(bound <= truth, "nothing is cheaper than {bound}, says the search: {truth} is");
    }
    costs
}

/// All observable results of a search.
pub(crate) type Seen = (Outcome, Stats, Vec<Hit>, Vec<StatePath>, Cost);

/// Runs a search in slices, and checks that they end in time.
pub(crate) fn in_slices(search: &mut dyn Search, slice: u64) -> Seen {
    loop {
        let before = search.stats().expanded;
        let progress = search.advance(SliceBudget::expansions(slice));
        let expanded = search.stats().expanded - before;
        match progress {
            Progress::Paused => assert_eq!(expanded, slice),
            Progress::Done(outcome) => {
                assert!(expanded <= slice);
                assert_eq!(search.advance(SliceBudget::UNLIMITED), Progress::Done(outcome));
                let hits = search.hits();
                let paths = (0..hits.len()).map(|hit| search.path(hit)).collect();
                return (outcome, search.stats(), hits, paths, search.lower_bound());
            }
        }
    }
}

/// Makes the same search several times, and runs it in slices of all sizes.
pub(crate) fn check_slices<'a>(make: impl Fn() -> Box<dyn Search + 'a>) -> Seen {
    let whole = in_slices(&mut *make(), u64::MAX);
    for slice in [1, 7, 1000] {
        assert_eq!(in_slices(&mut *make(), slice), whole);
    }
    whole
}

/// A grid where node `width * y + x` has edges to the right and down; the last node is a deadlock.
pub(crate) fn city(width: u32) -> Roads {
    let edges = (0..width * width).map(|at| {
        let right = (at % width + 1 < width).then_some((at + 1, 1));
        let down = (at / width + 1 < width).then_some((at + width, 1));
        right.into_iter().chain(down).collect()
    });
    Roads { edges: edges.collect(), stuck: vec![width * width - 1], ..Roads::default() }
}
