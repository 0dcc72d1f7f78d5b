//! Colour refinement: vertices of one colour get different ones where their neighbours differ.
//!
//! Source: McKay, "Practical graph isomorphism", Congressus Numerantium 30 (1981), for refinement with
//! individualised vertices. Deviation: colours are hashes that depend on the structure alone, so
//! that an automorphism maps each vertex to one of the same colour, also between two colourings. Equal
//! hashes of different structures do no harm: what is found is tested edge by edge.

use std::collections::BTreeMap;

use super::description_graph::DescriptionGraph;

/// A colour.
pub(super) type Color = u64;

/// A colouring of the vertices of a graph.
#[derive(Clone, Debug)]
pub(super) struct Coloring {
    colors: Vec<Color>,
    /// By colour: its vertices.
    sizes: BTreeMap<Color, u32>,
}

/// The work that is left, in edges.
#[derive(Debug)]
pub(super) struct WorkLimit(pub(super) u64);

fn mix(a: u64, b: u64) -> u64 {
    let mut z = (a ^ b.rotate_left(32)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb).wrapping_add(b);
    z ^ (z >> 31)
}

impl Coloring {
    /// The coarsest stable colouring; `None` if that is too much work.
    pub(super) fn stable(graph: &DescriptionGraph, limit: &mut WorkLimit) -> Option<Coloring> {
        let colors: Vec<Color> = graph.colors().iter().map(|&one| mix(1, u64::from(one))).collect();
        let mut sizes = BTreeMap::new();
        colors.iter().for_each(|&color| *sizes.entry(color).or_insert(0) += 1);
        let mut coloring = Coloring { colors, sizes };
        let all = (0..coloring.colors.len() as u32).collect();
        coloring.refine(graph, all, limit)?;
        Some(coloring)
    }

    /// The stable colouring after one vertex has got a colour of its own.
    pub(super) fn individualized(
        &self,
        graph: &DescriptionGraph,
        vertex: u32,
        limit: &mut WorkLimit,
    ) -> Option<Coloring> {
        let mut coloring = self.clone();
        let old = coloring.colors[vertex as usize];
        coloring.recolor(vertex, old, mix(2, old));
        coloring.refine(graph, vec![vertex], limit)?;
        Some(coloring)
    }

    /// The colour of a vertex.
    pub(super) fn of(&self, vertex: u32) -> Color {
        self.colors[vertex as usize]
    }

    /// The vertices of a colour.
    pub(super) fn vertices(&self, color: Color) -> impl Iterator<Item = u32> {
        (0..).zip(&self.colors).filter(move |one| *one.1 == color).map(|one| one.0)
    }

    /// The colour of the smallest set of at least two vertices; `None` if there is none.
    pub(super) fn smallest(&self) -> Option<Color> {
        let several = self.sizes.iter().filter(|&(_, &size)| size > 1);
        several.map(|(&color, &size)| (size, color)).min().map(|one| one.1)
    }

    /// Whether the colours have the same numbers of vertices as in another colouring.
    pub(super) fn resembles(&self, other: &Coloring) -> bool {
        self.sizes == other.sizes
    }

    /// By colour: its vertex, if each vertex has a colour of its own.
    pub(super) fn by_color(&self) -> BTreeMap<Color, u32> {
        (0..).zip(&self.colors).map(|(vertex, &color)| (color, vertex)).collect()
    }

    fn recolor(&mut self, vertex: u32, old: Color, new: Color) {
        self.colors[vertex as usize] = new;
        *self.sizes.entry(new).or_insert(0) += 1;
        if let Some(size) = self.sizes.get_mut(&old) {
            *size -= 1;
            if *size == 0 {
                self.sizes.remove(&old);
            }
        }
    }

    /// Splits the colours of neighbours of these vertices, and so on. `None` if the work is too much.
    fn refine(
        &mut self,
        graph: &DescriptionGraph,
        mut changed: Vec<u32>,
        limit: &mut WorkLimit,
    ) -> Option<()> {
        let mut sums: Vec<u64> = vec![0; self.colors.len()];
        let mut is_touched = vec![false; self.colors.len()];
        let mut touched: Vec<u32> = Vec::new();
        while !changed.is_empty() {
            for &vertex in &changed {
                let color = self.of(vertex);
                let neighbours = graph.neighbours(vertex);
                limit.0 = limit.0.checked_sub(1 + neighbours.len() as u64)?;
                for &(label, to) in neighbours {
                    if !std::mem::replace(&mut is_touched[to as usize], true) {
                        touched.push(to);
                    }
                    let sum = &mut sums[to as usize];
                    *sum = sum.wrapping_add(mix(color, u64::from(label)));
                }
            }
            changed.clear();
            // By colour and sum, so that the parts of a colour are next to each other.
            touched.sort_unstable_by_key(|&one| (self.of(one), sums[one as usize], one));
            let mut rest = &touched[..];
            while let Some(&first) = rest.first() {
                let color = self.of(first);
                let of_color = rest.iter().take_while(|&&one| self.of(one) == color).count();
                let (cell, others) = rest.split_at(of_color);
                rest = others;
                let (least, greatest) = (sums[first as usize], sums[cell[of_color - 1] as usize]);
                if of_color == self.sizes[&color] as usize && least == greatest {
                    continue;
                }
                for &one in cell {
                    self.recolor(one, color, mix(color, sums[one as usize]));
                    changed.push(one);
                }
            }
            for one in touched.drain(..) {
                sums[one as usize] = 0;
                is_touched[one as usize] = false;
            }
        }
        Some(())
    }
}
