//! hpl ≤ h+ ≤ the true distance, for the models of the project and for random programs, where h+ is
//! the cost of a cheapest relaxed plan, found by exhaustive search on the factored view.

use std::collections::{BinaryHeap, HashMap};

use beeline_analysis::factored::{FactoredGoal, relaxed_view};
use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_heuristics::{HeuristicGoal, build};
use beeline_kernel::spec::Spec;
use beeline_kernel::{Estimate, Expansion, Space};
use beeline_promela::hir::Model;
use beeline_promela::printer;
use beeline_testkit::generate::{self, Config, Feature};
use beeline_testkit::{fixture, model};

#[path = "../../../heuristics/tests/heuristics/relaxation/oracle.rs"]
#[expect(dead_code, reason = "random systems are asked for more")]
mod oracle;

/// The limit of states.
const MOST: usize = 20_000;

/// The distance of the nearest error from the initial state: `Some(None)` if there is none, `None`
/// beyond the limit of states.
fn distance(machine: &Machine<'_>, goal: &HeuristicGoal) -> Option<Option<u32>> {
    let mut first = Vec::new();
    Space::initial(machine, &mut first).ok()?;
    let mut best = HashMap::from([(first.clone(), 0u32)]);
    let mut waiting = BinaryHeap::from([(std::cmp::Reverse(0u32), Some(first))]);
    let mut expansion = Expansion::default();
    while let Some((std::cmp::Reverse(far), state)) = waiting.pop() {
        // An error after a step.
        let Some(state) = state else { return Some(Some(far)) };
        if best[&state] < far {
            continue;
        }
        machine.expand(&state, &mut expansion);
        match goal {
            HeuristicGoal::Deadlock if expansion.deadlock => return Some(Some(far)),
            HeuristicGoal::Assertions => {
                let faults = expansion.faults.iter();
                waiting.extend(faults.map(|way| (std::cmp::Reverse(far + way.steps), None)));
            }
            _ => {}
        }
        for way in 0..expansion.len() {
            let there = far + expansion.steps(way);
            let known = best.entry(expansion.state(way).to_vec()).or_insert(u32::MAX);
            if there < *known {
                *known = there;
                let next = expansion.state(way).to_vec();
                waiting.push((std::cmp::Reverse(there), Some(next)));
            }
        }
        if best.len() > MOST {
            return None;
        }
    }
    Some(None)
}

/// Counters of the comparison.
#[derive(Debug, Default)]
struct Compared {
    models: usize,
    goals: usize,
    /// The number of cases with h+ > hpl.
    longer: usize,
    /// The number of cases with h+ less than the distance.
    shorter: usize,
    /// The number of cases without a relaxed plan.
    dead: usize,
}

fn check(
    name: &str,
    model: &Model,
    options: AutomataOptions,
    most: usize,
    compared: &mut Compared,
) {
    let machine = Machine::new(model, options);
    let mut any = false;
    for (goal, sought) in [
        (HeuristicGoal::Deadlock, FactoredGoal::Deadlock),
        (HeuristicGoal::Assertions, FactoredGoal::Faults),
    ] {
        let Ok(view) = relaxed_view(&machine, &sought) else { continue };
        if view.system.factors.iter().any(|factor| factor.is_summary) {
            continue;
        }
        let initial = &view.system.initial;
        let Some(shortest) = oracle::h_plus_within(most, &view.system, initial) else { continue };
        let Some(truth) = distance(&machine, &goal) else { continue };
        let spec = Spec::named("hpl");
        let mut hpl = build(&spec, &machine, &goal).expect("it is for all goals");
        let mut first = Vec::new();
        Space::initial(&machine, &mut first).expect("it begins");
        let number = |far: Option<u32>| far.unwrap_or(u32::MAX);
        let said = match hpl.estimate(&first) {
            Estimate::Finite(cost) => cost.0,
            Estimate::DeadEnd => u32::MAX,
        };
        let context =
            format!("{name}, {}: hpl {said}, h+ {shortest:?}, {truth:?}", goal.kind().name());
        assert!(said <= number(shortest), "{context}");
        assert!(number(shortest) <= number(truth), "{context}");
        any = true;
        compared.goals += 1;
        compared.longer += usize::from(said < number(shortest));
        compared.shorter += usize::from(number(shortest) < number(truth));
        compared.dead += usize::from(shortest.is_none());
    }
    compared.models += usize::from(any);
}

#[test]
fn relaxed_paths_of_the_models_of_the_project() {
    let mut compared = Compared::default();
    let all = fixture::all();
    for fixture in &all {
        let front = model::read(&fixture.file).expect("our models can be read");
        check(&fixture.name, &front.hir, AutomataOptions::PLAIN, 2_000, &mut compared);
    }
    println!("of {} models: {compared:?}", all.len());
    assert!(compared.models >= 31, "{compared:?}");
}

#[test]
fn relaxed_paths_of_random_programs() {
    let failing = [(Feature::FailingAssert, 12), (Feature::OutOfBounds, 6), (Feature::Atomic, 10)];
    let small =
        failing.iter().fold(Config::small(), |config, &(one, weight)| config.with(one, weight));
    let mut compared = Compared::default();
    for seed in 0..1_000 {
        let text = printer::print(&generate::program(seed, &small));
        let front = model::read_text("random", &text);
        assert_eq!(model::first_error(&front), None, "seed {seed}");
        let options =
            if seed % 2 == 0 { AutomataOptions::PLAIN } else { AutomataOptions::OPTIMISED };
        check(&format!("seed {seed}"), &front.hir, options, 400, &mut compared);
        if compared.models == 320 {
            println!("{seed} seeds");
            break;
        }
    }
    println!("{compared:?}");
    assert!(compared.models >= 300, "{compared:?}");
    assert!(compared.longer > 10 && compared.shorter > 10 && compared.dead > 10, "{compared:?}");
}
