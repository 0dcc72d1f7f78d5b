//! Checks with a reduction say what checks without one say, on the corpus, on the models of the
//! project and on random programs; see [`beeline_testkit::reduced_checks`].
//! `BEELINE_STATES` chooses larger models.

use beeline_checker::{Plan, ReductionChoice, parse_store};
use beeline_promela::Frontend;
use beeline_testkit::checking::promela;
use beeline_testkit::corpus::{self, Status};
use beeline_testkit::generate::{Config, Feature};
use beeline_testkit::reduced_checks::{
    Compared, LARGE, PATIENCE, SEARCHES, VerdictKind, compare_cycles, compare_states, for_each,
    of_states, plan, random_models, read, reduction, verdict,
};
use beeline_testkit::{chosen, fixture, model};

/// The models of the corpus of which SPIN stored at most this number of states, and ours.
fn known_models(test: &str, most: u64) -> Option<Vec<(String, String, u64)>> {
    let corpus = corpus::corpus_or_skip(test)?;
    let mut models = Vec::new();
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        let Some(row) = corpus.result(&entry.name, "full") else { continue };
        let (Some(states), Status::Complete) = (row.stored, &row.status) else { continue };
        if states <= most {
            let bytes = std::fs::read(&entry.file).expect("corpus files can be read");
            let text = String::from_utf8_lossy(&bytes).into_owned();
            models.push((entry.file.to_string_lossy().into_owned(), text, states));
        }
    }
    for fixture in fixture::all() {
        let states = fixture.expect.states().expect("ours say how many they have");
        if states <= most {
            models.push((fixture.file.to_string_lossy().into_owned(), fixture.text, states));
        }
    }
    // Large ones first, so that no thread is left with one at the end.
    models.sort_by_key(|(_, _, states)| std::cmp::Reverse(*states));
    Some(models)
}

/// Of every search and condition there was something to see.
fn assert_complete(all: &Compared) {
    for (search, conditions) in SEARCHES {
        for &condition in conditions {
            let runs = all.runs.get(&(search, condition)).copied().unwrap_or_default();
            assert!(runs >= 20, "{search}, c3={condition}: only {runs} runs");
        }
    }
}

#[test]
fn every_search_says_the_same_with_a_reduction() {
    let Some(models) =
        known_models("every_search_says_the_same_with_a_reduction", chosen::states(20_000) as u64)
    else {
        return;
    };
    let all = for_each(&models, |(name, text, states)| {
        read(name, text)
            .map_or_else(Compared::default, |front| compare_states(name, &front, (*states).max(10)))
    });
    all.tell();
    assert_eq!(all.wrong, Vec::<String>::new());
    assert!(all.models >= 150, "only {} models", all.models);
    assert!(all.fewer >= 1_000, "only {} runs were reduced", all.fewer);
    assert!(all.broken >= 30, "only {} invariants do not hold", all.broken);
    assert_complete(&all);
}

/// The full preset; every other program may also fail.
fn config(seed: u64) -> Config {
    let more =
        [(Feature::FailingAssert, 10), (Feature::OutOfBounds, 10), (Feature::DivideByZero, 10)];
    Config::full().with_all(if seed % 2 == 1 { &more } else { &[] })
}

#[test]
fn random_programs_say_the_same_with_a_reduction() {
    let programs = random_models(150, config);
    let all = for_each(&programs, |(seed, front, states)| {
        compare_states(&format!("seed {seed}"), front, *states)
    });
    all.tell();
    assert_eq!(all.wrong, Vec::<String>::new());
    assert!(all.models >= 70, "only {} programs", all.models);
    assert!(all.fewer >= 200, "only {} runs were reduced", all.fewer);
    assert_complete(&all);
}

#[test]
fn cycles_are_found_with_a_reduction() {
    let Some(models) =
        known_models("cycles_are_found_with_a_reduction", chosen::states(20_000) as u64)
    else {
        return;
    };
    let all = for_each(&models, |(name, text, states)| {
        let front = model::read_text(name, text);
        match model::first_error(&front) {
            None => compare_cycles(name, &front, (*states).max(10)),
            Some(_) => Compared::default(),
        }
    });
    all.tell();
    assert_eq!(all.wrong, Vec::<String>::new());
    assert!(all.models >= 150, "only {} models", all.models);
    assert!(all.violated >= 300 && all.held >= 300 && all.fewer >= 30);
}

/// Checks by depth-first search with stores that do not keep states, of which nothing is proved.
fn compare_lossy(name: &str, front: &Frontend, states: u64) -> Compared {
    let model = &promela(front);
    let mut all = Compared { models: 1, ..Compared::default() };
    for property in of_states(model) {
        let most = states * PATIENCE;
        let truth = verdict(model, &property, &plan("dfs", ReductionChoice::Off), most);
        let (truth, _, full) = truth.expect("it can be checked");
        if full == 0 {
            // A static analysis proves it, so that nothing is searched.
            continue;
        }
        for condition in ["best", "duplicate", "static"] {
            let reduced = plan("dfs", reduction(condition));
            let store = parse_store("hash-compact").expect("there is such a store");
            let found = verdict(model, &property, &Plan { store, ..reduced }, most);
            let (found, _, stored) = found.expect("it takes the condition");
            // With 64 bits of each state, nothing so small is overlooked.
            if (found == VerdictKind::Violated) != (truth == VerdictKind::Violated)
                || found == VerdictKind::Holds
            {
                let told = format!("{name}: {}, c3={condition}", property.name);
                all.wrong.push(format!("{told}: {found:?}, not {truth:?}"));
            }
            all.violated += usize::from(found == VerdictKind::Violated);
            all.fewer += usize::from(truth == VerdictKind::Holds && stored < full);
        }
    }
    all
}

#[test]
fn stores_that_keep_no_states_find_the_same_with_a_reduction() {
    let Some(models) =
        known_models("stores_that_keep_no_states_find_the_same_with_a_reduction", LARGE)
    else {
        return;
    };
    let all = for_each(&models, |(name, text, states)| {
        read(name, text)
            .map_or_else(Compared::default, |front| compare_lossy(name, &front, (*states).max(10)))
    });
    assert_eq!(all.wrong, Vec::<String>::new());
    assert!(all.models >= 100, "only {} models", all.models);
    assert!(all.violated >= 100 && all.fewer >= 50, "{} and {}", all.violated, all.fewer);
}
