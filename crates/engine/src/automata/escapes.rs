//! `unless`: the elements that an escape covers.

use super::elements::{El, Elements, Node, Seq};

impl Elements {
    /// Makes `escape` an escape of everything in `covered`.
    pub(super) fn attach_escape(&mut self, covered: Seq, escape: Seq) {
        Attaching { elements: self, escape }.sequence(covered);
    }
}

/// Attaches one escape to all elements that it covers.
struct Attaching<'a> {
    elements: &'a mut Elements,
    escape: Seq,
}

impl Attaching<'_> {
    fn sequence(&mut self, covered: Seq) {
        // One escape covers many elements, which share their inner escapes.
        let covered_by = &mut self.elements.sequences[covered.0].covered_by;
        if covered_by.replace(self.escape) == Some(self.escape) {
            return;
        }
        let extent = self.elements.sequence(covered).extent;
        let mut at = Some(self.elements.sequence(covered).first);
        while let Some(el) = at {
            self.element(el);
            if el == extent {
                break;
            }
            at = self.elements.get(el).next;
        }
    }

    fn element(&mut self, el: El) {
        // Newer escapes come first, and this one is the newest.
        if self.elements.get(el).escapes.first() == Some(&self.escape) {
            return;
        }
        // The escapes that cover this element are covered themselves.
        for inner in self.elements.get(el).escapes.clone() {
            self.sequence(inner);
        }
        self.elements.get_mut(el).escapes.insert(0, self.escape);
        match self.elements.get(el).node {
            Node::Unless => {
                let body = self.elements.get(el).below[0];
                self.sequence(body);
            }
            Node::Choice => {
                for option in self.elements.get(el).below.clone() {
                    self.sequence(option);
                }
            }
            // A d_step cannot be interrupted: only its first statement escapes.
            Node::DStep(seq) => {
                let first = self.elements.sequence(seq).first;
                self.element(first);
            }
            Node::Atomic(seq) | Node::Block(seq) => self.sequence(seq),
            _ => {}
        }
    }
}
