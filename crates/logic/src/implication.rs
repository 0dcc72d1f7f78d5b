//! Syntactic implication: a cheap sufficient test of whether one formula implies another.
//!
//! Every rule is a valid implication whose premises are implications between operands. A `true` is
//! a proof; a `false` leaves the question open.
//!
//! Source: the rules of [SB00] and [EH00], and their duals.

use crate::pool::{FALSE, Id, Node, Pool, TRUE, deep};

impl Pool {
    /// Whether `one` certainly implies `two`.
    pub(crate) fn implies(&mut self, one: Id, two: Id) -> bool {
        if one == two || one == FALSE || two == TRUE {
            return true;
        }
        if one == TRUE || two == FALSE {
            return false;
        }
        if let Some(&known) = self.implied.get(&(one, two)) {
            return known;
        }
        let answer = deep(|| self.follows(one, two));
        self.implied.insert((one, two), answer);
        answer
    }

    /// Whether `one` certainly excludes `two`.
    pub(crate) fn excludes(&mut self, one: Id, two: Id) -> bool {
        let other = self.negate(two);
        self.implies(one, other)
    }

    fn follows(&mut self, one: Id, two: Id) -> bool {
        let (left, right) = (self.node(one).clone(), self.node(two).clone());
        match (&left, &right) {
            (_, Node::And(members)) => return members.iter().all(|&m| self.implies(one, m)),
            (Node::Or(members), _) => return members.iter().all(|&m| self.implies(m, two)),
            _ => {}
        }
        if let Node::And(members) = &left
            && members.iter().any(|&member| self.implies(member, two))
        {
            return true;
        }
        if let Node::Or(members) = &right
            && members.iter().any(|&member| self.implies(one, member))
        {
            return true;
        }
        let stays = self.facts(one).universal;
        let comes = self.facts(two).eventual;
        let from_left = match left {
            Node::Next(x) => {
                (comes && self.implies(x, two))
                    || matches!(right, Node::Next(y) if self.implies(x, y))
            }
            Node::Until(x, y) => {
                let there = self.implies(y, two);
                there
                    && (comes
                        || self.implies(x, two)
                        || matches!(right, Node::Until(c, _) if self.implies(x, c)))
            }
            Node::Release(_, y) => self.implies(y, two),
            _ => false,
        };
        from_left
            || match right {
                Node::Next(y) => stays && self.implies(one, y),
                Node::Until(_, d) => self.implies(one, d),
                Node::Release(c, d) => {
                    self.implies(one, d)
                        && (stays
                            || self.implies(one, c)
                            || matches!(left, Node::Release(x, _) if self.implies(x, c)))
                }
                _ => false,
            }
    }
}
