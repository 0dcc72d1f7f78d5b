//! Statement merging: a step followed by steps that no other process can observe is one step.
//!
//! A statement can be absorbed when it never blocks, has no alternative, no label and no escape,
//! and accesses nothing global (unless it is inside an atomic sequence). A statement that may block
//! can begin a chain but not be part of one. A rendezvous send never begins one, because it
//! transfers control.

use std::collections::HashSet;

use beeline_promela::hir::{ExprKind, ProcessId};

use super::action::EdgeAction;
use super::elements::{El, Elements, Node};
use super::flow::{Flow, FlowEdge};
use super::globality::Globality;

pub(super) fn merge(
    elements: &mut Elements,
    flow: &Flow,
    globality: &Globality,
    process: ProcessId,
) {
    let merger = Merger { flow, globality, process };
    merger.find_chains(elements);
    merger.find_starts(elements);
}

struct Merger<'a> {
    flow: &'a Flow,
    globality: &'a Globality,
    process: ProcessId,
}

impl Merger<'_> {
    fn find_chains(&self, elements: &mut Elements) {
        for node in self.flow.nodes.iter().rev() {
            for &edge in node.edges.iter().rev() {
                let Some(el) = edge.step else {
                    continue;
                };
                elements.get_mut(el).merge.ways_in = node.ways_in;
                if elements.get(el).merge.chain.is_some() || may_block(elements, el) {
                    continue;
                }
                if !self.can_be_absorbed(elements, Some(edge), node.edges.len()) {
                    continue;
                }
                let (next, alternatives) = self.newest(edge.to);
                if self.can_be_absorbed(elements, next, alternatives) {
                    self.build_chain(elements, edge, node.edges.len());
                } else {
                    elements.get_mut(el).merge.single = Some(edge.to);
                }
            }
        }
    }

    /// The newest edge of a location, and its number of edges.
    fn newest(&self, location: u32) -> (Option<FlowEdge>, usize) {
        match self.flow.node(location) {
            Some(node) => (node.edges.last().copied(), node.edges.len()),
            None => (None, 0),
        }
    }

    /// Follows absorbable steps to their end, and records that end in each.
    fn build_chain(&self, elements: &mut Elements, first: FlowEdge, alternatives: usize) {
        let mut chain: Vec<(El, u32)> = Vec::new();
        let mut on_chain = HashSet::new();
        let mut at = (Some(first), alternatives);
        let mut end = None;
        while let (Some(edge), alternatives) = at {
            let Some(el) = edge.step else {
                break;
            };
            if let Some(known) = elements.get(el).merge.chain {
                end = Some(known);
                break;
            }
            if !self.can_be_absorbed(elements, Some(edge), alternatives) || !on_chain.insert(el) {
                break;
            }
            chain.push((el, edge.to));
            at = self.newest(edge.to);
        }
        for (el, to) in chain.into_iter().rev() {
            let target = end.unwrap_or(to);
            elements.get_mut(el).merge.chain = Some(target);
            end = Some(target);
        }
    }

    fn find_starts(&self, elements: &mut Elements) {
        for node in self.flow.nodes.iter().rev() {
            for &edge in node.edges.iter().rev() {
                let Some(el) = edge.step else {
                    continue;
                };
                let element = elements.get(el);
                if element.merge.chain.is_some() || !self.can_begin(elements, el) {
                    continue;
                }
                let plain = node.edges.len() == 1
                    && element.escapes.is_empty()
                    && !element.status.remote
                    && self.is_private(elements, el);
                if !plain {
                    continue;
                }
                let (Some(FlowEdge { step: Some(next), .. }), _) = self.newest(edge.to) else {
                    continue;
                };
                let next = elements.get(next).merge;
                elements.get_mut(el).merge.start = next.chain.or(next.single);
            }
        }
    }

    fn can_begin(&self, elements: &Elements, el: El) -> bool {
        match &elements.get(el).node {
            Node::EdgeAction(EdgeAction::Guard(condition)) => {
                !condition.any(|expr| matches!(expr.kind, ExprKind::Run { .. }))
            }
            Node::EdgeAction(EdgeAction::Receive { .. }) => true,
            Node::EdgeAction(EdgeAction::Send { .. }) => !elements.has_rendezvous,
            _ => false,
        }
    }

    fn can_be_absorbed(
        &self,
        elements: &Elements,
        edge: Option<FlowEdge>,
        alternatives: usize,
    ) -> bool {
        let Some(FlowEdge { step: Some(el), .. }) = edge else {
            return false;
        };
        let element = elements.get(el);
        let kind = match &element.node {
            Node::EdgeAction(action) => !matches!(
                action,
                EdgeAction::SetPriority(..)
                    | EdgeAction::Else
                    | EdgeAction::End
                    | EdgeAction::Guard(_)
                    | EdgeAction::Receive { .. }
                    | EdgeAction::Send { .. }
            ),
            Node::Goto(_) | Node::Join | Node::LoopExit => true,
            Node::Choice | Node::Unless => false,
            Node::Atomic(_) | Node::DStep(_) | Node::Block(_) => false,
        };
        // `alternatives` includes the edge itself; only the newest edge of several is ever tested.
        kind && alternatives == 1
            && element.escapes.is_empty()
            && !element.status.remote
            && element.labels.is_empty()
            && self.is_private(elements, el)
    }

    fn is_private(&self, elements: &Elements, el: El) -> bool {
        let element = elements.get(el);
        if element.status.any_atomic() {
            return true;
        }
        match &element.node {
            Node::EdgeAction(action) => !self.globality.action(action, self.process),
            _ => true,
        }
    }
}

/// Statements that may block; the second pass handles them.
fn may_block(elements: &Elements, el: El) -> bool {
    matches!(
        elements.get(el).node,
        Node::EdgeAction(
            EdgeAction::Guard(_) | EdgeAction::Receive { .. } | EdgeAction::Send { .. }
        )
    )
}
