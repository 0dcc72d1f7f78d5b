//! Filter of [EMJ05]: the remaining steps of a run lead to the same error, and there are never more
//! of them. Runs are random walks through random programs, and trails of reduced searches.
//! `BEELINE_SEEDS` and `BEELINE_FIRST_SEED` choose other programs.

use std::ops::ControlFlow;

use beeline_analysis::reduction::filter::{self, relevant};
use beeline_checker::{
    CheckReport, ImproveMethod, ImproveOptions, Plan, ReductionChoice, Stats, check, improve,
    parse_reduction, parse_search,
};
use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::{DecodedState, Machine, Move};
use beeline_engine::trail::trail_of;
use beeline_kernel::{Stop, Trail};
use beeline_model::{ErrorKind, Model, Story, StoryRequest, Subject, Verdict, Violation};
use beeline_promela::hir::{self, Expr, ExprKind};
use beeline_promela::{Frontend, printer};
use beeline_test_size::portion;
use beeline_testkit::checking::{heuristic_names, promela};
use beeline_testkit::generate::{self, Config, Feature};
use beeline_testkit::rng::Rng;
use beeline_testkit::{chosen, model};

/// Two processes that the error does not need, and one that fails.
const NEEDLESS: &str = "byte a, b, c, x;\n\
    active proctype P() { a = 1; a = 2; a = 3 }\n\
    active proctype Q() { b = 1; b = 2 }\n\
    active proctype R() { c = 1; x = 1; assert(x == 0) }\n";

/// The example of [EMJ05], "Admissability": the reduced search takes α1 α2 α3 α4, of which α3 is
/// unnecessary, and α5 α6 is shorter than the rest.
const ADMISSIBILITY: &str = "byte a, b, c, bad;\n\
    active proctype B() { end: d_step { a == 2; c = 1 } }\n\
    active proctype A() {\n\
        if :: a = 1; a = 2; bad = 1 :: b = 1; bad = 1 fi\n\
    }\n\
    ltl p { [] (bad == 0) }\n";

fn read(name: &str, text: &str) -> Frontend {
    let front = model::read_text(name, text);
    assert_eq!(model::first_error(&front), None, "{text}");
    front
}

/// The story of a trail, for any error at its end.
fn retell(model: &dyn Model, trail: &Trail) -> Story {
    let story = model.story(trail, &StoryRequest::new(Subject::Properties(&[])));
    story.expect("it is a trail")
}

fn run(model: &dyn Model, search: &str, reduce: ReductionChoice) -> CheckReport {
    let search = parse_search(search, 1, &heuristic_names()).expect("there is one");
    let plan = Plan { search, reduce, ..Plan::default() };
    let mut patience = |stats: &Stats| {
        if stats.expanded > 5_000 {
            ControlFlow::Break(Stop::Time)
        } else {
            ControlFlow::Continue(())
        }
    };
    check(model, &model.properties(), &plan, false, &mut patience).expect("it is confirmed")
}

/// All violations in a report, with their remarks.
fn violations(report: CheckReport) -> Vec<(Violation, Vec<String>)> {
    let mut found = Vec::new();
    for checked in report.properties {
        if let Verdict::Violated(violations) = checked.verdict {
            found.extend(violations.into_iter().map(|one| (one, checked.remarks.clone())));
        }
    }
    found
}

fn stubborn() -> ReductionChoice {
    parse_reduction("stubborn").expect("there is one")
}

#[test]
fn a_reduced_search_leaves_out_what_nobody_needs() {
    let front = read("needless.pml", NEEDLESS);
    let model = promela(&front);
    for search in ["dfs", "bfs", "astar", "gbfs", "ida"] {
        let found = violations(run(&model, search, stubborn()));
        let [(violation, remarks)] = &found[..] else { panic!("{search}: {found:?}") };
        assert_eq!(violation.length.steps, 3, "{search}");
        assert_eq!(remarks[..], ["filtered from 8 to 3 steps"], "{search}");
        let story = retell(&model, &violation.trail);
        assert_eq!((story.steps.len(), story.end.error), (3, Some(violation.error)), "{search}");
    }
}

#[test]
fn what_is_left_need_not_be_shortest() {
    let front = read("admissibility.pml", ADMISSIBILITY);
    let model = promela(&front);
    let found = violations(run(&model, "dfs", stubborn()));
    let [(violation, remarks)] = &found[..] else { panic!("{found:?}") };
    assert_eq!((violation.length.steps, violation.is_shortest()), (3, false));
    assert_eq!(remarks[..], ["filtered from 4 to 3 steps"]);
    let found = violations(run(&model, "bfs", ReductionChoice::Off));
    assert_eq!((found[0].0.length.steps, found[0].0.is_shortest()), (2, true));
}

#[test]
fn a_way_to_a_deadlock_stays_as_it_is() {
    let text = "byte a; chan q = [0] of { byte };\n\
                active proctype P() { a = 1; a = 2 }\n\
                active proctype Q() { q!1 }\n";
    let front = read("stuck.pml", text);
    let model = promela(&front);
    let found = violations(run(&model, "dfs", stubborn()));
    let [(violation, remarks)] = &found[..] else { panic!("{found:?}") };
    assert_eq!((violation.error, violation.length.steps), (ErrorKind::InvalidEnd, 2));
    assert!(remarks.is_empty(), "{remarks:?}");
}

/// A run to an error.
struct Run {
    /// The moves between stored states.
    groups: Vec<Vec<Move>>,
    /// The invariant that is violated at its end; otherwise the last move fails.
    broken: Option<usize>,
}

/// Random walk until an error, or for a number of moves.
fn stroll(
    machine: &Machine<'_>,
    initial: &DecodedState,
    rng: &mut Rng,
    most: usize,
) -> Option<Run> {
    let mut groups: Vec<Vec<Move>> = vec![Vec::new()];
    let mut now = initial.clone();
    for _ in 0..most {
        match machine.moves(&now) {
            Err(released) => now = *released,
            Ok(found) if found.moves.is_empty() => return None,
            Ok(mut found) => {
                let at = rng.below(found.moves.len() as u32) as usize;
                let taken = found.moves.swap_remove(at);
                now = taken.next.clone();
                let fails = taken.fault.is_some();
                groups.last_mut().expect("there is one").push(taken);
                if fails {
                    return Some(Run { groups, broken: None });
                }
            }
        }
        if now.exclusive().is_none() {
            let numbers = 0..machine.invariants().len();
            if let Some(number) = numbers.into_iter().find(|&one| !machine.holds(one, &now)) {
                return Some(Run { groups, broken: Some(number) });
            }
            groups.push(Vec::new());
        }
    }
    None
}

/// Counters of removed steps.
#[derive(Debug, Default)]
struct Tally {
    faults: usize,
    broken: usize,
    steps: usize,
    left: usize,
    shortened: usize,
}

/// Filters a run, and executes the rest.
fn compare(
    name: &str,
    machine: &Machine<'_>,
    initial: &DecodedState,
    run: &Run,
    tally: &mut Tally,
) {
    let watched: Vec<Expr> =
        run.broken.map(|at| machine.invariants()[at].clone()).into_iter().collect();
    let wrong = if run.broken.is_some() {
        filter::FilterTarget::Broken
    } else {
        filter::FilterTarget::Fault
    };
    let groups: Vec<&[Move]> = run.groups.iter().map(Vec::as_slice).collect();
    let watching = machine.clone().with_invariants(watched);
    let Ok(relevant) = relevant(&watching, initial, &groups, wrong) else { return };
    let left = groups.iter().zip(&relevant).filter(|(_, is_relevant)| **is_relevant);
    let left: Vec<&Move> = left.flat_map(|(group, _)| *group).collect();
    let replay = machine.replay(&trail_of(left.iter().copied(), true));
    let replay = replay.unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(replay.moves.len(), left.len(), "{name}");
    let all: Vec<&Move> = groups.iter().copied().flatten().collect();
    match run.broken {
        Some(number) => assert!(!machine.holds(number, &replay.end.state), "{name}"),
        None => {
            let end = |last: Option<&Move>| last.map(|step| (step.pid, step.edge, step.fault));
            assert_eq!(end(replay.moves.last()), end(all.last().copied()), "{name}");
        }
    }
    tally.faults += usize::from(run.broken.is_none());
    tally.broken += usize::from(run.broken.is_some());
    tally.steps += all.len();
    tally.left += left.len();
    tally.shortened += usize::from(left.len() < all.len());
}

/// Invariants that expressions of the model over globals are never true; most are violated.
fn invariants(model: &hir::Model) -> Vec<Expr> {
    let mut found = model::global_expressions(model);
    found.retain(|expr| expr.kind.constant().is_none());
    found.truncate(3);
    let not = |expr: Expr| {
        let span = expr.span;
        let kind = ExprKind::Unary(hir::UnaryOp::Not, Box::new(expr));
        Expr { kind, span }
    };
    found.into_iter().map(not).collect()
}

fn random(seed: u64) -> String {
    let more =
        [(Feature::FailingAssert, 20), (Feature::OutOfBounds, 10), (Feature::DivideByZero, 10)];
    let config =
        more.iter().fold(Config::full(), |config, &(feature, weight)| config.with(feature, weight));
    printer::print(&generate::program(seed, &config))
}

#[test]
fn random_walks_lead_to_the_same_error_without_what_is_irrelevant() {
    let mut tally = Tally::default();
    for seed in chosen::seeds(portion(1_000)) {
        let text = random(seed);
        let front = read("random.pml", &text);
        let watched = invariants(&front.hir);
        let mut rng = Rng::new(seed);
        for watched in [Vec::new(), watched] {
            let machine =
                Machine::new(&front.hir, AutomataOptions::OPTIMISED).with_invariants(watched);
            let Ok(initial) = machine.initial() else { continue };
            for _ in 0..4 {
                if let Some(run) = stroll(&machine, &initial, &mut rng, 200) {
                    compare(&format!("seed {seed}\n{text}"), &machine, &initial, &run, &mut tally);
                }
            }
        }
    }
    println!("{tally:?}");
    assert!(
        tally.faults > portion(100)
            && tally.broken > portion(100)
            && tally.shortened > portion(100),
        "{tally:?}"
    );
}

#[test]
fn trails_of_random_programs_are_never_longer() {
    let (mut trails, mut shortened) = (0, 0);
    for seed in chosen::seeds(portion(1_000)).step_by(4) {
        let text = random(seed);
        let front = read("random.pml", &text);
        let model = promela(&front);
        for (given, _) in violations(run(&model, "dfs", ReductionChoice::Off)) {
            if given.trail.cycle_start.is_some() || given.trail.claim.is_some() {
                continue;
            }
            let plan = Plan::default();
            let wish =
                ImproveOptions { plan: &plan, few_switches: false, by: &[ImproveMethod::Filter] };
            let mut patient = |_: &Stats| ControlFlow::Continue(());
            let improved = improve(&model, &given.trail, &wish, &mut patient)
                .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
            let after = &improved.violation;
            assert!(after.length.steps <= given.length.steps, "seed {seed}\n{text}");
            let about = retell(&model, &given.trail).end.error;
            let story = retell(&model, &after.trail);
            assert_eq!(about, Some(after.error), "seed {seed}\n{text}");
            assert_eq!(story.steps.len() as u64, after.length.steps, "seed {seed}\n{text}");
            trails += 1;
            shortened += usize::from(after.length.steps < given.length.steps);
        }
    }
    println!("{shortened} of {trails} trails");
    assert!(trails > portion(50) && shortened > portion(5), "{shortened} of {trails} trails");
}
