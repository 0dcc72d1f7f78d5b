//! The interpreter explores the same state space as SPIN: as many states and transitions, on the
//! project's own models, on the corpus and on random programs, plain and optimised; and it finds
//! the same kinds of errors.
//!
//! The remaining differences are listed, with their reasons, in `tests/differences/counts.tsv`;
//! `UPDATE_EXPECT=1` rewrites it.

use std::path::Path;
use std::time::Duration;

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_jit::NativeSpace;
use beeline_kernel::{FaultKind, Space};
use beeline_promela::hir::Model;
use beeline_promela::{Frontend, printer};
use beeline_search::{self as search, Exploration, FindingKind, Limits};
use beeline_testkit::agreement::agree;
use beeline_testkit::corpus::{self, Status};
use beeline_testkit::generate::{self, Config, Feature};
use beeline_testkit::spin::{self, Pan, Scratch, Translator, confuses_spin, unconfusing};
use beeline_testkit::{chosen, fixture, model};
use expect_test::expect_file;

/// The settings of SPIN, and the corresponding ones of ours.
const MODES: [(Translator, AutomataOptions); 2] = [
    (Translator::Plain, AutomataOptions::PLAIN),
    (Translator::Default, AutomataOptions::OPTIMISED),
];

/// The counters of an exhaustive exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Counts {
    stored: u64,
    transitions: u64,
    faulty: bool,
}

/// The kinds of errors found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Errors {
    deadlock: bool,
    assertion: bool,
}

impl Errors {
    fn of(found: &[FindingKind]) -> Errors {
        let failed = |wanted| {
            let is_it = |kind: &FindingKind| matches!(kind, FindingKind::Fault(fault) if fault.kind == wanted);
            found.iter().any(is_it)
        };
        // Neither `-A` nor `-E` makes SPIN ignore this one.
        let choice = failed(FaultKind::Nondeterminism);
        Errors {
            deadlock: found.contains(&FindingKind::Deadlock) || choice,
            assertion: failed(FaultKind::Assertion) || choice,
        }
    }
}

/// Explores the whole space, as `beeline count` does; stops far beyond `expected` states. Also
/// returns the findings.
fn count(model: &Model, options: AutomataOptions, expected: u64) -> (Counts, Vec<FindingKind>) {
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

/// Whether we found an error of the kind that SPIN found first.
fn is_found(error: &str, found: &[FindingKind]) -> bool {
    let is_kind = |kind: FaultKind| {
        found
            .iter()
            .any(|finding| matches!(finding, FindingKind::Fault(fault) if fault.kind == kind))
    };
    if error.contains("invalid end state") {
        found.contains(&FindingKind::Deadlock)
    } else if error.contains("invalid array index") {
        is_kind(FaultKind::Index)
    } else if error.contains("fields in recv") || error.contains("pars in receive") {
        is_kind(FaultKind::Fields)
    } else if error.contains("event_trace") || error.contains("trace assertion") {
        is_kind(FaultKind::Trace)
    } else if error.contains("assertion violated") {
        is_kind(FaultKind::Assertion)
    } else {
        !found.is_empty()
    }
}

/// The counters of SPIN's verifier, and the kinds of errors it finds. `None` when it is not
/// complete.
fn pan_counts(file: &Path, translator: Translator) -> Option<(Counts, Errors)> {
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

#[test]
fn the_models_of_the_project_have_the_counts_they_claim() {
    for fixture in fixture::all() {
        let (Some(stored), Some(transitions)) =
            (fixture.expect.states(), fixture.expect.transitions())
        else {
            panic!("{} does not say how many states it has", fixture.name);
        };
        let front = model::read(&fixture.file).expect("our models can be read");
        let (counts, _) = count(&front.hir, AutomataOptions::PLAIN, stored);
        let found = (counts.stored, counts.transitions);
        assert_eq!(found, (stored, transitions), "{}", fixture.name);
    }
}

/// Why the counts of a model differ; `None` when unknown.
fn reason(name: &str) -> Option<&'static str> {
    match name {
        "micro/index_oob.pml" => Some(
            "after an index out of bounds SPIN reads and writes whatever lies there and goes on; Beeline stops that path",
        ),
        "spin-examples/cambridge.pml" => Some(
            "a process sends to a channel that another one has alone by `xs`; without partial order reduction SPIN does not look",
        ),
        "micro/notrace_rv.pml" => Some(
            "SPIN's notrace automaton resets the pending rendezvous, so that a send completes without a receiver",
        ),
        _ => None,
    }
}

#[test]
fn the_corpus_has_spin_s_counts() {
    let Some(corpus) = corpus::corpus_or_skip("counts of the corpus") else {
        return;
    };
    let most =
        std::env::var("BEELINE_STATES").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    let mut table = String::from("model\tmode\tdifference\treason\n");
    let (mut compared, mut differ) = (0, 0);
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        for (config, options) in
            [("full_plain", AutomataOptions::PLAIN), ("full", AutomataOptions::OPTIMISED)]
        {
            let Some(row) = corpus.result(&entry.name, config) else {
                continue;
            };
            let (Status::Complete, Some(stored)) = (&row.status, row.stored) else {
                continue;
            };
            if stored > most {
                continue;
            }
            compared += 1;
            let spin = Counts {
                stored,
                transitions: row.transitions.unwrap_or(0),
                faulty: row.errors.unwrap_or(0) > 0,
            };
            let front = model::read(&entry.file).expect("corpus files can be read");
            let (ours, found) = count(&front.hir, options, stored);
            let error = row.error.as_deref().unwrap_or_default();
            if !error.is_empty() && !is_found(error, &found) {
                differ += 1;
                let why = reason(&entry.name).unwrap_or("UNEXPLAINED");
                table +=
                    &format!("{}\t{config}\t{found:?} here, {error} in SPIN\t{why}\n", entry.name);
            } else if ours != spin {
                differ += 1;
                let why = reason(&entry.name).unwrap_or("UNEXPLAINED");
                table += &format!(
                    "{}\t{config}\t{}/{} states and transitions here, {}/{} in SPIN\t{why}\n",
                    entry.name, ours.stored, ours.transitions, spin.stored, spin.transitions
                );
            }
        }
    }
    assert!(compared >= 500, "only {compared} counts were compared");
    expect_file!["differences/counts.tsv"].assert_eq(&table);
    assert!(!table.contains("UNEXPLAINED"), "{table}");
    assert!(differ * 100 <= compared, "more than 1 % differ:\n{table}");
}

/// The program of a seed, written to a file and read again.
fn random(seed: u64, config: &Config, file: &Path) -> (String, Frontend) {
    let text = printer::print(&generate::program(seed, config));
    std::fs::write(file, &text).expect("scratch files can be written");
    let front = model::read(file).expect("just written");
    assert_eq!(model::first_error(&front), None, "seed {seed}\n{text}");
    (text, front)
}

#[test]
fn random_programs_have_spin_s_counts_and_errors() {
    if !spin::available_or_skip("counts of random programs") {
        return;
    }
    let scratch = Scratch::new().expect("a scratch directory");
    let seeds = chosen::seeds(150);
    let programs = seeds.end - seeds.start;
    let (mut compared, mut deadlocks, mut assertions) = (0, 0, 0);
    let (mut confusing, mut unfinished, mut undefined) = (0, 0, 0);
    let mut differences = Vec::new();
    for seed in seeds.clone() {
        // Every other program may have assertions that fail, every fifth deterministic processes,
        // and every third local constants.
        let failing = if seed % 2 == 1 { 30 } else { 0 };
        let mut config = Config::full().with(Feature::FailingAssert, failing);
        if seed % 5 == 4 {
            // SPIN takes an offer for a choice even if no process accepts it.
            config = config.with(Feature::Deterministic, 30).without(Feature::Rendezvous);
        }
        if seed % 3 == 2 {
            config = config.with(Feature::LocalConstant, 70);
        }
        let file = scratch.path().join(format!("random-{seed}.pml"));
        let (mut text, mut front) = random(seed, &config, &file);
        if confuses_spin(&front.hir) {
            confusing += 1;
            let tame = unconfusing(&config);
            (text, front) = random(seed, &tame, &file);
            assert!(!confuses_spin(&front.hir), "seed {seed}\n{text}");
        }
        for (translator, options) in MODES {
            let Some((spin, errors)) = pan_counts(&file, translator) else {
                unfinished += 1;
                continue;
            };
            let (ours, found) = count(&front.hir, options, spin.stored);
            let is_index = |kind: &FindingKind| matches!(kind, FindingKind::Fault(fault) if fault.kind == FaultKind::Index);
            // After a bad index, SPIN continues with arbitrary memory contents.
            if found.iter().any(is_index) && errors.assertion {
                undefined += 1;
                continue;
            }
            compared += 1;
            let ours = (ours, Errors::of(&found));
            if ours != (spin, errors) {
                let difference = format!("{ours:?} here, {:?} in SPIN", (spin, errors));
                differences.push(format!("seed {seed}, {translator:?}: {difference}\n{text}"));
            }
            deadlocks += u64::from(errors.deadlock);
            assertions += u64::from(errors.assertion);
        }
    }
    println!(
        "seeds {seeds:?}: {compared} state spaces compared, {deadlocks} with a deadlock, \
         {assertions} with a failing assertion; {confusing} programs would confuse SPIN \
         and were tamed, {unfinished} runs of it do not end, {undefined} have a bad index"
    );
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(compared >= programs, "only {compared} state spaces were compared");
    assert!(programs < 100 || deadlocks.min(assertions) * 20 > programs, "too few programs fail");
}

/// Cases that random programs do not cover.
const RARE: &[&str] = &[
    // `else` beside an offer waits until there is a receiver, as for any other statement.
    "chan c = [0] of { byte };
     active proctype A() { if :: c!1 :: else -> assert(false) fi }
     active proctype B() { c?1 }",
    "chan c = [0] of { byte }; byte n;
     active proctype A() { do :: n < 3 -> if :: c!1 :: else -> n++ fi :: else -> break od }
     active proctype B() { end: do :: c?1 :: n == 1 -> c?2 od }",
    "chan c = [0] of { byte }; byte n;
     active proctype A() { if :: else -> n = 1 :: c!1 fi }
     active [2] proctype B() { byte x; if :: c?x -> n = x + 1 :: n == 1 fi }",
    // A process whose `provided` clause is false has no precedence over others,
    "byte x;
     active proctype A() { x = 1 }
     active proctype B() priority 4 provided (x == 1) { x = 2 }",
    // and one that waits for a timeout has precedence over others that do.
    "byte x;
     active proctype A() priority 3 { timeout -> x = 1 }
     active proctype B() priority 1 { timeout -> assert(x == 1) }",
    "byte x;
     active proctype A() { timeout -> x = 1 }
     active proctype B() { enabled(0) -> x = 2 }",
    // Inside an atomic sequence, too, `_last` is the process that moved last.
    "byte n, x;
     active proctype A() { do :: n < 2 -> n++ :: n > 0 -> n-- od }
     active proctype B() { do :: atomic { n == 1; x = _last; assert(x == 1); x = 0; n = _last } od }",
    "byte n, x; chan q = [1] of { byte };
     active proctype A() { do :: n = 1 - n :: q?x od }
     active proctype B() { do :: atomic { n == 1 -> q!1; x = _last; if :: x == 0 -> n = 2 :: else fi } od }",
    // A deterministic process with a choice: with a rendezvous, after `else`, inside an atomic
    // sequence, and with an escape.
    "byte x;
     D_proctype P() { if :: x = 1 :: x = 2 fi; if :: x == 1 -> x = 3 :: x >= 1 -> x = 4 :: else fi }
     init { run P() }",
    "chan c = [0] of { byte }; byte x;
     active proctype Q() { c?x } active proctype R() { c?x }
     D_proctype P() { do :: c!1 :: c!2 :: x > 1 -> break :: else od }
     init { run P() }",
    "byte x;
     D_proctype P() { atomic { x++; if :: x > 0 :: x > 1 :: x == 1 fi; x = 0 } }
     init { run P(); run P() }",
    "byte x;
     D_proctype P() { { x = 1; x = 2 } unless { if :: x == 1 :: x > 0 fi } }
     init { run P() }",
    // The enabledness of a process may depend on that of others.
    "byte x;
     active [3] proctype P() {
       if
       :: _pid < 2 -> if :: enabled(_pid + 1) -> x = 1 fi
       :: _pid == 2; if :: x == 1 -> x = 2 :: x = 3 fi
       fi
     }",
];

#[test]
fn what_is_rare_has_spin_s_counts_and_errors() {
    let scratch = Scratch::new().expect("a scratch directory");
    let has_spin = spin::available_or_skip("counts of what is rare");
    for (number, text) in RARE.iter().enumerate() {
        let file = scratch.path().join(format!("rare-{number}.pml"));
        std::fs::write(&file, text).expect("scratch files can be written");
        let front = model::read(&file).expect("just written");
        assert_eq!(model::first_error(&front), None, "{text}");
        for (translator, options) in MODES {
            let machine = Machine::new(&front.hir, options);
            if let Ok(native) = NativeSpace::compile(&machine) {
                assert!(agree(&machine, &native, text) > 0, "{text}");
            }
            if !has_spin {
                continue;
            }
            let (spin, errors) = pan_counts(&file, translator).expect("they are small");
            let (ours, found) = count(&front.hir, options, spin.stored);
            assert_eq!((ours, Errors::of(&found)), (spin, errors), "{translator:?}: {text}");
        }
    }
}
