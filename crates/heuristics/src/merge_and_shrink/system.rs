//! Merge-and-shrink: components are composed and shrunk until one is left.
//!
//! Source: [DFP06] §3, Fig. 2, ABSTRACTSYSTEM. Tables, one for each composition, map a state of the
//! system to its abstract state.
//!
//! Deviations. States and labels that are irrelevant in single components are pruned first. Labels
//! may be combined (`label_reduction`). Components that are too large to be composed are shrunk
//! first. Components that nothing depends on stay alone. When the budget is exhausted, composing
//! ends, and the estimate is the maximum of the distances in the remaining components; each of them
//! is an abstraction, so that all claims hold.

use beeline_factored::{CascadingTable, CascadingTables, FactorId, Interval, TableSource};

use super::budget::{BudgetUse, CompositionLimit, Shortage};
use super::component::{BOTTOM, LabelledComponent, LabelledComponents, LabelledEdge, TAU};
use super::compose::{Composed, LabelRole, compose};
use super::distance::reachable;
use super::label_reduction::{LabelReduction, combine};
use super::merge_strategy::{Ranked, next_pair};
use super::options::{MergeAndShrinkOptions, MergeAndShrinkSettings};
use super::shrink::{Shrinking, Shrunk, bisimulation, prune, shrink};

/// The origin of a component's state.
#[derive(Clone, Debug)]
enum Source {
    /// A component of the system.
    Own(usize),
    /// An earlier node.
    Made(usize),
    /// The composition of two earlier nodes; the number of states of the second.
    Both(usize, usize, usize),
}

/// An intermediate component: its origin and the table from states of the origin to its states.
#[derive(Clone, Debug)]
struct Node {
    source: Source,
    table: Vec<u32>,
}

/// A merge-and-shrink abstraction.
#[derive(Clone, Debug)]
pub struct Abstraction {
    nodes: Vec<Node>,
    /// Nodes whose distances count, with the error distance of each state.
    roots: Vec<(usize, Vec<u32>)>,
    components: usize,
    work: u64,
    bytes: usize,
    shortage: Option<Shortage>,
}

impl Abstraction {
    /// Builds the abstraction of these components.
    pub fn new(system: &LabelledComponents, options: MergeAndShrinkOptions) -> Abstraction {
        let mut making = Making {
            settings: options.settings,
            account: BudgetUse::new(options.budget),
            participants: system.participants.clone(),
            left: Vec::new(),
            at: Vec::new(),
            is_idle: Vec::new(),
            nodes: Vec::new(),
            more: Vec::new(),
            is_squeezed: false,
        };
        for (number, component) in without_dead_labels(system).iter().enumerate() {
            let pruned = match options.settings.shrink {
                Shrinking::Buckets => prune(component),
                Shrinking::Bisimulation => bisimulation(component, options.budget.deadline),
            };
            making.account.work += pruned.work;
            // Over all labels: pruned labels may be needed to reach a state.
            let reachable = reachable(&system.each[number]);
            let is_dead = |(&class, &is_reached): (&u32, &bool)| is_reached && class == BOTTOM;
            let has_dead = pruned.classes.iter().zip(&reachable).any(is_dead);
            making.is_idle.push(pruned.component.is_indifferent() && !has_dead);
            let node = making.add(Source::Own(number), pruned.classes);
            making.at.push(node);
            making.left.push(Some(Ranked::new(pruned.component)));
        }
        let shortage = making.compose_all().err();
        making.finish(system.each.len(), shortage)
    }

    /// Number of components of the system.
    pub fn components(&self) -> usize {
        self.components
    }

    /// Number of values that [`distance`](Abstraction::distance) needs as scratch space.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Number of edges visited for building it.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Bytes of its tables.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether everything relevant was composed, and nothing was shrunk for lack of memory.
    pub fn is_whole(&self) -> bool {
        self.shortage.is_none()
    }

    /// The exhausted resource, if estimates are lower for it.
    pub fn shortage(&self) -> Option<Shortage> {
        self.shortage
    }

    /// The error distance of a state, given the states of its components; `None` if no error is
    /// reachable. `values` is scratch space.
    #[inline]
    pub fn distance(&self, locals: &[u32], values: &mut [u32]) -> Option<u32> {
        for (at, node) in self.nodes.iter().enumerate() {
            let place = match node.source {
                Source::Own(component) => locals[component] as usize,
                Source::Made(node) => values[node] as usize,
                Source::Both(one, two, width) => {
                    values[one] as usize * width + values[two] as usize
                }
            };
            let value = node.table[place];
            if value == BOTTOM {
                return None;
            }
            values[at] = value;
        }
        self.roots
            .iter()
            .map(|(node, distances)| Some(distances[values[*node] as usize]))
            .max()
            .unwrap_or(Some(0))
            .filter(|&distance| distance != u32::MAX)
    }
}

impl Abstraction {
    /// The tables of the abstraction, for components that are these groups of factors.
    pub fn tables(&self, groups: &[Vec<(FactorId, Interval)>]) -> CascadingTables {
        let known = |state: u32| (state != BOTTOM).then_some(state);
        let table = |node: &Node| CascadingTable {
            source: match node.source {
                Source::Own(component) => TableSource::Group(component),
                Source::Made(node) => TableSource::Table(node),
                Source::Both(first, second, width) => TableSource::Pairs { first, second, width },
            },
            states: node.table.iter().copied().map(known).collect(),
        };
        let distances = |all: &Vec<u32>| {
            all.iter().map(|&distance| (distance != u32::MAX).then_some(distance)).collect()
        };
        CascadingTables {
            groups: groups.to_vec(),
            tables: self.nodes.iter().map(table).collect(),
            roots: self.roots.iter().map(|(node, all)| (*node, distances(all))).collect(),
        }
    }
}

/// The components without dead labels: a label with one participant becomes internal, and a label
/// that some participant never takes on a path to an error is removed.
fn without_dead_labels(system: &LabelledComponents) -> Vec<LabelledComponent> {
    let alone = |edge: &LabelledEdge| {
        edge.number() != TAU && system.participants[edge.number() as usize].len() < 2
    };
    let mut each = system.each.clone();
    for edge in each.iter_mut().flat_map(|component| &mut component.edges) {
        if alone(edge) {
            edge.label = edge.alone();
        }
    }
    each.iter_mut().for_each(LabelledComponent::tidy);
    loop {
        // Number of participants that can take each label on a path to an error.
        let mut able = vec![0; system.participants.len()];
        for component in &each {
            let relevant = prune(component).classes;
            let is_relevant = |state: u32| relevant[state as usize] != BOTTOM;
            let alive = |edge: &&LabelledEdge| is_relevant(edge.from) && is_relevant(edge.to);
            let labels = component.edges.iter().filter(alive).map(|edge| edge.number());
            let mut labels: Vec<u32> = labels.filter(|&label| label != TAU).collect();
            labels.sort_unstable();
            labels.dedup();
            labels.into_iter().for_each(|label| able[label as usize] += 1);
        }
        let is_dead = |label: u32| {
            label != TAU && able[label as usize] < system.participants[label as usize].len()
        };
        let before: usize = each.iter().map(|component| component.edges.len()).sum();
        for component in &mut each {
            component.edges.retain(|edge| !is_dead(edge.number()));
        }
        if each.iter().map(|component| component.edges.len()).sum::<usize>() == before {
            return each;
        }
    }
}

/// An abstraction under construction.
struct Making {
    settings: MergeAndShrinkSettings,
    account: BudgetUse,
    participants: Vec<Vec<u32>>,
    left: Vec<Option<Ranked>>,
    /// Node of each remaining component.
    at: Vec<usize>,
    /// Whether each component is uninformative: all distances are 0, and no state is a dead end.
    is_idle: Vec<bool>,
    nodes: Vec<Node>,
    /// Merged nodes whose distances count as well, since shrinking changed them.
    more: Vec<(usize, Vec<u32>)>,
    /// Whether a component was shrunk for lack of memory.
    is_squeezed: bool,
}

impl Making {
    fn add(&mut self, source: Source, table: Vec<u32>) -> usize {
        self.account.kept += size_of_val(&table[..]);
        self.nodes.push(Node { source, table });
        self.nodes.len() - 1
    }

    /// Composes as long as estimates can improve.
    fn compose_all(&mut self) -> Result<(), Shortage> {
        let order = self.settings.order;
        while let Some((one, two)) = next_pair(order, &self.left, &self.participants) {
            self.check()?;
            self.merge(one, two)?;
        }
        Ok(())
    }

    fn check(&self) -> Result<(), Shortage> {
        self.account.shortage().map_or(Ok(()), Err)
    }

    /// Merges two components into the first.
    fn merge(&mut self, one: usize, two: usize) -> Result<(), Shortage> {
        let fates = self.fates(one, two);
        let mut composed = self.composed(one, two, &fates)?;
        // Label roles do not depend on shrinking.
        self.settle(one, two, &fates);
        let (before_one, before_two, width) = (self.at[one], self.at[two], self.size(two));
        self.left[two] = None;
        let MergeAndShrinkSettings { n, buckets, labels, .. } = self.settings;
        if labels == LabelReduction::Combined {
            let (left, participants) = (&mut self.left, &mut self.participants);
            self.account.work += combine(one, &mut composed.component, left, participants);
        }
        let deadline = self.account.budget.deadline;
        let Shrunk { component, classes, work } = shrink(&composed.component, n, buckets, deadline);
        self.account.work += composed.work + work;
        let class = |&pair: &u32| if pair == BOTTOM { BOTTOM } else { classes[pair as usize] };
        let table = composed.pairs.iter().map(class).collect();
        self.at[one] = self.add(Source::Both(before_one, before_two, width), table);
        self.left[one] = Some(Ranked::new(component));
        self.is_idle[one] = false;
        Ok(())
    }

    /// Composes two components; shrinks them first if they are too large.
    fn composed(
        &mut self,
        one: usize,
        two: usize,
        fates: &[LabelRole],
    ) -> Result<Composed, Shortage> {
        let edges = self.left.iter().flatten().map(|one| one.component.edges.len()).sum();
        let CompositionLimit { mut pairs, edges: most, for_pairs, for_edges } =
            self.account.room(edges);
        let mut short_of = for_pairs;
        loop {
            if pairs == 0 {
                return Err(short_of);
            }
            let is_smaller = self.fit(one, two, pairs);
            self.is_squeezed |= is_smaller && short_of == Shortage::Bytes;
            let deadline = self.account.budget.deadline;
            match compose(self.component(one), self.component(two), fates, most, deadline) {
                Err(Shortage::Work) => self.account.work += most,
                composed => return composed,
            }
            self.check()?;
            short_of = for_edges;
            pairs = (self.size(one) * self.size(two)).min(pairs) / 4;
        }
    }

    /// Makes the first of two components represent both.
    fn settle(&mut self, one: usize, two: usize, fates: &[LabelRole]) {
        for (label, who) in self.participants.iter_mut().enumerate() {
            if fates[label] != LabelRole::Apart {
                who.retain(|&other| other as usize != two);
            } else if let Some(other) = who.iter_mut().find(|other| **other as usize == two) {
                *other = one as u32;
            }
            if who.len() < 2 && fates[label] == LabelRole::Settled {
                // The label is internal now.
                who.clear();
            }
            who.sort_unstable();
        }
    }

    fn ranked(&self, at: usize) -> &Ranked {
        self.left[at].as_ref().expect("only what is left is composed")
    }

    fn component(&self, at: usize) -> &LabelledComponent {
        &self.ranked(at).component
    }

    fn size(&self, at: usize) -> usize {
        self.component(at).states
    }

    /// Shrinks two components until they have at most `pairs` pairs of states. Returns whether that
    /// was necessary.
    fn fit(&mut self, one: usize, two: usize, pairs: usize) -> bool {
        let (root, nodes) = (pairs.isqrt(), self.nodes.len());
        for (at, other) in [(one, two), (two, one)] {
            if self.size(one) * self.size(two) > pairs && self.size(at) > root {
                self.shrink_alone(at, pairs / self.size(other).clamp(1, root));
            }
        }
        self.nodes.len() > nodes
    }

    /// Shrinks a single component. If that changes distances, the former ones count as well.
    fn shrink_alone(&mut self, at: usize, n: usize) {
        let (buckets, deadline) = (self.settings.buckets, self.account.budget.deadline);
        let Shrunk { component, classes, work } = shrink(self.component(at), n, buckets, deadline);
        self.account.work += work;
        let (before, after) = (self.at[at], Ranked::new(component));
        let was = self.left[at].replace(after).expect("only what is left is shrunk").distances;
        let now = &self.ranked(at).distances;
        let differs =
            |(&class, &distance): (&u32, &u32)| class != BOTTOM && now[class as usize] != distance;
        if classes.iter().zip(&was).any(differs) {
            self.account.kept += size_of_val(&was[..]);
            self.more.push((before, was));
        }
        self.at[at] = self.add(Source::Made(before), classes);
    }

    fn fates(&self, one: usize, two: usize) -> Vec<LabelRole> {
        let fate = |who: &Vec<u32>| {
            let takes_part = |at: usize| who.contains(&(at as u32));
            match (takes_part(one) && takes_part(two), who.len()) {
                (true, 2) => LabelRole::Settled,
                (true, _) => LabelRole::Shared,
                (false, _) => LabelRole::Apart,
            }
        };
        self.participants.iter().map(fate).collect()
    }

    /// Keeps the nodes that the remaining distances depend on.
    fn finish(self, components: usize, shortage: Option<Shortage>) -> Abstraction {
        let shortage = shortage.or(self.is_squeezed.then_some(Shortage::Bytes));
        let mut roots = self.more;
        for (at, ranked) in self.left.into_iter().enumerate() {
            let Some(ranked) = ranked else { continue };
            if !self.is_idle[at] {
                roots.push((self.at[at], ranked.distances));
            }
        }
        let mut is_needed = vec![false; self.nodes.len()];
        for &(root, _) in &roots {
            is_needed[root] = true;
        }
        for at in (0..self.nodes.len()).rev() {
            if !is_needed[at] {
                continue;
            }
            match self.nodes[at].source {
                Source::Own(_) => {}
                Source::Made(one) => is_needed[one] = true,
                Source::Both(one, two, _) => {
                    is_needed[one] = true;
                    is_needed[two] = true;
                }
            }
        }
        let (mut nodes, mut places) = (Vec::new(), vec![usize::MAX; self.nodes.len()]);
        for (at, node) in self.nodes.into_iter().enumerate().filter(|(at, _)| is_needed[*at]) {
            let source = match node.source {
                Source::Own(component) => Source::Own(component),
                Source::Made(one) => Source::Made(places[one]),
                Source::Both(one, two, width) => Source::Both(places[one], places[two], width),
            };
            places[at] = nodes.len();
            nodes.push(Node { source, table: node.table });
        }
        for (root, _) in &mut roots {
            *root = places[*root];
        }
        let bytes = nodes.iter().map(|node: &Node| size_of_val(&node.table[..])).sum();
        Abstraction { nodes, roots, components, work: self.account.work, bytes, shortage }
    }
}
