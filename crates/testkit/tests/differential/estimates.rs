//! Every heuristic keeps what it claims on the models of the project, on the corpus and on random
//! programs; see [`beeline_testkit::estimates`].

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_promela::hir::{Model, Type};
use beeline_promela::printer;
use beeline_testkit::estimates::{
    Compared, MOST, MOST_OF_CORPUS, check_claim, check_machine, check_model, check_start, conclude,
};
use beeline_testkit::generate::{self, Config, Feature};
use beeline_testkit::model::MODES;
use beeline_testkit::{chosen, corpus, fixture, model};

#[test]
fn heuristics_keep_their_claims_on_the_models_of_the_project() {
    let mut compared = Compared::default();
    for fixture in fixture::all() {
        let front = model::read(&fixture.file).expect("our models can be read");
        for options in MODES {
            check_model(&fixture.name, &front.hir, options, &mut compared);
        }
    }
    conclude(&compared);
    assert!(compared.models >= 40, "only {} models are small enough", compared.models);
}

#[test]
fn heuristics_keep_their_claims_on_the_corpus() {
    let Some(corpus) = corpus::corpus_or_skip("estimates on the corpus") else {
        return;
    };
    let mut compared = Compared::default();
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        let front = model::read(&entry.file).expect("corpus files can be read");
        if model::first_error(&front).is_some() {
            continue;
        }
        check_start(&entry.name, &front.hir, 12);
        let machine = Machine::new(&front.hir, AutomataOptions::OPTIMISED);
        check_machine(&entry.name, &machine, MOST_OF_CORPUS, &mut compared);
    }
    conclude(&compared);
}

/// One program in three is plain; the others fail, or have what is rare.
fn config(seed: u64) -> Config {
    let small = Config::small().with(Feature::FailingAssert, 10);
    let failing = [
        (Feature::FailingAssert, 12),
        (Feature::OutOfBounds, 6),
        (Feature::DivideByZero, 6),
        (Feature::Unless, 10),
        (Feature::DStep, 12),
    ];
    let rare = [
        (Feature::Priority, 20),
        (Feature::Provided, 30),
        (Feature::Trace, 15),
        (Feature::Never, 50),
        (Feature::RemoteReference, 30),
        (Feature::Run, 60),
        (Feature::Atomic, 20),
    ];
    match seed % 3 {
        0 => small,
        1 => Config::full().with_all(&failing),
        _ => Config::full().with_all(&rare),
    }
}

/// A claim that comes to its end when a variable has had two values one after the other.
fn with_claim(text: &str, model: &Model) -> Option<String> {
    let is_plain = |ty| matches!(ty, Type::Bit | Type::Byte | Type::Short | Type::Int);
    let mut plain = model.globals.iter();
    let global = plain.find(|global| is_plain(global.ty) && global.length.is_none())?;
    let name = &global.name.name;
    Some(format!(
        "{text}\nnever {{ do :: {name} > 0 -> break :: true od; \
         atomic {{ {name} > 0; true }}; do :: {name} == 0 -> break :: {name} > 0 od }}\n"
    ))
}

#[test]
fn heuristics_keep_their_claims_on_random_programs() {
    let seeds = chosen::seeds(300);
    let programs = seeds.end - seeds.start;
    let mut compared = Compared::default();
    for seed in seeds {
        let text = printer::print(&generate::program(seed, &config(seed)));
        let name = format!("seed {seed}");
        let front = model::read_text(&name, &text);
        assert_eq!(model::first_error(&front), None, "{name}");
        let options = MODES[(seed / 3 % 2) as usize];
        let has_claim = text.contains("never {");
        let machine = Machine::new(&front.hir, options)
            .losing_messages(seed % 5 == 1)
            .ending_empty(seed % 7 == 1);
        check_machine(&name, &machine, MOST, &mut compared);
        let claimed = with_claim(&text, &front.hir).filter(|_| !has_claim && seed % 2 == 0);
        if let Some(claimed) = claimed {
            let front = model::read_text(&name, &claimed);
            assert_eq!(model::first_error(&front), None, "{name} with a claim");
            let machine = Machine::new(&front.hir, options);
            let mut claims = (0..front.hir.processes.len()).filter_map(|at| machine.never(at));
            let claim = claims.next().expect("it was added");
            check_claim(&name, &machine, claim, &mut compared);
        }
    }
    conclude(&compared);
    if programs >= 300 {
        assert!(compared.models >= 200, "only {} models are small enough", compared.models);
        assert!(compared.files >= 300, "only {} files of tables", compared.files);
        assert!(compared.dead_ends > 100, "only {} dead ends", compared.dead_ends);
        assert!(compared.reachable.iter().all(|&count| count > 20), "{:?}", compared.reachable);
    }
}
