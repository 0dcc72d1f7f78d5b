//! Trails of depth-first search, shortened, on fixtures and on the corpus: they never become
//! longer, they lead to the same kind of error, and a trail called shortest is as short as that of
//! Dijkstra's algorithm. `BEELINE_STATES` is the limit of expanded states (default 20,000).

use std::ops::ControlFlow;

use beeline_checker::{ImproveOptions, Plan, Stats, check, improve, parse_search};
use beeline_kernel::{Stop, Trail};
use beeline_model::{ErrorKind, Model, Story, StoryRequest, Subject, Verdict, Violation};
use beeline_testkit::checking::{heuristic_names, promela};
use beeline_testkit::{corpus, fixture, model};

/// Ends a search after a number of expansions.
fn patience(most: u64) -> impl FnMut(&Stats) -> ControlFlow<Stop> {
    move |stats: &Stats| {
        if stats.expanded > most {
            ControlFlow::Break(Stop::Time)
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// The violations of the deadlock property and the assertions that a search finds.
fn violations(model: &dyn Model, search: &str, states: u64) -> Vec<Violation> {
    let search = parse_search(search, 1, &heuristic_names()).expect("there is one");
    let plan = Plan { search, ..Plan::default() };
    let all = model.properties().into_iter().take(2).collect::<Vec<_>>();
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

/// The story of a trail, for any error at its end.
fn retell(model: &dyn Model, trail: &Trail) -> Story {
    let story = model.story(trail, &StoryRequest::new(Subject::Properties(&[])));
    story.expect("it is a trail")
}

fn compare(name: &str, model: &dyn Model, states: u64, tally: &mut Tally) {
    let dijkstra = violations(model, "dijkstra", states);
    for given in violations(model, "dfs", states) {
        let plan = Plan::default();
        let wish = ImproveOptions { plan: &plan, few_switches: false, by: &[] };
        let improved = improve(model, &given.trail, &wish, &mut patience(states));
        let improved = improved.unwrap_or_else(|error| panic!("{name}: {error}"));
        let Violation { length, trail, error, .. } = &improved.violation;
        let (steps, before) = (length.steps, given.length.steps);
        assert_eq!(improved.given, before, "{name}");
        assert!(steps <= before, "{name}: {steps} of {before}");
        let lengths: Vec<u64> = improved.log.iter().map(|one| one.steps).collect();
        assert!(lengths.is_sorted_by(|one, two| one > two), "{name}: {lengths:?}");
        let story = retell(model, trail);
        assert_eq!(story.steps.len() as u64, steps, "{name}");
        // A trail whose last step fails and leads to a deadlock has both errors.
        let about = retell(model, &given.trail).end.error;
        assert_eq!(about, Some(*error), "{name}");
        assert!(story.end.error.is_some(), "{name}");
        tally.trails += 1;
        tally.shortened += u64::from(steps < before);
        tally.shortest += u64::from(improved.violation.is_shortest());
        // All deadlocks count as the same error; assertions do not.
        let truth = dijkstra.iter().find(|one| one.error == ErrorKind::InvalidEnd);
        if let (ErrorKind::InvalidEnd, Some(truth)) = (*error, truth) {
            let truth = truth.length.steps;
            assert!(truth <= steps, "{name}: {steps}, and not {truth}");
            if improved.violation.is_shortest() {
                assert_eq!(truth, steps, "{name}");
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
        compare(&fixture.name, &promela(&front), 20_000, &mut tally);
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
            compare(&entry.name, &promela(&front), states, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.trails >= 80 && tally.confirmed >= 40, "{tally:?}");
}
