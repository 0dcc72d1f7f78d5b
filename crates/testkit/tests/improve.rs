//! Trails of depth-first search, shortened, on fixtures and on the corpus: they never
//! become longer, they lead to the same kind of error, and what is called shortest is as
//! short as Dijkstra's algorithm finds it. `BEELINE_STATES` sets how many states a search
//! may expand (default 20,000).

use std::ops::ControlFlow;

use beeline_checker::{
    ErrorKind, ImproveOptions, Plan, SemanticsOptions, Stats, Verdict, Violation, check, improve,
    parse_search, properties, retell,
};
use beeline_kernel::Stop;
use beeline_promela::hir::Model;
use beeline_testkit::{corpus, fixture, model};

/// Ends a search after so many expansions.
fn patience(most: u64) -> impl FnMut(&Stats) -> ControlFlow<Stop> {
    move |stats: &Stats| {
        if stats.expanded > most {
            ControlFlow::Break(Stop::Time)
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// What a search finds against the deadlock property and the assertions.
fn violations(model: &Model, search: &str, states: u64) -> Vec<Violation> {
    let plan = Plan { search: parse_search(search, 1).expect("there is one"), ..Plan::default() };
    let all = properties(model).into_iter().take(2).collect::<Vec<_>>();
    let report = check(model, &all, &plan, false, &mut patience(states)).expect("it is confirmed");
    let answers = report.properties.into_iter().map(|checked| checked.verdict);
    let found = answers.map(|answer| match answer {
        Verdict::Violated(violations) => violations,
        Verdict::Holds | Verdict::Unknown(_) => Vec::new(),
    });
    found.flatten().collect()
}

#[derive(Debug, Default)]
struct Tally {
    trails: u64,
    shortened: u64,
    shortest: u64,
    confirmed: u64,
}

fn compare(name: &str, model: &Model, states: u64, tally: &mut Tally) {
    let dijkstra = violations(model, "dijkstra", states);
    for given in violations(model, "dfs", states) {
        let plan = Plan::default();
        let wish = ImproveOptions { plan: &plan, few_switches: false, by: &[] };
        let improved = improve(model, &given.trail, &wish, &mut patience(states));
        let improved = improved.unwrap_or_else(|error| panic!("{name}: {error}"));
        let Violation { steps, trail, error, .. } = &improved.violation;
        assert_eq!(improved.given, given.steps, "{name}");
        assert!(*steps <= given.steps, "{name}: {steps} of {}", given.steps);
        let lengths: Vec<u64> = improved.log.iter().map(|one| one.steps).collect();
        assert!(lengths.is_sorted_by(|one, two| one > two), "{name}: {lengths:?}");
        let story = retell(model, trail, SemanticsOptions::default()).expect("it is a trail");
        assert_eq!(story.steps.len() as u64, *steps, "{name}");
        // Where the last step fails and nobody can move behind it, a trail is about both.
        let about =
            retell(model, &given.trail, SemanticsOptions::default()).expect("it is one").end.error;
        assert_eq!(about, Some(*error), "{name}");
        assert!(story.end.error.is_some(), "{name}");
        tally.trails += 1;
        tally.shortened += u64::from(*steps < given.steps);
        tally.shortest += u64::from(improved.violation.is_shortest());
        // Of deadlocks, one is like the other; an assertion is one of several.
        let truth = dijkstra.iter().find(|one| one.error == ErrorKind::InvalidEnd);
        if let (ErrorKind::InvalidEnd, Some(truth)) = (*error, truth) {
            assert!(truth.steps <= *steps, "{name}: {steps}, and not {}", truth.steps);
            if improved.violation.is_shortest() {
                assert_eq!(truth.steps, *steps, "{name}");
                tally.confirmed += 1;
            }
        }
    }
}

#[test]
fn trails_become_shorter_on_the_fixtures() {
    let mut tally = Tally::default();
    for fixture in fixture::all() {
        let front = model::read(&fixture.file).expect("fixtures can be read");
        compare(&fixture.name, &front.hir, 20_000, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.shortened >= 5 && tally.confirmed >= 5, "{tally:?}");
}

#[test]
fn trails_become_shorter_on_the_corpus() {
    let Some(corpus) = corpus::corpus_or_skip("trail improvement on the corpus") else {
        return;
    };
    let states = std::env::var("BEELINE_STATES").ok().and_then(|n| n.parse().ok());
    let states = states.unwrap_or(20_000);
    let mut tally = Tally::default();
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        let row = corpus.result(&entry.name, "dfs1_nopor");
        if row.is_none_or(|row| row.errors.is_none_or(|errors| errors == 0)) {
            continue;
        }
        let front = model::read(&entry.file).expect("corpus files can be read");
        if model::first_error(&front).is_none() {
            compare(&entry.name, &front.hir, states, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.trails >= 80 && tally.confirmed >= 40, "{tally:?}");
}
