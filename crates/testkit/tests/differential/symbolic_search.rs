//! Searches on sets of states find shortest paths to the errors of the corpus; see
//! [`beeline_testkit::symbolic_search`]. `BEELINE_STATES` chooses larger models.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use beeline_checker::{HeuristicNames, Observer, Plan, Stats, check, parse_search};
use beeline_engine::automata::AutomataOptions;
use beeline_kernel::Stop;
use beeline_model::{Model as _, Property, PropertyKind, Reason, Verdict};
use beeline_testkit::checking::promela;
use beeline_testkit::symbolic_search::{SearchesCompared, check_searches};
use beeline_testkit::{chosen, corpus, model};

#[test]
fn searches_find_shortest_paths_to_the_errors_of_the_corpus() {
    let Some(corpus) = corpus::corpus_or_skip("symbolic searches") else { return };
    let mut compared = SearchesCompared::default();
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        let front = model::read(&entry.file).expect("corpus files can be read");
        let options = AutomataOptions::OPTIMISED;
        check_searches(&entry.name, &front.hir, options, chosen::states(2_000), &mut compared);
    }
    println!("{}", compared.table);
    let SearchesCompared { exact, errors, absent, searches, stopped, .. } = compared;
    println!(
        "{exact} views, {errors} errors, {absent} absent, {searches} searches, {stopped} stopped"
    );
    assert!(compared.complaints.is_empty(), "{:#?}", compared.complaints);
    assert!(errors - absent >= 40 && searches >= 1_000, "{errors} {absent} {searches}");
}

/// The verdicts of `check` with a search on sets are those of breadth-first search.
#[test]
fn checks_on_sets_have_the_verdicts_of_explicit_checks() {
    let Some(corpus) = corpus::corpus_or_skip("checks on sets") else { return };
    let most = chosen::states(5_000) as u64;
    let (mut held, mut violated, mut unknown) = (0, 0, 0);
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        let front = model::read(&entry.file).expect("corpus files can be read");
        if model::first_error(&front).is_some() {
            continue;
        }
        let model = promela(&front);
        let kinds = [PropertyKind::Deadlock, PropertyKind::Assertions, PropertyKind::RuntimeErrors];
        let mut properties: Vec<Property> = model.properties();
        properties.retain(|property| kinds.contains(&property.kind));
        let run = |search: &str, patience: &mut dyn Observer| {
            let search = parse_search(search, 1, &HeuristicNames::default());
            let plan = Plan {
                search: search.expect("it is a search"),
                bytes: Some(1 << 30),
                ..Plan::default()
            };
            let report = check(&model, &properties, &plan, false, patience);
            report.expect("findings are confirmed").properties
        };
        let mut small = |stats: &Stats| match stats.expanded > most {
            true => ControlFlow::Break(Stop::Time),
            false => ControlFlow::Continue(()),
        };
        let explicit = run("bfs", &mut small);
        if explicit.iter().any(|one| is_stopped(&one.verdict)) {
            continue;
        }
        let deadline = Instant::now() + Duration::from_secs(5);
        let mut patience = |_: &Stats| match Instant::now() > deadline {
            true => ControlFlow::Break(Stop::Time),
            false => ControlFlow::Continue(()),
        };
        for (sets, truth) in run("symbolic-bfs", &mut patience).iter().zip(&explicit) {
            let name = (&entry.name, &sets.property.name);
            match (&sets.verdict, &truth.verdict) {
                (Verdict::Holds, Verdict::Holds) => held += 1,
                (Verdict::Violated(a), Verdict::Violated(b)) => {
                    // Both have the fewest moves, but perhaps not the same ones.
                    assert_eq!(a[0].length.lower_bound, b[0].length.lower_bound, "{name:?}");
                    violated += 1;
                }
                (Verdict::Unknown(_), _) => unknown += 1,
                (sets, truth) => panic!("{name:?}: {sets:?}, not {truth:?}"),
            }
        }
    }
    println!("{held} hold, {violated} violated, {unknown} unknown");
    assert!(held >= 100 && violated >= 40, "{held} {violated} {unknown}");
}

fn is_stopped(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(Reason::Stopped(_)))
}
