//! The factored view allows all that the machine allows, on the models of the project and on random
//! programs; see [`beeline_testkit::factored`].

use beeline_analysis::factored::{FactoredGoal, relaxed_view};
use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_kernel::{FaultKind, Faults, SplitMix64};
use beeline_test_size::portion;
use beeline_testkit::exact_view::{ExactCompared, check_bounded, check_exact, conclude_exact};
use beeline_testkit::factored::{Compared, check, conclude};
use beeline_testkit::generate::{self, Config, Feature};
use beeline_testkit::model::MODES;
use beeline_testkit::more_steps::{MoreStepsCompared, check_more_steps, conclude_more_steps};
use beeline_testkit::{chosen, fixture, model};

#[test]
fn every_move_of_the_models_of_the_project_is_a_step() {
    let mut compared = Compared::default();
    for fixture in fixture::all() {
        let front = model::read(&fixture.file).expect("our models can be read");
        for options in MODES {
            check(&fixture.name, &front.hir, options, &mut compared);
        }
    }
    conclude(&compared);
    assert!(compared.models >= 60 && compared.faults > 10 && compared.deadlocks > 10);
    assert!(compared.without_view <= 4, "{} have no view", compared.without_view);
}

#[test]
fn every_move_of_random_programs_is_a_step() {
    let mut compared = Compared::default();
    for seed in chosen::seeds(portion(600)) {
        let rare = [
            (Feature::Run, 40),
            (Feature::DStep, 12),
            (Feature::Unless, 10),
            (Feature::OutOfBounds, 4),
            (Feature::DivideByZero, 4),
            (Feature::RemoteReference, 20),
            (Feature::Provided, 15),
            (Feature::LocalConstant, 50),
            (Feature::FailingAssert, 8),
            (Feature::Atomic, 15),
        ];
        let full = |config: Config, &(one, weight): &(Feature, u32)| config.with(one, weight);
        let config = match seed % 2 {
            0 => Config::full(),
            _ => rare.iter().fold(Config::full(), full),
        };
        let program = generate::program(seed, &config);
        let text = beeline_promela::printer::print(&program);
        let front = model::read_text("random", &text);
        if model::first_error(&front).is_some() {
            continue;
        }
        check(&format!("seed {seed}"), &front.hir, MODES[seed as usize / 2 % 2], &mut compared);
    }
    conclude(&compared);
    assert!(
        compared.models >= portion(300)
            && compared.faults > portion(100)
            && compared.deadlocks > portion(50)
    );
}

/// A model whose processes end and are started again, with the same numbers or with others.
fn waves(seed: u64) -> String {
    const BODIES: [&str; 8] = [
        "assert(d != 3)",
        "d == 1",
        "x = x + d",
        "do :: x > 3 -> break :: else -> x++ od",
        "if :: d > 0 && x < 4 -> x++; run K(d - 1) :: else fi",
        "if :: x < 4 -> x++; run L(d) :: else fi",
        "chan own = [1] of { byte }; own!d; own?d; assert(d < 9)",
        "to!d; do :: d > 1 -> d-- :: else -> break od",
    ];
    const STARTS: [&str; 9] = [
        "run K(1)",
        "run K(2)",
        "run L(0)",
        "run L(3)",
        "_nr_pr == 1",
        "_nr_pr < 4",
        "x = 0",
        "if :: run K(3) :: run L(1) fi",
        "assert(x < 9)",
    ];
    let mut rng = SplitMix64::new(seed);
    let mut one_of = |all: &[&'static str]| all[rng.below(all.len())];
    let (k, l) = (one_of(&BODIES), one_of(&BODIES));
    let first =
        one_of(&["", "", "active proctype A() { x = 1 }", "active proctype A() { run K(0) }"]);
    let active = one_of(&["", "", "active "]);
    let starts: Vec<&str> = (0..4).map(|_| one_of(&STARTS)).collect();
    let starts = starts.join("; ");
    let starts = match one_of(&["once", "atomic", "loop"]) {
        "once" => format!("{starts}; {starts}"),
        "atomic" => format!("atomic {{ {starts} }}; {starts}"),
        _ => format!("byte n; do :: n < 3 -> n++; {starts} :: else -> break od"),
    };
    format!(
        "byte x; chan to = [2] of {{ byte }};\n{first}\n{active}proctype K(byte d) {{ {k} }}\n\
         proctype L(byte d) {{ {l} }}\ninit {{ {starts} }}\n"
    )
}

#[test]
fn every_move_of_processes_that_come_again_is_a_step() {
    let mut compared = Compared::default();
    for seed in 0..portion(600) {
        let text = waves(seed);
        let front = model::read_text("waves", &text);
        assert!(model::first_error(&front).is_none(), "{text}");
        check(&text, &front.hir, MODES[seed as usize % 2], &mut compared);
    }
    conclude(&compared);
    assert!(compared.models >= portion(400), "only {} have a view", compared.models);
    assert!(compared.faults > portion(500) && compared.deadlocks > portion(500));
}

/// Names of the crowds of a model.
fn crowds(text: &str) -> Vec<String> {
    let front = model::read_text("model.pml", text);
    let machine = Machine::new(&front.hir, AutomataOptions::PLAIN);
    let view = relaxed_view(&machine, &FactoredGoal::Nothing).expect("it is small");
    let crowds = view.system.factors.iter().filter(|factor| factor.is_summary);
    crowds.map(|factor| factor.name.to_string()).collect()
}

#[test]
fn processes_that_start_behind_a_d_step_are_told_apart() {
    let text = |inside: &str| {
        format!(
            "byte a[2]; byte n;
             proctype P() {{ do :: a[0] = 0 od }}
             init {{ d_step {{ {inside} }}; atomic {{ run P(); run P() }} }}"
        )
    };
    assert_eq!(crowds(&text("a[0] = 1; a[1] = 2")), Vec::<String>::new());
    assert_eq!(crowds(&text("if :: n == 0 -> a[0] = 1 :: else -> a[1] = 1 fi")), ["P[*]@"]);
}

#[test]
fn a_rendezvous_that_fails_in_what_it_compares_is_a_step() {
    let text = "byte g; chan c = [0] of { byte, byte };
        active proctype P() { c?eval((g & 3 / g) % 3), 1 }
        active proctype Q() { c!2, 1 }";
    let front = model::read_text("fails", text);
    let mut compared = Compared::default();
    check("fails", &front.hir, AutomataOptions::PLAIN, &mut compared);
    conclude(&compared);
    assert!(compared.faults > 0);
}

#[test]
fn exact_views_of_the_models_of_the_project_have_their_states() {
    let mut compared = ExactCompared::default();
    for fixture in fixture::all() {
        let front = model::read(&fixture.file).expect("our models can be read");
        for options in MODES {
            check_exact(&fixture.name, &front.hir, options, portion(20_000), &mut compared);
        }
    }
    conclude_exact(&compared);
    assert!(compared.exact >= 60 && compared.dead_ends > 10, "{compared:?}");
    assert!(compared.deadlocks > 5 && compared.deadlocks < compared.dead_ends, "{compared:?}");
}

#[test]
fn exact_views_know_the_kinds_of_faults() {
    let texts = [
        (FaultKind::Blocked, "byte n; active proctype P() { n++; d_step { n++; n == 3; n = 0 } }"),
        (FaultKind::NoChannel, "byte n; active proctype P() { chan c; n++; c!n }"),
        (FaultKind::Fields, "chan c = [1] of { byte }; active proctype P() { c!1; c?_, _ }"),
        (FaultKind::Division, "byte n, a[2]; active proctype P() { a[1 / n] = 1 }"),
        (FaultKind::Division, "byte n = 2, a[2]; active proctype P() { a[n] = 1 / (n - 2) }"),
        (FaultKind::Index, "byte n = 2, a[2]; active proctype P() { n = a[n] / (n - 2) }"),
        (
            FaultKind::Assertion,
            "byte n; active proctype P() { atomic { n++; assert(n == 0); n = 5; assert(n == 6) } }",
        ),
    ];
    for (kind, text) in texts {
        for options in MODES {
            let front = model::read_text("faults", text);
            let mut compared = ExactCompared::default();
            check_exact(text, &front.hir, options, 100, &mut compared);
            conclude_exact(&compared);
            assert!(compared.compared == 1 && compared.kinds == Faults::of(&[kind]), "{text}");
        }
    }
}

#[test]
fn exact_views_of_random_programs_have_their_states() {
    let mut compared = ExactCompared::default();
    // Fewer of them do not have all kinds of faults.
    for seed in chosen::seeds(600) {
        let rare = [
            (Feature::DStep, 12),
            (Feature::Unless, 15),
            (Feature::OutOfBounds, 4),
            (Feature::DivideByZero, 4),
            (Feature::RemoteReference, 10),
            (Feature::Provided, 10),
            (Feature::LocalConstant, 50),
            (Feature::FailingAssert, 8),
            (Feature::Atomic, 25),
        ];
        let full = |config: Config, &(one, weight): &(Feature, u32)| config.with(one, weight);
        let config = match seed % 2 {
            0 => Config::full(),
            _ => rare.iter().fold(Config::full(), full),
        };
        let program = generate::program(seed, &config);
        let text = beeline_promela::printer::print(&program);
        let front = model::read_text("random", &text);
        if model::first_error(&front).is_some() {
            continue;
        }
        let options = MODES[seed as usize / 2 % 2];
        check_exact(&format!("seed {seed}"), &front.hir, options, 2_000, &mut compared);
    }
    conclude_exact(&compared);
    assert!(compared.compared >= 100 && compared.dead_ends > 100, "{compared:?}");
    let kinds = [FaultKind::Assertion, FaultKind::Index, FaultKind::Division];
    assert!(kinds.iter().all(|&kind| compared.kinds.contains(kind)), "{compared:?}");
}

#[test]
fn bounded_views_of_processes_that_come_again_have_their_states() {
    let mut compared = ExactCompared::default();
    for seed in chosen::seeds(portion(100)) {
        let text = waves(seed);
        let front = model::read_text("waves", &text);
        let (options, room) = (MODES[seed as usize % 2], 1 + seed as usize % 6);
        check_bounded(&text, &front.hir, options, Some(room), 1_000, &mut compared);
    }
    conclude_exact(&compared);
    assert!(compared.compared >= portion(25) && compared.exceeding >= portion(25), "{compared:?}");
}

#[test]
fn a_model_that_needs_more_processes_than_there_is_room_for_exceeds_its_view() {
    let text = "proctype P(byte d) { chan own = [1] of { byte }; own!d; own?d }
        init { byte n; do :: n < 4 -> n++; run P(n) :: atomic { n > 2 -> run P(0) }; break od }";
    let front = model::read_text("room", text);
    for options in MODES {
        for room in [2, 20] {
            let mut compared = ExactCompared::default();
            check_bounded(text, &front.hir, options, Some(room), 100_000, &mut compared);
            conclude_exact(&compared);
            assert_eq!(
                (compared.compared, compared.exceeding),
                match room {
                    2 => (0, 1),
                    _ => (1, 0),
                }
            );
        }
    }
}

#[test]
fn systems_with_more_steps_lack_nothing() {
    let mut compared = MoreStepsCompared::default();
    for fixture in fixture::all() {
        let front = model::read(&fixture.file).expect("our models can be read");
        let options = AutomataOptions::OPTIMISED;
        check_more_steps(&fixture.name, &front.hir, options, portion(10_000), &mut compared);
    }
    for seed in chosen::seeds(portion(600)) {
        let rare = [
            (Feature::Run, 10),
            (Feature::Priority, 60),
            (Feature::Deterministic, 20),
            (Feature::Trace, 30),
            (Feature::Timeout, 15),
            (Feature::Unless, 15),
            (Feature::DStep, 2),
            (Feature::DivideByZero, 4),
            (Feature::FailingAssert, 8),
            (Feature::Atomic, 25),
        ];
        let full = |config: Config, &(one, weight): &(Feature, u32)| config.with(one, weight);
        let program = generate::program(seed, &rare.iter().fold(Config::full(), full));
        let text = beeline_promela::printer::print(&program);
        let front = model::read_text("random", &text);
        if model::first_error(&front).is_some() {
            continue;
        }
        let options = MODES[seed as usize % 2];
        check_more_steps(&format!("seed {seed}"), &front.hir, options, 2_000, &mut compared);
    }
    conclude_more_steps(&compared);
    assert!(compared.compared >= portion(50) && compared.deadlocks >= portion(5), "{compared:?}");
    let kinds = [FaultKind::Assertion, FaultKind::Division];
    assert!(kinds.iter().all(|&kind| compared.kinds.contains(kind)), "{compared:?}");
}
