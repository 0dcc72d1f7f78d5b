//! A path leads from the initial state, by existing moves, to its target.

use beeline_kernel::{Expansion, Space, StateId};
use beeline_search::{Exploration, ExplorationOptions, ExplorationOrder, Progress, SliceBudget};

use crate::toys::{Graph, Grid, ORDERS, explore, random_graphs};

fn check_path<S: Space>(space: &S, exploration: &Exploration<'_>, state: StateId) {
    let path = exploration.path_to(state);
    assert_eq!(path.last(), Some(&state));
    let mut initial = Vec::new();
    space.initial(&mut initial).expect("toys do not fail at once");
    assert_eq!(exploration.state(path[0]), initial);
    let mut expansion = Expansion::default();
    for pair in path.windows(2) {
        space.expand(&exploration.state(pair[0]), &mut expansion);
        let next = exploration.state(pair[1]);
        assert!(expansion.states().any(|successor| successor == next));
    }
}

fn all_states(exploration: &Exploration<'_>) -> impl Iterator<Item = StateId> {
    (0..exploration.stats().stored as usize).map(|index| StateId::new(index).expect("few states"))
}

#[test]
fn each_pair_of_a_path_is_a_move() {
    let grid = Grid { counters: 3, top: 4 };
    for order in ORDERS {
        let mut exploration =
            explore(&grid, ExplorationOptions { order, ..ExplorationOptions::default() });
        exploration.finish();
        all_states(&exploration).for_each(|state| check_path(&grid, &exploration, state));
        for graph in random_graphs() {
            let mut exploration =
                explore(&graph, ExplorationOptions { order, ..ExplorationOptions::default() });
            exploration.finish();
            all_states(&exploration).for_each(|state| check_path(&graph, &exploration, state));
        }
    }
}

#[test]
fn paths_are_valid_at_every_pause() {
    for graph in random_graphs().take(8) {
        for order in ORDERS {
            let mut exploration =
                explore(&graph, ExplorationOptions { order, ..ExplorationOptions::default() });
            while exploration.advance(SliceBudget::expansions(3)) == Progress::Paused {
                all_states(&exploration).for_each(|state| check_path(&graph, &exploration, state));
            }
        }
    }
}

#[test]
fn breadth_first_paths_are_shortest() {
    for graph in random_graphs() {
        let distances = graph.distances();
        let mut exploration = explore(&graph, ExplorationOptions::default());
        exploration.finish();
        for state in all_states(&exploration) {
            let node = Graph::node(&exploration.state(state));
            assert_eq!(exploration.path_to(state).len() - 1, distances[&node]);
        }
    }
}

#[test]
fn depth_first_paths_are_the_stack() {
    for graph in random_graphs() {
        let mut exploration = explore(
            &graph,
            ExplorationOptions { order: ExplorationOrder::Depth, ..ExplorationOptions::default() },
        );
        exploration.finish();
        let states: Vec<StateId> = all_states(&exploration).collect();
        for (node, depth) in graph.preorder() {
            let is_it = |&&state: &&StateId| Graph::node(&exploration.state(state)) == node;
            let state = *states.iter().find(is_it).unwrap();
            assert_eq!(exploration.path_to(state).len() as u64 - 1, depth);
        }
    }
}
