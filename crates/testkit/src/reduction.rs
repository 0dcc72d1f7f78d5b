//! A reduced space has what the full one has: the same deadlocks, the same faults, the same
//! invariants that do not hold.
//!
//! The walk here is as plain as can be, so that nothing but the reducer is on trial. Deadlocks
//! are compared state by state.

use std::collections::{BTreeSet, HashMap};

use beeline_analysis::reduction::{Independence, Preserve, Proposals};
use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_kernel::{CandidateSets, Expansion, FaultKind, Reducer, SiteId, Space};
use beeline_promela::hir::{BinaryOp, Expr, ExprKind, Model, UnaryOp};

use crate::model;

/// What there is in a space.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Found {
    deadlocks: BTreeSet<Vec<u8>>,
    faults: BTreeSet<(FaultKind, SiteId)>,
    broken: BTreeSet<u32>,
}

/// When ways may be postponed once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Postpone {
    /// At any time.
    Always,
    /// When a state that is kept has not been expanded yet.
    UnlessExpanded,
}

/// Walks a space to its end, up to `most` states. Returns how many there were.
///
/// # Panics
///
/// Never: a state that waits is known.
pub fn walk(
    space: &dyn Space,
    mut reducer: Option<(&mut dyn Reducer, Postpone)>,
    most: usize,
) -> Option<(usize, Found)> {
    let mut state = Vec::new();
    space.initial(&mut state).ok()?;
    let mut expanded = HashMap::from([(state.clone(), false)]);
    let (mut waiting, mut found) = (vec![state], Found::default());
    let (mut expansion, mut choices) = (Expansion::default(), CandidateSets::default());
    let mut expander = space.expander();
    while let Some(state) = waiting.pop() {
        if std::mem::replace(expanded.get_mut(&state).expect("an open state is known"), true) {
            continue;
        }
        expander.expand_only(&state, &mut expansion);
        found.faults.extend(expansion.faults.iter().map(|way| (way.fault.kind, way.fault.site)));
        found.broken.extend(&expansion.violated_invariants);
        if expansion.deadlock {
            found.deadlocks.insert(state.clone());
        }
        let mut kept: Vec<u32> = (0..expansion.len() as u32).collect();
        if let Some((reducer, postpone)) = &mut reducer
            && expansion.faults.iter().all(|way| reducer.passes(way.fault.kind))
        {
            reducer.propose(&state, expansion.successors.transitions(), &mut choices);
            let is_new = |&way: &u32| expanded.get(expansion.state(way as usize)) != Some(&true);
            let fits = |set: &&[u32]| *postpone == Postpone::Always || set.iter().any(is_new);
            if let Some(set) = choices.iter().find(fits) {
                kept = set.to_vec();
            }
        }
        for way in kept {
            let next = expansion.state(way as usize);
            if expanded.get(next) != Some(&true) {
                expanded.insert(next.to_vec(), false);
                waiting.push(next.to_vec());
            }
        }
        if expanded.len() > most {
            return None;
        }
    }
    Some((expanded.len(), found))
}

/// Whether a space that was reduced for this aim has what the full one has.
pub fn is_sound(aim: Aim, full: &Found, reduced: &Found) -> bool {
    full.deadlocks == reduced.deadlocks
        && (aim.name == "deadlocks"
            || (full.faults == reduced.faults && full.broken == reduced.broken))
}

/// How much was compared.
#[derive(Debug, Default)]
pub struct Compared {
    /// Spaces that are small enough.
    pub spaces: usize,
    /// Deadlocks in them,
    pub deadlocks: usize,
    /// faults,
    pub faults: usize,
    /// and invariants that do not hold.
    pub broken: usize,
    /// Sums of logarithms: how much smaller the spaces became.
    shares: [f64; 3],
}

impl Compared {
    /// The mean share of states that are left for an aim.
    pub fn share(&self, which: usize) -> f64 {
        (self.shares[which] / self.spaces.max(1) as f64).exp()
    }
}

/// What a space is reduced for.
#[derive(Clone, Copy, Debug)]
pub struct Aim {
    name: &'static str,
    /// What the reducer preserves.
    pub keep: Preserve,
    /// When it may postpone.
    pub postpone: Postpone,
}

impl Aim {
    /// How many sets the reducer proposes.
    pub fn proposals(self) -> Proposals {
        match self.postpone {
            Postpone::Always => Proposals::One,
            Postpone::UnlessExpanded => Proposals::All,
        }
    }
}

/// What spaces are reduced for.
pub const AIMS: [Aim; 3] = [
    Aim {
        name: "deadlocks",
        keep: Preserve { faults: false, property: false, cycles: false },
        postpone: Postpone::Always,
    },
    Aim {
        name: "safety",
        keep: Preserve { faults: true, property: true, cycles: false },
        postpone: Postpone::UnlessExpanded,
    },
    Aim {
        name: "cycles",
        keep: Preserve { faults: true, property: true, cycles: true },
        postpone: Postpone::Always,
    },
];

/// Compares the reduced spaces of a machine with the full one, unless it has more than `most` states.
///
/// # Panics
///
/// When a reduced space lacks something.
pub fn compare(name: &str, machine: &Machine<'_>, most: usize, all: &mut Compared) {
    let Some((states, full)) = walk(machine, None, most) else { return };
    let mut shares = [0.0; 3];
    for (at, aim) in AIMS.into_iter().enumerate() {
        let Ok(facts) = Independence::of(machine, aim.keep) else { return };
        let mut reducer = facts.reducer(aim.proposals());
        let (fewer, reduced) = walk(machine, Some((&mut reducer, aim.postpone)), most)
            .expect("a reduced space is no larger");
        assert!(fewer <= states, "{name}: {fewer} of {states} states, {aim:?}");
        assert!(is_sound(aim, &full, &reduced), "{name}: {aim:?}: {full:?} or {reduced:?}");
        shares[at] = (fewer as f64 / states as f64).ln();
    }
    all.spaces += 1;
    all.deadlocks += full.deadlocks.len();
    all.faults += full.faults.len();
    all.broken += full.broken.len();
    all.shares.iter_mut().zip(shares).for_each(|(sum, share)| *sum += share);
}

/// Compares the spaces of a small model.
///
/// # Panics
///
/// As [`compare`].
pub fn compared(text: &str) -> Compared {
    let front = model::read_text("model.pml", text);
    let machine = Machine::new(&front.hir, AutomataOptions::OPTIMISED)
        .with_invariants(invariants(&front.hir));
    let mut all = Compared::default();
    compare(text, &machine, 1_000, &mut all);
    all
}

/// Invariants for a model: that guards of its processes that name global things only are not
/// true, or false, together. Most of them do not hold; some do not in one order of steps only.
pub fn invariants(model: &Model) -> Vec<Expr> {
    let guards = global_guards(model);
    let not = |one: &Expr| node(one, ExprKind::Unary(UnaryOp::Not, Box::new(one.clone())));
    let both = |one: &Expr, two: &Expr| {
        let operands = (Box::new(one.clone()), Box::new(two.clone()));
        not(&node(one, ExprKind::Binary(BinaryOp::And, operands.0, operands.1)))
    };
    let mut invariants = Vec::new();
    for (at, one) in guards.iter().enumerate() {
        for two in &guards[at + 1..] {
            let (no, nor) = (not(one), not(two));
            invariants.extend([both(one, two), both(one, &nor), both(&no, two), both(&no, &nor)]);
        }
    }
    invariants.truncate(8);
    for formula in &model.formulas {
        if let ExprKind::Unary(UnaryOp::Always, invariant) = &formula.formula.kind
            && !invariant.any(is_temporal)
        {
            invariants.push(Expr::clone(invariant));
        }
    }
    invariants
}

fn is_temporal(expr: &Expr) -> bool {
    use {BinaryOp as B, UnaryOp as U};
    matches!(
        expr.kind,
        ExprKind::Unary(U::Always | U::Eventually | U::Next, _)
            | ExprKind::Binary(
                B::Implies | B::Equivalent | B::Until | B::WeakUntil | B::Release,
                ..
            )
    )
}

fn node(like: &Expr, kind: ExprKind) -> Expr {
    Expr { kind, span: like.span }
}

/// Some guards of a model that name global things only.
fn global_guards(model: &Model) -> Vec<Expr> {
    let mut guards = model::global_expressions(model);
    guards.retain(|guard| guard.kind.constant().is_none());
    guards.truncate(3);
    guards
}
