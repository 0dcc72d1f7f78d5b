//! Models as planning tasks: the task has a plan if the model has the error, its cheapest plan costs as
//! much as the shortest trail has steps, and the plan comes back as a trail of this length. The task
//! is searched by code of this test alone.

use std::collections::{HashMap, VecDeque};

use beeline_checker::{ExchangeError, NoObserver, Plan, export_task, import_plan, parse_search};
use beeline_model::{Model, Verdict};
use beeline_promela_model::{PromelaModel, SemanticsOptions};
use beeline_test_size::{one_in, portion};
use beeline_testkit::checking::heuristic_names;
use beeline_testkit::generate::{self, Config, Feature};
use beeline_testkit::{chosen, fixture, model};
use beeline_translation::{ActionForm, FiniteTask};

/// What was compared.
#[derive(Debug, Default)]
struct ExportsCompared {
    tasks: usize,
    plans: usize,
    refused: usize,
    too_large: usize,
    complaints: Vec<String>,
}

/// The cost of a state; the state before it and the action, except for the first one.
type Reached = (u64, Option<(Vec<u32>, usize)>);

/// The names of the actions of a cheapest plan, and its cost. The error is that there are too many
/// states, each of which is tested for all actions.
fn cheapest(task: &FiniteTask, most: usize) -> Result<Option<(Vec<String>, u64)>, ()> {
    let start: Vec<u32> = task.variables.iter().map(|variable| variable.initial).collect();
    let goal = task.goal;
    // Costs are 0 and 1: states of the same cost come first.
    let mut costs: HashMap<Vec<u32>, Reached> = HashMap::from([(start.clone(), (0, None))]);
    let mut waiting = VecDeque::from([(0, start)]);
    while let Some((cost, state)) = waiting.pop_front() {
        if costs[&state].0 < cost {
            continue;
        }
        if state[goal.variable as usize] == goal.value {
            let (mut names, mut at) = (Vec::new(), state);
            while let Some((before, action)) = &costs[&at].1 {
                names.push(task.actions[*action].name.clone());
                at = before.clone();
            }
            names.reverse();
            return Ok(Some((names, cost)));
        }
        for (number, action) in task.actions.iter().enumerate() {
            let holds =
                |fact: &beeline_translation::Fact| state[fact.variable as usize] == fact.value;
            if !action.conditions.iter().all(holds) {
                continue;
            }
            let mut next = state.clone();
            for effect in action.effects.iter().filter(|one| one.conditions.iter().all(holds)) {
                next[effect.fact.variable as usize] = effect.fact.value;
            }
            let new = cost + u64::from(action.cost);
            if costs.get(&next).is_none_or(|known| new < known.0) {
                costs.insert(next.clone(), (new, Some((state.clone(), number))));
                match action.cost {
                    0 => waiting.push_front((new, next)),
                    _ => waiting.push_back((new, next)),
                }
            }
        }
        if costs.len() * task.actions.len() > most {
            return Err(());
        }
    }
    Ok(None)
}

/// Compares the tasks of a model, one for each property, with its verdicts.
fn check(name: &str, text: &str, form: ActionForm, compared: &mut ExportsCompared) {
    let front = model::read_text(name, text);
    let model = PromelaModel::new(name, front, SemanticsOptions::default());
    let search = parse_search("dijkstra", 1, &heuristic_names());
    let plan = Plan { search: search.expect("there is such a search"), ..Plan::default() };
    for property in model.properties() {
        let properties = [property.clone()];
        let exported = match export_task(&model, &properties, &plan, Some(form)) {
            Ok(exported) => exported,
            Err(ExchangeError::Unfit(_)) => {
                compared.too_large += 1;
                continue;
            }
            Err(_) => {
                compared.refused += 1;
                continue;
            }
        };
        let Ok(found) = cheapest(&exported.translation.task, portion(1_000_000)) else {
            compared.too_large += 1;
            continue;
        };
        let checked = beeline_checker::check(&model, &properties, &plan, false, &mut NoObserver)
            .expect("each violation is confirmed");
        let expected = match &checked.properties[0].verdict {
            Verdict::Violated(violations) => Some(violations[0].length.steps),
            Verdict::Holds => None,
            // Nothing is known behind a fault of another kind.
            Verdict::Unknown(_) => continue,
        };
        compared.tasks += 1;
        let mut complain = |what: String| {
            compared.complaints.push(format!("{name} {}, {form:?}: {what}", property.name));
        };
        let Some((actions, cost)) = found else {
            if expected.is_some() {
                complain(format!("no plan, but a trail of {expected:?} steps"));
            }
            continue;
        };
        if expected != Some(cost) {
            complain(format!("a plan of cost {cost}, but a trail of {expected:?} steps"));
        }
        compared.plans += 1;
        match import_plan(&model, &properties, &plan, &actions) {
            Ok(back) if back.violation.length.steps == cost => {}
            Ok(back) => {
                complain(format!("a plan of cost {cost} becomes {}", back.violation.length.steps));
            }
            Err(error) => complain(error.to_string()),
        }
    }
}

#[test]
fn tasks_of_the_models_of_the_project_have_their_errors() {
    let mut compared = ExportsCompared::default();
    let fixtures = fixture::all();
    let forms = [ActionForm::Strips, ActionForm::Conditional];
    let cases = fixtures.iter().flat_map(|fixture| forms.map(|form| (fixture, form)));
    // The third case begins a part without the models whose tasks take seconds.
    for (fixture, form) in cases.skip(one_in(1) / 2).step_by(one_in(1)) {
        check(&fixture.name, &fixture.text, form, &mut compared);
    }
    assert!(compared.complaints.is_empty(), "{:#?}", compared.complaints);
    println!("{compared:?}");
    assert!(compared.tasks >= portion(40) && compared.plans >= portion(15), "{compared:?}");
}

#[test]
fn tasks_of_random_programs_have_their_errors() {
    let rare = [
        (Feature::DStep, 8),
        (Feature::Unless, 15),
        (Feature::Timeout, 20),
        (Feature::OutOfBounds, 4),
        (Feature::DivideByZero, 4),
        (Feature::Provided, 10),
        (Feature::FailingAssert, 8),
        (Feature::Atomic, 25),
    ];
    let mut compared = ExportsCompared::default();
    for seed in chosen::seeds(portion(100)) {
        let config = match seed % 2 {
            0 => Config::full(),
            _ => Config::full().with_all(&rare),
        };
        let text = beeline_promela::printer::print(&generate::program(seed, &config));
        let front = model::read_text("random", &text);
        if model::first_error(&front).is_some() {
            continue;
        }
        let form = [ActionForm::Strips, ActionForm::Conditional][seed as usize / 2 % 2];
        check(&format!("seed {seed}"), &text, form, &mut compared);
    }
    assert!(compared.complaints.is_empty(), "{:#?}", compared.complaints);
    println!("{compared:?}");
    assert!(compared.tasks >= portion(40) && compared.plans >= portion(10), "{compared:?}");
}
