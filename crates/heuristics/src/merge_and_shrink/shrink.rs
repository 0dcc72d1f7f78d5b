//! A component made smaller, so that error distances within it stay what they are.
//!
//! Source: [DFP06] §4, Fig. 3, ABSTRACTPROCESS. States that cannot be reached or cannot reach an
//! error are left out. The others are put into buckets by their error distance, those of
//! distance n - 1 and more into one. Then each bucket is split by what its states can do and into
//! which class that leads, over and over, as long as there are at most n classes.
//!
//! A split that does not fit now never will, as classes only get finer; and a bucket need not be
//! looked at before one that it leads to was split. So buckets are marked instead of tried again.
//!
//! Where every split fits, the classes are those of bisimilar states, and nothing is lost. Where
//! not, to make one of bisimilar states first would change nothing: no split tells them apart.
//! [`bisimulation`] does it with components that are not shrunk to n.
//!
//! What a state can do is compared by a hash of it. Where two are equal by chance, states are
//! put together that differ, which any abstraction may do.

use std::collections::BTreeMap;

use beeline_kernel::Deadline;

use super::component::{BOTTOM, FREE, LabelledComponent, LabelledEdge, TAU};
use super::distance::{distances, reachable};

/// Which buckets are split first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BucketOrder {
    /// Those near to an error, as in the paper.
    #[default]
    Near,
    /// Those far from one: what the paper compares with.
    Far,
}

/// When bisimilar states become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shrinking {
    /// When components are composed, as far as n allows: as in the paper.
    #[default]
    Buckets,
    /// Also before, in every single component. That loses nothing, and leaves less to compose.
    Bisimulation,
}

/// How many states are looked at between two looks at the clock.
const BETWEEN: usize = 1024;

/// A component made smaller.
pub(crate) struct Shrunk {
    pub(crate) component: LabelledComponent,
    /// Which state each state became; [`BOTTOM`] for those that were left out.
    pub(crate) classes: Vec<u32>,
    /// How many edges were looked at.
    pub(crate) work: u64,
}

/// Leaves out what cannot be reached or cannot reach an error, and nothing else.
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

/// Makes one of all states that are bisimilar: that do the same, into states that are bisimilar, and
/// are as far from an error. Any other component tells no difference.
pub(crate) fn bisimulation(component: &LabelledComponent, deadline: Deadline) -> Shrunk {
    // There is always room: no class is empty.
    shrink(component, component.states, BucketOrder::Near, deadline)
}

/// Makes a component smaller: at most n states, at least one. Where there is no time left, states
/// stay together that could be told apart.
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

/// The component with each class as one state. States without a class are left out.
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

/// States in classes that get finer.
struct Partition<'c> {
    component: &'c LabelledComponent,
    starts: Vec<usize>,
    n: usize,
    classes: Vec<u32>,
    count: usize,
    /// The states of each bucket.
    buckets: Vec<Vec<u32>>,
    /// For each bucket the buckets that lead into it.
    sources: Vec<Vec<u32>>,
    /// Whether it is worth looking at a bucket.
    is_due: Vec<bool>,
    work: u64,
}

impl<'c> Partition<'c> {
    /// A class for each bucket.
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

    /// Splits a bucket, if there is room for the classes, and time. Says whether anything changed.
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
                // No room, and there will be none: classes only get finer.
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

    /// What a state can do, and into which classes that leads, as a hash of the set.
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

/// The parts of a bucket. Kept for its memory.
#[derive(Default)]
struct Scratch {
    seen: Vec<u64>,
    /// The number of the part with this class and signature, in the order met.
    numbers: BTreeMap<(u32, u64), u32>,
    /// The first part of each class.
    firsts: BTreeMap<u32, u32>,
    /// For each part its class, and whether it is the first of that.
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
