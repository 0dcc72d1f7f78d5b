//! Büchi automata: one initial state, acceptance on states, guards that are
//! conjunctions of literals.
//!
//! A run takes one edge for each letter; a word is accepted if one of its runs visits
//! accepting states infinitely often.

use std::fmt;

use crate::formula::Atom;

/// An automaton on infinite words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buchi {
    /// The initial state.
    pub start: u32,
    /// The states; there is at least the initial one.
    pub states: Vec<BuchiState>,
}

/// A state, with its edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuchiState {
    /// Whether runs that visit it infinitely often are accepted.
    pub accepting: bool,
    /// Outgoing edges.
    pub edges: Vec<BuchiEdge>,
}

/// An edge.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BuchiEdge {
    /// The letters that enable it.
    pub guard: Guard,
    /// The target state.
    pub to: u32,
}

/// An atom or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AtomLiteral {
    /// The atom.
    pub atom: Atom,
    /// Whether it is the atom itself, not its negation.
    pub positive: bool,
}

/// A conjunction of literals, sorted, at most one for an atom. The empty one is true.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Guard {
    literals: Vec<AtomLiteral>,
}

impl Guard {
    /// The conjunction of these literals; `None` if two contradict each other.
    #[must_use]
    pub fn new(mut literals: Vec<AtomLiteral>) -> Option<Self> {
        literals.sort_unstable();
        literals.dedup();
        let clash = literals.windows(2).any(|pair| pair[0].atom == pair[1].atom);
        (!clash).then_some(Self { literals })
    }

    /// The literals, by the numbers of their atoms.
    #[must_use]
    pub fn literals(&self) -> &[AtomLiteral] {
        &self.literals
    }

    /// Whether every letter satisfies it.
    #[must_use]
    pub fn is_true(&self) -> bool {
        self.literals.is_empty()
    }

    /// Whether a letter satisfies it, given the truth of atoms.
    pub fn holds(&self, mut truth: impl FnMut(Atom) -> bool) -> bool {
        self.literals.iter().all(|literal| truth(literal.atom) == literal.positive)
    }

    /// Whether some letter satisfies both.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        let mut literals = [&self.literals[..], &other.literals].concat();
        literals.sort_unstable();
        literals.dedup();
        literals.windows(2).all(|pair| pair[0].atom != pair[1].atom)
    }
}

impl Buchi {
    /// Number of edges, each with a conjunction as its guard.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.states.iter().map(|state| state.edges.len()).sum()
    }

    /// Number of pairs of states with an edge.
    #[must_use]
    pub fn joined(&self) -> usize {
        let targets = |state: &BuchiState| {
            let mut targets: Vec<u32> = state.edges.iter().map(|edge| edge.to).collect();
            targets.sort_unstable();
            targets.dedup();
            targets.len()
        };
        self.states.iter().map(targets).sum()
    }

    /// The atoms in guards, ascending.
    #[must_use]
    pub fn atoms(&self) -> Vec<Atom> {
        let edges = self.states.iter().flat_map(|state| &state.edges);
        let literals = edges.flat_map(|edge| edge.guard.literals());
        let mut atoms: Vec<Atom> = literals.map(|literal| literal.atom).collect();
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }
}

impl fmt::Display for Guard {
    /// For instance `p0 && !p2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_true() {
            return f.write_str("true");
        }
        for (at, literal) in self.literals.iter().enumerate() {
            let and = if at == 0 { "" } else { " && " };
            let not = if literal.positive { "" } else { "!" };
            write!(f, "{and}{not}p{}", literal.atom.0)?;
        }
        Ok(())
    }
}

impl fmt::Display for Buchi {
    /// One line per state and per edge.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, state) in self.states.iter().enumerate() {
            let start = if number == self.start as usize { " start" } else { "" };
            let accepting = if state.accepting { " accepting" } else { "" };
            writeln!(f, "{number}{start}{accepting}")?;
            for edge in &state.edges {
                writeln!(f, "  {} -> {}", edge.guard, edge.to)?;
            }
        }
        Ok(())
    }
}
