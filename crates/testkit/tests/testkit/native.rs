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
use beeline_testkit::native::{Compared, compare, compare_fairly, compare_machines};
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
fn marks_of_fairness_agree() {
    let mut several = 0;
    for fixture in fixture::all() {
        let front = model::read(&fixture.file).expect("our models can be read");
        let machine = Machine::new(&front.hir, AutomataOptions::OPTIMISED);
        several += compare_fairly(&fixture.name, &machine, portion(20_000)).unwrap_or(0);
    }
    for seed in chosen::seeds(portion(300)) {
        let text = printer::print(&generate::program(seed, &config(seed)));
        let front = model::read_text(&format!("random-{seed}.pml"), &text);
        let machine = Machine::new(&front.hir, AutomataOptions::OPTIMISED);
        let name = format!("seed {seed}\n{text}");
        several += compare_fairly(&name, &machine, 1_000).unwrap_or(0);
    }
    assert!(several > portion(1_000), "{several} transitions of several processes");
}

#[test]
fn processes_that_move_inside_of_an_atomic_sequence_have_marks() {
    // The receiver does not leave its location, the first one keeps control; the second sequence is
    // handed over to the receiver.
    let text = "chan c = [0] of { byte }; chan d = [0] of { byte };\n\
                byte n;\n\
                active proctype taker() { byte x; do :: c?x :: atomic { d?x; n++; d?x; n-- } :: n = 2 od }\n\
                active proctype giver() { do :: atomic { n = 1; c!1; n = 0; c!2; c!3 } od }\n\
                active proctype other() { do :: atomic { d!1; n++; d!2 } :: n == 7 od }\n";
    let front = model::read_text("handed.pml", text);
    assert_eq!(model::first_error(&front), None);
    for options in MODES {
        let machine = Machine::new(&front.hir, options);
        let several = compare_fairly("handed", &machine, 1_000).expect("it can be compiled");
        assert!(several > 3, "{several}");
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

/// Compares a model that must be compiled, in both modes; returns the number of states.
fn compiled_states(name: &str, text: &str) -> usize {
    let front = model::read_text(name, text);
    assert_eq!(model::first_error(&front), None, "{name}");
    let states = MODES.map(|options| {
        compare(name, &front.hir, options, 20_000).expect("it can be compiled").states
    });
    let machine = Machine::new(&front.hir, AutomataOptions::OPTIMISED);
    assert!(compare_fairly(name, &machine, 20_000).is_some(), "{name}");
    states[0]
}

#[test]
fn enabled_processes_are_known() {
    // Each way in which an edge can be disabled, and queries about processes that start and end.
    let text = "chan c = [1] of { byte }; chan d = [0] of { byte, byte }; chan e = [2] of { byte };\n\
                byte n, seen; byte a[2];\n\
                #define LOOK(p) if :: enabled(p) -> seen = seen | (1 << p) :: !enabled(p) fi\n\
                active proctype watch() { do :: seen = 0; LOOK(1); LOOK(2); LOOK(3); LOOK(4); LOOK(5)\n\
                  :: atomic { n == 2 -> run late(); enabled(5) -> seen = 0 } od }\n\
                active proctype sends() { do :: c!1 :: n > 1 -> d!1,2 :: n == 3 -> e!!n; n = 0 od }\n\
                active proctype takes() { byte x, y; do :: c?x :: d?x,eval(y) :: e??3 :: e?[1] -> n++ od }\n\
                active proctype steps() provided (n < 3) { do :: d_step { n == 1 -> n = 2 }\n\
                  :: d_step { c?1 -> n = n + 1 } :: else -> n = 1 od }\n\
                active proctype fails() { do :: n == 2 -> a[n - 1] = 1 / n :: a[n / 2] == 1 -> a[1] = 0 od }\n\
                proctype late() { timeout -> skip }\n";
    assert!(compiled_states("enabled", text) > 300);
}

#[test]
fn circular_queries_fail() {
    let text = "byte n;\n\
                active proctype A() { do :: n < 3 -> n++ :: enabled(1) -> n = 0 od }\n\
                active proctype B() provided (enabled(2) || n < 2)\n\
                { do :: n > 5 :: n == 3 && enabled(2) -> n = 1 od }\n\
                active proctype C() { do :: n > 2 && enabled(0) && enabled(1) -> n = 1 :: n == 9 od }\n";
    assert!(compiled_states("circular", text) > 3);
    let front = model::read_text("circular", text);
    let machine = Machine::new(&front.hir, AutomataOptions::PLAIN);
    let (mut state, mut expansion) = (Vec::new(), Expansion::default());
    let native = NativeSpace::compile(&machine).expect("it can be compiled");
    native.initial(&mut state).expect("it starts");
    for _ in 0..10 {
        native.expand(&state, &mut expansion);
        if expansion.faults.iter().any(|way| way.fault.kind == FaultKind::Circular) {
            return;
        }
        state = expansion.state(expansion.len() - 1).to_vec();
    }
    panic!("no query was circular");
}

#[test]
fn queries_inside_of_steps_are_interpreted() {
    for statement in ["c!enabled(0)", "n = enabled(0)", "assert(enabled(0))", "c?eval(enabled(0))"]
    {
        let text =
            format!("chan c = [1] of {{ byte }}; byte n; active proctype P() {{ {statement} }}");
        let front = model::read_text("inside.pml", &text);
        assert_eq!(model::first_error(&front), None, "{text}");
        let machine = Machine::new(&front.hir, AutomataOptions::OPTIMISED);
        let refused = NativeSpace::compile(&machine).err().map(|why| why.to_string());
        assert!(refused.is_some_and(|why| why.contains("enabled()")), "{text}");
    }
}

#[test]
fn processes_of_higher_priority_go_first() {
    // Priorities that are declared, given to a new process, read and changed; a sequence that is
    // interrupted; processes of higher priority that wait, or that their clause stops.
    let text = "byte n, x; chan c = [0] of { byte };\n\
                proctype child(byte m) { byte p = _priority; do :: n < 4 -> n = n + p\n\
                :: n >= 4 -> _priority = m; break od; x = get_priority(_pid) }\n\
                active proctype low() priority 1 { do :: atomic { n++; n = n % 7; x = 1 }\n\
                :: n = (n + 2) % 7 :: x = (x + 1) % 4 :: c!n od }\n\
                active proctype high() priority 5 provided (x != 2)\n\
                { byte y; do :: n > 3 -> set_priority(0, 7); n = 0 :: n == 2 -> n = 3; set_priority(0, 1)\n\
                :: c?y -> x = y :: x == 3 -> set_priority(20, 1); x = get_priority(20) od }\n\
                active proctype middle() priority 3 { do :: n == 5 && _nr_pr < 5\n\
                -> run child(2) priority 4; n = 6 :: d_step { n == 6 -> n = 3; x = 2 } :: x == 2 -> x = 0\n\
                :: x == 2 && _nr_pr < 5 -> x = 0; run child(9) od }\n";
    assert!(compiled_states("priorities", text) > 1_000);
}

#[test]
fn our_models_are_compiled() {
    let mut refused = Vec::new();
    for fixture in fixture::all() {
        let front = model::read(&fixture.file).expect("our models can be read");
        let machine = Machine::new(&front.hir, AutomataOptions::OPTIMISED);
        if let Err(why) = NativeSpace::compile(&machine) {
            refused.push(format!("{}: {why}", fixture.name));
        }
    }
    assert!(refused.is_empty(), "{refused:?}");
}

#[test]
fn trace_assertions_observe_all_messages() {
    // Buffered messages and rendezvous, sorted and random ones; values that are constants, variables
    // or of no interest; several edges that fit, misfits, and channels that are not observed.
    let model = "mtype = { one, two }; chan c = [2] of { mtype, byte }; chan d = [0] of { byte };\n\
                 chan e = [1] of { byte }; byte n; byte a[2];\n\
                 active proctype P() { do :: c!one,n :: c!two,1 :: d!n :: e!3 :: n = (n + 1) % 3 od }\n\
                 active proctype Q() { byte x; mtype m; do :: c?m,x :: c??two,x :: c?<m,x> :: d?x\n\
                   :: atomic { d?1; e?x; n = 0 } od }\n";
    for trace in [
        "trace { do :: c!one,_ :: c!two,1; c?two,_ od }",
        "trace { do :: d!0 -> d?0 :: d!1; if :: d?_ fi :: d!_ -> d?_ od }",
        "trace { end: do :: c?one,0 :: c?_,eval(n) :: c?_,eval(a[n]) od }",
        "notrace { c!one,0; d!1; d?1; c?two,_ }",
        "notrace { do :: d!1; d!2; break :: d!2; d!2 od }",
        "notrace { do :: d!1 :: d!1 -> d!2; break od }",
    ] {
        let text = format!("{model}{trace}\n");
        assert!(compiled_states(trace, &text) > 100, "{trace}");
    }
}
