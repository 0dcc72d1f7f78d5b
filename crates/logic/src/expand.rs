//! Expansion of a formula into conditions on the next letter and on the rest of the word.
//!
//! A term is one way to satisfy a formula: a guard for the letter, obligations for the rest of the
//! word, and promises. `a U b` either has `b` now, or has `a`, obliges the rest to `a U b` and
//! promises `b`. A promise that is made in every step from some point on is broken. A term that
//! another term absorbs is dropped.
//!
//! Source: [Cou99] for promises, [GO01] for dropping terms.

use std::collections::HashMap;
use std::rc::Rc;

use crate::bits::Bits;
use crate::cube::Cube;
use crate::pool::{Id, Node, Pool, deep};

/// One way to satisfy a formula.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Term {
    pub(crate) guard: Cube,
    pub(crate) next: Bits,
    pub(crate) promises: Bits,
}

impl Term {
    /// Whether everything that satisfies the other satisfies this.
    fn absorbs(&self, other: &Self) -> bool {
        self.guard.covers(&other.guard)
            && self.next.is_subset(&other.next)
            && self.promises.is_subset(&other.promises)
    }
}

/// The limit on terms or states is exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Overflow;

/// Expands formulas of a pool; obligations and promises are numbered in order of occurrence.
#[derive(Debug)]
pub(crate) struct Expander<'a> {
    pool: &'a Pool,
    /// By number in guards: the atom.
    atoms: &'a [u32],
    obligations: Numbers,
    promises: Numbers,
    known: HashMap<Id, Rc<[Term]>>,
    /// Upper bound on the terms of a formula.
    limit: usize,
}

/// Formulas numbered in order of occurrence.
#[derive(Debug, Default)]
struct Numbers {
    ids: Vec<Id>,
    index: HashMap<Id, usize>,
}

impl Numbers {
    fn number(&mut self, id: Id) -> usize {
        *self.index.entry(id).or_insert_with(|| {
            self.ids.push(id);
            self.ids.len() - 1
        })
    }
}

impl<'a> Expander<'a> {
    pub(crate) fn new(pool: &'a Pool, atoms: &'a [u32], limit: usize) -> Self {
        let (obligations, promises) = (Numbers::default(), Numbers::default());
        Self { pool, atoms, obligations, promises, known: HashMap::new(), limit }
    }

    /// Number of different promises.
    pub(crate) fn promises(&self) -> usize {
        self.promises.ids.len()
    }

    /// A formula as a set of obligations.
    pub(crate) fn oblige(&mut self, id: Id) -> Bits {
        match self.pool.node(id) {
            Node::True => Bits::default(),
            Node::And(members) => members.iter().map(|&m| self.obligations.number(m)).collect(),
            _ => [self.obligations.number(id)].into_iter().collect(),
        }
    }

    /// All terms for a set of obligations, in canonical order.
    pub(crate) fn meet(&mut self, obligations: &Bits) -> Result<Vec<Term>, Overflow> {
        let mut terms = vec![Term::nothing()];
        for number in obligations.iter() {
            let more = self.terms(self.obligations.ids[number])?;
            terms = self.product(&terms, &more)?;
        }
        terms.sort_unstable();
        Ok(terms)
    }

    fn terms(&mut self, id: Id) -> Result<Rc<[Term]>, Overflow> {
        if let Some(known) = self.known.get(&id) {
            return Ok(known.clone());
        }
        let terms: Rc<[Term]> = deep(|| self.expand(id))?.into();
        self.known.insert(id, terms.clone());
        Ok(terms)
    }

    fn expand(&mut self, id: Id) -> Result<Vec<Term>, Overflow> {
        Ok(match *self.pool.node(id) {
            Node::True => vec![Term::nothing()],
            Node::False => Vec::new(),
            Node::AtomLiteral(atom, positive) => {
                let atom = self.atoms.binary_search(&atom).expect("atoms are those of the formula");
                vec![Term { guard: Cube::literal(atom, positive), ..Term::nothing() }]
            }
            Node::And(ref members) => {
                let mut terms = vec![Term::nothing()];
                for &member in members.iter() {
                    let more = self.terms(member)?;
                    terms = self.product(&terms, &more)?;
                }
                terms
            }
            Node::Or(ref members) => {
                let mut terms = Vec::new();
                for &member in members.iter() {
                    let more = self.terms(member)?;
                    terms = self.sum(terms, more.to_vec())?;
                }
                terms
            }
            Node::Next(one) => vec![Term { next: self.oblige(one), ..Term::nothing() }],
            Node::Until(one, two) => {
                let promise = [self.promises.number(two)].into_iter().collect();
                let wait = Term { next: self.oblige(id), promises: promise, ..Term::nothing() };
                let (left, right) = (self.terms(one)?, self.terms(two)?);
                let later = self.product(&left, &[wait])?;
                self.sum(right.to_vec(), later)?
            }
            Node::Release(one, two) => {
                let wait = Term { next: self.oblige(id), ..Term::nothing() };
                let (left, right) = (self.terms(one)?, self.terms(two)?);
                let ended = self.sum(left.to_vec(), vec![wait])?;
                self.product(&right, &ended)?
            }
        })
    }

    /// The disjunction, without absorbed terms.
    fn sum(&self, one: Vec<Term>, two: Vec<Term>) -> Result<Vec<Term>, Overflow> {
        let mut kept: Vec<Term> = Vec::with_capacity(one.len() + two.len());
        let first = one.len();
        kept.extend(one);
        for term in two {
            if !kept[..first.min(kept.len())].iter().any(|other| other.absorbs(&term)) {
                kept.push(term);
            }
        }
        let (old, new) = kept.split_at(first);
        let survives = |term: &&Term| !new.iter().any(|other| other.absorbs(term));
        let mut result: Vec<Term> = old.iter().filter(survives).cloned().collect();
        result.extend_from_slice(new);
        self.within(result)
    }

    /// The conjunction.
    fn product(&self, one: &[Term], two: &[Term]) -> Result<Vec<Term>, Overflow> {
        if let [only] = one
            && *only == Term::nothing()
        {
            return Ok(two.to_vec());
        }
        let mut kept: Vec<Term> = Vec::new();
        for left in one {
            for right in two {
                let Some(guard) = left.guard.and(&right.guard) else { continue };
                let next = left.next.union(&right.next);
                let term = Term { guard, next, promises: left.promises.union(&right.promises) };
                if !kept.iter().any(|other| other.absorbs(&term)) {
                    kept.retain(|other| !term.absorbs(other));
                    kept.push(term);
                }
                if kept.len() > self.limit {
                    return Err(Overflow);
                }
            }
        }
        self.within(kept)
    }

    fn within(&self, terms: Vec<Term>) -> Result<Vec<Term>, Overflow> {
        if terms.len() > self.limit { Err(Overflow) } else { Ok(terms) }
    }
}

impl Term {
    /// The term without conditions.
    fn nothing() -> Self {
        Self { guard: Cube::default(), next: Bits::default(), promises: Bits::default() }
    }
}
