//! The proof of the automatic strategy, taken over by several threads: the results of one thread.

use std::ops::ControlFlow;

use beeline_checker::{
    AutoOptions, CheckReport, Event, Observer, Plan, Stats, Store, check, parse_search,
};
use beeline_kernel::Stop;
use beeline_model::{Model as _, Verdict};
use beeline_promela::preprocess::PreprocessOptions;
use beeline_testkit::checking::{heuristic_names, promela};
use beeline_testkit::model::Disk;

/// Six counters: 262,144 states. The total is never more than 42, and value ranges do not tell.
fn counters(assertion: &str) -> String {
    format!(
        "byte x[6], total;\nactive [6] proctype C() {{ do\n\
         :: atomic {{ x[_pid] < 7 -> x[_pid]++; total++; assert({assertion}) }}\n\
         :: atomic {{ x[_pid] == 7 -> x[_pid] = 0; total = total - 7 }} od }}\n"
    )
}

/// Records the phases, and stops the run in the shared proof.
#[derive(Default)]
struct Phases {
    names: Vec<String>,
    stops: bool,
}

impl Phases {
    fn is_shared(&self) -> bool {
        self.names.iter().any(|name| name.starts_with("proof in 3 threads"))
    }
}

impl Observer for Phases {
    fn poll(&mut self, _: &Stats) -> ControlFlow<Stop> {
        match self.stops && self.is_shared() {
            true => ControlFlow::Break(Stop::Time),
            false => ControlFlow::Continue(()),
        }
    }

    fn on_event(&mut self, event: &Event<'_>) {
        if let Event::Phase(name) = event {
            self.names.push((*name).to_owned());
        }
    }
}

/// Checks in four threads, three of which share the proof after the first phase.
fn plan() -> Plan {
    let search = parse_search("auto(sets=no)", 1, &heuristic_names()).expect("it is well formed");
    let auto = AutoOptions { jobs: 4, large: 0, ..AutoOptions::default() };
    Plan { search, auto, ..Plan::default() }
}

fn checked(text: &str, plan: &Plan, phases: &mut Phases) -> CheckReport {
    let front = beeline_promela::read("m.pml", text, &mut Disk, &PreprocessOptions::default());
    assert!(!front.diagnostics.has_errors(), "{text}");
    let model = promela(&front);
    check(&model, &model.properties(), plan, false, phases).expect("errors are confirmed")
}

fn words(report: &CheckReport) -> Vec<String> {
    let words = report.properties.iter().map(|of| match &of.verdict {
        Verdict::Violated(all) => format!("{}: {:?}", of.property.name, all[0].length),
        verdict => format!("{}: {verdict:?}", of.property.name),
    });
    words.collect()
}

#[test]
fn a_proof_in_threads_settles_what_one_thread_settles() {
    for assertion in ["total <= 42", "total != 41"] {
        let text = counters(assertion);
        let mut phases = Phases::default();
        let shared = checked(&text, &plan(), &mut phases);
        assert!(phases.is_shared(), "{:?}", phases.names);
        let alone = AutoOptions { jobs: 1, ..plan().auto };
        let alone = checked(&text, &Plan { auto: alone, ..plan() }, &mut Phases::default());
        assert_eq!(words(&shared), words(&alone), "{assertion}");
        assert!(shared.stats.stored >= 262_144 || assertion != "total <= 42");
    }
}

#[test]
fn a_proof_in_threads_continues_with_the_compact_store_when_memory_is_full() {
    let plan = Plan { bytes: Some(14 << 20), ..plan() };
    let mut phases = Phases::default();
    let report = checked(&counters("total <= 42"), &plan, &mut phases);
    assert!(phases.is_shared(), "{:?}", phases.names);
    assert_eq!(report.store, Store::Compact);
    assert!(report.properties.iter().all(|of| matches!(of.verdict, Verdict::Holds)), "{report:?}");
}

#[test]
fn a_proof_in_threads_ends_when_the_observer_stops_it() {
    let mut phases = Phases { stops: true, ..Phases::default() };
    let report = checked(&counters("total <= 42"), &plan(), &mut phases);
    assert!(phases.is_shared(), "{:?}", phases.names);
    assert!(words(&report)[0].contains("Time"), "{:?}", words(&report));
}
