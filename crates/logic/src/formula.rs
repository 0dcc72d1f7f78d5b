//! Formulas of linear temporal logic over numbered atoms, with X and without past operators.
//!
//! Subformulas are shared, so that a clone is cheap and `a <-> b` does not duplicate its operands.
//! The meaning of atoms is left to the caller. Constructors expand derived operators.

use std::fmt;
use std::sync::Arc;

/// The number of an atomic proposition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom(pub u32);

/// A formula, to be evaluated on an infinite word.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Formula {
    /// Holds always.
    True,
    /// Holds never.
    False,
    /// The atom holds in the first letter.
    Atom(Atom),
    /// The operand does not hold.
    Not(Arc<Formula>),
    /// Both hold.
    And(Arc<Formula>, Arc<Formula>),
    /// At least one holds.
    Or(Arc<Formula>, Arc<Formula>),
    /// The operand holds of the word without its first letter.
    Next(Arc<Formula>),
    /// The right operand holds eventually, the left one until then.
    Until(Arc<Formula>, Arc<Formula>),
    /// The right operand holds until both do, or forever: SPIN's `V`.
    Release(Arc<Formula>, Arc<Formula>),
}

impl Formula {
    /// The atom with this number.
    #[must_use]
    pub fn atom(number: u32) -> Self {
        Self::Atom(Atom(number))
    }

    /// `!self`
    #[must_use]
    #[allow(clippy::should_implement_trait, reason = "`!formula` would say no more than this")]
    pub fn not(self) -> Self {
        Self::Not(Arc::new(self))
    }

    /// `self && other`
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self::And(Arc::new(self), Arc::new(other))
    }

    /// `self || other`
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self::Or(Arc::new(self), Arc::new(other))
    }

    /// `self -> other`
    #[must_use]
    pub fn implies(self, other: Self) -> Self {
        self.not().or(other)
    }

    /// `self <-> other`, whose operands are shared rather than copied.
    #[must_use]
    pub fn iff(self, other: Self) -> Self {
        let (left, right) = (Arc::new(self), Arc::new(other));
        let both = Self::And(left.clone(), right.clone());
        both.or(Self::Or(left, right).not())
    }

    /// `X self`
    #[must_use]
    pub fn next(self) -> Self {
        Self::Next(Arc::new(self))
    }

    /// `self U other`
    #[must_use]
    pub fn until(self, other: Self) -> Self {
        Self::Until(Arc::new(self), Arc::new(other))
    }

    /// `self V other`
    #[must_use]
    pub fn release(self, other: Self) -> Self {
        Self::Release(Arc::new(self), Arc::new(other))
    }

    /// `self W other`: until, where `other` need not hold eventually.
    #[must_use]
    pub fn weak_until(self, other: Self) -> Self {
        let (left, right) = (Arc::new(self), Arc::new(other));
        let either = Self::Or(left, right.clone());
        Self::Release(right, Arc::new(either))
    }

    /// `<> self`
    #[must_use]
    pub fn eventually(self) -> Self {
        Self::True.until(self)
    }

    /// `[] self`
    #[must_use]
    pub fn always(self) -> Self {
        Self::False.release(self)
    }

    /// The operands, left one first.
    pub fn operands(&self) -> impl Iterator<Item = &Arc<Formula>> {
        let (one, two) = match self {
            Self::True | Self::False | Self::Atom(_) => (None, None),
            Self::Not(one) | Self::Next(one) => (Some(one), None),
            Self::And(one, two)
            | Self::Or(one, two)
            | Self::Until(one, two)
            | Self::Release(one, two) => (Some(one), Some(two)),
        };
        one.into_iter().chain(two)
    }

    /// All distinct subformulas, operands first, the formula itself last. A shared subformula
    /// occurs once, so the list can be exponentially shorter than the text.
    #[must_use]
    pub fn parts(&self) -> Vec<&Formula> {
        let mut seen = std::collections::HashSet::new();
        let mut found = Vec::new();
        let mut waiting = vec![(self, false)];
        while let Some((part, done)) = waiting.pop() {
            if done {
                found.push(part);
            } else if seen.insert(std::ptr::from_ref(part)) {
                waiting.push((part, true));
                waiting.extend(part.operands().map(|operand| (&**operand, false)));
            }
        }
        found
    }

    /// The atoms, smallest number first, each once.
    #[must_use]
    pub fn atoms(&self) -> Vec<Atom> {
        let mut atoms: Vec<Atom> = self
            .parts()
            .into_iter()
            .filter_map(|part| if let Self::Atom(atom) = part { Some(*atom) } else { None })
            .collect();
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    /// The formula in SPIN's syntax, every operand in parentheses, atoms named by `name`.
    #[must_use]
    pub fn text(&self, name: &dyn Fn(Atom) -> String) -> String {
        let mut text = String::new();
        enum Piece<'a> {
            Part(&'a Formula),
            Text(&'static str),
        }
        let mut waiting = vec![Piece::Part(self)];
        while let Some(piece) = waiting.pop() {
            let part = match piece {
                Piece::Text(piece) => {
                    text.push_str(piece);
                    continue;
                }
                Piece::Part(part) => part,
            };
            let mut say = |left, sign, right| {
                waiting.push(Piece::Text(")"));
                waiting.push(Piece::Part(right));
                waiting.push(Piece::Text(sign));
                let left: Option<&Arc<Formula>> = left;
                waiting.extend(left.map(|left| Piece::Part(left)));
                waiting.push(Piece::Text("("));
            };
            match part {
                Self::True => text.push_str("true"),
                Self::False => text.push_str("false"),
                Self::Atom(atom) => text.push_str(&name(*atom)),
                Self::Not(one) => say(None, "! ", one),
                Self::Next(one) => say(None, "X ", one),
                Self::And(one, two) => say(Some(one), " && ", two),
                Self::Or(one, two) => say(Some(one), " || ", two),
                Self::Until(one, two) if **one == Self::True => say(None, "<> ", two),
                Self::Release(one, two) if **one == Self::False => say(None, "[] ", two),
                Self::Until(one, two) => say(Some(one), " U ", two),
                Self::Release(one, two) => say(Some(one), " V ", two),
            }
        }
        text
    }
}

impl fmt::Display for Formula {
    /// In SPIN's syntax; atom 3 is `p3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(&|atom| format!("p{}", atom.0)))
    }
}
