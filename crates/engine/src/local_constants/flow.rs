//! The locations where variables are set, on all paths.
//!
//! A forward analysis over the automaton and the insides of its `d_step`s. Its lattice is: 0, set,
//! or both; a location with both determines nothing.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use beeline_promela::hir::{Expr, ExprKind, Root};

use crate::automata::{Automaton, Edge, EdgeAction, EdgeStep, Location, uses_channels};

/// The number of variables that are analysed at once, as the bits of a word.
const CHUNK: usize = u64::BITS as usize;

/// Steps from one node to another. The first nodes are the locations of the automaton; others are
/// inside `d_step`s, or after them.
struct Link<'a> {
    from: usize,
    to: usize,
    steps: &'a [EdgeStep],
    kind: Kind,
}

/// The statements that a link executes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// All statements, each with the variables that die after it.
    Edge,
    /// The first statement only: no variable dies inside a `d_step`.
    Inside,
    /// All but the first, which is a `d_step`, and the variables that die after the edge.
    Behind,
}

/// The effect of a step on a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Event {
    Reads,
    Sets,
    Clears,
}

/// The effect of a link on a chunk of variables.
#[derive(Clone, Copy, Default)]
struct LinkEffect {
    /// Read before any assignment.
    reads: u64,
    sets: u64,
    clears: u64,
}

/// The flow graph of an automaton.
pub(super) struct Flow<'a> {
    start: usize,
    places: usize,
    locations: usize,
    links: Vec<Link<'a>>,
}

impl<'a> Flow<'a> {
    pub(super) fn of(automaton: &'a Automaton) -> Flow<'a> {
        let locations = automaton.marks.len();
        let start = automaton.start.0 as usize;
        let mut flow = Flow { start, places: locations, locations, links: Vec::new() };
        // By `d_step`: its first node, and its exit nodes.
        let mut insides = HashMap::new();
        for inside in &automaton.d_steps {
            let mut places: BTreeMap<Location, usize> = BTreeMap::new();
            let mut place = |at: Location| {
                *places.entry(at).or_insert_with(|| {
                    flow.places += 1;
                    flow.places - 1
                })
            };
            let entry = place(inside.entry);
            for edge in &inside.edges {
                let (from, to) = (place(edge.from), place(edge.to));
                flow.links.push(Link { from, to, steps: &edge.steps[..1], kind: Kind::Inside });
            }
            let sources: BTreeSet<Location> = inside.edges.iter().map(|edge| edge.from).collect();
            let left = places.into_iter().filter(|(at, _)| !sources.contains(at));
            let left: Vec<usize> = left.map(|(_, place)| place).collect();
            insides.insert(inside.edge, (entry, left));
        }
        for edge in &automaton.edges {
            let Edge { from, to, steps, .. } = edge;
            let (from, to) = (from.0 as usize, to.0 as usize);
            match insides.get(&edge.id).filter(|_| matches!(steps[0].action, EdgeAction::DStep)) {
                None => flow.links.push(Link { from, to, steps, kind: Kind::Edge }),
                Some((entry, left)) => {
                    flow.links.push(Link { from, to: *entry, steps: &[], kind: Kind::Edge });
                    let behind =
                        left.iter().map(|&from| Link { from, to, steps, kind: Kind::Behind });
                    flow.links.extend(behind);
                }
            }
        }
        flow
    }

    /// By variable: the locations where it is set, if every location determines this, and if it is
    /// read only there. `effect` gives the variable that an action assigns to, and whether that
    /// sets it. Variables in `promised` must not change before a channel is used in the same step:
    /// the exclusivity check reads them in the state before the step.
    pub(super) fn solve(
        &self,
        locals: &[usize],
        promised: &BTreeSet<usize>,
        is_set_at_first: impl Fn(usize) -> bool,
        effect: impl Fn(&EdgeAction) -> Option<(usize, bool)>,
    ) -> Vec<Option<Vec<bool>>> {
        let mut found = Vec::new();
        for chunk in locals.chunks(CHUNK) {
            let bits: HashMap<usize, u64> =
                chunk.iter().enumerate().map(|(at, &local)| (local, 1 << at)).collect();
            let promised = promised.iter().filter_map(|local| bits.get(local)).sum();
            let mut broken = 0;
            let links = self.links.iter().map(|link| {
                let mut events = Events { effect: LinkEffect::default(), broken: 0, promised };
                events.link(link, &bits, &effect);
                broken |= events.broken;
                events.effect
            });
            let effects: Vec<LinkEffect> = links.collect();
            let first = chunk.iter().filter(|&&local| is_set_at_first(local));
            let first = first.map(|local| bits[local]).sum();
            let (zero, set) = self.spread(&effects, first);
            for (link, effect) in self.links.iter().zip(&effects) {
                broken |= effect.reads & zero[link.from];
            }
            for (zero, set) in zero.iter().zip(&set) {
                broken |= zero & set;
            }
            found.extend(chunk.iter().map(|local| {
                let bit = bits[local];
                let is_set = || set[..self.locations].iter().map(|set| set & bit != 0).collect();
                (broken & bit == 0).then(is_set)
            }));
        }
        found
    }

    /// By node: the variables that may be 0 there, and those that may be set.
    fn spread(&self, effects: &[LinkEffect], first: u64) -> (Vec<u64>, Vec<u64>) {
        let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); self.places];
        for (number, link) in self.links.iter().enumerate() {
            leaving[link.from].push(number);
        }
        let (mut zero, mut set) = (vec![0; self.places], vec![0; self.places]);
        let mut seen = vec![false; self.places];
        (zero[self.start], set[self.start], seen[self.start]) = (!first, first, true);
        let mut waiting = vec![self.start];
        while let Some(at) = waiting.pop() {
            for &number in &leaving[at] {
                let (LinkEffect { sets, clears, .. }, to) =
                    (effects[number], self.links[number].to);
                let changed = sets | clears;
                let next =
                    (zero[to] | zero[at] & !changed | clears, set[to] | set[at] & !changed | sets);
                if next != (zero[to], set[to]) || !seen[to] {
                    (zero[to], set[to], seen[to]) = (next.0, next.1, true);
                    waiting.push(to);
                }
            }
        }
        (zero, set)
    }
}

/// The events of variables on a link, in order.
struct Events {
    effect: LinkEffect,
    /// Read where they may be 0, or changed in an unknown way.
    broken: u64,
    promised: u64,
}

impl Events {
    fn link(
        &mut self,
        link: &Link<'_>,
        bits: &HashMap<usize, u64>,
        effect: &impl Fn(&EdgeAction) -> Option<(usize, bool)>,
    ) {
        for (number, step) in link.steps.iter().enumerate() {
            let is_behind = link.kind == Kind::Behind && number == 0;
            if !is_behind {
                self.action(&step.action, bits, effect);
            }
            if link.kind != Kind::Inside {
                for id in &step.dead {
                    bits.get(&id.index())
                        .into_iter()
                        .for_each(|&bit| self.note(bit, Event::Clears));
                }
            }
        }
        if link.kind != Kind::Edge {
            // Inside a `d_step`, the location does not determine the value.
            self.broken |= self.promised & (self.effect.sets | self.effect.clears);
        }
    }

    fn action(
        &mut self,
        action: &EdgeAction,
        bits: &HashMap<usize, u64>,
        effect: &impl Fn(&EdgeAction) -> Option<(usize, bool)>,
    ) {
        if self.promised != 0 && uses_channels(action) {
            self.broken |= self.promised & (self.effect.sets | self.effect.clears);
        }
        let mut note = |local: Option<usize>, event| {
            if let Some(&bit) = local.and_then(|local| bits.get(&local)) {
                self.note(bit, event);
            }
        };
        if let EdgeAction::Send { channel, .. } | EdgeAction::Receive { channel, .. } = action {
            note(own(channel.root), Event::Reads);
        }
        action.visit(&mut |expr| note(read(expr), Event::Reads));
        if let Some((local, is_set)) = effect(action) {
            note(Some(local), if is_set { Event::Sets } else { Event::Clears });
        }
    }

    fn note(&mut self, bit: u64, event: Event) {
        let LinkEffect { reads, sets, clears } = &mut self.effect;
        match event {
            Event::Reads if *clears & bit != 0 => self.broken |= bit,
            Event::Reads if *sets & bit != 0 => {}
            Event::Reads => *reads |= bit,
            Event::Sets => (*sets, *clears) = (*sets | bit, *clears & !bit),
            Event::Clears => (*sets, *clears) = (*sets & !bit, *clears | bit),
        }
    }
}

/// A variable of the process itself.
pub(super) fn own(root: Root) -> Option<usize> {
    match root {
        Root::Local(id) => Some(id.index()),
        Root::Global(_) | Root::Predefined(_) => None,
    }
}

/// The local variable that an expression reads, as a value or as a channel, without its parts.
pub(super) fn read(expr: &Expr) -> Option<usize> {
    match &expr.kind {
        ExprKind::Read(access)
        | ExprKind::Channel(_, access)
        | ExprKind::Poll { channel: access, .. } => own(access.root),
        _ => None,
    }
}
