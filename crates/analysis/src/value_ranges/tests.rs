//! The faults that value ranges exclude in small models, and those that they must not exclude.

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_kernel::{FaultKind, Faults};
use beeline_promela::preprocess::{NoIncludes, PreprocessOptions};

use crate::faults::FaultAnalysis;

/// The faults that a model may have.
fn faults(text: &str) -> Faults {
    let front = beeline_promela::read("m", text, &mut NoIncludes, &PreprocessOptions::default());
    assert!(!front.diagnostics.has_errors(), "{text}");
    let machine = Machine::new(&front.hir, AutomataOptions::OPTIMISED).checking_overflow(true);
    FaultAnalysis::new(&machine).all_faults()
}

#[track_caller]
fn excludes(text: &str) {
    assert_eq!(faults(text), Faults::NONE, "{text}");
}

#[track_caller]
fn allows(kind: FaultKind, text: &str) {
    assert!(faults(text).contains(kind), "{kind}: {text}");
}

#[test]
fn a_loop_counter_stays_in_its_array() {
    excludes("int a[9]; init { byte i; do :: i < 9 -> a[i] = i; i++ :: else -> break od }");
    excludes("int a[9]; init { int i; for (i : 0 .. 8) { a[i] = i } }");
    // The bound is one too large.
    allows(FaultKind::Index, "int a[9]; init { int i; for (i : 0 .. 9) { a[i] = i } }");
}

#[test]
fn parameters_have_the_ranges_of_their_arguments() {
    let ring = |last: u32| {
        format!(
            "int a[5]; proctype P(byte me) {{ a[me] = me }}
             init {{ byte i; for (i : 0 .. {last}) {{ run P(i) }} }}"
        )
    };
    excludes(&ring(4));
    allows(FaultKind::Index, &ring(5));
}

#[test]
fn process_numbers_are_bounded() {
    excludes("bit a[3]; active [3] proctype P() { a[_pid] = 1 }");
    allows(FaultKind::Index, "bit a[2]; active [3] proctype P() { a[_pid] = 1 }");
    excludes("bit a[4]; proctype P() { a[_pid] = 1 } init { run P(); run P(); run P() }");
    allows(
        FaultKind::Index,
        "bit a[4]; proctype P() { a[_pid] = 1 } init { do :: run P() :: break od }",
    );
}

#[test]
fn messages_carry_ranges() {
    let relay = |value: u32| {
        format!(
            "chan q = [1] of {{ byte }}; int a[4];
             active proctype S() {{ q!2; q!{value} }}
             active proctype R() {{ byte x; do :: q?x -> a[x] = 1 od }}"
        )
    };
    excludes(&relay(3));
    allows(FaultKind::Index, &relay(4));
}

#[test]
fn another_process_may_change_a_global_between_guard_and_use() {
    allows(
        FaultKind::Index,
        "int a[3]; byte g; active proctype P() { do :: g < 3 -> a[g] = 1 od }
         active proctype Q() { g = 7 }",
    );
    // Only one process writes it.
    excludes(
        "int a[3]; byte g; active proctype P() { do :: g < 3 -> a[g] = 1; g++ :: else -> break od }
         active proctype Q() { int x; do :: x = g; x == 3 -> break :: else od }",
    );
}

#[test]
fn a_condition_protects_the_expression_after_it() {
    excludes("int a[3]; init { int i; select(i : 0 .. 9); (i < 3 && a[i] == 0) || i >= 3 }");
    excludes("init { int i, x; select(i : 0 .. 9); x = (i > 0 -> 10 / i : 0) }");
    allows(FaultKind::Division, "init { int i, x; select(i : 0 .. 9); x = 10 / i }");
    allows(FaultKind::Index, "int a[3]; init { int i; select(i : 0 .. 9); a[i] == 0 && i < 3 }");
}

#[test]
fn an_assertion_may_be_proved() {
    excludes("init { byte i; do :: i < 5 -> i++; assert(i <= 5) :: else -> break od }");
    allows(
        FaultKind::Assertion,
        "init { byte i; do :: i < 5 -> i++; assert(i < 5) :: else -> break od }",
    );
}

#[test]
fn truncated_values_are_overflow() {
    excludes("byte b; init { int i; select(i : 0 .. 255); b = i }");
    allows(FaultKind::Overflow, "byte b; init { int i; select(i : 0 .. 256); b = i }");
    allows(FaultKind::Overflow, "byte b; active proctype P() { do :: b++ od }");
    allows(FaultKind::Overflow, "proctype P(byte b) { skip } init { run P(256) }");
    allows(FaultKind::Overflow, "chan q = [1] of { byte }; init { q!256 }");
}

#[test]
fn the_inside_of_a_d_step_is_followed() {
    // A `d_step` with a loop may block.
    let text =
        "int a[9]; init { byte i; d_step { do :: i < 9 -> a[i] = i; i++ :: i >= 9 -> break od } }";
    assert_eq!(faults(text), Faults::of(&[FaultKind::Blocked]));
    allows(
        FaultKind::Index,
        "int a[9]; init { byte i; d_step { do :: i < 10 -> a[i] = i; i++ :: i >= 10 -> break od } }",
    );
}

#[test]
fn channels_of_many_processes_may_be_too_many() {
    let text = |creation: &str| {
        format!("proctype P() {{ chan own = [1] of {{ byte }}; own!1 }} init {{ {creation} }}")
    };
    excludes(&text("run P(); run P()"));
    allows(FaultKind::Limit, &text("do :: run P() od"));
}

#[test]
fn widening_ends_with_the_range_of_the_type() {
    excludes("int a[256]; byte b; active proctype P() { do :: b = (b + 3) % 256; a[b] = 1 od }");
    allows(FaultKind::Index, "int a[255]; byte b; active proctype P() { do :: b++; a[b] = 1 od }");
}
