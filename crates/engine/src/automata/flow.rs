//! The flow graph that SPIN's optimisations use: one node per location, one edge per element,
//! before any choice is flattened.

use std::collections::HashMap;

use super::elements::{El, Elements, Node, Seq};

/// An edge; `step` is `None` for an edge to an escape.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlowEdge {
    pub(super) to: u32,
    pub(super) step: Option<El>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct FlowNode {
    /// The edges, newest last; SPIN visits the newest first.
    pub(super) edges: Vec<FlowEdge>,
    pub(super) ways_in: u32,
}

/// The flow graph of one process.
#[derive(Clone, Debug, Default)]
pub(super) struct Flow {
    /// In order of discovery; SPIN visits the newest first.
    pub(super) nodes: Vec<FlowNode>,
    index: HashMap<u32, usize>,
}

impl Flow {
    pub(super) fn node(&self, location: u32) -> Option<&FlowNode> {
        self.index.get(&location).map(|&at| &self.nodes[at])
    }

    /// The position of a location's node in `nodes`.
    pub(super) fn position(&self, location: u32) -> usize {
        self.index[&location]
    }

    fn node_mut(&mut self, location: u32) -> &mut FlowNode {
        let at = *self.index.entry(location).or_insert_with(|| {
            self.nodes.push(FlowNode::default());
            self.nodes.len() - 1
        });
        &mut self.nodes[at]
    }

    fn add_edge(&mut self, from: u32, to: u32, step: Option<El>) {
        self.node_mut(from).edges.push(FlowEdge { to, step });
        self.node_mut(to).ways_in += 1;
    }

    pub(super) fn add_sequence(&mut self, elements: &mut Elements, seq: Seq) {
        stacker::maybe_grow(64 * 1024, 2 * 1024 * 1024, || self.walk(elements, seq));
    }

    fn walk(&mut self, elements: &mut Elements, seq: Seq) {
        let mut at = Some(elements.sequence(seq).first);
        while let Some(el) = at {
            if !std::mem::replace(&mut elements.get_mut(el).status.done, true) {
                self.add_element(elements, el);
            }
            if el == elements.sequence(seq).last {
                break;
            }
            at = elements.get(el).next;
        }
    }

    fn add_element(&mut self, elements: &mut Elements, el: El) {
        let from = elements.get(el).location;
        let below = elements.get(el).below.clone();
        match elements.get(el).node {
            Node::Unless => self.add_sequence(elements, below[0]),
            Node::Choice => {
                for &option in &below {
                    let first = elements.first_step(elements.sequence(option).first);
                    if !elements.is_dead_link(first) {
                        self.add_edge(from, elements.get(first).location, Some(el));
                    }
                }
                for option in below {
                    self.add_sequence(elements, option);
                }
            }
            Node::Atomic(seq) | Node::DStep(seq) | Node::Block(seq) => {
                let first = elements.first_step(elements.sequence(seq).first);
                let last = elements.sequence(seq).last;
                elements.get_mut(last).next = elements.get(el).next;
                self.add_edge(from, elements.get(first).location, Some(el));
                self.add_sequence(elements, seq);
            }
            Node::EdgeAction(_) | Node::Goto(_) | Node::Join | Node::LoopExit => {
                let to = elements.successor(el).map_or(0, |next| elements.get(next).location);
                self.add_edge(from, to, Some(el));
                if matches!(elements.get(el).node, Node::Goto(_) | Node::Join) {
                    return;
                }
                for escape in elements.get(el).escapes.clone() {
                    let first = elements.first_step(elements.sequence(escape).first);
                    self.add_edge(from, elements.get(first).location, None);
                    self.add_sequence(elements, escape);
                }
            }
        }
    }
}

impl Elements {
    /// Whether an option begins with a guard that is never true, and cannot escape.
    pub(super) fn is_dead_link(&self, first: El) -> bool {
        let element = self.get(first);
        matches!(&element.node, Node::EdgeAction(action) if action.is_false())
            && element.escapes.is_empty()
    }
}
