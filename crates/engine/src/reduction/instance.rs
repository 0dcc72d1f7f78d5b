//! A process with everything about it that never changes: its number, its type, and the
//! variables that keep their values. What its edges touch is found once for all states in which
//! it is there.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use super::footprint::{Footprint, Standing, Walker};
use super::objects::{Bits, Objects};
use super::touch::{Needs, Touch};
use super::visible::Visible;
use crate::automata::{Action, Automaton, Edge, EdgeId, Location};

/// An edge of a process, with all that is executed before others may move again.
#[derive(Clone, Debug)]
pub(super) struct Move {
    pub(super) id: EdgeId,
    /// What it touches.
    pub(super) own: Touch,
    /// What the process may touch afterwards, and processes that it starts.
    pub(super) beyond: Arc<Touch>,
    /// What it waits for, as long as it is not possible.
    pub(super) needs: Needs,
    /// Where it picks the first message of a channel: that channel, and what it waits for as long
    /// as it is empty. What it waits for otherwise are its needs.
    pub(super) picks: Option<(usize, Needs)>,
    /// It waits until nobody else can move.
    pub(super) is_timeout: bool,
    /// The rendezvous in which it hands over, and takes at its begin.
    pub(super) hands: Bits,
    pub(super) takes: Bits,
    /// It may change what a property looks at.
    pub(super) is_visible: bool,
    /// It goes back in the process: every cycle of the process has such an edge.
    pub(super) goes_back: bool,
}

/// A process in its circumstances.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    chains: Chains,
    /// By location: what may be touched from there on, if nobody has to wait for everyone.
    behind: Vec<Arc<Touch>>,
    /// By edge: what the processes may touch that it starts.
    children: Vec<Option<Arc<Touch>>>,
}

impl Instance {
    /// Finds what all edges of a process touch. `child` tells what the processes may touch that
    /// an edge starts, whoever they are.
    pub(super) fn new(
        walker: &Walker<'_>,
        relays: bool,
        child: impl Fn(&Edge) -> Option<Arc<Touch>>,
    ) -> Instance {
        let automaton = walker.machine.automaton(walker.process);
        let chains = Chains::new(walker, automaton, relays);
        let children: Vec<_> = automaton.edges.iter().map(child).collect();
        let behind = look_behind(walker, automaton, &chains, &children);
        Instance { chains, behind, children }
    }

    /// What the process can try at a location, in the state of the walker: there, its own
    /// variables are known.
    pub(super) fn moves(
        &self,
        walker: &Walker<'_>,
        location: Location,
        visible: &Visible,
    ) -> Vec<Move> {
        let automaton = walker.machine.automaton(walker.process);
        let here = edges_from(automaton, location);
        let prints: Vec<Footprint> = here
            .clone()
            .map(|at| walker.footprint(automaton, &automaton.edges[at], Standing::First))
            .collect();
        let first = Firsts { start: here.start, prints: &prints };
        here.map(|at| {
            let chain = self.chains.from(automaton, at);
            let own = self.chains.touch(automaton, first, at, &chain);
            let mut edges = chain.iter().map(|&at| &automaton.edges[at]);
            let mut needs = self.chains.needs(automaton, first, at, &chain);
            let picks = first.of(at).picks.map(|channel| {
                let tail = walker.objects.tail(channel);
                needs.things.remove(tail);
                let mut message = Needs::nothing(walker.objects);
                message.things.insert(tail);
                (channel, message)
            });
            Move {
                id: automaton.edges[at].id,
                is_visible: visible.sees(&own)
                    || edges.any(|edge| visible.sees_edge(walker.process, automaton, edge)),
                needs,
                picks,
                is_timeout: first.of(at).is_timeout,
                hands: self.chains.hands(first, at, &chain),
                takes: first.of(at).takes.clone(),
                goes_back: self.chains.goes_round(&chain),
                beyond: self.beyond(automaton, at),
                own,
            }
        })
        .collect()
    }

    /// What may be touched behind an edge.
    fn beyond(&self, automaton: &Automaton, at: usize) -> Arc<Touch> {
        let behind = &self.behind[automaton.edges[at].to.0 as usize];
        match &self.children[at] {
            None => Arc::clone(behind),
            Some(child) => {
                let mut more = Touch::clone(behind);
                more.add(child);
                Arc::new(more)
            }
        }
    }
}

/// Finds what may be touched from each location on: by all edges that can be reached, but for
/// those that wait for everyone else. While someone can move for certain, nobody passes them.
fn look_behind(
    walker: &Walker<'_>,
    automaton: &Automaton,
    chains: &Chains,
    children: &[Option<Arc<Touch>>],
) -> Vec<Arc<Touch>> {
    let mut behind = vec![Touch::nothing(walker.objects); automaton.marks.len()];
    let passed = |at: &usize| !chains.first[*at].is_timeout;
    for at in (0..automaton.edges.len()).filter(passed) {
        let from = &mut behind[automaton.edges[at].from.0 as usize];
        from.add(&chains.touch(automaton, chains.firsts(), at, &chains.from(automaton, at)));
        if let Some(child) = &children[at] {
            from.add(child);
        }
    }
    let mut grows = true;
    while grows {
        grows = false;
        for at in (0..automaton.edges.len()).rev().filter(passed) {
            let edge = &automaton.edges[at];
            let further = behind[edge.to.0 as usize].clone();
            grows |= behind[edge.from.0 as usize].add(&further);
        }
    }
    behind.into_iter().map(Arc::new).collect()
}

/// The edges that leave a location, by their places in the list of edges.
fn edges_from(automaton: &Automaton, location: Location) -> Range<usize> {
    let edges = &automaton.edges;
    edges.partition_point(|edge| edge.from < location)
        ..edges.partition_point(|edge| edge.from <= location)
}

/// Footprints of edges that come first, from some edge on.
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

/// Edges with those that are executed behind them before others may move.
#[derive(Clone, Debug)]
struct Chains {
    first: Vec<Footprint>,
    later: Vec<Footprint>,
    objects: Objects,
    /// By edge: it leads back.
    back: Vec<bool>,
    /// In some rendezvous, who takes a message may go on and hand one over at once.
    relays: bool,
}

impl Chains {
    fn new(walker: &Walker<'_>, automaton: &Automaton, relays: bool) -> Self {
        let prints = |standing| -> Vec<Footprint> {
            let edges = automaton.edges.iter();
            edges.map(|edge| walker.footprint(automaton, edge, standing)).collect()
        };
        let (first, later) = (prints(Standing::First), prints(Standing::Later));
        let (objects, back) = (walker.objects, back_edges(automaton));
        Chains { first, later, objects, back, relays }
    }

    /// An edge and all that may follow it at once, by their places in the list of edges.
    fn from(&self, automaton: &Automaton, start: usize) -> Vec<usize> {
        let mut chain = vec![start];
        let mut seen = HashSet::from([start]);
        let mut at = 0;
        while at < chain.len() {
            let edge = &automaton.edges[chain[at]];
            let print = &self.first[chain[at]];
            // Who hands a message over lets go; the other one may hand one back.
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

    /// What is touched along a chain, and what decides whether its edges have their turn.
    fn touch(
        &self,
        automaton: &Automaton,
        first: Firsts<'_>,
        start: usize,
        chain: &[usize],
    ) -> Touch {
        let mut touch = first.of(start).touch.clone();
        touch.depend(&shut_out(automaton, first, start, self.objects));
        for &at in &chain[1..] {
            touch.add(&self.later[at].touch);
            touch.depend(&shut_out(automaton, self.firsts(), at, self.objects));
        }
        touch
    }

    /// What an edge waits for: its own needs, and that others are not possible.
    fn needs(
        &self,
        automaton: &Automaton,
        first: Firsts<'_>,
        start: usize,
        chain: &[usize],
    ) -> Needs {
        let mut needs = first.of(start).needs.clone();
        needs.add(&shut_out(automaton, first, start, self.objects));
        if chain.len() > 1 && self.goes_round(chain) {
            // An atomic sequence that never ends is no way, until something makes it end.
            chain.iter().for_each(|&at| needs.add_things(&self.later[at].touch.reads));
        }
        needs
    }

    /// The rendezvous in which messages are handed over along a chain.
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

/// What decides whether an edge has its turn: `else` is for when no sibling is possible, and an
/// escape goes before all that it can interrupt.
fn shut_out(automaton: &Automaton, first: Firsts<'_>, at: usize, objects: Objects) -> Needs {
    let edge = &automaton.edges[at];
    let is_else = matches!(edge.steps[0].action, Action::Else);
    let mut asked = Needs::nothing(objects);
    for sibling in edges_from(automaton, edge.from).filter(|&sibling| sibling != at) {
        let escape = automaton.edges[sibling].escape;
        if is_else || (escape.is_some() && escape != edge.escape) {
            asked.add(&first.of(sibling).asks);
        }
    }
    asked
}

/// The edges that lead back to a location on the path to them, in a walk through the automaton:
/// every cycle has one.
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
