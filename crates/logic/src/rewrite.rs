//! Simplifying constructors of formulas.
//!
//! Rules are written for conjunction and until; those for disjunction and release are their duals,
//! by negating operands and result. Every rule is an equivalence for all words. Rules apply before
//! the translation, never to its states: there, replacing a promise by an equivalent one forever
//! could break it.
//!
//! Source: the rules of [SB00] and [EH00], with some of [BBD13] for formulas that are both eventual
//! and universal.

use crate::pool::{FALSE, Id, Node, Pool, Rewriting, TRUE, deep};

/// Beyond this many operands, pairs are not compared.
const CROWD: usize = 60;

impl Pool {
    /// `X one`
    pub(crate) fn next(&mut self, one: Id, rewriting: Rewriting) -> Id {
        let same = matches!(one, TRUE | FALSE)
            || (rewriting == Rewriting::Full && self.is_suspendable(one));
        if same { one } else { self.put(Node::Next(one)) }
    }

    /// `one V two`, by its dual.
    pub(crate) fn release(&mut self, one: Id, two: Id, rewriting: Rewriting) -> Id {
        let (one, two) = (self.negate(one), self.negate(two));
        let until = self.until(one, two, rewriting);
        self.negate(until)
    }

    /// The disjunction, by its dual.
    pub(crate) fn or(&mut self, members: Vec<Id>, rewriting: Rewriting) -> Id {
        let members = self.negate_all(&members);
        let and = self.and(members, rewriting);
        self.negate(and)
    }

    /// `one U two`
    pub(crate) fn until(&mut self, one: Id, two: Id, rewriting: Rewriting) -> Id {
        if matches!(two, TRUE | FALSE) || one == FALSE {
            return two;
        }
        if rewriting == Rewriting::Full
            && let Some(smaller) = deep(|| self.smaller_until(one, two))
        {
            return smaller;
        }
        self.put(Node::Until(one, two))
    }

    fn smaller_until(&mut self, one: Id, two: Id) -> Option<Id> {
        const FULL: Rewriting = Rewriting::Full;
        if self.facts(two).eventual || self.implies(one, two) {
            return Some(two);
        }
        // Before the right operand holds for the first time, it does not hold.
        let before = self.negate(two);
        match self.node(one).clone() {
            Node::Or(members) => {
                let kept: Vec<Id> =
                    members.iter().copied().filter(|&m| !self.implies(m, two)).collect();
                if kept.len() < members.len() {
                    let one = self.or(kept, FULL);
                    return Some(self.until(one, two, FULL));
                }
            }
            Node::And(members) => {
                let kept: Vec<Id> =
                    members.iter().copied().filter(|&m| !self.implies(before, m)).collect();
                if kept.len() < members.len() {
                    let one = self.and(kept, FULL);
                    return Some(self.until(one, two, FULL));
                }
            }
            Node::Until(_, d) if d == two => return Some(one),
            Node::Next(x) => {
                if let Node::Next(y) = *self.node(two) {
                    let inner = self.until(x, y, FULL);
                    return Some(self.next(inner, FULL));
                }
            }
            _ => {}
        }
        if one != TRUE && self.implies(before, one) {
            return Some(self.until(TRUE, two, FULL));
        }
        match self.node(two).clone() {
            Node::Until(c, _) if self.implies(one, c) => Some(two),
            Node::Until(c, d) if self.implies(c, one) => Some(self.until(one, d, FULL)),
            Node::Release(FALSE, x) if one == TRUE => self.smaller_persistence(x),
            Node::Next(y) if one == TRUE => {
                let inner = self.until(one, y, FULL);
                Some(self.next(inner, FULL))
            }
            Node::Or(members) => {
                let (mut out, mut within): (Vec<Id>, Vec<Id>) =
                    members.iter().partition(|&&member| self.facts(member).eventual);
                if one == TRUE && members.len() > 1 {
                    // A universal formula that holds keeps holding, so that <>u can be suspended.
                    let (stay, rest): (Vec<Id>, Vec<Id>) =
                        within.iter().partition(|&&member| self.facts(member).universal);
                    out.extend(stay.into_iter().map(|member| self.until(TRUE, member, FULL)));
                    within = rest;
                }
                self.pull(one, out, within, Self::or)
            }
            Node::And(members) => {
                let (out, within): (Vec<Id>, Vec<Id>) =
                    members.iter().partition(|&&member| self.is_suspendable(member));
                self.pull(one, out, within, Self::and)
            }
            _ => None,
        }
    }

    /// `<>[](a || u)` as `<>[]a || <>[]u`, where `u` is universal: once it holds, it stays.
    fn smaller_persistence(&mut self, inner: Id) -> Option<Id> {
        let Node::Or(members) = self.node(inner).clone() else { return None };
        let (out, within): (Vec<Id>, Vec<Id>) =
            members.iter().partition(|&&member| self.facts(member).universal);
        if out.is_empty() || members.len() < 2 {
            return None;
        }
        let rest = self.or(within, Rewriting::Full);
        let each = out.into_iter().chain([rest]).map(|part| {
            let always = self.release(FALSE, part, Rewriting::Full);
            self.until(TRUE, always, Rewriting::Full)
        });
        let each = each.collect();
        Some(self.or(each, Rewriting::Full))
    }

    /// `one U (within ∘ out)` as `(one U within) ∘ out`, if `out` is not empty.
    fn pull(
        &mut self,
        one: Id,
        mut out: Vec<Id>,
        within: Vec<Id>,
        join: fn(&mut Self, Vec<Id>, Rewriting) -> Id,
    ) -> Option<Id> {
        if out.is_empty() {
            return None;
        }
        let rest = join(self, within, Rewriting::Full);
        out.push(self.until(one, rest, Rewriting::Full));
        Some(join(self, out, Rewriting::Full))
    }

    /// The conjunction.
    pub(crate) fn and(&mut self, members: Vec<Id>, rewriting: Rewriting) -> Id {
        let mut members = self.flat(members);
        if members.contains(&FALSE) {
            return FALSE;
        }
        for at in 0..members.len() {
            let other = self.negate(members[at]);
            if members.binary_search(&other).is_ok() {
                return FALSE;
            }
        }
        if rewriting == Rewriting::Full
            && (2..=CROWD).contains(&members.len())
            && let Some(smaller) = deep(|| self.smaller_and(&mut members))
        {
            return smaller;
        }
        match members[..] {
            [] => TRUE,
            [one] => one,
            _ => self.put(Node::And(members.into())),
        }
    }

    /// Flattened operands, sorted, without duplicates and without `true`.
    fn flat(&self, members: Vec<Id>) -> Vec<Id> {
        let mut flat = Vec::new();
        for member in members {
            match self.node(member) {
                Node::And(inner) => flat.extend_from_slice(inner),
                Node::True => {}
                _ => flat.push(member),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        flat
    }

    /// Drops operands that others imply; returns a smaller formula if two operands can be joined.
    fn smaller_and(&mut self, members: &mut Vec<Id>) -> Option<Id> {
        let mut at = 0;
        while at < members.len() {
            let member = members[at];
            let others = || members.iter().copied().filter(|&other| other != member);
            if others().any(|other| self.excludes(other, member)) {
                return Some(FALSE);
            }
            if others().any(|other| self.implies(other, member)) {
                members.remove(at);
            } else {
                at += 1;
            }
        }
        for (at, &member) in members.iter().enumerate() {
            let Node::Or(choices) = self.node(member).clone() else { continue };
            let possible = |&choice: &Id| {
                let mut others = members.iter().filter(|&&other| other != member);
                !others.any(|&other| self.excludes(other, choice))
            };
            let kept: Vec<Id> = choices.iter().copied().filter(possible).collect();
            if kept.len() < choices.len() {
                let mut rest = members.clone();
                rest[at] = self.or(kept, Rewriting::Full);
                return Some(self.and(rest, Rewriting::Full));
            }
        }
        for first in 0..members.len() {
            for second in 0..members.len() {
                if first != second
                    && let Some(joined) = self.join(members[first], members[second])
                {
                    let (one, two) = (members[first], members[second]);
                    members.retain(|&member| member != one && member != two);
                    members.push(joined);
                    let rest = std::mem::take(members);
                    return Some(self.and(rest, Rewriting::Full));
                }
            }
        }
        None
    }

    /// One formula for the conjunction of two, if there is a smaller one.
    fn join(&mut self, one: Id, two: Id) -> Option<Id> {
        const FULL: Rewriting = Rewriting::Full;
        match (self.node(one).clone(), self.node(two).clone()) {
            (Node::Next(x), Node::Next(y)) => {
                let both = self.and(vec![x, y], FULL);
                Some(self.next(both, FULL))
            }
            (Node::Until(TRUE, x), Node::Until(TRUE, y)) => {
                // <>[]a && <>[]b
                let (Node::Release(FALSE, a), Node::Release(FALSE, b)) =
                    (self.node(x).clone(), self.node(y).clone())
                else {
                    return None;
                };
                let both = self.and(vec![a, b], FULL);
                let always = self.release(FALSE, both, FULL);
                Some(self.until(TRUE, always, FULL))
            }
            (Node::Until(a, c), Node::Until(b, d)) if c == d => {
                let both = self.and(vec![a, b], FULL);
                Some(self.until(both, c, FULL))
            }
            // Suspendable formulas stay separate.
            (Node::Release(a, b), Node::Release(c, d))
                if a == c && !self.is_suspendable(one) && !self.is_suspendable(two) =>
            {
                let both = self.and(vec![b, d], FULL);
                Some(self.release(a, both, FULL))
            }
            (Node::Release(b, a), Node::Until(TRUE, c)) if b == c => {
                let both = self.and(vec![a, b], FULL);
                Some(self.until(a, both, FULL))
            }
            _ => None,
        }
    }
}
