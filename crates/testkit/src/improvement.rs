//! Trails of depth-first search, shortened: they never become longer, they lead to the same kind
//! of error, and what is called shortest is as short as Dijkstra's algorithm finds it.

use std::ops::ControlFlow;

use beeline_checker::{ImproveOptions, Plan, Stats, check, improve, parse_search};
use beeline_kernel::{Stop, Trail};
use beeline_model::{ErrorKind, Model, Story, StoryRequest, Subject, Verdict, Violation};

use crate::checking::heuristic_names;

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

/// What became of trails.
#[derive(Debug, Default)]
pub struct Tally {
    /// All trails.
    pub trails: u64,
    /// Those that became shorter.
    pub shortened: u64,
    /// Those that are called shortest,
    pub shortest: u64,
    /// and are so by Dijkstra's algorithm.
    pub confirmed: u64,
}

/// The story of a trail, for any error at its end.
fn retell(model: &dyn Model, trail: &Trail) -> Story {
    let story = model.story(trail, &StoryRequest::new(Subject::Properties(&[])));
    story.expect("it is a trail")
}

/// Shortens the trails of a model. A search may expand `states` states.
///
/// # Panics
///
/// When a trail is not what it should be.
pub fn compare(name: &str, model: &dyn Model, states: u64, tally: &mut Tally) {
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
