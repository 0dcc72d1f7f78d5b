//! Following control flow through elements without effect.

use super::elements::{El, Elements, Node, Status};

/// SPIN does not follow longer chains of jumps; neither does this.
const LONGEST_CHAIN: usize = 500;

impl Elements {
    /// The element that a step to `el` finally reaches: it passes jumps and joins, but never leaves
    /// an atomic sequence, and never passes the location `stop_at`.
    pub(super) fn follow_skips(&self, el: El, from: Status, stop_at: Option<u32>) -> El {
        let mut left = LONGEST_CHAIN;
        self.follow_skips_within(el, from, stop_at, &mut left)
    }

    /// `left` limits the number of elements, including entries into bodies of `unless`: a body may
    /// jump back to the start.
    fn follow_skips_within(
        &self,
        el: El,
        from: Status,
        stop_at: Option<u32>,
        left: &mut usize,
    ) -> El {
        let mut at = el;
        while *left > 0 {
            *left -= 1;
            if Some(self.get(at).location) == stop_at {
                return at;
            }
            let next = match self.get(at).node {
                Node::Goto(target) => self.target(target),
                Node::Join | Node::LoopExit => match self.get(at).next {
                    Some(next) => next,
                    None => return at,
                },
                Node::Unless => {
                    let body = self.sequence(self.get(at).below[0]).first;
                    self.follow_skips_within(body, from, stop_at, left)
                }
                _ => return at,
            };
            if next == at || (from.atomic && !self.get(next).status.atomic) {
                return at;
            }
            at = next;
        }
        at
    }

    /// The first element of a sequence that begins with `el`, inside blocks.
    pub(super) fn first_step(&self, el: El) -> El {
        let mut at = el;
        for _ in 0..LONGEST_CHAIN {
            at = match (&self.get(at).node, self.get(at).next) {
                (Node::Join, Some(next)) => next,
                (Node::Unless, _) => self.sequence(self.get(at).below[0]).first,
                _ => return at,
            };
        }
        at
    }

    /// The element after the step of a plain element.
    pub(super) fn successor(&self, el: El) -> Option<El> {
        let element = self.get(el);
        match element.node {
            Node::Goto(target) => {
                Some(self.follow_skips(self.target(target), element.status, None))
            }
            _ => element.next.map(|next| self.follow_skips(next, element.status, None)),
        }
    }
}
