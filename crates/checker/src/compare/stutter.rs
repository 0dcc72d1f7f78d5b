//! Stuttering: steps that keep the observation are silent.
//!
//! An answer is then a path whose states have the same observation, except perhaps for the last
//! one. With these paths as steps, the strong relations become the weak ones of process algebra,
//! which are blind to divergence: to keep an observation for ever needs no answer.

use std::collections::{HashMap, VecDeque};

use beeline_kernel::Stop;

use super::meter::Meter;
use super::observed_graph::ObservedGraph;

/// The graph with paths of silent steps, and perhaps another step after them, as steps.
///
/// # Errors
///
/// When a limit is reached.
pub(super) fn saturated(
    graph: &ObservedGraph,
    meter: &mut Meter<'_>,
) -> Result<ObservedGraph, Stop> {
    let mut all = ObservedGraph::default();
    // For each state the last one from which it was reached, plus one.
    let mut reached_from = vec![0; graph.len()];
    for start in graph.states() {
        let mut reached = vec![start];
        reached_from[start as usize] = start + 1;
        let mut at = 0;
        while at < reached.len() {
            let state = reached[at];
            at += 1;
            meter.work(all.bytes() + 4 * (reached_from.len() + reached.capacity()))?;
            if graph.observation(state) != graph.observation(start) {
                continue;
            }
            for &next in graph.successors(state) {
                if reached_from[next as usize] != start + 1 {
                    reached_from[next as usize] = start + 1;
                    reached.push(next);
                }
            }
        }
        all.push(graph.observation(start), reached);
    }
    meter.keep(all.bytes());
    Ok(all)
}

/// The run of single steps that a run of the saturated graph stands for.
pub(super) fn single_steps(graph: &ObservedGraph, run: &[u32]) -> Vec<u32> {
    let mut all: Vec<u32> = run.first().copied().into_iter().collect();
    for pair in run.windows(2) {
        all.extend(silent_path(graph, pair[0], pair[1]));
    }
    all
}

/// A shortest path, without its first state: silent steps, and then perhaps another one.
fn silent_path(graph: &ObservedGraph, from: u32, to: u32) -> Vec<u32> {
    let mut parents = HashMap::from([(from, from)]);
    let mut queue = VecDeque::from([from]);
    while !parents.contains_key(&to) {
        let state = queue.pop_front().expect("a step of the saturated graph is a path");
        if graph.observation(state) != graph.observation(from) {
            continue;
        }
        for &next in graph.successors(state) {
            parents.entry(next).or_insert_with(|| {
                queue.push_back(next);
                state
            });
        }
    }
    let mut path = Vec::new();
    let mut state = to;
    while state != from {
        path.push(state);
        state = parents[&state];
    }
    path.reverse();
    path
}
