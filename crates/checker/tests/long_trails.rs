//! Trails of any length: a replay that keeps one state sees what one that keeps all of them keeps,
//! and a story holds the steps that are asked for.

use std::ops::ControlFlow;

use beeline_checker::{NoObserver, Plan, check};
use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::{DecodedState, Machine, Move};
use beeline_engine::trail::{ReplayError, ReplayObserver};
use beeline_kernel::{Deadline, Trail};
use beeline_model::{
    ErrorKind, Model, Property, Story, StoryRequest, StoryStates, Subject, ToldSteps, Verdict,
    Violation,
};
use beeline_promela::Frontend;
use beeline_promela::preprocess::PreprocessOptions;
use beeline_promela_model::SemanticsOptions;
use beeline_testkit::checking::promela;
use beeline_testkit::fixture;
use beeline_testkit::model::Disk;

fn read(text: &str) -> Frontend {
    let front = beeline_promela::read("m.pml", text, &mut Disk, &PreprocessOptions::default());
    assert!(!front.diagnostics.has_errors(), "{text}");
    front
}

/// The violations of a model, with their properties.
fn violations(model: &dyn Model, plan: &Plan) -> Vec<(Property, Violation)> {
    let report = check(model, &model.properties(), plan, false, &mut NoObserver);
    let properties = report.expect("what is found can be confirmed").properties.into_iter();
    let found = properties.flat_map(|checked| match checked.verdict {
        Verdict::Violated(all) => {
            all.into_iter().map(|one| (checked.property.clone(), one)).collect()
        }
        _ => Vec::new(),
    });
    found.collect()
}

/// Does something with each violation of each fixture, with and without merged statements.
fn each_violation(mut look: impl FnMut(&str, &Frontend, &Property, &Violation)) -> usize {
    let mut seen = 0;
    for fixture in fixture::all() {
        let front = read(&fixture.text);
        for plain in [false, true] {
            let plan = Plan { plain, ..Plan::default() };
            for (property, violation) in violations(&promela(&front), &plan) {
                look(&fixture.name, &front, &property, &violation);
                seen += 1;
            }
        }
    }
    seen
}

/// The machine that a trail was made with.
fn machine_of<'m>(front: &'m Frontend, trail: &Trail) -> Machine<'m> {
    let options = if trail.merged { AutomataOptions::OPTIMISED } else { AutomataOptions::PLAIN };
    let machine = SemanticsOptions::default().machine(&front.hir, options);
    match trail.claim.and_then(|number| machine.never(number)) {
        Some(claim) => {
            let claim = machine.never_claim(claim);
            machine.watched_by(claim)
        }
        None => machine,
    }
}

/// Compares what it sees with a recorded replay.
#[derive(Default)]
struct Comparison {
    moves: Vec<(usize, Vec<u8>, Vec<u8>)>,
    stored: Vec<(Vec<u8>, usize)>,
    /// The number of stored states when the cycle began.
    cycle: Option<usize>,
    /// After so many moves, it stops the replay.
    patience: Option<usize>,
}

impl ReplayObserver for Comparison {
    fn on_move(&mut self, before: &DecodedState, step: &Move) -> ControlFlow<()> {
        self.moves.push((step.pid, before.bytes.clone(), step.next.bytes.clone()));
        let is_over = self.patience.is_some_and(|patience| self.moves.len() > patience);
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn on_stored(&mut self, state: &DecodedState, moves: usize) {
        self.stored.push((state.bytes.clone(), moves));
    }

    fn on_cycle(&mut self) {
        self.cycle = Some(self.stored.len());
    }
}

#[test]
fn a_replay_that_keeps_one_state_sees_what_one_that_keeps_all_has() {
    let (mut lassos, mut faults, mut claims) = (0, 0, 0);
    let seen = each_violation(|name, front, _, violation| {
        let trail = &violation.trail;
        let machine = machine_of(front, trail);
        let kept = machine.replay(trail).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut seen = Comparison::default();
        let end = machine.replay_with(trail, &mut seen).expect("it was executed before");
        // Each move leads from the state behind the one before it.
        let mut before = machine.initial().expect("the replay began there").bytes;
        assert_eq!(seen.moves.len(), kept.moves.len(), "{name}");
        for (step, (pid, from, to)) in kept.moves.iter().zip(&seen.moves) {
            assert_eq!((step.pid, &step.next.bytes), (*pid, to), "{name}");
            assert_eq!(*from, before, "{name}");
            before.clone_from(to);
        }
        let stored = kept.stored.iter().map(|stored| (stored.state.clone(), stored.moves));
        assert!(stored.eq(seen.stored.iter().cloned()), "{name}");
        // The counts of the end are those of what was seen.
        assert_eq!((end.moves, end.stored), (kept.moves.len(), kept.stored.len()), "{name}");
        assert_eq!(end.cycle, seen.cycle.map(|stored| stored - 1), "{name}");
        assert_eq!(end.stem_moves, end.cycle.map(|at| kept.stored[at].moves), "{name}");
        let last = kept.moves.last().map(|step| (step.pid, step.edge, step.fault));
        assert_eq!(end.last.map(|step| (step.pid, step.edge, step.fault)), last, "{name}");
        let first = kept.moves.iter().position(|step| step.fault.is_some());
        assert_eq!(end.fault.map(|(at, _)| at), first.map(|at| at + 1), "{name}");
        assert_eq!(end.behind_last.bytes, before, "{name}");
        if let [.., one, _] = &kept.moves[..] {
            assert_eq!(end.before_last.bytes, one.next.bytes, "{name}");
        }
        lassos += usize::from(end.cycle.is_some());
        faults += usize::from(end.fault.is_some());
        claims += usize::from(trail.claim.is_some());
    });
    assert!(
        seen >= 12 && lassos > 0 && faults > 0 && claims > 0,
        "{seen} {lassos} {faults} {claims}"
    );
}

#[test]
fn an_observer_can_stop_a_replay() {
    each_violation(|name, front, _, violation| {
        let machine = machine_of(front, &violation.trail);
        for patience in 0..4 {
            let mut seen = Comparison { patience: Some(patience), ..Comparison::default() };
            let replayed = machine.replay_with(&violation.trail, &mut seen);
            let all = machine.replay(&violation.trail).expect("it was confirmed").moves.len();
            assert_eq!(seen.moves.len(), all.min(patience + 1), "{name}");
            let is_stopped = matches!(replayed, Err(ReplayError::Stopped));
            assert_eq!(is_stopped, all > patience, "{name}");
        }
    });
}

/// All that is told of steps, as text.
fn texts(story: &Story) -> Vec<String> {
    story.steps.iter().map(|step| format!("{step:?}")).collect()
}

#[test]
fn a_story_holds_the_steps_that_are_asked_for() {
    each_violation(|name, front, property, violation| {
        let model = promela(front);
        let subject = Subject::Violation(violation, Some(property));
        let request = StoryRequest::new(subject);
        let tell = |steps, deadline| {
            let request = StoryRequest { steps, deadline, ..request };
            model.story(&violation.trail, &request).expect("it was confirmed")
        };
        let whole = tell(ToldSteps::All, Deadline::NEVER);
        assert_eq!((whole.length, whole.untold()), (whole.steps.len(), 0), "{name}");
        assert_eq!(whole.end.error, Some(violation.error), "{name}");
        let end = |story: &Story| {
            let Story { end, cycle_start, closes, movers, .. } = story;
            format!("{end:?} {cycle_start:?} {closes} {movers:?}")
        };
        let windows = [(0, 0), (2, 1), (3, 3), (usize::MAX, 1), (5, 0), (0, 4)];
        let tails = windows.map(|(longest, last)| ToldSteps::Tail { longest, last });
        for told in [ToldSteps::None].into_iter().chain(tails) {
            let some = tell(told, Deadline::NEVER);
            let number = told.number(whole.length);
            assert_eq!(texts(&some), texts(&whole)[whole.length - number..], "{name} {told:?}");
            assert_eq!((some.length, end(&some)), (whole.length, end(&whole)), "{name} {told:?}");
        }
        // One at a time, as often as wanted.
        let told = model.with_story(&violation.trail, &request, &mut |story, teller| {
            assert_eq!((story.steps.len(), end(story)), (0, end(&whole)), "{name}");
            for _ in 0..2 {
                let mut all = Vec::new();
                teller.tell(&mut |at, step| {
                    assert_eq!(at, all.len(), "{name}");
                    all.push(format!("{step:?}"));
                    ControlFlow::Continue(())
                });
                assert_eq!(all, texts(&whole), "{name}");
            }
            let mut heard = 0;
            teller.tell(&mut |_, _| {
                heard += 1;
                ControlFlow::Break(())
            });
            assert_eq!(heard, whole.length.min(1), "{name}");
        });
        told.expect("it was confirmed");
        let request = StoryRequest { states: StoryStates::Whole, ..request };
        let states = model.story(&violation.trail, &request).expect("it was confirmed").states;
        let is_dead = matches!(violation.error, ErrorKind::Fault(fault) if !fault.is_survivable());
        assert_eq!(states.len(), whole.length + usize::from(!is_dead), "{name}");
        // Without time, the error is known, and nothing else.
        let cut = tell(ToldSteps::All, Deadline::after(std::time::Duration::ZERO));
        assert_eq!(cut.is_cut, whole.length > 0, "{name}");
        assert_eq!(cut.end.error, Some(violation.error), "{name}");
        assert_eq!(cut.steps.len(), 0, "{name}");
    });
}
