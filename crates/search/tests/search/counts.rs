//! Every order has the same, correct counts.

use std::collections::HashMap;
use std::sync::Mutex;

use beeline_kernel::{Expansion, Fault, Space};
use beeline_search::{ExplorationOptions, ExplorationOrder, Outcome, Search as _, Stats};

use crate::toys::{Graph, Grid, ORDERS, assertion, explore, line, random_graphs};

fn complete<S: Space>(space: &S, order: ExplorationOrder) -> Stats {
    let mut exploration =
        explore(space, ExplorationOptions { order, ..ExplorationOptions::default() });
    assert_eq!(exploration.finish(), Outcome::Complete);
    let stats = exploration.stats();
    assert_eq!(stats.expanded, stats.stored);
    assert_eq!(stats.generated + 1, stats.transitions());
    assert_eq!(stats.transitions(), stats.stored + stats.matched);
    assert!(stats.store_bytes as usize <= exploration.bytes());
    stats
}

#[test]
fn a_grid_has_as_many_states_as_the_formula_says() {
    for (counters, top) in [(1, 0), (1, 9), (2, 5), (3, 1), (5, 4), (12, 1)] {
        let grid = Grid { counters, top };
        for order in ORDERS {
            let stats = complete(&grid, order);
            assert_eq!(stats.stored, grid.stored());
            assert_eq!(stats.transitions(), grid.transitions());
            assert_eq!(stats.atomic_steps, grid.transitions() - 1);
            assert_eq!(stats.errors, 1);
            assert_eq!(stats.state_bytes, counters as u64);
            assert_eq!(stats.depth, grid.diameter());
        }
    }
}

#[test]
fn a_random_graph_is_counted_alike_in_every_order() {
    for graph in random_graphs() {
        let distances = graph.distances();
        let nodes = || distances.keys().copied();
        let edges: usize = nodes().map(|node| graph.edges[node as usize].len()).sum();
        let dead_ends = nodes().filter(|&node| graph.edges[node as usize].is_empty()).count();
        let faults: usize = nodes().map(|node| graph.faults.get(&node).map_or(0, Vec::len)).sum();
        let longest = nodes().map(|node| 4 + u64::from(node) % 7).max();
        for order in ORDERS {
            let stats = complete(&graph, order);
            assert_eq!(stats.stored, distances.len() as u64);
            assert_eq!(stats.transitions(), edges as u64 + 1);
            assert_eq!(stats.errors, (dead_ends + faults) as u64);
            assert_eq!(Some(stats.state_bytes), longest);
        }
    }
}

/// Records the expanded states.
struct Watched<'a> {
    graph: &'a Graph,
    expanded: Mutex<Vec<u32>>,
}

impl Space for Watched<'_> {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        self.graph.initial(state)
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        self.expanded.lock().expect("one thread").push(Graph::node(state));
        self.graph.expand(state, expansion);
    }
}

fn expanded(graph: &Graph, order: ExplorationOrder) -> (Vec<u32>, u64) {
    let watched = Watched { graph, expanded: Mutex::default() };
    let depth = complete(&watched, order).depth;
    (watched.expanded.into_inner().expect("one thread"), depth)
}

#[test]
fn depth_first_goes_where_the_recursive_search_goes() {
    for graph in random_graphs() {
        let preorder = graph.preorder();
        let (nodes, depth) = expanded(&graph, ExplorationOrder::Depth);
        assert_eq!(nodes, preorder.iter().map(|&(node, _)| node).collect::<Vec<u32>>());
        assert_eq!(Some(depth), preorder.iter().map(|&(_, depth)| depth).max());
    }
}

/// With many states, some are expanded speculatively, and a prediction may be wrong. The results
/// must not depend on it.
#[test]
fn depth_first_goes_there_too_when_it_guesses() {
    const SIDE: u32 = 600;
    let edges = (0..SIDE * SIDE).map(|node| {
        let right = (node % SIDE + 1 < SIDE).then_some(node + 1);
        let down = (node + SIDE < SIDE * SIDE).then_some(node + SIDE);
        let ways = if node % 37 == 0 { [down, right] } else { [right, down] };
        ways.into_iter().flatten().collect()
    });
    let mut graph = Graph::new(edges.collect());
    let failing = (0..SIDE * SIDE).step_by(1789).enumerate();
    graph.faults.extend(failing.map(|(site, node)| (node, vec![assertion(site as u32)])));
    let watched = Watched { graph: &graph, expanded: Mutex::default() };
    let mut exploration = explore(
        &watched,
        ExplorationOptions {
            order: ExplorationOrder::Depth,
            keep: 1,
            ..ExplorationOptions::default()
        },
    );
    assert_eq!(exploration.finish(), Outcome::Complete);
    let (stats, expected) = (exploration.stats(), graph.preorder());
    assert_eq!((stats.stored, stats.expanded), (graph.edges.len() as u64, stats.stored));
    assert_eq!(Some(stats.depth), expected.iter().map(|&(_, depth)| depth).max());
    let depths: HashMap<u32, u64> = expected.into_iter().collect();
    let mut met = 0;
    for (hit, finding) in exploration.findings().iter().enumerate() {
        let path = exploration.path(hit);
        let node = Graph::node(path.last().expect("a path has its end"));
        assert_eq!(path.len() as u64 - 1, depths[&node], "{finding:?}");
        met += usize::from(graph.faults.contains_key(&node));
    }
    assert_eq!(met, graph.faults.len());
    let expanded = watched.expanded.lock().expect("one thread").len() as u64;
    assert!(expanded > stats.stored, "it guesses, and is wrong at least once");
}

#[test]
fn breadth_first_goes_by_distance() {
    for graph in random_graphs() {
        let distances = graph.distances();
        let (nodes, depth) = expanded(&graph, ExplorationOrder::Breadth);
        assert!(nodes.is_sorted_by_key(|node| distances[node]));
        assert_eq!(depth as usize, *distances.values().max().unwrap());
    }
}

#[test]
fn random_depth_first_follows_its_seed() {
    let graph = Graph::random(3, 500, 4);
    let with = |seed| expanded(&graph, ExplorationOrder::RandomDepth { seed }).0;
    assert_eq!(with(1), with(1));
    assert_ne!(with(1), with(2));
    assert_ne!(with(1), expanded(&graph, ExplorationOrder::Depth).0);
}

#[test]
fn takes_a_huge_fan_out() {
    const LEAVES: u32 = 300_000;
    // Two edges to each leaf, and one back from each leaf.
    let mut edges = vec![(1..=LEAVES).chain(1..=LEAVES).collect()];
    edges.resize(LEAVES as usize + 1, vec![0]);
    let graph = Graph::new(edges);
    for order in ORDERS {
        let stats = complete(&graph, order);
        assert_eq!(stats.stored, u64::from(LEAVES) + 1);
        assert_eq!(stats.transitions(), 1 + 3 * u64::from(LEAVES));
        assert_eq!((stats.depth, stats.errors), (1, 0));
    }
}

#[test]
fn takes_a_huge_depth() {
    let line = line(300_000);
    for order in ORDERS {
        assert_eq!(complete(&line, order).depth, 300_000);
    }
}

#[test]
fn takes_a_single_state_with_a_loop() {
    let graph = Graph::new(vec![vec![0, 0]]);
    for order in ORDERS {
        let stats = complete(&graph, order);
        assert_eq!((stats.stored, stats.matched, stats.errors, stats.depth), (1, 2, 0, 0));
    }
}
