//! `atomic` and `d_step`: the elements of their sequences.

use super::elements::{El, Elements, Holding, Node, Seq};

impl Elements {
    /// Marks a sequence as exclusive. Exclusive sequences inside it lose their own marks, except a
    /// `d_step` inside `atomic`.
    pub(super) fn make_atomic(&mut self, seq: Seq, holding: Holding) {
        let sequence = self.sequence(seq);
        self.mark_atomic(sequence.first, sequence.last, holding);
        let last = self.last_step(seq);
        let status = &mut self.get_mut(last).status;
        status.atomic = false;
        status.last_atomic = true;
        self.sequences[seq.0].held = Some(holding);
    }

    /// The element that ends a sequence, inside blocks and bodies of `unless`.
    fn last_step(&self, seq: Seq) -> El {
        let mut last = self.sequence(seq).last;
        loop {
            let inner = match self.get(last).node {
                Node::Block(inner) | Node::Atomic(inner) => inner,
                Node::Unless => self.get(last).below[0],
                _ => return last,
            };
            last = self.sequence(inner).last;
        }
    }

    fn mark_atomic(&mut self, first: El, last: El, holding: Holding) {
        let mut at = Some(first);
        while let Some(el) = at {
            self.get_mut(el).status.atomic = true;
            let inner = match self.get(el).node {
                Node::Atomic(seq) | Node::Block(seq) => Some(seq),
                Node::DStep(seq) if holding == Holding::DStep => Some(seq),
                _ => None,
            };
            if let Some(seq) = inner {
                self.get_mut(el).node = Node::Block(seq);
                if self.sequence(seq).held == Some(holding) {
                    // All but its last step was marked when the sequence itself was read.
                    let last = self.last_step(seq);
                    self.get_mut(last).status.atomic = true;
                } else {
                    let inner = self.sequence(seq);
                    self.mark_atomic(inner.first, inner.last, holding);
                }
            }
            for option in self.get(el).below.clone() {
                let option = self.sequence(option);
                self.mark_atomic(option.first, option.last, holding);
            }
            if el == last {
                break;
            }
            at = self.get(el).next;
        }
    }

    /// A jump out of an atomic sequence ends it; a jump into another one continues it.
    pub(super) fn patch_jumps(&mut self, seq: Seq) {
        let extent = self.sequence(seq).extent;
        let mut at = Some(self.sequence(seq).first);
        while let Some(el) = at {
            if let Node::Goto(target) = self.get(el).node {
                let there = self.get(self.target(target)).status.any_atomic();
                let status = &mut self.get_mut(el).status;
                if status.any_atomic() && !there {
                    status.atomic = false;
                    status.last_atomic = true;
                }
                if status.last_atomic && there {
                    status.last_atomic = false;
                    status.atomic = true;
                }
            } else {
                for option in self.get(el).below.clone() {
                    self.patch_jumps(option);
                }
            }
            if el == extent {
                break;
            }
            at = self.get(el).next;
        }
    }
}
