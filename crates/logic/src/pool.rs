//! Formulas in negation normal form, hash-consed.
//!
//! Conjunctions and disjunctions have any number of operands, sorted, without duplicates. Facts
//! about a formula are computed on insertion: whether it is a pure eventuality (closed under
//! prepending letters), purely universal (closed under suffixes), and its syntactic fragment.
//!
//! Source: [EH00] for pure eventualities and universal formulas.

use std::collections::HashMap;
use std::sync::Arc;

use crate::formula::Formula;

/// The number of a formula in a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Id(pub(crate) u32);

/// The formula `true`.
pub(crate) const TRUE: Id = Id(0);
/// The formula `false`.
pub(crate) const FALSE: Id = Id(1);

/// A formula whose operands are in the pool.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    True,
    False,
    AtomLiteral(u32, bool),
    And(Arc<[Id]>),
    Or(Arc<[Id]>),
    Next(Id),
    Until(Id, Id),
    Release(Id, Id),
}

/// Syntactic facts about a formula.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    pub(crate) eventual: bool,
    pub(crate) universal: bool,
    pub(crate) safety: bool,
    pub(crate) guarantee: bool,
    pub(crate) obligation: bool,
    pub(crate) has_next: bool,
}

/// The hash-consed formulas.
#[derive(Debug)]
pub(crate) struct Pool {
    nodes: Vec<Node>,
    facts: Vec<Facts>,
    negations: Vec<Option<Id>>,
    index: HashMap<Node, Id>,
    /// Memoised results of [`Pool::implies`].
    pub(crate) implied: HashMap<(Id, Id), bool>,
}

impl Pool {
    pub(crate) fn new() -> Self {
        let mut pool = Self {
            nodes: Vec::new(),
            facts: Vec::new(),
            negations: Vec::new(),
            index: HashMap::new(),
            implied: HashMap::new(),
        };
        assert_eq!(pool.put(Node::True), TRUE);
        assert_eq!(pool.put(Node::False), FALSE);
        pool
    }

    /// The number of this node, without rewriting.
    pub(crate) fn put(&mut self, node: Node) -> Id {
        if let Some(&id) = self.index.get(&node) {
            return id;
        }
        let id = Id(u32::try_from(self.nodes.len()).expect("fewer formulas than memory has bytes"));
        self.facts.push(self.observe(&node));
        self.negations.push(None);
        self.index.insert(node.clone(), id);
        self.nodes.push(node);
        id
    }

    pub(crate) fn node(&self, id: Id) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(crate) fn facts(&self, id: Id) -> Facts {
        self.facts[id.0 as usize]
    }

    /// Whether the formula holds for a word exactly if it holds for all its suffixes.
    pub(crate) fn is_suspendable(&self, id: Id) -> bool {
        let facts = self.facts(id);
        facts.eventual && facts.universal
    }

    fn observe(&self, node: &Node) -> Facts {
        let all =
            |ids: &[Id], fact: &dyn Fn(Facts) -> bool| ids.iter().all(|&id| fact(self.facts(id)));
        let base = |ids: &[Id]| Facts {
            eventual: all(ids, &|facts| facts.eventual),
            universal: all(ids, &|facts| facts.universal),
            safety: all(ids, &|facts| facts.safety),
            guarantee: all(ids, &|facts| facts.guarantee),
            obligation: all(ids, &|facts| facts.obligation),
            has_next: !all(ids, &|facts| !facts.has_next),
        };
        match node {
            Node::True | Node::False => base(&[]),
            Node::AtomLiteral(..) => Facts { eventual: false, universal: false, ..base(&[]) },
            Node::And(members) | Node::Or(members) => base(members),
            Node::Next(one) => Facts { has_next: true, ..base(&[*one]) },
            Node::Until(one, two) => {
                let facts = base(&[*one, *two]);
                let right = self.facts(*two);
                Facts {
                    eventual: facts.eventual || *one == TRUE,
                    safety: false,
                    obligation: facts.obligation && right.guarantee,
                    ..facts
                }
            }
            Node::Release(one, two) => {
                let facts = base(&[*one, *two]);
                let right = self.facts(*two);
                Facts {
                    universal: facts.universal || *one == FALSE,
                    guarantee: false,
                    obligation: facts.obligation && right.safety,
                    ..facts
                }
            }
        }
    }

    /// The negation, operator by operator.
    pub(crate) fn negate(&mut self, id: Id) -> Id {
        if let Some(known) = self.negations[id.0 as usize] {
            return known;
        }
        let node = self.node(id).clone();
        let opposite = deep(|| match node {
            Node::True => FALSE,
            Node::False => TRUE,
            Node::AtomLiteral(atom, positive) => self.put(Node::AtomLiteral(atom, !positive)),
            Node::And(members) => {
                let members = self.negate_all(&members);
                self.put(Node::Or(members.into()))
            }
            Node::Or(members) => {
                let members = self.negate_all(&members);
                self.put(Node::And(members.into()))
            }
            Node::Next(one) => {
                let one = self.negate(one);
                self.put(Node::Next(one))
            }
            Node::Until(one, two) => {
                let (one, two) = (self.negate(one), self.negate(two));
                self.put(Node::Release(one, two))
            }
            Node::Release(one, two) => {
                let (one, two) = (self.negate(one), self.negate(two));
                self.put(Node::Until(one, two))
            }
        });
        self.negations[id.0 as usize] = Some(opposite);
        self.negations[opposite.0 as usize] = Some(id);
        opposite
    }

    /// The negations, sorted.
    pub(crate) fn negate_all(&mut self, members: &[Id]) -> Vec<Id> {
        let mut members: Vec<Id> = members.iter().map(|&member| self.negate(member)).collect();
        members.sort_unstable();
        members
    }

    /// The formula in negation normal form, built by `rewrite`'s constructors or plainly.
    pub(crate) fn read(&mut self, formula: &Formula, rewriting: Rewriting) -> Id {
        let mut known: HashMap<*const Formula, Id> = HashMap::new();
        for part in formula.parts() {
            let of = |operand: &Arc<Formula>| known[&Arc::as_ptr(operand)];
            let id = match part {
                Formula::True => TRUE,
                Formula::False => FALSE,
                Formula::Atom(atom) => self.put(Node::AtomLiteral(atom.0, true)),
                Formula::Not(one) => self.negate(of(one)),
                Formula::And(one, two) => self.and(vec![of(one), of(two)], rewriting),
                Formula::Or(one, two) => self.or(vec![of(one), of(two)], rewriting),
                Formula::Next(one) => self.next(of(one), rewriting),
                Formula::Until(one, two) => self.until(of(one), of(two), rewriting),
                Formula::Release(one, two) => self.release(of(one), of(two), rewriting),
            };
            known.insert(std::ptr::from_ref(part), id);
        }
        known[&std::ptr::from_ref(formula)]
    }
}

/// Whether constructors simplify.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rewriting {
    /// Only constants and duplicates are removed.
    Plain,
    /// All rules of `rewrite.rs`.
    Full,
}

/// Runs a recursive step, with more stack if little is left.
pub(crate) fn deep<T>(step: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, step)
}
