//! `unless`: which elements an escape covers.

use super::elements::{El, Elements, Node, Seq};

impl Elements {
    /// Makes `escape` an escape of everything in `covered`.
    pub(super) fn attach_escape(&mut self, covered: Seq, escape: Seq) {
        let extent = self.sequence(covered).extent;
        let mut at = Some(self.sequence(covered).first);
        while let Some(el) = at {
            self.escape_element(el, escape);
            if el == extent {
                break;
            }
            at = self.get(el).next;
        }
    }

    fn escape_element(&mut self, el: El, escape: Seq) {
        if self.get(el).escapes.contains(&escape) {
            return;
        }
        // The escapes that cover this element are covered themselves.
        for inner in self.get(el).escapes.clone() {
            self.attach_escape(inner, escape);
        }
        self.get_mut(el).escapes.insert(0, escape);
        match self.get(el).node {
            Node::Unless => {
                let body = self.get(el).below[0];
                self.attach_escape(body, escape);
            }
            Node::Choice => {
                for option in self.get(el).below.clone() {
                    self.attach_escape(option, escape);
                }
            }
            // A d_step cannot be interrupted: only its first statement escapes.
            Node::DStep(seq) => {
                let first = self.sequence(seq).first;
                self.escape_element(first, escape);
            }
            Node::Atomic(seq) | Node::Block(seq) => self.attach_escape(seq, escape),
            _ => {}
        }
    }
}
