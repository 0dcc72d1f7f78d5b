//! The test for enabled processes, which executes no step, names the processes that have a
//! successor: in every state of the project's own small models and of random programs.

use std::collections::{BTreeSet, HashSet};

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_kernel::{Expansion, Space};
use beeline_promela::hir::Model;
use beeline_promela::printer;
use beeline_test_size::portion;
use beeline_testkit::generate::{self, Config, Feature};
use beeline_testkit::{fixture, model};

/// Explores up to a number of states. Returns the number of states.
fn compare(name: &str, model: &Model, most: usize) -> usize {
    let machine = Machine::new(model, AutomataOptions::OPTIMISED);
    let mut state = Vec::new();
    if Space::initial(&machine, &mut state).is_err() {
        return 0;
    }
    let mut seen = HashSet::from([state.clone()]);
    let mut waiting = vec![state];
    let (mut expansion, mut now) = (Expansion::default(), machine.blank_state());
    while let Some(state) = waiting.pop() {
        machine.decode_into(&mut now, &state);
        let moves = machine.moves(&now).expect("nobody has exclusive control in stored states");
        let movers: BTreeSet<usize> = moves
            .moves
            .iter()
            .flat_map(|step| [Some(step.pid), step.partner.map(|(pid, _)| pid)])
            .flatten()
            .collect();
        let active = |timeout| -> BTreeSet<usize> {
            let processes = 0..now.process_count();
            processes.filter(|&pid| machine.is_enabled(&now, pid, timeout)).collect()
        };
        let mut found = active(false);
        if found.is_empty() {
            found = active(true);
        }
        assert_eq!(found, movers, "{name}: {state:?}");
        machine.expand(&state, &mut expansion);
        for next in expansion.states() {
            if seen.len() < most && seen.insert(next.to_vec()) {
                waiting.push(next.to_vec());
            }
        }
    }
    seen.len()
}

#[test]
fn the_models_of_the_project_agree() {
    for fixture in fixture::all() {
        let front = model::read(&fixture.file).expect("our models can be read");
        compare(&fixture.name, &front.hir, 2_000);
    }
}

#[test]
fn random_programs_agree() {
    let features = [
        (Feature::OutOfBounds, 8),
        (Feature::DivideByZero, 8),
        (Feature::Priority, 15),
        (Feature::Provided, 15),
        (Feature::Rendezvous, 50),
        (Feature::Unless, 10),
    ];
    let mut states = 0;
    for seed in 0..portion(300) {
        let wanted = if seed % 2 == 0 { &features[..] } else { &[] };
        let with =
            |config: Config, &(feature, weight): &(Feature, u32)| config.with(feature, weight);
        let config = wanted.iter().fold(Config::full(), with);
        let text = printer::print(&generate::program(seed, &config));
        let front = model::read_text("random", &text);
        assert_eq!(model::first_error(&front), None, "seed {seed}");
        states += compare(&format!("seed {seed}"), &front.hir, 1_000);
    }
    assert!(states > portion(30_000), "only {states} states");
}
