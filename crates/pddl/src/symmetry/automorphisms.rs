//! Generators of the automorphisms of a description graph.
//!
//! A first path of individualised vertices leads to a colouring in which each vertex has a colour of its own.
//! From the last vertex of the path to the first one, each other vertex of its colour begins another path,
//! to a colouring with the same colours. Equal colours are a permutation, which is tested. A vertex that a
//! known generator maps to one that was tried is left out.
//!
//! Source: McKay, "Practical graph isomorphism", Congressus Numerantium 30 (1981), of which this is the search
//! for automorphisms without backtracking. So some symmetries may not be found.

use beeline_kernel::Deadline;

use super::coloring::{Color, Coloring, WorkLimit};
use super::description_graph::{DescriptionGraph, VertexId};

/// The most work, in edges.
const MOST_WORK: u64 = 40_000_000;
/// The most vertices on the first path.
const MOST_LEVELS: usize = 200;

/// A vertex of the first path, in the colouring before it got a colour of its own.
struct Level {
    before: Coloring,
    color: Color,
    vertex: u32,
}

/// Sets of vertices that generators map to each other.
struct Orbits(Vec<u32>);

impl Orbits {
    fn root(&mut self, mut of: u32) -> u32 {
        while self.0[of as usize] != of {
            let above = self.0[self.0[of as usize] as usize];
            self.0[of as usize] = above;
            of = above;
        }
        of
    }

    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}

/// Permutations of the vertices, by vertex.
pub(super) fn automorphisms(graph: &DescriptionGraph, deadline: Deadline) -> Vec<Vec<VertexId>> {
    let mut found = Vec::new();
    // What was found before the limit is kept.
    let _is_complete = search(graph, deadline, &mut found);
    found
}

/// `None` if a limit was reached.
fn search(
    graph: &DescriptionGraph,
    deadline: Deadline,
    found: &mut Vec<Vec<VertexId>>,
) -> Option<()> {
    let limit = &mut WorkLimit(MOST_WORK);
    let mut coloring = Coloring::stable(graph, limit)?;
    let mut levels: Vec<Level> = Vec::new();
    while let Some(color) = coloring.smallest() {
        if levels.len() == MOST_LEVELS || deadline.is_over() {
            return None;
        }
        let vertex = coloring.vertices(color).next().expect("a colour has vertices");
        let next = coloring.individualized(graph, vertex, limit)?;
        levels.push(Level { before: std::mem::replace(&mut coloring, next), color, vertex });
    }
    let leaf = coloring;
    let mut orbits = Orbits((0..graph.colors().len() as u32).collect());
    for at in (0..levels.len()).rev() {
        let Level { before, color, vertex } = &levels[at];
        let mut tried = vec![*vertex];
        for other in before.vertices(*color) {
            if deadline.is_over() {
                return None;
            }
            let root = orbits.root(other);
            if tried.iter().any(|&one| orbits.root(one) == root) {
                continue;
            }
            tried.push(other);
            let first = before.individualized(graph, other, limit)?;
            let Some(end) = follow(graph, first, &levels[at + 1..], limit)? else { continue };
            let Some(images) = matching(&leaf, &end) else { continue };
            if graph.is_automorphism(&images) {
                (0..).zip(&images).for_each(|(from, to)| orbits.unite(from, to.0));
                found.push(images);
            }
        }
    }
    Some(())
}

/// Individualises vertices that are like those of the levels; `Some(None)` if there are none.
fn follow(
    graph: &DescriptionGraph,
    mut coloring: Coloring,
    levels: &[Level],
    limit: &mut WorkLimit,
) -> Option<Option<Coloring>> {
    for level in levels {
        if !coloring.resembles(&level.before) {
            return Some(None);
        }
        // The vertex of the first path, if it has the same colour, stays where it is.
        let vertex = match coloring.of(level.vertex) == level.color {
            true => Some(level.vertex),
            false => coloring.vertices(level.color).next(),
        };
        let Some(vertex) = vertex else { return Some(None) };
        coloring = coloring.individualized(graph, vertex, limit)?;
    }
    Some(Some(coloring))
}

/// The vertices of the same colours.
fn matching(from: &Coloring, to: &Coloring) -> Option<Vec<VertexId>> {
    if !from.resembles(to) {
        return None;
    }
    let ends = to.by_color();
    let images = from.by_color().into_iter().map(|(color, vertex)| {
        let image = ends.get(&color)?;
        Some((vertex, VertexId(*image)))
    });
    let mut images: Vec<(u32, VertexId)> = images.collect::<Option<_>>()?;
    images.sort_unstable();
    Some(images.into_iter().map(|one| one.1).collect())
}
