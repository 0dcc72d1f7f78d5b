//! The families have the expected numbers of states, and steps have the described effects.

use beeline_kernel::{Expansion, Space, Trail};
use beeline_model::{ErrorKind, Model as _, ProcessStep, StoryRequest, StoryStep, Subject};
use beeline_network::generate::{Hanoi, arbiter, hanoi, random};
use beeline_network::{Composition, Network, NetworkModel, NetworkReplayer, read};
use beeline_search::{
    Exploration, ExplorationOptions, ExplorationOrder, FindingKind, Outcome, Search, StopCondition,
};

/// The number of states, and the number of steps to the nearest error.
fn explored(network: &Network) -> (u64, Option<usize>) {
    let space = Composition::new(network);
    let options = ExplorationOptions {
        order: ExplorationOrder::Breadth,
        keep: 1,
        ..ExplorationOptions::default()
    };
    let mut all = Exploration::new(&space, options).expect("it begins");
    assert_eq!(all.finish(), Outcome::Complete);
    let found = (!all.findings().is_empty()).then(|| all.path(0).len() - 1);
    (all.stats().stored, found)
}

#[test]
fn arbiter_trees_are_as_large_and_errors_as_far_as_they_should_be() {
    assert_eq!(explored(&arbiter(2)), (343, Some(12)));
    assert_eq!(explored(&arbiter(3)), (62_396, Some(17)));
    assert_eq!(arbiter(6).processes().len(), 128);
}

#[test]
fn towers_of_hanoi_are_as_large_and_errors_as_far_as_they_should_be() {
    let top = |disks| explored(&hanoi(disks, Hanoi::Top));
    assert_eq!(top(4), (1_449, Some(52)));
    assert_eq!(top(5), (8_145, Some(114)));
    assert_eq!(top(6), (45_621, Some(240)));
    assert_eq!(top(7), (255_789, Some(494)));
    let deciding = |disks| explored(&hanoi(disks, Hanoi::Deciding));
    assert_eq!(deciding(4), (9_849, Some(52)));
    assert_eq!(deciding(5), (101_361, Some(114)));
    assert_eq!(deciding(6), (1_043_157, Some(240)));
    assert_eq!(hanoi(7, Hanoi::Top).processes().len(), 8);
}

#[test]
fn random_networks_obey_the_rules() {
    for seed in 0..200 {
        let processes = 2 + seed as usize % 9;
        let network = random(processes, seed);
        assert_eq!(network, random(processes, seed));
        assert_eq!(network.processes().len(), processes);
        // Both participants use each action; otherwise the network is rejected.
        assert_eq!(network.actions().len(), 2 * processes);
        for process in network.processes() {
            assert!((3..=10).contains(&process.states));
            assert_eq!(process.initial, [0]);
            assert_eq!(process.error.iter().filter(|&&error| error).count(), 1);
            assert!(!process.error[0]);
            for state in 0..process.states {
                let out = process.transitions.iter().filter(|one| one.from == state).count();
                assert!(out > 0, "seed {seed}: nothing leads out of {state}");
            }
        }
        assert!(is_connected(&network), "seed {seed}");
    }
    assert_ne!(random(5, 1), random(5, 2));
}

fn is_connected(network: &Network) -> bool {
    let mut reached = vec![0];
    let mut at = 0;
    while at < reached.len() {
        for action in network.actions() {
            let [one, two] = action.processes;
            for (here, there) in [(one, two), (two, one)] {
                if here == reached[at] && !reached.contains(&there) {
                    reached.push(there);
                }
            }
        }
        at += 1;
    }
    reached.len() == network.processes().len()
}

#[test]
fn the_state_space_is_what_executing_steps_shows() {
    let begins = read(
        "process a\nstates 4\ninit 0 1 3\nerror 2\ntrans 0 x 2\ntrans 1 tau 0\n\
                       process b\nstates 2\ninit 1 0\nerror 1\ntrans 0 x 1\ntrans 0 x 0\n",
    );
    let mut all = vec![arbiter(2), hanoi(3, Hanoi::Deciding), begins.expect("it is a network")];
    all.extend((0..30).map(|seed| random(3, seed)));
    for network in &all {
        let (space, system) = (Composition::new(network), NetworkReplayer::new(network));
        let mut states = vec![Vec::new()];
        space.initial(&mut states[0]).expect("it begins");
        let mut expansion = Expansion::default();
        let mut at = 0;
        while at < states.len().min(300) {
            let state = states[at].clone();
            at += 1;
            space.expand(&state, &mut expansion);
            let mut found: Vec<(Vec<u8>, u32)> = (0..expansion.len())
                .map(|way| (expansion.state(way).to_vec(), expansion.steps(way)))
                .collect();
            let mut shown: Vec<(Vec<u8>, u32)> = system
                .enabled(&state)
                .into_iter()
                .map(|step| (system.apply(&state, step), step.cost() as u32))
                .collect();
            found.sort();
            shown.sort();
            assert_eq!(found, shown);
            let is_error = !expansion.violated_invariants.is_empty();
            assert_eq!(is_error, system.is_error(&state), "{state:?}");
            for (next, _) in found {
                if !states.contains(&next) {
                    states.push(next);
                }
            }
        }
    }
}

#[test]
fn processes_choose_where_they_begin_and_that_takes_no_step() {
    let text = "process a\nstates 3\ninit 0 1\nerror 2\ntrans 1 x 2\n\
                process b\nstates 2\ninit 0 1\nerror 1\ntrans 0 x 1\n\
                process c\nstates 300\ninit 299\nerror all\n";
    let network = read(text).expect("it is a network");
    let space = Composition::new(&network);
    let options =
        ExplorationOptions { until: StopCondition::FirstFinding, ..ExplorationOptions::default() };
    let mut search = Exploration::new(&space, options).expect("it begins");
    assert_eq!(search.finish(), Outcome::Found);
    assert_eq!(search.findings()[0].kind, FindingKind::Invariant(0));
    let system = NetworkReplayer::new(&network);
    let steps = system.steps_along(&search.path(0)).expect("each state follows");
    let trail = system.trail_of(&steps);
    let model = NetworkModel::new("test", text, network.clone());
    let story = model.story(&trail, &StoryRequest::new(Subject::Properties(&[])));
    let story = story.expect("it is a trail");
    let told: Vec<String> = story.steps.iter().map(told).collect();
    assert_eq!(told, ["a init: 1", "b init: 0", "a x: 1 → 2, b x: 0 → 1"]);
    assert_eq!(story.end.error, Some(ErrorKind::ErrorState));
    let replayed = system.replay(&trail).expect("it is a trail");
    assert!(system.is_error(replayed.end()));
    assert_eq!(replayed.cost(), 1);
    // A written trail can be read again.
    assert_eq!(Trail::parse(&trail.text()), Ok(trail.clone()));
    // A trail with a missing step is rejected.
    let without = |at: usize| {
        let mut lines = trail.lines.clone();
        lines.remove(at);
        Trail { lines, ..trail.clone() }
    };
    assert!(system.replay(&without(1)).is_err());
    let short = Trail { lines: trail.lines[..2].to_vec(), ..trail.clone() };
    assert!(!system.is_error(system.replay(&short).expect("it is the beginning").end()));
}

fn told(step: &StoryStep) -> String {
    let words = |one: &ProcessStep| format!("{} {}", one.process, one.statement);
    let partner = step.partner.iter().map(|partner| format!(", {}", words(partner)));
    words(&step.turn) + &partner.collect::<String>()
}

#[test]
fn a_path_with_a_gap_has_no_steps() {
    let network = hanoi(3, Hanoi::Top);
    let system = NetworkReplayer::new(&network);
    let state = system.initial();
    let mut far = state.clone();
    far[1] = 2;
    assert_eq!(system.steps_along(&[state, far].iter().collect()), None);
}
