//! A process instance with all its constants: its number, its type, and the variables that keep
//! their values. The access sets of its edges are computed once for all states.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use beeline_engine::automata::{Automaton, Edge, EdgeAction, Location};

use super::access_set::{AccessSet, EnablingSet};
use super::edge_set::{Edges, edges_of};
use super::footprint_context::{EdgePosition, Footprint, FootprintContext};
use super::instance_edge::InstanceEdge;
use super::necessary_enabling::{AwaitedCondition, When};
use super::objects::{Bits, Objects};
use super::visible::Visibility;

/// A process with its constants.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    chains: Chains,
    /// By edge: the accesses of the processes that it starts.
    children: Vec<Option<Arc<AccessSet>>>,
    /// All edges of the process, with their accesses at every location.
    pub(super) edges: Vec<InstanceEdge>,
    /// By edge: its conditions, as numbers.
    pub(super) awaited: Vec<Vec<AwaitedCondition>>,
    /// By location: the edges through which the process may reach it,
    pub(super) into: Vec<Edges>,
    /// and the edges reachable from there without passing an edge that waits for a timeout.
    pub(super) ahead: Vec<Edges>,
}

impl Instance {
    /// Computes the access sets of all edges of a process. `child` gives the access set of the
    /// processes that an edge starts.
    pub(super) fn new(
        footprint_context: &FootprintContext<'_>,
        relays: bool,
        visible: &Visibility,
        child: impl Fn(&Edge) -> Option<Arc<AccessSet>>,
    ) -> Instance {
        let automaton = footprint_context.machine.automaton(footprint_context.process);
        let chains = Chains::new(footprint_context, automaton, relays);
        let children: Vec<_> = automaton.edges.iter().map(child).collect();
        let into = look_into(automaton, &chains);
        let ahead = look_ahead(automaton, &chains);
        let mut instance =
            Instance { chains, children, edges: Vec::new(), awaited: Vec::new(), into, ahead };
        for location in automaton.locations() {
            let moves = instance.moves(footprint_context, location, visible, When::Later);
            instance.edges.extend(moves);
        }
        instance
    }

    /// The edges that the process can try at a location, now or later. If now, its own variables
    /// are known, from the state of the context.
    pub(super) fn moves(
        &self,
        footprint_context: &FootprintContext<'_>,
        location: Location,
        visible: &Visibility,
        when: When,
    ) -> Vec<InstanceEdge> {
        let automaton = footprint_context.machine.automaton(footprint_context.process);
        let here = edges_from(automaton, location);
        let prints: Vec<Footprint> = here
            .clone()
            .map(|at| {
                footprint_context.footprint(automaton, &automaton.edges[at], EdgePosition::First)
            })
            .collect();
        let first = Firsts { start: here.start, prints: &prints };
        here.map(|at| {
            let chain = self.chains.from(automaton, at);
            let own = self.chains.access_set(automaton, first, at, &chain);
            let mut whole = own.clone();
            if let Some(child) = &self.children[at] {
                whole.add(child);
            }
            let mut edges = chain.iter().map(|&at| &automaton.edges[at]);
            InstanceEdge {
                id: automaton.edges[at].id,
                from: location,
                to: automaton.edges[at].to,
                is_visible: visible.sees(&own)
                    || edges
                        .any(|edge| visible.sees_edge(footprint_context.process, automaton, edge)),
                needs: self.chains.needs(automaton, first, at, &chain),
                conditions: footprint_context.conditions(automaton, &automaton.edges[at], when),
                is_timeout: first.of(at).is_timeout,
                hands: self.chains.hands(first, at, &chain),
                takes: first.of(at).takes.clone(),
                goes_back: self.chains.goes_round(&chain),
                own,
                whole,
            }
        })
        .collect()
    }
}

/// By location: the edges after which a process may stop there, as the last edge of a transition.
fn look_into(automaton: &Automaton, chains: &Chains) -> Vec<Edges> {
    let count = automaton.edges.len();
    let mut into = vec![edges_of(count, []); automaton.marks.len()];
    for start in 0..count {
        for at in chains.from(automaton, start) {
            let to = automaton.edges[at].to.0 as usize;
            into[to][start / 64] |= 1 << (start % 64);
        }
    }
    into
}

/// By location: the edges that are reachable, but not through edges that wait for a timeout. While
/// some process can move, no process passes these.
fn look_ahead(automaton: &Automaton, chains: &Chains) -> Vec<Edges> {
    let count = automaton.edges.len();
    let mut ahead = vec![edges_of(count, []); automaton.marks.len()];
    for (at, edge) in automaton.edges.iter().enumerate() {
        ahead[edge.from.0 as usize][at / 64] |= 1 << (at % 64);
    }
    let passed = |at: &usize| !chains.first[*at].is_timeout;
    let mut grows = true;
    while grows {
        grows = false;
        for at in (0..count).rev().filter(passed) {
            let edge = &automaton.edges[at];
            let further = ahead[edge.to.0 as usize].clone();
            for (word, more) in ahead[edge.from.0 as usize].iter_mut().zip(&further) {
                grows |= more & !*word != 0;
                *word |= more;
            }
        }
    }
    ahead
}

/// The edges that leave a location, by their positions in the list of edges.
pub(super) fn edges_from(automaton: &Automaton, location: Location) -> Range<usize> {
    let edges = &automaton.edges;
    edges.partition_point(|edge| edge.from < location)
        ..edges.partition_point(|edge| edge.from <= location)
}

/// Footprints of edges as first edges of a transition, from some edge on.
#[derive(Clone, Copy)]
struct Firsts<'a> {
    start: usize,
    prints: &'a [Footprint],
}

impl Firsts<'_> {
    fn of(&self, at: usize) -> &Footprint {
        &self.prints[at - self.start]
    }
}

/// Edges with those that follow them in the same transition.
#[derive(Clone, Debug)]
struct Chains {
    first: Vec<Footprint>,
    later: Vec<Footprint>,
    objects: Objects,
    /// By edge: whether it leads back.
    back: Vec<bool>,
    /// Whether in some rendezvous the receiver may continue exclusively and send in another one.
    relays: bool,
}

impl Chains {
    fn new(footprint_context: &FootprintContext<'_>, automaton: &Automaton, relays: bool) -> Self {
        let prints = |position| -> Vec<Footprint> {
            let edges = automaton.edges.iter();
            edges.map(|edge| footprint_context.footprint(automaton, edge, position)).collect()
        };
        let (first, later) = (prints(EdgePosition::First), prints(EdgePosition::Later));
        let (objects, back) = (footprint_context.objects, back_edges(automaton));
        Chains { first, later, objects, back, relays }
    }

    /// An edge and all edges that may follow it in the same transition, by their positions in the
    /// list of edges. It may follow itself, with other values of its variables.
    fn from(&self, automaton: &Automaton, start: usize) -> Vec<usize> {
        let mut chain = vec![start];
        let mut seen = HashSet::new();
        let mut at = 0;
        while at < chain.len() {
            let edge = &automaton.edges[chain[at]];
            let print = &self.first[chain[at]];
            // The sender of a rendezvous loses control; the receiver may send back to it.
            let alone = edge.hold.atomic && !print.only_hands;
            let met = self.relays && !print.hands.is_empty();
            at += 1;
            for next in edges_from(automaton, edge.to) {
                let takes = self.first[next].only_takes;
                let follows = (alone && !takes) || (met && !self.first[next].takes.is_empty());
                if follows && seen.insert(next) {
                    chain.push(next);
                }
            }
        }
        chain
    }

    /// The footprints of all edges as first ones, in any state.
    fn firsts(&self) -> Firsts<'_> {
        Firsts { start: 0, prints: &self.first }
    }

    /// The accesses of a chain, and the objects that determine whether its edges are executed.
    fn access_set(
        &self,
        automaton: &Automaton,
        first: Firsts<'_>,
        start: usize,
        chain: &[usize],
    ) -> AccessSet {
        let mut access_set = first.of(start).access_set.clone();
        access_set.depend(&shut_out(automaton, first, start, self.objects));
        for &at in &chain[1..] {
            access_set.add(&self.later[at].access_set);
            // Without a receiver for its message, the chain stops there.
            access_set.reads.add(&self.objects.arrivals(&self.later[at].hands));
            access_set.depend(&shut_out(automaton, self.firsts(), at, self.objects));
        }
        for &at in chain {
            for next in edges_from(automaton, automaton.edges[at].to) {
                access_set.writes.add(&self.objects.arrivals(&self.first[next].takes));
            }
        }
        access_set
    }

    /// The enabling set of an edge: its own, and that alternatives become disabled.
    fn needs(
        &self,
        automaton: &Automaton,
        first: Firsts<'_>,
        start: usize,
        chain: &[usize],
    ) -> EnablingSet {
        let mut needs = first.of(start).needs.clone();
        if let Some(channel) = first.of(start).picks {
            needs.things.remove(self.objects.tail(channel));
        }
        needs.add(&shut_out(automaton, first, start, self.objects));
        if chain.len() > 1 && self.goes_round(chain) {
            // An atomic sequence without an end is no transition, until some step lets it end.
            chain.iter().for_each(|&at| needs.add_things(&self.later[at].access_set.reads));
        }
        needs
    }

    /// The rendezvous in which a chain sends.
    fn hands(&self, first: Firsts<'_>, start: usize, chain: &[usize]) -> Bits {
        let mut hands = first.of(start).hands.clone();
        for &at in &chain[1..] {
            hands.add(&self.later[at].hands);
        }
        hands
    }

    /// Whether a chain has an edge that leads back.
    fn goes_round(&self, chain: &[usize]) -> bool {
        chain.iter().any(|&at| self.back[at])
    }
}

/// The objects that determine whether an edge is tried: `else` requires that no sibling is enabled,
/// and an escape precedes all edges that it can interrupt.
fn shut_out(automaton: &Automaton, first: Firsts<'_>, at: usize, objects: Objects) -> EnablingSet {
    let edge = &automaton.edges[at];
    let is_else = matches!(edge.steps[0].action, EdgeAction::Else);
    let mut asked = EnablingSet::nothing(objects);
    for sibling in edges_from(automaton, edge.from).filter(|&sibling| sibling != at) {
        let escape = automaton.edges[sibling].escape;
        if is_else || (escape.is_some() && escape != edge.escape) {
            asked.add(&first.of(sibling).asks);
        }
    }
    asked
}

/// The back edges of a depth-first traversal of the automaton: every cycle has one.
fn back_edges(automaton: &Automaton) -> Vec<bool> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        OnPath,
        Done,
    }
    let from = |location| edges_from(automaton, location);
    let mut marks = vec![Mark::New; automaton.marks.len()];
    let mut back = vec![false; automaton.edges.len()];
    // A process may wait anywhere, so all locations are starting points.
    let starts = std::iter::once(automaton.start).chain(automaton.locations());
    for start in starts {
        if marks[start.0 as usize] != Mark::New {
            continue;
        }
        marks[start.0 as usize] = Mark::OnPath;
        let mut path = vec![(start, from(start))];
        while let Some((location, edges)) = path.last_mut() {
            let Some(at) = edges.next() else {
                marks[location.0 as usize] = Mark::Done;
                path.pop();
                continue;
            };
            let to = automaton.edges[at].to;
            match marks[to.0 as usize] {
                Mark::OnPath => back[at] = true,
                Mark::New => {
                    marks[to.0 as usize] = Mark::OnPath;
                    path.push((to, from(to)));
                }
                Mark::Done => {}
            }
        }
    }
    back
}
