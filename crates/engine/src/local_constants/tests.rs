//! Variables that are local constants, and similar ones that are not.

use beeline_promela::preprocess::{NoIncludes, PreprocessOptions};

use crate::automata;
use crate::interpreter::Machine;

fn with<T>(text: &str, options: automata::AutomataOptions, look: impl Fn(&Machine<'_>) -> T) -> T {
    let front =
        beeline_promela::read("model.pml", text, &mut NoIncludes, &PreprocessOptions::default());
    assert!(!front.diagnostics.has_errors(), "{text}");
    look(&Machine::new(&front.hir, options))
}

/// The local constants in the process `p` of a model with the channels `q[2]` and `other`.
fn settled_in(process: &str, options: automata::AutomataOptions) -> Vec<String> {
    let text = format!("chan q[2] = [1] of {{ byte }}; chan other = [1] of {{ byte }}; {process}");
    let own = |name: String| name.strip_prefix("p:").map(str::to_owned);
    with(&text, options, |machine| {
        machine.local_constants().texts(machine.model()).into_iter().filter_map(own).collect()
    })
}

fn check(process: &str, expected: &[&str]) {
    assert_eq!(settled_in(process, automata::AutomataOptions::PLAIN), expected, "{process}");
}

/// The same with statement merging and resets of dead variables.
fn check_optimised(process: &str, expected: &[&str]) {
    assert_eq!(settled_in(process, automata::AutomataOptions::OPTIMISED), expected, "{process}");
}

#[test]
fn what_the_number_of_a_process_tells_is_settled() {
    let begin = "active [2] proctype p() { chan in = q[_pid], out = q[1 - _pid]; byte me = _pid; \
        do :: out!me :: in?_ od }";
    check(begin, &["in = q[_pid]", "out = q[1 - _pid]", "me = _pid"]);
    check_optimised(begin, &["in = q[_pid]", "out = q[1 - _pid]", "me = _pid"]);
    let later = "active [2] proctype p() { chan in, out; in = q[_pid]; out = q[1 - _pid]; \
        do :: out!1 :: in?_ od }";
    check(later, &["in = q[_pid]", "out = q[1 - _pid]"]);
    check_optimised(later, &["in = q[_pid]", "out = q[1 - _pid]"]);
}

#[test]
fn constants_and_what_is_never_assigned_are_settled() {
    check(
        "mtype { no, yes }; active proctype p() { byte three = 3; bool t = true; mtype m = yes; \
            byte none; chan unused; int big = 70000; short cut = 70000; \
            do :: q[0]!three :: q[0]!m :: big > cut && none == 0 && t od }",
        &["three = 3", "t = 1", "m = yes", "none = 0", "unused = 0", "big = 70000", "cut = 4464"],
    );
    // An invalid channel cannot replace a variable.
    check("active proctype p() { chan none; do :: none!1 od }", &[]);
}

#[test]
fn whoever_depends_on_what_is_settled_is_settled_too() {
    let text = "active [2] proctype p() { byte me = _pid; byte next; byte far = (me + 3) % 5; \
        next = (me + 1) % 2; do :: q[next]!far od }";
    check(text, &["me = _pid", "next = (_pid + 1) % 2", "far = (_pid + 3) % 5"]);
    // A variable that another one is initialised with must be in the state, unless it is a local
    // constant itself.
    check(
        "active [2] proctype p() { byte me = _pid; byte sum = me + 1; do :: sum++ :: q[me]!1 od }",
        &[],
    );
}

#[test]
fn two_values_or_values_that_are_not_known_settle_nothing() {
    let stays = |body: &str| {
        check(&format!("byte g; active [2] proctype p() {{ byte x; chan c; {body} }}"), &["c = 0"]);
    };
    check(
        "typedef T { byte f }; active proctype p() { T t; byte a[2]; \
            t.f = 3; a[1] = 3; do :: q[0]!t.f :: q[0]!a[1] od }",
        &[],
    );
    stays("x = 1; x = 2; do :: q[0]!x od");
    stays("x = g; do :: q[0]!x od");
    stays("x = _nr_pr; do :: q[0]!x od");
    stays("x = _pid; x++; do :: q[0]!x od");
    stays("q[0]?x; do :: q[0]!x od");
    stays("select(x : 1 .. 3); do :: q[0]!x od");
    stays("for (x : 1 .. 3) { q[0]!x }");
    stays("x = 1 / _pid; do :: q[0]!x od");
    // The value fits for one process, but not for the other.
    stays("x = 255 + _pid; do :: q[0]!x od");
    // Different expressions may have the same value.
    check(
        "active proctype p() { byte x; x = 2; if :: q[0]!x :: x = 1 + 1; q[0]!x fi }",
        &["x = 2"],
    );
}

#[test]
fn an_index_must_be_within_bounds_for_every_process_of_the_type() {
    let named = |active: u32| {
        format!("active [{active}] proctype p() {{ chan c; c = q[_pid]; do :: c!1 od }}")
    };
    check(&named(2), &["c = q[_pid]"]);
    check(&named(3), &[]);
    // A started process may have any number.
    check(
        "proctype p() { chan c; byte me = _pid; c = q[_pid % 2]; do :: c!me od } \
            init { run p(); run p() }",
        &["c = q[_pid % 2]", "me = _pid"],
    );
    check("proctype p() { chan c; c = q[_pid - 1]; do :: c!1 od } init { run p() }", &[]);
    // A variable to which channels are assigned is no name.
    check("active proctype p() { chan c; c = other; other = q[0]; do :: c!1 od }", &[]);
    // The first active process has the first number.
    check(
        "active proctype a() { do :: skip od } \
            active proctype p() { chan c; c = q[_pid]; do :: c!1 od }",
        &["c = q[_pid]"],
    );
}

#[test]
fn every_location_must_tell_whether_it_is_set() {
    // Assigned on one branch only.
    check("active proctype p() { byte x; if :: x = 3 :: skip fi; do :: q[0]!1 :: q[1]!x od }", &[]);
    check("active proctype p() { byte x; do :: x = 3 :: q[0]!1 od }", &[]);
    // Assigned on both branches, or on one that does not join.
    check(
        "active proctype p() { byte x; if :: x = 3 :: q[0]!1; x = 3 fi; do :: q[0]!x od }",
        &["x = 3"],
    );
    check(
        "active proctype p() { byte x; if :: x = 3; do :: q[0]!x od :: skip fi; \
            do :: q[0]!1 od }",
        &["x = 3"],
    );
    // Read before it is set.
    check("active proctype p() { byte x; q[0]!x; x = 3; do :: q[0]!x od }", &[]);
    // At the start of a loop it is 0 in the first iteration only.
    check("active proctype p() { do :: q[0]!1; byte x = 3; do :: q[0]!x; break od od }", &[]);
    // Assigned repeatedly, also by a declaration that is executed.
    check("active proctype p() { q[0]!1; do :: byte x = 3; do :: q[0]!x od od }", &["x = 3"]);
    check("active proctype p() { byte x; x = 3; do :: q[0]!x; x = 3 od }", &["x = 3"]);
}

#[test]
fn the_insides_of_atomic_sequences_and_escapes_count() {
    check("active proctype p() { byte x; d_step { x = 3; q[0]!x; }; do :: q[0]!x od }", &["x = 3"]);
    check(
        "active proctype p() { byte x; d_step { if :: q[0]!1 -> x = 3 :: else fi }; \
            do :: q[0]!x od }",
        &[],
    );
    check("active proctype p() { byte x; atomic { q[0]!1; x = 3 }; do :: q[0]!x od }", &["x = 3"]);
    check(
        "active proctype p() { byte x; { q[0]!1; x = 3; q[0]!x } unless { q[1]?_ }; \
            do :: q[0]!1 od }",
        &[],
    );
}

#[test]
fn what_dies_is_zero_from_then_on() {
    // It dies with the condition, on all paths.
    check_optimised(
        "active proctype p() { byte x; x = 3; q[0]!1; x == 3; do :: q[0]!1 od }",
        &["x = 3"],
    );
    // It dies on one path only, so after the join it may be either value.
    check_optimised(
        "active proctype p() { byte x = 3; if :: x == 3 :: q[0]!1 fi; do :: q[0]!1 od }",
        &[],
    );
}

#[test]
fn what_others_look_at_stays() {
    let p = "active proctype p() { byte x = 3; do :: q[0]!x od }";
    check(p, &["x = 3"]);
    check(&format!("{p} ltl {{ [] (p[0]:x == 3) }}"), &[]);
    check(&format!("{p} never {{ do :: p[0]:x == 3 od }}"), &[]);
    check(&format!("{p} active proctype r() {{ p[0]:x == 3 }}"), &[]);
    check("active proctype p(byte x) { do :: q[0]!x od }", &[]);
}

#[test]
fn promises_are_about_what_is_settled() {
    check(
        "active [2] proctype p() { chan in; in = q[_pid]; xr in; do :: in?_ od }",
        &["in = q[_pid]"],
    );
    // During a step, the location does not determine whether the declaration counts already.
    check(
        "active [2] proctype p() { chan in; d_step { in = q[_pid]; in?_ }; xr in; do :: in?_ od }",
        &[],
    );
    check("active [2] proctype p() { byte me = _pid; xr q[me]; do :: q[me]?_ od }", &[]);
}

#[test]
fn a_state_shows_what_it_does_not_hold() {
    let text = "chan q[2] = [1] of { byte }; \
        active [2] proctype p() { chan c; byte n; c = q[1 - _pid]; do :: c!n; n++ od }";
    with(text, automata::AutomataOptions::PLAIN, |machine| {
        let names = machine.names();
        let slots = &names.locals[0];
        let held =
            |now, pid| -> Vec<i32> { slots.iter().map(|slot| slot.local(now, pid)).collect() };
        let start = machine.initial().expect("it begins");
        assert_eq!((held(&start, 0), held(&start, 1)), (vec![0, 0], vec![0, 0]));
        // A byte for the location and one for `n`.
        assert_eq!(machine.layout().fixed - machine.layout().variables, 2 * 2 + 2 * 2);
        let [first] = &machine.steps_of(&start, 1)[..] else { panic!("there is one step") };
        assert_eq!((held(&first.next, 0), held(&first.next, 1)), (vec![0, 0], vec![1, 0]));
        let edge = &machine.automaton(first.next.process(1)).edges[0];
        let process = &machine.model().processes[0];
        assert_eq!(edge.steps[0].text(machine.model(), process), "c = q[1 - _pid]");
    });
}
