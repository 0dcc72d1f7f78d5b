//! Native code finds what the interpreter finds, on the models of the project and on random programs;
//! see [`beeline_testkit::native`].

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_jit::NativeSpace;
use beeline_kernel::{Expansion, FaultKind, Space};
use beeline_promela::printer;
use beeline_test_size::portion;
use beeline_testkit::generate::{self, Config, Feature};
use beeline_testkit::model::MODES;
use beeline_testkit::native::{Compared, compare, compare_machines};
use beeline_testkit::{chosen, fixture, model};

#[test]
fn the_models_of_the_project_agree() {
    for fixture in fixture::all() {
        let front = model::read(&fixture.file).expect("our models can be read");
        for options in MODES {
            let usual = compare(&fixture.name, &front.hir, options, portion(20_000));
            // A larger limit of processes changes the layout of states only.
            let machine = Machine::with_process_limit(&front.hir, options, 1_000);
            let crowded = compare_machines(&fixture.name, machine, portion(20_000));
            let states = |compared: Option<Compared>| compared.map(|compared| compared.states);
            assert_eq!(states(usual), states(crowded), "{}", fixture.name);
        }
    }
}

#[test]
fn tags_and_locations_share_a_byte_where_there_are_few_and_nothing_else_differs() {
    // A rendezvous, an atomic sequence, a local channel, and queries of other processes.
    let text = "chan offer = [0] of { byte, chan };\n\
                byte done;\n\
                active proctype clerk() { byte n; chan c; do :: offer?n,c -> c!n od }\n\
                proctype guest(byte n) {\n\
                  byte m; chan c = [1] of { byte };\n\
                  waits: offer!n,c; atomic { c?m; done++ };\n\
                  if :: n > 0 -> run guest(n - 1) :: else fi\n\
                }\n\
                init { pid p; p = run guest(1); run guest(0);\n\
                  if :: guest[p]@waits :: pc_value(p) > 2 && guest[p]:m > 0 :: _nr_pr == 2 fi;\n\
                  done == 3 }\n";
    let check = |statements: usize| {
        // It is never started: it only increases the number of locations.
        let more = format!("{text} proctype more() {{ {} }}", "done++; ".repeat(statements));
        let front = model::read_text("shared.pml", &more);
        assert_eq!(model::first_error(&front), None);
        MODES.map(|options| {
            let machine = Machine::new(&front.hir, options);
            assert_eq!(machine.layout().frame.is_joint(), statements == 1, "{statements}");
            let compared = compare_machines("shared.pml", machine, 20_000);
            compared.expect("it can be compiled").states
        })
    };
    let joint = check(1);
    assert!(joint.iter().all(|states| (100..20_000).contains(states)), "{joint:?}");
    assert_eq!((check(100), check(300)), (joint, joint));
}

#[test]
fn more_than_255_processes_can_run() {
    let text = "chan c[300] = [1] of { byte };\n\
                byte done;\n\
                proctype P(short me; chan mine) { mine!me % 256; c[me]?done }\n\
                init { short i; atomic { do :: i < 300 -> run P(i, c[i]); i++ :: else -> break od } }\n";
    let front = model::read_text("many.pml", text);
    let many = || Machine::with_process_limit(&front.hir, AutomataOptions::OPTIMISED, 300);
    let compared = compare_machines("many.pml", many(), 5).expect("it can be compiled");
    assert_eq!(compared.states, 5);
    let mut now = many().initial().expect("nothing can fail");
    while now.process_count() < 300 {
        let mut moves = many().moves(&now).expect("there is always a move").moves;
        now = moves.remove(0).next;
    }
    // The last process exceeds the limit.
    let moves = many().moves(&now).expect("others can move").moves;
    assert!(moves.iter().all(|step| step.next.process_count() == 300));
}

/// The full preset; every other program may also fail, and has what SPIN counts in
/// its own way.
fn config(seed: u64) -> Config {
    let more = [
        (Feature::FailingAssert, 10),
        (Feature::OutOfBounds, 10),
        (Feature::DivideByZero, 10),
        (Feature::Priority, 20),
        (Feature::Deterministic, 10),
        (Feature::Hidden, 10),
        (Feature::LocalConstant, 50),
        (Feature::Trace, 20),
    ];
    Config::full().with_all(if seed % 2 == 1 { &more } else { &[] })
}

#[test]
fn random_programs_agree() {
    let (mut compiled, mut states, mut broken) = (0, 0, 0);
    let seeds = chosen::seeds(portion(300));
    let programs = seeds.end - seeds.start;
    for seed in seeds {
        let text = printer::print(&generate::program(seed, &config(seed)));
        let front = model::read_text(&format!("random-{seed}.pml"), &text);
        assert_eq!(model::first_error(&front), None, "seed {seed}\n{text}");
        for options in MODES {
            let name = format!("seed {seed}, {options:?}\n{text}");
            let seen = compare(&name, &front.hir, options, 2_000);
            compiled += u64::from(seen.is_some());
            let seen = seen.unwrap_or_default();
            states += seen.states;
            broken += seen.broken;
        }
    }
    println!("{compiled} of {} spaces compared, {states} states", 2 * programs);
    assert!(broken > portion(1_000), "invariants did not hold in {broken} states only");
    assert!(compiled * 2 > programs, "only {compiled} of {} could be compiled", 2 * programs);
}

#[test]
fn a_provided_clause_without_a_value_fails() {
    let text = "byte g; byte a[2];\n\
                active proctype P() provided (a[g] == 0) { do :: g++ od }\n\
                active proctype Q() { g == 2 }\n";
    let front = model::read_text("provided.pml", text);
    for options in MODES {
        assert!(compare("provided", &front.hir, options, 1_000).is_some());
    }
    let machine = Machine::new(&front.hir, AutomataOptions::PLAIN);
    let native = NativeSpace::compile(&machine).expect("it can be compiled");
    let (mut state, mut expansion) = (Vec::new(), Expansion::default());
    native.initial(&mut state).expect("it starts");
    while expansion.faults.is_empty() {
        native.expand(&state, &mut expansion);
        if let Some(next) = expansion.states().next() {
            state = next.to_vec();
        }
    }
    assert_eq!(expansion.faults[0].fault.kind, FaultKind::Index);
}

/// The number of expansions until a model is compiled, with a number of expanders that take turns.
fn expansions_until_compiled(text: &str, expanders: usize) -> usize {
    let front = model::read_text("lazily.pml", text);
    let machine = Machine::new(&front.hir, AutomataOptions::PLAIN);
    let native = NativeSpace::lazily(&machine).expect("it can be compiled");
    let (mut state, mut expansion) = (Vec::new(), Expansion::default());
    native.initial(&mut state).expect("it starts");
    let mut expanders: Vec<_> = (0..expanders).map(|_| native.expander()).collect();
    let mut done = 0;
    while !native.is_compiled() {
        let at = done % expanders.len();
        expanders[at].expand_only(&state, &mut expansion);
        assert_eq!(expansion.len(), 1);
        done += 1;
    }
    done
}

#[test]
fn the_more_there_is_to_compile_the_later_it_is_compiled() {
    let small = "byte g; active proctype P() { do :: g++ od }\n".to_owned();
    let large = format!("{small} proctype Q() {{ {} }}\n", "g = g + 1; g = g * 2; ".repeat(500));
    let (soon, late) = (expansions_until_compiled(&small, 1), expansions_until_compiled(&large, 1));
    assert!(soon > 1_000, "{soon}");
    assert!(late > 10 * soon, "{soon}, {late}");
    // The expansions of all expanders are counted together.
    assert_eq!(expansions_until_compiled(&large, 3), late);
}
