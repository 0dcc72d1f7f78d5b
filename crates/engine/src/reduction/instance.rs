//! A process with everything about it that never changes: its number, its type, and the
//! variables that keep their values. What its edges touch is found once for all states in which
//! it is there.

use std::collections::HashSet;
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
    /// By location: what it can try to do there.
    places: Vec<Vec<Move>>,
}

impl Instance {
    /// What the process can try at a location.
    pub(super) fn moves(&self, location: Location) -> &[Move] {
        self.places.get(location.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// Finds what all edges of a process touch. `child` tells what a process of a type may
    /// touch, whoever it is.
    pub(super) fn new(
        walker: &Walker<'_>,
        visible: &Visible,
        relays: bool,
        child: impl Fn(&Edge) -> Option<Arc<Touch>>,
    ) -> Instance {
        let automaton = walker.machine.automaton(walker.process);
        let chains = Chains::new(walker, automaton, relays);
        let mut places: Vec<Vec<Move>> = vec![Vec::new(); automaton.marks.len()];
        for (at, edge) in automaton.edges.iter().enumerate() {
            let chain = chains.from(at);
            let nothing = Arc::new(Touch::nothing(walker.objects));
            let parts = || chain.iter().map(|&at| &automaton.edges[at]);
            places[edge.from.0 as usize].push(Move {
                id: edge.id,
                own: chains.touch(at, &chain),
                beyond: nothing,
                needs: chains.needs(at, &chain),
                is_timeout: chains.first[at].is_timeout,
                hands: chains.hands(at, &chain),
                takes: chains.first[at].takes.clone(),
                is_visible: parts().any(|edge| visible.sees_edge(walker.process, automaton, edge)),
                goes_back: chains.goes_round(&chain),
            });
        }
        let mut instance = Instance { places };
        for moves in &mut instance.places {
            for step in moves {
                step.is_visible |= visible.sees(&step.own);
            }
        }
        instance.look_beyond(walker, automaton, child);
        instance
    }

    /// Finds what may be touched behind each edge: all edges that can be reached, but for those
    /// that wait for everyone else. While someone can move for certain, nobody passes them.
    fn look_beyond(
        &mut self,
        walker: &Walker<'_>,
        automaton: &Automaton,
        child: impl Fn(&Edge) -> Option<Arc<Touch>>,
    ) {
        let mut behind = vec![Touch::nothing(walker.objects); automaton.marks.len()];
        let mut grows = true;
        while grows {
            grows = false;
            for edge in automaton.edges.iter().rev() {
                let (from, to) = (edge.from.0 as usize, edge.to.0 as usize);
                let moves = self.places[from].iter().filter(|step| step.id == edge.id);
                for step in moves.filter(|step| !step.is_timeout) {
                    grows |= behind[from].add(&step.own);
                    if let Some(child) = child(edge) {
                        grows |= behind[from].add(&child);
                    }
                }
                if self.places[from].iter().any(|step| step.id == edge.id && !step.is_timeout) {
                    let further = behind[to].clone();
                    grows |= behind[from].add(&further);
                }
            }
        }
        let behind: Vec<Arc<Touch>> = behind.into_iter().map(Arc::new).collect();
        for edge in &automaton.edges {
            let mut beyond = Arc::clone(&behind[edge.to.0 as usize]);
            if let Some(child) = child(edge) {
                let mut more = Touch::clone(&beyond);
                more.add(&child);
                beyond = Arc::new(more);
            }
            for step in &mut self.places[edge.from.0 as usize] {
                if step.id == edge.id {
                    step.beyond = Arc::clone(&beyond);
                }
            }
        }
    }
}

/// Edges with those that are executed behind them before others may move.
struct Chains<'a> {
    automaton: &'a Automaton,
    first: Vec<Footprint>,
    later: Vec<Footprint>,
    objects: Objects,
    /// By edge: it leads back.
    back: Vec<bool>,
    /// In some rendezvous, who takes a message may go on and hand one over at once.
    relays: bool,
}

impl<'a> Chains<'a> {
    fn new(walker: &Walker<'_>, automaton: &'a Automaton, relays: bool) -> Self {
        let prints = |standing| -> Vec<Footprint> {
            let edges = automaton.edges.iter();
            edges.map(|edge| walker.footprint(automaton, edge, standing)).collect()
        };
        let (first, later) = (prints(Standing::First), prints(Standing::Later));
        let (objects, back) = (walker.objects, back_edges(automaton));
        Chains { automaton, first, later, objects, back, relays }
    }

    /// An edge and all that may follow it at once, by their places in the list of edges.
    fn from(&self, start: usize) -> Vec<usize> {
        let mut chain = vec![start];
        let mut seen = HashSet::from([start]);
        let mut at = 0;
        while at < chain.len() {
            let edge = &self.automaton.edges[chain[at]];
            let print = &self.first[chain[at]];
            // Who hands a message over lets go; the other one may hand one back.
            let alone = edge.hold.atomic && !print.only_hands;
            let met = self.relays && !print.hands.is_empty();
            at += 1;
            for next in self.edges_from(edge.to) {
                let takes = self.first[next].only_takes;
                let follows = (alone && !takes) || (met && !self.first[next].takes.is_empty());
                if follows && seen.insert(next) {
                    chain.push(next);
                }
            }
        }
        chain
    }

    fn edges_from(&self, location: Location) -> std::ops::Range<usize> {
        let edges = &self.automaton.edges;
        edges.partition_point(|edge| edge.from < location)
            ..edges.partition_point(|edge| edge.from <= location)
    }

    /// What is touched along a chain. What the first edge of a location depends on that tries
    /// something else first is what those others ask for.
    fn touch(&self, start: usize, chain: &[usize]) -> Touch {
        let mut touch = self.first[start].touch.clone();
        let asked = self.asked(start);
        touch.reads.add(&asked.things);
        touch.is_wild |= asked.is_wild;
        for &at in &chain[1..] {
            touch.add(&self.later[at].touch);
            let asked = self.asked(at);
            touch.reads.add(&asked.things);
            touch.is_wild |= asked.is_wild;
        }
        touch
    }

    /// What an edge waits for: its own needs, and that others are not possible.
    fn needs(&self, start: usize, chain: &[usize]) -> Needs {
        let mut needs = self.first[start].needs.clone();
        let asked = self.asked(start);
        needs.things.add(&asked.things);
        needs.is_wild |= asked.is_wild;
        if chain.len() > 1 && self.goes_round(chain) {
            // An atomic sequence that never ends is no way, until something makes it end.
            for &at in chain {
                needs.things.add(&self.later[at].touch.reads);
            }
        }
        needs
    }

    /// What shuts an edge out: `else` is for when no sibling is possible, and an escape goes
    /// before all that it can interrupt.
    fn asked(&self, at: usize) -> Needs {
        let edge = &self.automaton.edges[at];
        let is_else = matches!(edge.steps[0].action, Action::Else);
        let mut asked = Needs::nothing(self.objects);
        for sibling in self.edges_from(edge.from) {
            let escape = self.automaton.edges[sibling].escape;
            let shuts_out = is_else || (escape.is_some() && escape != edge.escape);
            if sibling != at && shuts_out {
                asked.things.add(&self.first[sibling].asks.things);
                asked.is_wild |= self.first[sibling].asks.is_wild;
            }
        }
        asked
    }

    fn hands(&self, start: usize, chain: &[usize]) -> Bits {
        let mut hands = self.first[start].hands.clone();
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

/// The edges that lead back to a location on the path to them, in a walk through the automaton:
/// every cycle has one.
fn back_edges(automaton: &Automaton) -> Vec<bool> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        OnPath,
        Done,
    }
    let from = |location: Location| {
        let edges = &automaton.edges;
        edges.partition_point(|edge| edge.from < location)
            ..edges.partition_point(|edge| edge.from <= location)
    };
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
