//! A reduced space has the errors of the full one: the same deadlocks, the same faults, the same
//! violated invariants, on the project's own models, on the corpus and on random programs.
//!
//! The exploration here is as simple as possible, so that only the reducer is tested. Deadlocks are
//! compared state by state. `BEELINE_SEEDS` and `BEELINE_FIRST_SEED` choose other random programs,
//! `BEELINE_STATES` larger models of the corpus.

use std::collections::{BTreeSet, HashMap};

use beeline_analysis::reduction::{Independence, Preserve, Proposals, Rule};
use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_kernel::{CandidateSets, Expansion, FaultKind, Reducer, SiteId, Space};
use beeline_promela::hir::{BinaryOp, Expr, ExprKind, Model, UnaryOp};
use beeline_promela::printer;
use beeline_testkit::generate::{self, Config, Feature};
use beeline_testkit::{chosen, corpus, fixture, model};

/// The errors of a space.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    deadlocks: BTreeSet<Vec<u8>>,
    faults: BTreeSet<(FaultKind, SiteId)>,
    broken: BTreeSet<u32>,
}

/// When transitions may be postponed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Postpone {
    Always,
    /// If a kept successor has not been expanded yet.
    UnlessExpanded,
}

/// Explores a space, up to `most` states. Returns the number of states.
fn walk(
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
        if std::mem::replace(expanded.get_mut(&state).expect("who waits is known"), true) {
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

/// Whether a space that was reduced for this aim has the errors of the full one.
fn is_sound(aim: Aim, full: &Found, reduced: &Found) -> bool {
    full.deadlocks == reduced.deadlocks
        && (aim.name == "deadlocks"
            || (full.faults == reduced.faults && full.broken == reduced.broken))
}

/// Counters of the comparison.
#[derive(Default)]
struct Compared {
    spaces: usize,
    deadlocks: usize,
    faults: usize,
    broken: usize,
    /// Sums of logarithms of the reduction factors.
    shares: [f64; 3],
}

impl Compared {
    fn share(&self, which: usize) -> f64 {
        (self.shares[which] / self.spaces.max(1) as f64).exp()
    }
}

/// What a reduction preserves.
#[derive(Clone, Copy, Debug)]
struct Aim {
    name: &'static str,
    keep: Preserve,
    postpone: Postpone,
}

impl Aim {
    fn proposals(self) -> Proposals {
        match self.postpone {
            Postpone::Always => Proposals::One,
            Postpone::UnlessExpanded => Proposals::All,
        }
    }
}

const AIMS: [Aim; 3] = [
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

fn compare(name: &str, machine: &Machine<'_>, most: usize, all: &mut Compared) {
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
fn compared(text: &str) -> Compared {
    let front = model::read_text("model.pml", text);
    let machine = Machine::new(&front.hir, AutomataOptions::OPTIMISED)
        .with_invariants(invariants(&front.hir));
    let mut all = Compared::default();
    compare(text, &machine, 1_000, &mut all);
    all
}

/// Invariants for a model: that guards of its processes over globals are not true, or false,
/// together. Most of them are violated; some in one order of steps only.
fn invariants(model: &Model) -> Vec<Expr> {
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

/// Some guards of a model over globals only.
fn global_guards(model: &Model) -> Vec<Expr> {
    let mut guards = model::global_expressions(model);
    guards.retain(|guard| guard.kind.constant().is_none());
    guards.truncate(3);
    guards
}

#[test]
fn the_models_of_the_project_are_reduced_soundly() {
    let mut all = Compared::default();
    for fixture in fixture::all() {
        let front = model::read(&fixture.file).expect("our models can be read");
        let machine = Machine::new(&front.hir, AutomataOptions::OPTIMISED)
            .with_invariants(invariants(&front.hir));
        compare(&fixture.name, &machine, 20_000, &mut all);
    }
    assert!(all.spaces > 30, "only {} spaces compared", all.spaces);
    assert!(all.share(0) < 0.7, "reduced to {} only", all.share(0));
}

#[test]
fn the_corpus_is_reduced_soundly() {
    let Some(corpus) = corpus::corpus_or_skip("reduction on the corpus") else {
        return;
    };
    let most = chosen::states(10_000);
    let mut all = Compared::default();
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        let front = model::read(&entry.file).expect("corpus files can be read");
        if model::first_error(&front).is_some() {
            continue;
        }
        let machine = Machine::new(&front.hir, AutomataOptions::OPTIMISED)
            .with_invariants(invariants(&front.hir));
        compare(&entry.name, &machine, most, &mut all);
    }
    let shares = [0, 1, 2].map(|aim| all.share(aim));
    println!("{} spaces, {} deadlocks, reduced to {shares:?}", all.spaces, all.deadlocks);
    assert!(all.spaces >= 150, "only {} spaces compared", all.spaces);
    assert!(all.broken > 50, "only {} invariants did not hold", all.broken);
}

/// The full preset; every other program may also fail.
fn config(seed: u64) -> Config {
    let more = [
        (Feature::FailingAssert, 10),
        (Feature::OutOfBounds, 10),
        (Feature::DivideByZero, 10),
        (Feature::LocalConstant, 50),
    ];
    Config::full().with_all(if seed % 2 == 1 { &more } else { &[] })
}

#[test]
fn random_programs_are_reduced_soundly() {
    let seeds = chosen::seeds(2_000);
    let programs = seeds.end - seeds.start;
    let mut all = Compared::default();
    for seed in seeds {
        let text = printer::print(&generate::program(seed, &config(seed)));
        let front = model::read_text(&format!("random-{seed}.pml"), &text);
        assert_eq!(model::first_error(&front), None, "seed {seed}\n{text}");
        let machine = Machine::new(&front.hir, AutomataOptions::OPTIMISED)
            .with_invariants(invariants(&front.hir));
        compare(&format!("seed {seed}\n{text}"), &machine, 2_000, &mut all);
    }
    let shares = [0, 1, 2].map(|aim| all.share(aim));
    println!(
        "{} of {programs} spaces, {} deadlocks, {} faults, {} broken invariants, reduced to {shares:?}",
        all.spaces, all.deadlocks, all.faults, all.broken,
    );
    assert!(all.spaces as u64 * 2 > programs, "only {} of {programs} spaces compared", all.spaces);
}

/// Until `init` reaches its receive, the atomic sequence of one `P` blocks and can only communicate
/// with the other `P`.
const HANDED_OVER: &str = "chan c = [0] of { bool };\n\
    active [2] proctype P() { bool l; atomic { skip; if :: c?l :: c!0 fi } }\n\
    init { bool l; skip; c?l }\n";

/// `init` writes `x[0]` first, and `x[1]` in the next round.
const TAKEN_AGAIN: &str = "byte x[2]; chan c = [0] of { byte };\n\
    proctype P() { atomic { x[1] = 0 }; do :: c?x[0] -> x[0] = 0 od }\n\
    init { int i; run P(); do :: i < 2 -> x[i % 2] = 1; i++ od }\n";

/// `P` receives the first message only when there are two.
const COUNTED: &str = "chan c = [2] of { byte };\n\
    proctype P() { bit x; do :: c??<_> -> x == 1 :: c?eval((len(c) + 1) % 3); x = 1; c?_ od }\n\
    active proctype Q() { do :: c!0 :: skip; false od }\n\
    init { run P() }\n";

#[test]
fn an_atomic_sequence_that_goes_round_waits_for_what_makes_it_end() {
    // Until `x` is 0, `P` is disabled. If it moves before `R`, `R` is disabled forever.
    let ends = ["x == 0", "d_step { x == 0; skip }"];
    for end in ends {
        let text = format!(
            "byte x = 1, w;\n\
             active proctype P() {{ atomic {{ w = 2; do :: skip :: {end} -> break od }} }}\n\
             active proctype Q() {{ if :: x = 0 :: x = 0; skip fi }}\n\
             active proctype R() {{ w = 1; w == 2 }}\n"
        );
        let all = compared(&text);
        assert_eq!((all.spaces, all.deadlocks), (1, 1), "{text}");
    }
}

#[test]
fn whoever_comes_to_take_a_message_is_in_the_way_of_a_sequence_that_hands_one_over() {
    let all = compared(HANDED_OVER);
    assert_eq!((all.spaces, all.deadlocks), (1, 3));
}

#[test]
fn an_edge_that_is_taken_again_may_mean_another_element() {
    let all = compared(TAKEN_AGAIN);
    assert_eq!((all.spaces, all.deadlocks), (1, 2));
}

#[test]
fn a_message_is_waited_for_even_if_all_who_send_one_are_given_up() {
    // `Q` waits for `P`, and a set with both is no reduction; `R` alone is not a valid set.
    let text = "byte x = 1; chan c = [2] of { bool };\n\
                active [2] proctype P() { c!0 }\n\
                active proctype Q() { c?0; x = 0 }\n\
                active proctype R() { assert(x != 0); c!1 }\n";
    let all = compared(text);
    assert_eq!((all.spaces, all.faults), (1, 1));
}

#[test]
fn a_second_message_helps_whoever_wants_a_first_one_that_depends_on_their_number() {
    let all = compared(COUNTED);
    assert_eq!((all.spaces, all.deadlocks), (1, 4));
}

#[test]
fn a_rule_that_is_left_out_is_noticed() {
    // Random programs have few variables: a step that changes a visible one also depends on a step
    // of another process.
    let apart = "byte x, y;\n\
                 active proctype P() { x = 1; x = 2 }\n\
                 active proctype Q() { y = 1; y = 2 }\n\
                 ltl apart { [] !(x == 1 && y == 1) }\n";
    // Nor do they read the locations of other processes.
    let watched = "byte x;\n\
                   active proctype P() { byte i; do :: i < 2 -> seen: i++ :: else -> break od }\n\
                   active proctype Q() { P@seen; x = 1; x == 2 }\n";
    // And few of their d_steps begin with a guard that other processes can make false.
    let entered = "byte x, y;\n\
                   active proctype P() { d_step { x == 0; y = 1 } }\n\
                   active proctype Q() { x = 1 }\n";
    let random = |seed| printer::print(&generate::program(seed, &config(seed)));
    let unnoticed = |rule: &Rule| {
        let written = [apart, watched, entered, HANDED_OVER, TAKEN_AGAIN, COUNTED];
        let written = written.map(str::to_owned).into_iter();
        written.chain((0..2_000).map(random)).all(|text| {
            let front = model::read_text("model.pml", &text);
            let machine = Machine::new(&front.hir, AutomataOptions::OPTIMISED)
                .with_invariants(invariants(&front.hir));
            let Some((_, full)) = walk(&machine, None, 2_000) else { return true };
            AIMS.into_iter().all(|aim| {
                let Ok(facts) = Independence::of(&machine, aim.keep) else { return true };
                let facts = facts.without(*rule);
                let mut reducer = facts.reducer(aim.proposals());
                let reduced = walk(&machine, Some((&mut reducer, aim.postpone)), 2_000);
                reduced.is_none_or(|(_, reduced)| is_sound(aim, &full, &reduced))
            })
        })
    };
    let unnoticed: Vec<Rule> = Rule::ALL.into_iter().filter(unnoticed).collect();
    assert_eq!(unnoticed, [], "nobody noticed that these were left out");
}
