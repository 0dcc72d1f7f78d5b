//! The whole state space of a model, counted by Beeline and by SPIN, with the kinds of errors in it.

use std::path::Path;
use std::time::Duration;

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_jit::NativeSpace;
use beeline_kernel::{FaultKind, Space};
use beeline_promela::hir::Model;
use beeline_search::{self as search, Exploration, FindingKind, Limits};

use crate::spin::{Pan, Translator};

/// What SPIN does with a program, and what we do.
pub const MODES: [(Translator, AutomataOptions); 2] = [
    (Translator::Plain, AutomataOptions::PLAIN),
    (Translator::Default, AutomataOptions::OPTIMISED),
];

/// What a walk over all states counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// States.
    pub stored: u64,
    /// Transitions.
    pub transitions: u64,
    /// Whether there is an error.
    pub faulty: bool,
}

/// Which kinds of errors there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Errors {
    /// A deadlock.
    pub deadlock: bool,
    /// A failing assertion.
    pub assertion: bool,
}

impl Errors {
    /// The kinds of what was found.
    pub fn of(found: &[FindingKind]) -> Errors {
        let failed = |wanted| {
            let is_it = |kind: &FindingKind| matches!(kind, FindingKind::Fault(fault) if fault.kind == wanted);
            found.iter().any(is_it)
        };
        // Neither `-A` nor `-E` makes SPIN overlook this one.
        let choice = failed(FaultKind::Nondeterminism);
        Errors {
            deadlock: found.contains(&FindingKind::Deadlock) || choice,
            assertion: failed(FaultKind::Assertion) || choice,
        }
    }
}

/// Walks the whole space, as `beeline count` does; gives up far beyond `expected`
/// states. Also what it found.
///
/// # Panics
///
/// When the model does not start.
pub fn count(model: &Model, options: AutomataOptions, expected: u64) -> (Counts, Vec<FindingKind>) {
    let machine = Machine::new(model, options);
    let native = NativeSpace::lazily(&machine);
    let space: &dyn Space = match &native {
        Ok(native) => native,
        Err(_) => &machine,
    };
    let limits = Limits { states: Some(2 * expected as usize + 1000), ..Limits::default() };
    let options = search::ExplorationOptions { limits, ..search::ExplorationOptions::default() };
    let mut exploration = Exploration::new(space, options).expect("the model starts");
    exploration.finish();
    let stats = exploration.stats();
    let found = exploration.findings().iter().map(|finding| finding.kind).collect();
    let (stored, transitions) = (stats.stored, stats.transitions());
    (Counts { stored, transitions, faulty: stats.errors > 0 }, found)
}

/// What SPIN's verifier counts, and the kinds of errors it finds. `None` when it
/// does not come to an end.
///
/// # Panics
///
/// When SPIN does not compile the model.
pub fn pan_counts(file: &Path, translator: Translator) -> Option<(Counts, Errors)> {
    let defines = ["-DSAFETY", "-DNOREDUCE", "-DNOCLAIM"];
    let pan = Pan::build(file, translator, &defines).expect("SPIN compiles the model");
    let run = |args: &[&str]| {
        let finished = pan.run(args, Duration::from_secs(20)).ok()?;
        let output = finished.output();
        let number = |line: &str| line.split_whitespace().next()?.parse::<f64>().ok();
        let find = |what: &str| output.lines().find(|l| l.contains(what)).and_then(number);
        let errors = output.lines().find_map(|line| line.split_once("errors: "));
        let too_deep = output.contains("max search depth too small");
        let complete = !too_deep && !output.contains("Search not completed");
        complete.then_some(Counts {
            stored: find("states, stored")? as u64,
            transitions: find("transitions (= stored+matched")? as u64,
            faulty: errors?.1.trim() != "0",
        })
    };
    let counts = run(&["-c0", "-w18", "-m100000"])?;
    let mut errors = Errors::default();
    if counts.faulty {
        errors.deadlock = run(&["-c0", "-w18", "-A", "-m100000"])?.faulty;
        errors.assertion = run(&["-c0", "-w18", "-E", "-m100000"])?.faulty;
    }
    Some((counts, errors))
}
