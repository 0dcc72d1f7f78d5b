//! Shrinking: a quotient of a component that preserves error distances.
//!
//! Source: [DFP06] §4, Fig. 3, ABSTRACTPROCESS. Unreachable states and states that reach no error
//! are pruned. The others are partitioned into buckets by error distance, the last bucket holding
//! distances from n - 1 on. Then buckets are split repeatedly by the labels and target classes of
//! their states, as long as there are at most n classes.
//!
//! A split that exceeds the limit once always will, since classes only get finer; and a bucket need
//! not be split again before one of its targets was split. So buckets are marked instead of tried
//! again.
//!
//! If every split fits, the classes are the bisimulation classes and nothing is lost. Otherwise,
//! combining bisimilar states first would change nothing, since no split separates them.
//! [`bisimulation`] combines them in components that are not shrunk.
//!
//! States are compared by a hash of their edges. A collision combines states that differ, which
//! every abstraction may do.

use std::collections::BTreeMap;

use beeline_kernel::Deadline;

use super::component::{BOTTOM, FREE, LabelledComponent, LabelledEdge, TAU};
use super::distance::{distances, reachable};

/// The order in which buckets are split.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BucketOrder {
    /// Small error distances first, as in the paper.
    #[default]
    Near,
    /// Large error distances first: the alternative that the paper compares with.
    Far,
}

/// When bisimilar states are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shrinking {
    /// After composition, as far as n allows: as in the paper.
    #[default]
    Buckets,
    /// Also before, in every single component. This loses nothing and leaves less to compose.
    Bisimulation,
}

/// States visited between two checks of the deadline.
const BETWEEN: usize = 1024;

/// A shrunk component.
pub(crate) struct Shrunk {
    pub(crate) component: LabelledComponent,
    /// Class of each state; [`BOTTOM`] if pruned.
    pub(crate) classes: Vec<u32>,
    /// Number of visited edges.
    pub(crate) work: u64,
}

/// Prunes unreachable states and states that reach no error.
pub(crate) fn prune(component: &LabelledComponent) -> Shrunk {
    let (distances, reachable) = (distances(component), reachable(component));
    let mut next = 0;
    let classes: Vec<u32> = distances
        .iter()
        .zip(&reachable)
        .map(|(&distance, &is_reached)| {
            if !is_reached || distance == u32::MAX {
                return BOTTOM;
            }
            next += 1;
            next - 1
        })
        .collect();
    let work = component.edges.len() as u64;
    Shrunk { component: quotient(component, &classes, next as usize), classes, work }
}

/// Combines bisimilar states: equal labels into bisimilar states, and equal error distances. Other
/// components do not distinguish them.
pub(crate) fn bisimulation(component: &LabelledComponent, deadline: Deadline) -> Shrunk {
    // The limit is never reached: no class is empty.
    shrink(component, component.states, BucketOrder::Near, deadline)
}

/// Shrinks a component to at most n states, at least one. At the deadline, distinguishable states
/// stay combined.
pub(crate) fn shrink(
    component: &LabelledComponent,
    n: usize,
    buckets: BucketOrder,
    deadline: Deadline,
) -> Shrunk {
    let pruned = prune(component);
    let mut partition = Partition::new(&pruned.component, n.max(1));
    partition.refine(buckets, deadline);
    let class = |&state: &u32| {
        if state == BOTTOM { BOTTOM } else { partition.classes[state as usize] }
    };
    let classes = pruned.classes.iter().map(class).collect();
    let component = quotient(&pruned.component, &partition.classes, partition.count);
    Shrunk { component, classes, work: pruned.work + partition.work }
}

/// The quotient by classes. States without a class are pruned.
fn quotient(component: &LabelledComponent, classes: &[u32], count: usize) -> LabelledComponent {
    let class = |state: u32| classes[state as usize];
    let mut error = vec![false; count];
    for (state, &class) in classes.iter().enumerate().filter(|(_, class)| **class != BOTTOM) {
        error[class as usize] |= component.error[state];
    }
    let mut initial: Vec<u32> = component.initial.iter().map(|&state| class(state)).collect();
    initial.retain(|&class| class != BOTTOM);
    initial.sort_unstable();
    initial.dedup();
    let edges = component.edges.iter().filter_map(|edge| {
        let (from, to) = (class(edge.from), class(edge.to));
        (from != BOTTOM && to != BOTTOM).then_some(LabelledEdge { from, label: edge.label, to })
    });
    let mut smaller = LabelledComponent { states: count, initial, error, edges: edges.collect() };
    smaller.tidy();
    smaller
}

/// A partition that is refined.
struct Partition<'c> {
    component: &'c LabelledComponent,
    starts: Vec<usize>,
    n: usize,
    classes: Vec<u32>,
    count: usize,
    /// States of each bucket.
    buckets: Vec<Vec<u32>>,
    /// By bucket: buckets with edges into it.
    sources: Vec<Vec<u32>>,
    /// Whether a bucket may have to be split.
    is_due: Vec<bool>,
    work: u64,
}

impl<'c> Partition<'c> {
    /// Initially, each bucket is a class.
    fn new(component: &'c LabelledComponent, n: usize) -> Partition<'c> {
        let bucket = |&distance: &u32| distance.min(n as u32 - 1);
        let classes: Vec<u32> = distances(component).iter().map(bucket).collect();
        let count = classes.iter().max().map_or(0, |most| *most as usize + 1);
        let mut buckets = vec![Vec::new(); count];
        for (state, &class) in classes.iter().enumerate() {
            buckets[class as usize].push(state as u32);
        }
        let leads = |edge: &LabelledEdge| (classes[edge.to as usize], classes[edge.from as usize]);
        let mut pairs: Vec<(u32, u32)> = component.edges.iter().map(leads).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let mut sources = vec![Vec::new(); count];
        for (to, from) in pairs {
            sources[to as usize].push(from);
        }
        let starts = component.starts();
        let is_due = vec![true; count];
        Partition { component, starts, n, classes, count, buckets, sources, is_due, work: 0 }
    }

    fn refine(&mut self, order: BucketOrder, deadline: Deadline) {
        let count = self.buckets.len();
        let mut scratch = Scratch::default();
        while self.count < self.n && !deadline.is_over() {
            let mut has_split = false;
            for place in 0..count {
                let bucket = if order == BucketOrder::Near { place } else { count - 1 - place };
                if std::mem::take(&mut self.is_due[bucket]) {
                    has_split |= self.split(bucket, &mut scratch, deadline);
                }
            }
            if !has_split {
                break;
            }
        }
    }

    /// Splits a bucket if the limit and the deadline allow it. Returns whether the partition
    /// changed.
    fn split(&mut self, bucket: usize, scratch: &mut Scratch, deadline: Deadline) -> bool {
        let room = self.n - self.count;
        scratch.clear();
        for (place, &state) in self.buckets[bucket].iter().enumerate() {
            let class = self.classes[state as usize];
            let key = (class, self.signature(state, &mut scratch.seen));
            self.work += (self.starts[state as usize + 1] - self.starts[state as usize]) as u64 + 1;
            let part = scratch.part(key);
            scratch.parts_of.push(part);
            if scratch.parts.len() - scratch.old_classes > room {
                // The limit is exceeded, now and later: classes only get finer.
                return false;
            }
            if place % BETWEEN == BETWEEN - 1 && deadline.is_over() {
                return false;
            }
        }
        if scratch.parts.len() == scratch.old_classes {
            return false;
        }
        // The first part of a class keeps its number.
        for (class, is_first) in &mut scratch.parts {
            if !*is_first {
                *class = self.count as u32;
                self.count += 1;
            }
        }
        for (&state, &part) in self.buckets[bucket].iter().zip(&scratch.parts_of) {
            self.classes[state as usize] = scratch.parts[part as usize].0;
        }
        for &source in &self.sources[bucket] {
            self.is_due[source as usize] = true;
        }
        true
    }

    /// Hash of the set of pairs of label and target class of a state.
    fn signature(&self, state: u32, seen: &mut Vec<u64>) -> u64 {
        let edges = self.starts[state as usize]..self.starts[state as usize + 1];
        seen.clear();
        seen.extend(
            self.component.edges[edges].iter().map(|edge| {
                u64::from(edge.label) << 32 | u64::from(self.classes[edge.to as usize])
            }),
        );
        seen.sort_unstable();
        seen.dedup();
        let class = self.classes[state as usize];
        let own = [TAU, TAU | FREE].map(|label| u64::from(label) << 32 | u64::from(class));
        // An internal step within a class changes nothing.
        let mixed = seen.iter().filter(|one| !own.contains(one));
        mixed.fold(0x9e37_79b9_7f4a_7c15, |hash: u64, &one| {
            let mixed = (hash ^ one).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed ^ (mixed >> 29)
        })
    }
}

/// The parts of a bucket; reused buffers.
#[derive(Default)]
struct Scratch {
    seen: Vec<u64>,
    /// Number of the part with this class and signature, in the order of occurrence.
    numbers: BTreeMap<(u32, u64), u32>,
    /// The first part of each class.
    firsts: BTreeMap<u32, u32>,
    /// By part: its class, and whether it is the first of the class.
    parts: Vec<(u32, bool)>,
    old_classes: usize,
    /// The part of each state.
    parts_of: Vec<u32>,
}

impl Scratch {
    fn clear(&mut self) {
        self.numbers.clear();
        self.firsts.clear();
        self.parts.clear();
        self.parts_of.clear();
        self.old_classes = 0;
    }

    /// The part of states with this class and signature.
    fn part(&mut self, key: (u32, u64)) -> u32 {
        let next = self.parts.len() as u32;
        let part = *self.numbers.entry(key).or_insert(next);
        if part == next {
            let is_first = *self.firsts.entry(key.0).or_insert(next) == next;
            self.parts.push((key.0, is_first));
            self.old_classes += usize::from(is_first);
        }
        part
    }
}
