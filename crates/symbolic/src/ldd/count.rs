//! The exact size of sets. A double has 53 bits, and sets of states soon have more.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;

use super::forest::Forest;
use super::node::{EMPTY, NodeId, UNIT};
use super::set::Set;

/// A natural number of any size.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct BigUint {
    /// Digits to the base 2^64, the least significant one first; the last one is not 0.
    digits: Vec<u64>,
}

impl BigUint {
    /// Adds a number.
    pub fn add(&mut self, other: &BigUint) {
        let length = self.digits.len().max(other.digits.len());
        self.digits.resize(length, 0);
        let mut carry = false;
        for (at, digit) in self.digits.iter_mut().enumerate() {
            let more = other.digits.get(at).copied().unwrap_or(0);
            let (sum, over) = digit.overflowing_add(more);
            let (sum, over_carry) = sum.overflowing_add(u64::from(carry));
            *digit = sum;
            carry = over || over_carry;
        }
        if carry {
            self.digits.push(1);
        }
    }

    /// The number, if it has at most 64 bits.
    pub fn to_u64(&self) -> Option<u64> {
        match *self.digits {
            [] => Some(0),
            [digit] => Some(digit),
            _ => None,
        }
    }

    /// The nearest double, roughly; infinite if it is too large.
    pub fn to_f64(&self) -> f64 {
        self.digits.iter().rev().fold(0.0, |sum, &digit| sum * 2f64.powi(64) + digit as f64)
    }

    /// Divides by a small number; returns the remainder.
    fn divide(&mut self, by: u64) -> u64 {
        let mut rest = 0u128;
        for digit in self.digits.iter_mut().rev() {
            let dividend = (rest << 64) | u128::from(*digit);
            *digit = (dividend / u128::from(by)) as u64;
            rest = dividend % u128::from(by);
        }
        while self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        rest as u64
    }
}

impl From<u64> for BigUint {
    fn from(value: u64) -> BigUint {
        BigUint { digits: if value == 0 { Vec::new() } else { vec![value] } }
    }
}

impl Ord for BigUint {
    fn cmp(&self, other: &BigUint) -> Ordering {
        let by_length = self.digits.len().cmp(&other.digits.len());
        by_length.then_with(|| self.digits.iter().rev().cmp(other.digits.iter().rev()))
    }
}

impl PartialOrd for BigUint {
    fn partial_cmp(&self, other: &BigUint) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for BigUint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const GROUP: u64 = 10_000_000_000_000_000_000;
        let mut rest = self.clone();
        let mut groups = Vec::new();
        while !rest.digits.is_empty() {
            groups.push(rest.divide(GROUP));
        }
        let mut text = groups.pop().unwrap_or(0).to_string();
        for group in groups.into_iter().rev() {
            text.push_str(&format!("{group:019}"));
        }
        f.pad_integral(true, "", &text)
    }
}

impl Forest {
    /// The number of vectors of a set.
    pub fn count(&self, set: &Set) -> BigUint {
        let order = self.lists_below(set.id());
        let mut counts: HashMap<NodeId, BigUint> = HashMap::with_capacity(order.len() + 2);
        counts.insert(EMPTY, BigUint::default());
        counts.insert(UNIT, BigUint::from(1));
        for head in order {
            let mut sum = BigUint::default();
            let mut list = head;
            while list != EMPTY {
                let node = self.node(list);
                sum.add(&counts[&node.down]);
                list = node.right;
            }
            counts.insert(head, sum);
        }
        counts.remove(&set.id()).expect("the set is the last list of the order")
    }

    /// The number of nodes of a set.
    pub fn node_count(&self, set: &Set) -> usize {
        let mut known = std::collections::HashSet::new();
        for head in self.lists_below(set.id()) {
            let mut list = head;
            while list != EMPTY && known.insert(list) {
                list = self.node(list).right;
            }
        }
        known.len()
    }

    /// The lists that a set consists of, each after the lists that it refers to.
    fn lists_below(&self, set: NodeId) -> Vec<NodeId> {
        let mut order = Vec::new();
        let mut known = std::collections::HashSet::from([EMPTY, UNIT]);
        // Pairs of a list and the element of it whose suffixes come next.
        let mut path: Vec<(NodeId, NodeId)> = Vec::new();
        if known.insert(set) {
            path.push((set, set));
        }
        while let Some((head, next)) = path.last_mut() {
            if *next == EMPTY {
                order.push(*head);
                path.pop();
                continue;
            }
            let node = self.node(*next);
            *next = node.right;
            if known.insert(node.down) {
                path.push((node.down, node.down));
            }
        }
        order
    }
}
