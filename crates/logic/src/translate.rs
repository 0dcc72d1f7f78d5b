//! Translation of a formula into a small Büchi automaton.
//!
//! The formula is rewritten (`rewrite.rs`) and expanded into a generalised automaton (`expand.rs`,
//! `transition_buchi.rs`), which is reduced (`simulation.rs`), degeneralised (`degeneralize.rs`)
//! and reduced again; for obligations it is also determinised (`obligation.rs`). Where options
//! exist, several are tried; the automaton with the fewest states is kept, then a deterministic
//! one, then the one with the fewest edges. A disjunction whose automaton grows large becomes the
//! union of the automata of its disjuncts (`union.rs`).
//!
//! The result accepts exactly the words that satisfy the formula, and is the same in every
//! run.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::fmt;

use crate::bits::Bits;
use crate::buchi::{AtomLiteral, Buchi, BuchiEdge, BuchiState, Guard};
use crate::degeneralize::{LevelOptions, degeneralize};
use crate::expand::Overflow;
use crate::formula::{Atom, Formula};
use crate::obligation::smallest_weak;
use crate::operands::disjuncts;
use crate::pool::{Id, Pool, Rewriting};
use crate::simulation::reduce;
use crate::transition_buchi::{MarkPosition, MarkedEdge, TransitionBuchi};
use crate::union::union;

/// Beyond this many edges, only the first option is tried.
const LARGE: usize = 400;

/// The original formula is tried as well up to this many edges: it rarely wins.
const SECOND: usize = 150;

/// Beyond this many edges before it is reduced, a disjunction is translated by its disjuncts.
const WHOLE: usize = 2_000;

/// An intermediate automaton exceeds the limit on edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AutomatonTooLarge;

impl fmt::Display for AutomatonTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the automaton of the formula is too large")
    }
}

impl std::error::Error for AutomatonTooLarge {}

/// The automaton of a formula, which may be exponentially larger; see [`translate_within`] for a
/// limit.
#[must_use]
pub fn translate(formula: &Formula) -> Buchi {
    translate_within(formula, usize::MAX).expect("there is no limit")
}

/// The automaton of a formula, unless it has more than `limit` edges before it is reduced.
///
/// # Errors
/// When it has more than `limit` edges.
pub fn translate_within(formula: &Formula, limit: usize) -> Result<Buchi, AutomatonTooLarge> {
    if disjuncts(formula).len() < 2 {
        return translate_whole(formula, limit);
    }
    let whole = translate_whole(formula, limit.min(WHOLE));
    whole.or_else(|AutomatonTooLarge| translate_disjuncts(formula, limit))
}

/// The union of the automata of the disjuncts of a formula.
///
/// # Errors
/// When the automaton of a disjunct has more than `limit` edges before it is reduced.
pub fn translate_disjuncts(formula: &Formula, limit: usize) -> Result<Buchi, AutomatonTooLarge> {
    let each = disjuncts(formula);
    let each = each.iter().map(|disjunct| translate_whole(disjunct, limit));
    Ok(union(&each.collect::<Result<Vec<_>, _>>()?))
}

/// The automaton of a formula, not divided.
fn translate_whole(formula: &Formula, limit: usize) -> Result<Buchi, AutomatonTooLarge> {
    let mut pool = Pool::new();
    let root = pool.read(formula, Rewriting::Full);
    let atoms: Vec<u32> = formula.atoms().into_iter().map(|atom| atom.0).collect();
    let mut search = Search { pool: &pool, atoms: &atoms, seen: HashSet::new(), best: None };
    search.visit(root, limit).map_err(|Overflow| AutomatonTooLarge)?;
    let plain = {
        let mut pool = Pool::new();
        let root = pool.read(formula, Rewriting::Plain);
        (pool, root)
    };
    if let Some(best) = &search.best
        && best.size().0 > 2
        && best.size().1 <= LARGE
    {
        search.pool = &plain.0;
        // It may exceed the limit, but then a best one exists already.
        let _ = search.visit(plain.1, limit.min(SECOND));
    }
    let best = search.best.expect("the first visit found one");
    Ok(finish(&best, &atoms))
}

/// The smallest automaton so far.
struct Search<'a> {
    pool: &'a Pool,
    atoms: &'a [u32],
    /// Automata that were already reduced.
    seen: HashSet<(MarkPosition, Vec<Vec<MarkedEdge>>)>,
    best: Option<TransitionBuchi>,
}

impl Search<'_> {
    /// Tries all options for this form of the formula.
    fn visit(&mut self, root: Id, limit: usize) -> Result<(), Overflow> {
        let built = TransitionBuchi::build(self.pool, root, self.atoms, limit)?;
        let mut smallest: Option<TransitionBuchi> = None;
        for idle in [Bits::default(), Bits::below(built.sets)] {
            let mut automaton = built.clone();
            reduce(&mut automaton, MarkPosition::Edge, &idle);
            if self.is_new(MarkPosition::Edge, &automaton) {
                self.put_marks_on_states(&automaton);
            }
            let larger = |other: &TransitionBuchi| other.size() > automaton.size();
            if smallest.as_ref().is_none_or(larger) {
                smallest = Some(automaton);
            }
            if self.is_done() {
                break;
            }
        }
        if self.pool.facts(root).obligation
            && let Some(automaton) = smallest
            && let Some(best) = &self.best
            && let Some(mut weak) = smallest_weak(&automaton, 4 * best.size().0 + 8)
        {
            weak.clean(MarkPosition::State, &Bits::default());
            self.offer(weak);
        }
        Ok(())
    }

    fn put_marks_on_states(&mut self, automaton: &TransitionBuchi) {
        for manner in LevelOptions::all() {
            let on_states = degeneralize(automaton, manner);
            for idle in [Bits::default(), Bits::below(1)] {
                let mut on_states = on_states.clone();
                on_states.clean(MarkPosition::State, &idle);
                if self.is_new(MarkPosition::State, &on_states) {
                    reduce(&mut on_states, MarkPosition::State, &idle);
                    self.offer(on_states);
                }
                if self.is_done() {
                    return;
                }
            }
        }
    }

    /// Whether this automaton was not met before.
    fn is_new(&mut self, basis: MarkPosition, automaton: &TransitionBuchi) -> bool {
        self.seen.insert((basis, automaton.arrows.clone()))
    }

    /// Whether further options are useless or too expensive.
    fn is_done(&self) -> bool {
        self.best.as_ref().is_some_and(|best| best.size().0 <= 1 || best.size().1 > LARGE)
    }

    fn offer(&mut self, automaton: TransitionBuchi) {
        if self.best.as_ref().is_none_or(|best| merit(&automaton) > merit(best)) {
            self.best = Some(automaton);
        }
    }
}

/// The order of preference among automata.
fn merit(automaton: &TransitionBuchi) -> impl Ord {
    let (states, edges) = automaton.size();
    (Reverse(states), !automaton.has_choices(), Reverse(edges))
}

/// The public form of the automaton.
fn finish(automaton: &TransitionBuchi, atoms: &[u32]) -> Buchi {
    let number = |state: usize| u32::try_from(state).expect("fewer states than numbers");
    let literal =
        |(atom, positive): (usize, bool)| AtomLiteral { atom: Atom(atoms[atom]), positive };
    let states = automaton.arrows.iter().map(|arrows| {
        let edge = |arrow: &MarkedEdge| BuchiEdge {
            guard: Guard::new(arrow.cube.literals().map(literal).collect())
                .expect("cubes do not contradict themselves"),
            to: number(arrow.to),
        };
        let accepting = arrows.first().is_some_and(|arrow| !arrow.marks.is_empty());
        BuchiState { accepting, edges: arrows.iter().map(edge).collect() }
    });
    Buchi { start: number(automaton.start), states: states.collect() }
}
