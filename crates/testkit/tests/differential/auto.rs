//! The automatic strategy on the corpus: its verdicts for deadlocks and assertions are those of
//! SPIN's exhaustive search, if that was complete; and they are the same every time.
//! `BEELINE_STATES` is the limit of expanded states (default 50,000).

use std::ops::ControlFlow;

use beeline_checker::{AutoOptions, CheckReport, Plan, SearchConfig, Stats, check};
use beeline_kernel::{FaultKind, Stop};
use beeline_model::{ErrorKind, Model, Property, PropertyKind, Verdict};
use beeline_testkit::checking::promela;
use beeline_testkit::corpus::Status;
use beeline_testkit::{corpus, model};

fn run(model: &dyn Model, jobs: usize, states: u64) -> CheckReport {
    let auto = AutoOptions { jobs, ..AutoOptions::default() };
    let plan = Plan { search: SearchConfig::auto(), auto, bytes: Some(1 << 30), ..Plan::default() };
    let safety: Vec<_> = model.properties().into_iter().filter(is_usual).collect();
    let mut patience = |stats: &Stats| match stats.expanded > states {
        true => ControlFlow::Break(Stop::Time),
        false => ControlFlow::Continue(()),
    };
    check(model, &safety, &plan, false, &mut patience).expect("findings are confirmed")
}

/// Whether a property is one of those that most models have.
fn is_usual(property: &Property) -> bool {
    let usual = [PropertyKind::Deadlock, PropertyKind::Assertions, PropertyKind::RuntimeErrors];
    usual.contains(&property.kind)
}

/// The verdicts without time-dependent parts: steps and bounds.
fn verdicts(report: &CheckReport) -> Vec<String> {
    let words = report.properties.iter().map(|checked| match &checked.verdict {
        Verdict::Holds => "holds".to_owned(),
        Verdict::Violated(violations) => {
            let length = violations[0].length;
            format!("violated after {} of at least {}", length.steps, length.lower_bound)
        }
        Verdict::Unknown(why) => why.to_string(),
    });
    words.collect()
}

#[test]
fn the_automatic_strategy_is_never_wrong_on_the_corpus() {
    let Some(corpus) = corpus::corpus_or_skip("the automatic strategy on the corpus") else {
        return;
    };
    let states = std::env::var("BEELINE_STATES").ok().and_then(|n| n.parse().ok());
    let states: u64 = states.unwrap_or(50_000);
    let (mut held, mut violated, mut unknown) = (0, 0, 0);
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        let Some(row) = corpus.result(&entry.name, "full") else { continue };
        let (Some(errors), Status::Complete) = (row.errors, &row.status) else { continue };
        // Trace assertions count as errors in the records.
        let front = model::read(&entry.file).expect("corpus files can be read");
        if model::first_error(&front).is_some() {
            continue;
        }
        let model = promela(&front);
        if !model.properties().iter().all(is_usual) && errors > 0 {
            continue;
        }
        let jobs = 1 + (held + violated) % 2;
        let report = run(&model, jobs, states);
        let answers = report.properties.iter().map(|checked| &checked.verdict);
        let is_violated = answers.clone().any(|answer| match answer {
            // Without partial order reduction, SPIN does not check `xr` and `xs`.
            Verdict::Violated(found) => {
                found.iter().any(|one| one.error != ErrorKind::Fault(FaultKind::Exclusive))
            }
            _ => false,
        });
        let is_held = answers.clone().all(|answer| matches!(answer, Verdict::Holds));
        let words = verdicts(&report);
        assert!(!is_violated || errors > 0, "{}: {words:?}", entry.name);
        assert!(!is_held || errors == 0, "{}: {words:?}", entry.name);
        match (is_violated, is_held) {
            (true, _) => violated += 1,
            (_, true) => held += 1,
            _ => unknown += 1,
        }
    }
    println!("{held} hold, {violated} are violated, {unknown} are unknown");
    assert!(held >= 100 && violated >= 60, "{held} hold, {violated} are violated");
}

#[test]
fn with_one_thread_every_run_is_the_same() {
    let Some(corpus) = corpus::corpus_or_skip("repeated runs of the automatic strategy") else {
        return;
    };
    let mut compared = 0;
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        let row = corpus.result(&entry.name, "dfs1_nopor");
        if compared >= 12 || row.is_none_or(|row| row.errors.is_none_or(|errors| errors == 0)) {
            continue;
        }
        let front = model::read(&entry.file).expect("corpus files can be read");
        if model::first_error(&front).is_some() {
            continue;
        }
        let model = promela(&front);
        let (one, two) = (run(&model, 1, 150_000), run(&model, 1, 150_000));
        assert_eq!(verdicts(&one), verdicts(&two), "{}", entry.name);
        assert_eq!(one.stats, two.stats, "{}", entry.name);
        compared += 1;
    }
    assert_eq!(compared, 12);
}
