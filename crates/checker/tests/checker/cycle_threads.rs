//! The automatic strategy for cycles with several threads: the verdicts and the trails of one thread.

use std::ops::ControlFlow;

use beeline_checker::{AutoOptions, CheckReport, Observer, Plan, Stats, check, parse_search};
use beeline_kernel::Stop;
use beeline_model::{Model as _, Verdict};
use beeline_promela::preprocess::PreprocessOptions;
use beeline_testkit::checking::{heuristic_names, promela};
use beeline_testkit::model::Disk;

/// Six counters: 262,144 states, more than the search for the shortest lasso visits. A total of 41 is
/// far from the initial state.
fn counters(formula: &str) -> String {
    format!(
        "byte x[6], total;\nactive [6] proctype C() {{ do\n\
         :: atomic {{ x[_pid] < 7 -> x[_pid]++; total++ }}\n\
         :: atomic {{ x[_pid] == 7 -> x[_pid] = 0; total = total - 7 }} od }}\n\
         ltl p {{ {formula} }}\n"
    )
}

/// Stops the run after this many expansions.
struct StoppedAfter(u64);

impl Observer for StoppedAfter {
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Stop> {
        match stats.expanded > self.0 {
            true => ControlFlow::Break(Stop::Time),
            false => ControlFlow::Continue(()),
        }
    }
}

/// Checks the formula; several threads begin after the search for the shortest lasso.
fn checked(text: &str, jobs: usize, most: u64) -> CheckReport {
    let search = parse_search("auto", 1, &heuristic_names()).expect("it is well formed");
    let auto = AutoOptions { jobs, large: 0, ..AutoOptions::default() };
    let plan = Plan { search, auto, ..Plan::default() };
    let front = beeline_promela::read("m.pml", text, &mut Disk, &PreprocessOptions::default());
    assert!(!front.diagnostics.has_errors(), "{text}");
    let model = promela(&front);
    let formulas: Vec<_> = model.properties().into_iter().filter(|of| of.name == "p").collect();
    check(&model, &formulas, &plan, false, &mut StoppedAfter(most)).expect("errors are confirmed")
}

/// Whether several threads have searched for cycles.
fn used_threads(report: &CheckReport) -> bool {
    let mut remarks = report.properties.iter().flat_map(|of| &of.remarks);
    remarks.any(|remark| remark.contains("the counts depend on the run"))
}

fn verdicts(report: &CheckReport) -> Vec<String> {
    report.properties.iter().map(|of| format!("{:?} {:?}", of.verdict, of.by)).collect()
}

#[test]
fn threads_change_neither_verdicts_nor_trails() {
    for (formula, holds) in [
        // The system alone decides this one: some condition would have to hold for ever.
        ("<>[](total <= 42)", true),
        ("[](total == 41 -> <>(total <= 41))", true),
        ("[](total == 41 -> <>(x[0] == 0))", false),
        ("[]<>(x[0] < 7 || x[1] < 7 || x[2] < 7 || x[3] < 7 || total > 20)", true),
    ] {
        let text = counters(formula);
        let alone = checked(&text, 1, u64::MAX);
        assert!(!used_threads(&alone), "{formula}");
        let violated =
            alone.properties.iter().filter(|of| matches!(of.verdict, Verdict::Violated(_)));
        assert_eq!(violated.count(), usize::from(!holds), "{formula}: {alone:?}");
        let shared = checked(&text, 3, u64::MAX);
        assert!(used_threads(&shared), "{formula}: {shared:?}");
        assert_eq!(verdicts(&shared), verdicts(&alone), "{formula}");
    }
}

#[test]
fn an_observer_stops_threads_that_search_for_cycles() {
    let text = counters("[](total == 41 -> <>(total <= 41))");
    let report = checked(&text, 3, 250_000);
    assert!(used_threads(&report), "{report:?}");
    assert!(verdicts(&report)[0].contains("Time"), "{:?}", verdicts(&report));
}
