//! Trails in both directions: SPIN replays ours to the error that we found, and we replay those of
//! SPIN's verifier to the error that it found.
//!
//! Each small model of the corpus with an error takes part, plain and optimised;
//! `BEELINE_TRAILS=all` adds the large ones. A trail of ours is executed by SPIN's simulator
//! (`spin -t`), which must stop at the same assertion after as many steps, and by its verifier
//! (`pan -r`), whose processes must be at the same locations as ours at the end. A trail of SPIN
//! must be possible here step by step and end with the same kind of error, with every process at
//! the same location.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::time::Duration;

use beeline_checker::{Plan, check};
use beeline_engine::automata::{AutomataOptions, Edge, EdgeAction};
use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_engine::trail::TrailReplay;
use beeline_kernel::{FaultKind, Stop, Trail};
use beeline_model::{ErrorKind, Model, Verdict, Violation};
use beeline_promela::Frontend;
use beeline_promela::hir::ProcessKind;
use beeline_promela::source::Span;
use beeline_testkit::checking::promela;
use beeline_testkit::corpus::{self, Corpus, Entry, Status};
use beeline_testkit::model;
use beeline_testkit::spin::{self, OracleError, Pan, Retold, Translator};

/// States up to which a model is small.
const SMALL: u64 = 100_000;
/// The limit of states of our search.
const ENOUGH: u64 = 2_000_000;
/// Time limit of SPIN for a trail.
const PATIENCE: Duration = Duration::from_secs(60);

/// Counters of the comparison.
#[derive(Default)]
struct Tally {
    /// Models with at least one replayed trail.
    models: u64,
    /// Trails of ours that SPIN replayed.
    ours: u64,
    /// Trails of SPIN that we replayed.
    theirs: u64,
    /// Skipped cases, by reason.
    skipped: BTreeMap<&'static str, Vec<String>>,
    /// The problems.
    problems: Vec<String>,
}

impl Tally {
    fn skip(&mut self, reason: &'static str, what: &str) {
        self.skipped.entry(reason).or_default().push(what.to_owned());
    }
}

/// A model in one of the two modes.
struct Case<'a> {
    name: String,
    entry: &'a Entry,
    front: &'a Frontend,
    translator: Translator,
    machine: Machine<'a>,
    pan: Pan,
}

#[test]
fn trails_go_both_ways() {
    if !spin::available_or_skip("trails") {
        return;
    }
    let Some(corpus) = corpus::corpus_or_skip("trails") else {
        return;
    };
    let all = std::env::var("BEELINE_TRAILS").is_ok_and(|which| which == "all");
    let only = std::env::var("BEELINE_MODEL").unwrap_or_default();
    let mut tally = Tally::default();
    for entry in corpus.entries.iter().filter(|entry| entry.name.contains(&only)) {
        if !has_error(&corpus, entry) {
            continue;
        }
        if let Some(reason) = reason(&entry.name) {
            tally.skip(reason, &entry.name);
        } else if entry.embedded_c {
            tally.skip("it contains embedded C", &entry.name);
        } else if !all && !is_small(&corpus, entry) {
            tally.skip("it is large, or SPIN does not finish it", &entry.name);
        } else {
            let before = tally.ours + tally.theirs;
            compare(entry, &mut tally);
            tally.models += u64::from(tally.ours + tally.theirs > before);
        }
    }
    println!(
        "{} models: SPIN followed {} trails of ours, we followed {} of SPIN's",
        tally.models, tally.ours, tally.theirs
    );
    for (reason, names) in &tally.skipped {
        println!("{} left out: {reason}: {}", names.len(), names.join(", "));
    }
    assert!(tally.problems.is_empty(), "{}", tally.problems.join("\n"));
    if only.is_empty() {
        assert!(tally.models >= 70, "only {} models took part", tally.models);
        assert!(tally.ours >= 140 && tally.theirs >= 140, "{} and {}", tally.ours, tally.theirs);
    }
}

/// Whether SPIN found an error without a claim.
fn has_error(corpus: &Corpus, entry: &Entry) -> bool {
    let configs = ["full", "full_plain", "dfs1_nopor", "bfs1"];
    let rows = configs.iter().filter_map(|config| corpus.result(&entry.name, config));
    entry.spin_accepts && rows.into_iter().any(|row| row.errors.unwrap_or(0) > 0)
}

/// Why SPIN and Beeline differ on a model.
fn reason(name: &str) -> Option<&'static str> {
    match name {
        "micro/notrace_rv.pml" => Some("SPIN's notrace completes a send without a receiver"),
        "regression/20110228_channel_poll.pml" => Some("to SPIN, polling a rendezvous is an error"),
        _ => None,
    }
}

fn is_small(corpus: &Corpus, entry: &Entry) -> bool {
    let row = corpus.result(&entry.name, "full").filter(|row| row.status == Status::Complete);
    row.and_then(|row| row.stored).is_some_and(|stored| stored <= SMALL)
}

fn compare(entry: &Entry, tally: &mut Tally) {
    let front = model::read(&entry.file).expect("corpus files can be read");
    for (translator, options) in [
        (Translator::Plain, AutomataOptions::PLAIN),
        (Translator::Default, AutomataOptions::OPTIMISED),
    ] {
        let name = format!("{} {translator:?}", entry.name);
        // Without claims: a trail with a claim has steps of the claim in it.
        let pan = match Pan::build(
            &entry.file,
            translator,
            &["-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-DVECTORSZ=8192"],
        ) {
            Ok(pan) => pan,
            Err(error) => {
                tally.problems.push(format!("{name}: {error}"));
                continue;
            }
        };
        let machine = Machine::new(&front.hir, options);
        let case = Case { name, entry, front: &front, translator, machine, pan };
        for outcome in [case.ours(tally), case.theirs(tally)] {
            if let Err(problem) = outcome {
                tally.problems.push(format!("{}: {problem}", case.name));
            }
        }
    }
}

impl Case<'_> {
    /// SPIN replays our trails.
    fn ours(&self, tally: &mut Tally) -> Result<(), String> {
        let plan = Plan { plain: self.translator == Translator::Plain, ..Plan::default() };
        let model = promela(self.front);
        let mut observer = |stats: &beeline_checker::Stats| match stats.stored {
            0..ENOUGH => ControlFlow::Continue(()),
            _ => ControlFlow::Break(Stop::IncompleteMethod),
        };
        // Claims and invariants are not part of SPIN's runs here.
        let mut wanted = model.properties();
        wanted.retain(|property| property.kind.is_safety());
        let report = check(&model, &wanted, &plan, false, &mut observer)
            .map_err(|error| error.to_string())?;
        let answers = report.properties.into_iter().map(|checked| checked.verdict);
        let found: Vec<Violation> = answers
            .filter_map(|answer| match answer {
                Verdict::Violated(violations) => Some(violations),
                _ => None,
            })
            .flatten()
            .collect();
        if found.is_empty() {
            tally.skip("we find no error in time", &self.name);
        }
        for violation in found {
            let wrong = violation.error;
            match wrong {
                ErrorKind::Fault(FaultKind::Division) => {
                    tally.skip("a division by zero kills SPIN", &self.name);
                }
                ErrorKind::Fault(FaultKind::Limit) => {
                    tally.skip("SPIN has other limits", &self.name);
                }
                _ => {
                    let outcome = self.spin_follows(&violation, tally);
                    outcome.map_err(|problem| format!("our trail to {wrong}: {problem}"))?;
                    tally.ours += 1;
                }
            }
        }
        Ok(())
    }

    fn spin_follows(&self, violation: &Violation, tally: &mut Tally) -> Result<(), String> {
        let file = self.pan.directory().join("ours.trail");
        fs::write(&file, violation.trail.text()).expect("scratch files can be written");
        let replay = self.machine.replay(&violation.trail).map_err(|error| error.to_string())?;
        let lines = violation.trail.lines.len() as u64;
        let verifier = self.verifier("ours.trail", violation.error)?;
        self.same_end(&verifier, &replay, violation.error)?;
        // The verifier counts a step before the trace automaton checks it.
        if violation.error != ErrorKind::Fault(FaultKind::Trace) {
            same("steps of pan -r", verifier.steps, Some(lines))?;
        }
        if self.front.hir.processes.iter().any(|process| process.kind == ProcessKind::Never) {
            tally.skip("the simulator wants steps of the never claim", &self.name);
            return Ok(());
        }
        let simulator = self.simulator()?;
        same("steps of spin -t", simulator.steps, Some(lines))?;
        if violation.error == ErrorKind::Fault(FaultKind::Assertion) {
            let possible = self.assertions(&replay);
            let line = simulator.failed_line();
            if !line.is_some_and(|line| possible.contains(&line)) {
                let complaints = &simulator.complaints;
                return Err(format!("fails in {possible:?} here, in SPIN {complaints:?}"));
            }
        }
        if violation.error == ErrorKind::InvalidEnd {
            same("processes", simulator.processes, Some(replay.end.state.process_count()))?;
        }
        Ok(())
    }

    /// The lines of the assertions in the last move; SPIN reports the last line of each.
    fn assertions(&self, replay: &TrailReplay) -> Vec<u32> {
        let last = replay.moves.last().expect("an assertion fails in a move");
        let before = before_last(&self.machine, replay);
        let sides = [Some((last.pid, last.edge)), last.partner];
        let mut lines = Vec::new();
        for (pid, id) in sides.into_iter().flatten() {
            let automaton = self.machine.automaton(before.process(pid));
            let inside = automaton.d_steps.iter().filter(|inner| inner.edge == id);
            let inside = inside.flat_map(|inner| &inner.edges);
            let edges: Vec<&Edge> =
                automaton.edges.iter().filter(|edge| edge.id == id).chain(inside).collect();
            for step in edges.iter().flat_map(|edge| &edge.steps) {
                if matches!(step.action, EdgeAction::Assert(_)) {
                    let end = Span { start: step.span.end - 1, ..step.span };
                    let line = |span| self.front.sources.location(span).line;
                    lines.extend(line(step.span)..=line(end));
                }
            }
        }
        lines
    }

    /// We replay SPIN's trail.
    fn theirs(&self, tally: &mut Tally) -> Result<(), String> {
        let ran = match self.pan.run(&["-c1", "-w18", "-m200000"], PATIENCE) {
            Ok(ran) => ran,
            Err(OracleError::Timeout(..)) => {
                tally.skip("SPIN finds no error in time", &self.name);
                return Ok(());
            }
            Err(error) => return Err(error.to_string()),
        };
        let found = Retold::parse(&ran.stdout);
        let Some(complaint) = found.complaints.first() else {
            tally.skip("SPIN finds no error in this mode", &self.name);
            return Ok(());
        };
        let stem = self.entry.file.file_name().expect("a file").to_string_lossy();
        let name = format!("{stem}.trail");
        let text = fs::read_to_string(self.pan.directory().join(&name))
            .map_err(|error| format!("{complaint}: {name}: {error}"))?;
        let trail = Trail::parse(&text).map_err(|error| error.to_string())?;
        let options = match self.translator {
            Translator::Default => AutomataOptions::OPTIMISED,
            _ => AutomataOptions::PLAIN,
        };
        same("merged", trail.merged, options.allowed_by(&self.front.hir).merge)?;
        let Some(wrong) = wrong_in(complaint) else {
            tally.skip("SPIN has an error that we do not know", &self.name);
            return Ok(());
        };
        let replay = self.machine.replay(&trail);
        let replay = replay.map_err(|error| format!("SPIN's trail to {complaint}: {error}"))?;
        let meetings = replay.moves.iter().filter(|one| one.partner.is_some()).count();
        same("lines", replay.moves.len() + meetings, trail.lines.len())?;
        let confirmed = match wrong {
            ErrorKind::InvalidEnd => replay.end.deadlock,
            ErrorKind::Invariant(_)
            | ErrorKind::ErrorState
            | ErrorKind::Reached
            | ErrorKind::Unreachable
            | ErrorKind::RunFound
            | ErrorKind::NoRun
            | ErrorKind::Formula
            | ErrorKind::BranchingFormula
            | ErrorKind::Cycle(_) => {
                unreachable!("these are not looked for here")
            }
            ErrorKind::Fault(kind) => replay
                .end
                .fault
                .is_some_and(|(at, step)| at == replay.moves.len() && step.fault == Some(kind)),
        };
        if !confirmed {
            let (fault, deadlock) = (replay.end.fault, replay.end.deadlock);
            return Err(format!("{complaint}, but here fault {fault:?}, deadlock {deadlock}"));
        }
        let depth = complaint.rsplit("(at depth ").next().and_then(|rest| rest.strip_suffix(')'));
        let depth = depth.and_then(|depth| depth.parse::<i64>().ok());
        // SPIN counts from 0, and a trail without steps has depth -1.
        same("depth", depth.map(|depth| depth + 1), Some(trail.lines.len() as i64))?;
        self.same_end(&self.verifier(&name, wrong)?, &replay, wrong)?;
        tally.theirs += 1;
        Ok(())
    }

    fn verifier(&self, file: &str, wrong: ErrorKind) -> Result<Retold, String> {
        // Before an end state, assertions may fail: -A continues.
        let options = match wrong {
            ErrorKind::InvalidEnd => &["-A", "-r", file][..],
            ErrorKind::Fault(_)
            | ErrorKind::Invariant(_)
            | ErrorKind::ErrorState
            | ErrorKind::Reached
            | ErrorKind::Unreachable
            | ErrorKind::RunFound
            | ErrorKind::NoRun
            | ErrorKind::Formula
            | ErrorKind::BranchingFormula
            | ErrorKind::Cycle(_) => &["-r", file],
        };
        let ran = self.pan.run(options, PATIENCE).map_err(|error| error.to_string())?;
        Ok(Retold::parse(&ran.output()))
    }

    fn simulator(&self) -> Result<Retold, String> {
        let model = fs::canonicalize(&self.entry.file).expect("the model is there");
        let mut words: Vec<std::ffi::OsString> =
            self.translator.options().iter().map(Into::into).collect();
        words.extend(["-t", "-p", "-k", "ours.trail"].map(Into::into));
        words.push(model.into_os_string());
        let ran = spin::run("spin", words, self.pan.directory(), PATIENCE);
        let text = ran.map_err(|error| error.to_string())?.output();
        // It continues when it cannot execute a step.
        for complaint in ["transition failed", "not executable", "cannot find"] {
            if let Some(line) = text.lines().find(|line| line.contains(complaint)) {
                return Err(line.to_owned());
            }
        }
        Ok(Retold::parse(&text))
    }

    /// Whether `pan -r` ends as we do: with the same error, and all processes at the same
    /// locations. It does not execute a step that fails.
    fn same_end(
        &self,
        retold: &Retold,
        replay: &TrailReplay,
        wrong: ErrorKind,
    ) -> Result<(), String> {
        let now = match wrong {
            ErrorKind::InvalidEnd => replay.end.state.clone(),
            ErrorKind::Fault(_)
            | ErrorKind::Invariant(_)
            | ErrorKind::ErrorState
            | ErrorKind::Reached
            | ErrorKind::Unreachable
            | ErrorKind::RunFound
            | ErrorKind::NoRun
            | ErrorKind::Formula
            | ErrorKind::BranchingFormula
            | ErrorKind::Cycle(_) => before_last(&self.machine, replay),
        };
        let ours: Vec<_> = (0..now.process_count()).map(|pid| (pid, now.location(pid).0)).collect();
        let theirs: Vec<_> = retold.places.iter().map(|&(pid, _, state)| (pid, state)).collect();
        same("places", &theirs, &ours)?;
        match wrong {
            // The trace automaton, which may have the error, is not checked.
            ErrorKind::InvalidEnd if self.machine.has_trace() => Ok(()),
            ErrorKind::InvalidEnd => same("an invalid end state", retold.invalid_end, true),
            ErrorKind::Fault(_)
            | ErrorKind::Invariant(_)
            | ErrorKind::ErrorState
            | ErrorKind::Reached
            | ErrorKind::Unreachable
            | ErrorKind::RunFound
            | ErrorKind::NoRun
            | ErrorKind::Formula
            | ErrorKind::BranchingFormula
            | ErrorKind::Cycle(_) => {
                let same = retold.complaints.iter().any(|one| wrong_in(one) == Some(wrong));
                if same { Ok(()) } else { Err(format!("pan -r says {:?}", retold.complaints)) }
            }
        }
    }
}

/// The state before the last move.
fn before_last(machine: &Machine<'_>, replay: &TrailReplay) -> DecodedState {
    match &replay.moves[..] {
        [.., before, _] => before.next.clone(),
        _ => machine.initial().expect("the replay began there"),
    }
}

/// Our error kind for SPIN's message.
fn wrong_in(complaint: &str) -> Option<ErrorKind> {
    let known = [
        ("invalid end state", ErrorKind::InvalidEnd),
        ("invalid array index", ErrorKind::Fault(FaultKind::Index)),
        ("uninitialized chan name", ErrorKind::Fault(FaultKind::NoChannel)),
        ("too many fields in recv", ErrorKind::Fault(FaultKind::Fields)),
        ("missing pars in receive", ErrorKind::Fault(FaultKind::Fields)),
        ("too few parameters in send", ErrorKind::Fault(FaultKind::Fields)),
        ("enabled(pid=thisproc)", ErrorKind::Fault(FaultKind::Circular)),
        ("event_trace", ErrorKind::Fault(FaultKind::Trace)),
        ("assertion violated", ErrorKind::Fault(FaultKind::Assertion)),
        ("block in d_step", ErrorKind::Fault(FaultKind::Blocked)),
    ];
    known.into_iter().find(|(words, _)| complaint.contains(words)).map(|(_, wrong)| wrong)
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, theirs: T, ours: T) -> Result<(), String> {
    let problem = || format!("{what}: {theirs:?} in SPIN, {ours:?} here");
    if theirs == ours { Ok(()) } else { Err(problem()) }
}
