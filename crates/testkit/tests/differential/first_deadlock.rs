//! Depth-first search as in HSF-SPIN equals SPIN's: until the first deadlock, both reach the same
//! depth, store and match as many states, and execute as many atomic steps.

use std::time::Duration;

use beeline_checker::hsf::{self, HsfPlan};
use beeline_model::Verdict;
use beeline_testkit::checking::promela;
use beeline_testkit::fixture::{self, Clause, Fixture};
use beeline_testkit::model;
use beeline_testkit::spin::{self, Pan, Translator};

/// Depth reached, states stored and matched, atomic steps.
type Counts = [u64; 4];

fn ours(fixture: &Fixture) -> Counts {
    let front = model::read(&fixture.file).expect("our models can be read");
    let report = hsf::run(&promela(&front), &HsfPlan::default(), &mut beeline_checker::NoObserver);
    let report = report.expect("the search ends");
    assert!(matches!(report.verdict, Verdict::Violated(_)), "{}", fixture.name);
    let stats = report.stats;
    [stats.depth, stats.stored, stats.matched, stats.atomic_steps]
}

fn theirs(fixture: &Fixture) -> Counts {
    let defines = ["-DSAFETY", "-DNOREDUCE", "-DNOCLAIM"];
    let pan = Pan::build(&fixture.file, Translator::Default, &defines);
    let pan = pan.expect("SPIN compiles the model");
    let finished = pan.run(&["-A", "-m100000"], Duration::from_secs(20)).expect("it ends");
    let output = finished.output();
    let first = |text: &str| text.split([' ', ',']).find_map(|word| word.parse::<u64>().ok());
    let line = |what: &str| output.lines().find(|line| line.contains(what)).and_then(first);
    let depth = output.split_once("depth reached ").and_then(|(_, rest)| first(rest));
    let counts = [depth, line("states, stored"), line("states, matched"), line("atomic steps")];
    counts.map(|count| count.unwrap_or_else(|| panic!("{}: {output}", fixture.name)))
}

#[test]
fn depth_first_search_counts_as_spin_does() {
    if !spin::available_or_skip("the first deadlock") {
        return;
    }
    let mut compared = 0;
    for fixture in fixture::all() {
        // A rendezvous is two steps in SPIN, so its depth is not stated.
        let deadlock = |clause: &Clause| matches!(clause, Clause::Deadlock { depth: Some(_) });
        if fixture.expect.clauses.iter().any(deadlock) {
            assert_eq!(ours(&fixture), theirs(&fixture), "{}", fixture.name);
            compared += 1;
        }
    }
    assert!(compared > 4, "only {compared} models have a deadlock");
}
