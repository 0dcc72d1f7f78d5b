//! A reduced space has what the full one has, on the models of the project and on random programs;
//! see [`beeline_testkit::reduction`]. `BEELINE_SEEDS` and `BEELINE_FIRST_SEED` choose other random
//! programs.

use beeline_analysis::reduction::{Independence, Rule};
use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_promela::printer;
use beeline_test_size::portion;
use beeline_testkit::generate::{self, Config, Feature};
use beeline_testkit::reduction::{AIMS, Compared, compare, compared, invariants, is_sound, walk};
use beeline_testkit::{chosen, fixture, model};

#[test]
fn the_models_of_the_project_are_reduced_soundly() {
    let mut all = Compared::default();
    for fixture in fixture::all() {
        let front = model::read(&fixture.file).expect("our models can be read");
        let machine = Machine::new(&front.hir, AutomataOptions::OPTIMISED)
            .with_invariants(invariants(&front.hir));
        compare(&fixture.name, &machine, portion(20_000), &mut all);
    }
    assert!(all.spaces > 30, "only {} spaces compared", all.spaces);
    assert!(all.share(0) < 0.7, "reduced to {} only", all.share(0));
}

/// The full preset; every other program may also fail.
fn config(seed: u64) -> Config {
    let more = [
        (Feature::FailingAssert, 10),
        (Feature::OutOfBounds, 10),
        (Feature::DivideByZero, 10),
        (Feature::LocalConstant, 50),
    ];
    Config::full().with_all(if seed % 2 == 1 { &more } else { &[] })
}

#[test]
fn random_programs_are_reduced_soundly() {
    let seeds = chosen::seeds(portion(2_000));
    let programs = seeds.end - seeds.start;
    let mut all = Compared::default();
    for seed in seeds {
        let text = printer::print(&generate::program(seed, &config(seed)));
        let front = model::read_text(&format!("random-{seed}.pml"), &text);
        assert_eq!(model::first_error(&front), None, "seed {seed}\n{text}");
        let machine = Machine::new(&front.hir, AutomataOptions::OPTIMISED)
            .with_invariants(invariants(&front.hir));
        compare(&format!("seed {seed}\n{text}"), &machine, 2_000, &mut all);
    }
    let shares = [0, 1, 2].map(|aim| all.share(aim));
    println!(
        "{} of {programs} spaces, {} deadlocks, {} faults, {} broken invariants, reduced to {shares:?}",
        all.spaces, all.deadlocks, all.faults, all.broken,
    );
    assert!(all.spaces as u64 * 2 > programs, "only {} of {programs} spaces compared", all.spaces);
}

/// As long as `init` is not there, one of the others stops, and can meet the other one.
const HANDED_OVER: &str = "chan c = [0] of { bool };\n\
    active [2] proctype P() { bool l; atomic { skip; if :: c?l :: c!0 fi } }\n\
    init { bool l; skip; c?l }\n";

/// `init` writes `x[0]` first, and `x[1]` when it comes round.
const TAKEN_AGAIN: &str = "byte x[2]; chan c = [0] of { byte };\n\
    proctype P() { atomic { x[1] = 0 }; do :: c?x[0] -> x[0] = 0 od }\n\
    init { int i; run P(); do :: i < 2 -> x[i % 2] = 1; i++ od }\n";

/// `P` takes the first message only when there are two.
const COUNTED: &str = "chan c = [2] of { byte };\n\
    proctype P() { bit x; do :: c??<_> -> x == 1 :: c?eval((len(c) + 1) % 3); x = 1; c?_ od }\n\
    active proctype Q() { do :: c!0 :: skip; false od }\n\
    init { run P() }\n";

#[test]
fn an_atomic_sequence_that_goes_round_waits_for_what_makes_it_end() {
    // Until `x` is 0, `P` has no way. If it comes before `R`, that one has to wait for ever.
    let ends = ["x == 0", "d_step { x == 0; skip }"];
    for end in ends {
        let text = format!(
            "byte x = 1, w;\n\
             active proctype P() {{ atomic {{ w = 2; do :: skip :: {end} -> break od }} }}\n\
             active proctype Q() {{ if :: x = 0 :: x = 0; skip fi }}\n\
             active proctype R() {{ w = 1; w == 2 }}\n"
        );
        let all = compared(&text);
        assert_eq!((all.spaces, all.deadlocks), (1, 1), "{text}");
    }
}

#[test]
fn whoever_comes_to_take_a_message_is_in_the_way_of_a_sequence_that_hands_one_over() {
    let all = compared(HANDED_OVER);
    assert_eq!((all.spaces, all.deadlocks), (1, 3));
}

#[test]
fn an_edge_that_is_taken_again_may_mean_another_element() {
    let all = compared(TAKEN_AGAIN);
    assert_eq!((all.spaces, all.deadlocks), (1, 2));
}

#[test]
fn a_message_is_waited_for_even_if_all_who_send_one_are_given_up() {
    // `Q` waits for `P`, with both of which no set is a gain; `R` alone must not be one either.
    let text = "byte x = 1; chan c = [2] of { bool };\n\
                active [2] proctype P() { c!0 }\n\
                active proctype Q() { c?0; x = 0 }\n\
                active proctype R() { assert(x != 0); c!1 }\n";
    let all = compared(text);
    assert_eq!((all.spaces, all.faults), (1, 1));
}

#[test]
fn a_second_message_helps_whoever_wants_a_first_one_that_depends_on_their_number() {
    let all = compared(COUNTED);
    assert_eq!((all.spaces, all.deadlocks), (1, 4));
}

#[test]
fn a_rule_that_is_left_out_is_noticed() {
    // Random programs have few variables: a step that changes a visible one depends on a step of
    // another process as well.
    let apart = "byte x, y;\n\
                 active proctype P() { x = 1; x = 2 }\n\
                 active proctype Q() { y = 1; y = 2 }\n\
                 ltl apart { [] !(x == 1 && y == 1) }\n";
    // Nor do they look at where others are.
    let watched = "byte x;\n\
                   active proctype P() { byte i; do :: i < 2 -> seen: i++ :: else -> break od }\n\
                   active proctype Q() { P@seen; x = 1; x == 2 }\n";
    // And few of their d_steps begin with a guard that others can make false.
    let entered = "byte x, y;\n\
                   active proctype P() { d_step { x == 0; y = 1 } }\n\
                   active proctype Q() { x = 1 }\n";
    let random = |seed| printer::print(&generate::program(seed, &config(seed)));
    let unnoticed = |rule: &Rule| {
        let written = [apart, watched, entered, HANDED_OVER, TAKEN_AGAIN, COUNTED];
        let written = written.map(str::to_owned).into_iter();
        written.chain((0..2_000).map(random)).all(|text| {
            let front = model::read_text("model.pml", &text);
            let machine = Machine::new(&front.hir, AutomataOptions::OPTIMISED)
                .with_invariants(invariants(&front.hir));
            let Some((_, full)) = walk(&machine, None, 2_000) else { return true };
            AIMS.into_iter().all(|aim| {
                let Ok(facts) = Independence::of(&machine, aim.keep) else { return true };
                let facts = facts.without(*rule);
                let mut reducer = facts.reducer(aim.proposals());
                let reduced = walk(&machine, Some((&mut reducer, aim.postpone)), 2_000);
                reduced.is_none_or(|(_, reduced)| is_sound(aim, &full, &reduced))
            })
        })
    };
    let unnoticed: Vec<Rule> = Rule::ALL.into_iter().filter(unnoticed).collect();
    assert_eq!(unnoticed, [], "nobody noticed that these were left out");
}
