//! The raw table: for each location, the step of its element or the entries of a choice. SPIN
//! writes this into `pan.t`, before `pan` flattens it.

use std::collections::HashSet;

use beeline_promela::hir::{Model, ProcessId};

use super::action::EdgeAction;
use super::elements::{El, Elements, Merge, Node, Seq};
use super::graph::EdgeId;

/// The steps from a location.
#[derive(Clone, Debug)]
pub(super) enum Row {
    /// None: the location is not used.
    Empty,
    /// The step of an element.
    EdgeStep(RawEdge),
    /// Entries of other locations, to be flattened.
    Choice(Vec<u32>),
}

/// A step of the table.
#[derive(Clone, Debug)]
pub(super) struct RawEdge {
    pub(super) to: u32,
    pub(super) id: EdgeId,
    /// The element and those merged with it.
    pub(super) chain: Vec<El>,
    pub(super) atomic: bool,
    pub(super) last_atomic: bool,
    pub(super) d_step: bool,
    /// Locations where escapes start, innermost last.
    pub(super) escapes: Vec<u32>,
    /// The location of the escape, if the transition is a copy of one.
    pub(super) escape: Option<u32>,
}

/// The table of one process.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) process: ProcessId,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) rows: Vec<Row>,
    pub(super) d_steps: Vec<DStepTable>,
}

/// The inside of a `d_step`.
#[derive(Clone, Debug)]
pub(super) struct DStepTable {
    pub(super) edge: EdgeId,
    pub(super) entry: u32,
    /// Its own rows with their locations, ascending.
    pub(super) rows: Vec<(u32, Row)>,
}

/// Computes the tables of all processes.
pub(super) fn tabulate(elements: &mut Elements, model: &Model) -> Vec<Table> {
    let bodies = elements.bodies.clone();
    let mut tables = Vec::with_capacity(model.processes.len());
    for body in bodies {
        let first = elements.sequence(body.sequence).first;
        let start = elements.follow_skips(first, elements.get(first).status, None);
        let mut writer = Writer::new(elements, body.locations);
        writer.sequence(body.sequence);
        let (rows, d_steps) = (writer.rows, writer.d_steps);
        let mut writer = Writer::new(elements, body.locations);
        let d_steps = d_steps.into_iter().map(|(el, seq)| writer.d_step(el, seq)).collect();
        tables.push(Table {
            process: body.process,
            start: elements.get(start).location,
            end: elements.get(body.end).location,
            rows,
            d_steps,
        });
    }
    tables
}

struct Writer<'a> {
    elements: &'a mut Elements,
    rows: Vec<Row>,
    /// Locations whose rows were written, in the order of writing.
    written: Vec<u32>,
    d_steps: Vec<(El, Seq)>,
}

impl<'a> Writer<'a> {
    fn new(elements: &'a mut Elements, locations: u32) -> Self {
        let rows = vec![Row::Empty; locations as usize];
        Writer { elements, rows, written: Vec::new(), d_steps: Vec::new() }
    }

    /// The inside of a `d_step`, with each statement by itself. Afterwards the writer is reset.
    fn d_step(&mut self, el: El, seq: Seq) -> DStepTable {
        let entry = self.elements.first_step(self.elements.sequence(seq).first);
        let entry = self.elements.get(entry).location;
        self.unmerge(seq);
        self.sequence(seq);
        self.d_steps.clear();
        self.written.sort_unstable();
        self.written.dedup();
        let take = |at: u32| (at, std::mem::replace(&mut self.rows[at as usize], Row::Empty));
        let rows = self.written.drain(..).map(take).collect();
        DStepTable { edge: EdgeId(self.elements.get(el).id), entry, rows }
    }

    fn sequence(&mut self, seq: Seq) {
        stacker::maybe_grow(64 * 1024, 2 * 1024 * 1024, || self.walk(seq));
    }

    fn walk(&mut self, seq: Seq) {
        let mut at = Some(self.elements.sequence(seq).first);
        while let Some(el) = at {
            if !std::mem::replace(&mut self.elements.get_mut(el).status.done, true) {
                self.element(el);
            }
            if el == self.elements.sequence(seq).last {
                break;
            }
            at = self.elements.get(el).next;
        }
    }

    fn element(&mut self, el: El) {
        let below = self.elements.get(el).below.clone();
        match self.elements.get(el).node {
            Node::Unless => self.sequence(below[0]),
            Node::Choice => {
                let mut ways = Vec::new();
                for &option in &below {
                    let first = self.elements.first_step(self.elements.sequence(option).first);
                    if !self.elements.is_dead_link(first) {
                        ways.push(self.elements.get(first).location);
                    }
                }
                self.put(el, Row::Choice(ways));
                for option in below {
                    self.sequence(option);
                }
            }
            Node::Atomic(seq) | Node::Block(seq) => {
                let entry = self.enter_block(el, seq);
                self.put(el, Row::Choice(vec![entry]));
                self.sequence(seq);
            }
            Node::DStep(seq) => {
                self.enter_block(el, seq);
                let element = self.elements.get(el);
                let status = element.status;
                let to = element.next.map_or(0, |next| {
                    self.elements.get(self.elements.follow_skips(next, status, None)).location
                });
                let mut transition = self.transition(el, to);
                transition.d_step = true;
                transition.last_atomic = status.last_atomic;
                self.put(el, Row::EdgeStep(transition));
                self.d_steps.push((el, seq));
                self.escapes(el);
            }
            Node::EdgeAction(_) | Node::Goto(_) | Node::Join | Node::LoopExit => self.step(el),
        }
    }

    /// Prepares a block and returns the location where it begins.
    fn enter_block(&mut self, el: El, seq: Seq) -> u32 {
        self.elements.patch_jumps(seq);
        let entry = self.elements.first_step(self.elements.sequence(seq).first);
        let last = self.elements.sequence(seq).last;
        self.elements.get_mut(last).next = self.elements.get(el).next;
        self.elements.get(entry).location
    }

    fn put(&mut self, el: El, row: Row) {
        let location = self.elements.get(el).location;
        self.rows[location as usize] = row;
        self.written.push(location);
    }

    fn transition(&self, el: El, to: u32) -> RawEdge {
        let element = self.elements.get(el);
        RawEdge {
            to,
            id: EdgeId(element.id),
            chain: vec![el],
            atomic: element.status.atomic,
            last_atomic: false,
            d_step: false,
            escapes: Vec::new(),
            escape: None,
        }
    }

    fn step(&mut self, el: El) {
        let to = self.elements.successor(el).map_or(0, |next| self.elements.get(next).location);
        let mut transition = self.transition(el, to);
        let merge = self.elements.get(el).merge;
        let merged_to = merge.start.or(merge.chain);
        let moves = match &self.elements.get(el).node {
            Node::EdgeAction(action) => matches!(action, EdgeAction::Else) || is_plain_skip(action),
            _ => true,
        };
        let unused = merge.absorbed || merge.ways_in == 0;
        if merged_to.is_some() || !moves {
            let joint = matches!(self.elements.get(el).node, Node::Join | Node::Goto(_));
            if unused && !joint {
                // The element is part of another step, or unreachable.
                return;
            }
            if let Some(target) = merged_to.filter(|_| !unused) {
                self.absorb(el, target, &mut transition);
                transition.to = target;
            }
        }
        self.put(el, Row::EdgeStep(transition));
        self.escapes(el);
    }

    /// Collects the elements that a step merges up to `target`.
    fn absorb(&mut self, el: El, target: u32, transition: &mut RawEdge) {
        let mut at = el;
        let mut passed = HashSet::from([el]);
        loop {
            let element = self.elements.get(at);
            let next = match element.node {
                Node::Goto(label) => {
                    let there = self.elements.target(label);
                    if self.elements.get(there).location == target {
                        Some(there)
                    } else {
                        Some(self.elements.follow_skips(there, element.status, Some(target)))
                    }
                }
                _ => element.next,
            };
            let Some(next) = next else {
                return;
            };
            let element = self.elements.get_mut(next);
            let member = element.merge.chain.is_some() || element.merge.single.is_some();
            if element.location == target || !member || !passed.insert(next) {
                return;
            }
            if element.merge.ways_in == 1 {
                element.merge.absorbed = true;
            }
            transition.atomic = element.status.atomic;
            transition.last_atomic = element.status.last_atomic;
            transition.chain.push(next);
            at = next;
        }
    }

    fn escapes(&mut self, el: El) {
        let element = self.elements.get(el);
        if element.escapes.is_empty() || matches!(element.node, Node::Join) {
            return;
        }
        let escapes = element.escapes.clone();
        let status = element.status;
        let location = element.location as usize;
        let begins = escapes
            .iter()
            .map(|&escape| {
                let first = self.elements.sequence(escape).first;
                self.elements.get(self.elements.follow_skips(first, status, None)).location
            })
            .collect();
        if let Row::EdgeStep(transition) = &mut self.rows[location] {
            transition.escapes = begins;
        }
        for escape in escapes {
            self.sequence(escape);
        }
    }

    /// Inside a `d_step` no statements are merged: it is one step as a whole.
    fn unmerge(&mut self, seq: Seq) {
        let mut waiting = vec![seq];
        while let Some(seq) = waiting.pop() {
            let sequence = self.elements.sequence(seq);
            let mut at = Some(sequence.first);
            while let Some(el) = at {
                let element = self.elements.get_mut(el);
                element.merge = Merge { ways_in: 1, ..Default::default() };
                element.status.done = false;
                waiting.extend(element.below.iter().copied());
                let last = el == sequence.last;
                waiting.extend(self.elements.inside(el));
                if last {
                    break;
                }
                at = self.elements.get(el).next;
            }
        }
    }
}

fn is_plain_skip(action: &EdgeAction) -> bool {
    matches!(action, EdgeAction::Guard(condition) if condition.kind.constant() == Some(1))
}
