//! Explores a model for its queries, as the checker does, but without it.

use beeline_kernel::{Expansion, FaultKind, StatePath};
use beeline_model::{Model, ProductOptions, Property, PropertyKind, System, SystemOptions};
use beeline_search::{
    CycleSearch, Exploration, ExplorationOptions, FindingKind, Limits, NestedDfs, Nesting, Outcome,
    Search, SearchQuery, SearchTarget, StateStore,
};
use beeline_timed::front_end::{FrontEnd, OtherQueries, read};
use beeline_timed::model::TimedModel;

/// The answer to a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The query holds.
    Yes,
    /// It does not.
    No,
    /// The search was cut off, or the query is not supported.
    Open,
}

/// The answers to the queries of a model, with their numbers, and what was explored.
pub(crate) struct Explored {
    pub(crate) answers: Vec<(usize, Answer)>,
    pub(crate) stored: u64,
    pub(crate) is_complete: bool,
    /// By query that found a state: the steps of its run.
    pub(crate) steps: Vec<Option<u64>>,
}

/// The model of a text, which has no mistakes.
pub(crate) fn model(text: &str, queries: &[&str]) -> TimedModel {
    let given = queries.iter().map(|&query| query.to_owned()).collect();
    let front = read("model", text, &OtherQueries { given, beside: None });
    of_front(front)
}

pub(crate) fn of_front(front: FrontEnd) -> TimedModel {
    let messages: Vec<String> =
        front.diagnostics.iter().map(|message| message.message.clone()).collect();
    TimedModel::new("model", front).unwrap_or_else(|_| panic!("the model is refused: {messages:?}"))
}

/// Explores a model breadth-first, up to so many states, and replays what is found.
pub(crate) fn explore<T: StateStore>(model: &TimedModel, most: usize) -> Explored {
    explore_within::<T>(model, most, most)
}

/// The same, with another number of states for each query about maximal runs.
pub(crate) fn explore_within<T: StateStore>(
    model: &TimedModel,
    most: usize,
    most_of_runs: usize,
) -> Explored {
    let properties = model.properties();
    let mut explored = None;
    model.with_system(&properties, SystemOptions::default(), &mut |system| {
        explored = Some(explore_system::<T>(model, &properties, system, (most, most_of_runs)));
    });
    explored.expect("a model runs what it is given")
}

fn explore_system<T: StateStore>(
    model: &TimedModel,
    properties: &[Property],
    system: &dyn System,
    (most, most_of_runs): (usize, usize),
) -> Explored {
    let limits = Limits { states: Some(most), ..Limits::default() };
    let options = ExplorationOptions { limits, keep: 1, ..ExplorationOptions::default() };
    let Ok(mut search) = Exploration::<T>::with_store(system.space(), options) else {
        panic!("the model has no initial state");
    };
    let outcome = search.finish();
    let is_complete = outcome == Outcome::Complete;
    let hits = Search::hits(&search);
    let findings: Vec<FindingKind> = hits.iter().map(|hit| hit.kind).collect();
    let is_faulty = findings.iter().any(|kind| matches!(kind, FindingKind::Fault(_)));
    let mut explored = Explored {
        answers: Vec::new(),
        stored: search.stats().stored,
        is_complete,
        steps: Vec::new(),
    };
    for (at, property) in properties.iter().enumerate() {
        let number = model.query_number(property).unwrap_or(at + 1);
        let found = system
            .target(property)
            .and_then(|target| findings.iter().position(|&kind| target.includes(kind)));
        let is_reachability = property.kind == PropertyKind::Reachability;
        let answer = match (system.target(property), found) {
            (None, _) => by_cycles(system, property, most_of_runs),
            (_, Some(_)) => {
                if is_reachability {
                    Answer::Yes
                } else {
                    Answer::No
                }
            }
            (_, None) if !is_complete || is_faulty => Answer::Open,
            (_, None) => {
                if is_reachability {
                    Answer::No
                } else {
                    Answer::Yes
                }
            }
        };
        explored.answers.push((number, answer));
        explored.steps.push(found.map(|hit| {
            let path: StatePath = Search::path(&search, hit);
            let violation = system.witness(&path, findings[hit], &|_| 0);
            let violation =
                violation.unwrap_or_else(|error| panic!("`{}`: {error}", property.name));
            // The trail alone leads there, too.
            let followed =
                model.with_trail(&violation.trail, SystemOptions::default(), &mut |_, _| {});
            followed.unwrap_or_else(|error| panic!("`{}`: {error:?}", property.name));
            violation.length.steps
        }));
    }
    explored
}

/// The answer to a query about maximal runs: the lasso that decides it is replayed.
fn by_cycles(system: &dyn System, property: &Property, most: usize) -> Answer {
    let mut answer = Answer::Open;
    let asks = property.kind.asks_for_witness();
    let _ = system.with_product(property, ProductOptions::default(), &mut |product| {
        let limits = Limits { states: Some(most), ..Limits::default() };
        let query = SearchQuery { limits, ..SearchQuery::new(SearchTarget::NOTHING) };
        let search = NestedDfs::new(product.space(), Nesting::Improved, query);
        let mut search = search.expect("there is an initial state");
        let outcome = search.finish();
        let Some(lasso) = search.lasso() else {
            if outcome == Outcome::Complete {
                answer = if asks { Answer::No } else { Answer::Yes };
            }
            return;
        };
        assert!(lasso.is_valid(product.space()), "`{}`", property.name);
        let claim = product.product_claim().expect("it is a product");
        let violation = claim.lasso_witness(&lasso, 0);
        violation.unwrap_or_else(|error| panic!("`{}`: {error}", property.name));
        answer = if asks { Answer::Yes } else { Answer::No };
    });
    answer
}

/// The kinds of faults that are reachable within so many states.
pub(crate) fn faults(model: &TimedModel, most: usize) -> Vec<FaultKind> {
    let mut kinds = Vec::new();
    model.with_system(&model.properties(), SystemOptions::default(), &mut |system| {
        let limits = Limits { states: Some(most), ..Limits::default() };
        let options = ExplorationOptions { limits, keep: 1, ..ExplorationOptions::default() };
        let mut search = Exploration::new(system.space(), options).expect("it begins");
        search.finish();
        kinds.extend(Search::hits(&search).iter().filter_map(|hit| match hit.kind {
            FindingKind::Fault(fault) => Some(fault.kind),
            _ => None,
        }));
    });
    kinds
}

/// Expands the first states of a model, whatever they are.
pub(crate) fn expand_some(model: &TimedModel, most: usize) {
    model.with_system(&model.properties(), SystemOptions::default(), &mut |system| {
        let (mut state, mut expansion) = (Vec::new(), Expansion::default());
        if system.space().initial(&mut state).is_err() {
            return;
        }
        let mut open = std::collections::VecDeque::from([state]);
        for _ in 0..most {
            let Some(state) = open.pop_front() else { return };
            system.space().expand(&state, &mut expansion);
            open.extend(expansion.states().map(<[u8]>::to_vec));
        }
    });
}
