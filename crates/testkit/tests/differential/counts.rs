//! The interpreter walks the same state space as SPIN: as many states and
//! transitions, on the corpus and on random programs, plain and optimised; and it
//! finds the same kinds of errors there.
//!
//! What remains different is listed, with its reason, in
//! `tests/differences/counts.tsv`; `UPDATE_EXPECT=1` writes it anew.

use std::path::Path;

use beeline_engine::automata::AutomataOptions;
use beeline_kernel::FaultKind;
use beeline_promela::{Frontend, printer};
use beeline_search::FindingKind;
use beeline_testkit::corpus::{self, Status};
use beeline_testkit::counting::{Counts, Errors, MODES, count, pan_counts};
use beeline_testkit::generate::{self, Config, Feature};
use beeline_testkit::spin::{self, Scratch, confuses_spin, unconfusing};
use beeline_testkit::{chosen, model};
use expect_test::expect_file;

/// Whether we found an error of the kind that SPIN met first.
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

/// Why a model's counts differ; `None` when we do not know.
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
    expect_file!["../differences/counts.tsv"].assert_eq(&table);
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
        // Every other program may have assertions that fail, every fifth processes that must not
        // have a choice, and every third variables whose values are known anyway.
        let failing = if seed % 2 == 1 { 30 } else { 0 };
        let mut config = Config::full().with(Feature::FailingAssert, failing);
        if seed % 5 == 4 {
            // SPIN takes an offer for a choice even where no process accepts it.
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
            // Behind a bad index, SPIN goes on with whatever lies there.
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
