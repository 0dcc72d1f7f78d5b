//! Mistakes in domains and problems, with the places and the messages.

use std::fmt::Write as _;

use beeline_pddl::{PlanningText, read};
use expect_test::{Expect, expect};

const DOMAIN: &str = "(define (domain d) (:requirements :adl)
  (:types thing) (:predicates (p ?x - thing) (q)) (:action a :parameters (?x - thing)
  :precondition (p ?x) :effect (q)))";
const PROBLEM: &str =
    "(define (problem x) (:domain d) (:objects o - thing) (:init (p o)) (:goal (q)))";

/// The messages about a domain and a problem, a line each.
fn messages(domain: &str, problem: &str) -> String {
    let given = read(
        PlanningText { name: "domain", text: domain },
        PlanningText { name: "problem", text: problem },
    );
    assert_eq!(given.task.is_some(), !given.diagnostics.has_errors());
    let mut out = String::new();
    for one in given.diagnostics.iter() {
        let place = given.sources.location(one.span);
        let advice = one.fix.as_ref().map(|fix| format!("; {}", fix.advice)).unwrap_or_default();
        let (line, column) = (place.line, place.column);
        writeln!(out, "{}:{line}:{column} {}: {}{advice}", place.file, one.code, one.message)
            .expect("writing to a string succeeds");
    }
    out
}

fn check_domain(domain: &str, expected: &Expect) {
    expected.assert_eq(&messages(domain, PROBLEM));
}

fn check_problem(problem: &str, expected: &Expect) {
    expected.assert_eq(&messages(DOMAIN, problem));
}

#[test]
fn a_task_without_mistakes_has_no_messages() {
    check_domain(DOMAIN, &expect![""]);
}

#[test]
fn parentheses() {
    check_domain(&DOMAIN[..DOMAIN.len() - 2], &expect![[""]]);
    check_domain(&format!("{DOMAIN})"), &expect![[""]]);
    check_domain("", &expect![[""]]);
    check_domain(&"(".repeat(100_000), &expect![[""]]);
}

#[test]
fn names() {
    check_domain(
        "(define (domain d) (:requirements :adl) (:types thing) (:predicates (p ?x - thin) (q))
         (:action a :parameters (?x - thing) :precondition (and (pp ?x) (p ?y) (p oo))
         :effect (and (q) (r))) (:action a :effect (q)) (:predicats (s)))",
        &expect![[""]],
    );
    check_problem(
        "(define (problem x) (:domain e) (:objects o o - thing) (:init (p oh) (s)) (:goal (qq)))",
        &expect![[""]],
    );
}

#[test]
fn types() {
    check_domain(
        "(define (domain d) (:requirements :typing) (:types a - b b - c c - a thing)
         (:predicates (p ?x - thing) (q)))",
        &expect![[""]],
    );
    check_problem(
        "(define (problem x) (:domain d) (:objects o) (:init (p o)) (:goal (q)))",
        &expect![[""]],
    );
}

#[test]
fn arities() {
    check_domain(
        "(define (domain d) (:requirements :adl) (:types thing) (:predicates (p ?x - thing) (q))
         (:action a :parameters (?x - thing) :precondition (and (p) (q ?x)) :effect (p ?x ?x)))",
        &expect![[""]],
    );
}

#[test]
fn axioms() {
    check_domain(
        "(define (domain d) (:requirements :adl :derived-predicates) (:types thing)
         (:predicates (p ?x - thing) (q) (r) (s))
         (:derived (q) (not (r))) (:derived (r) (s)) (:derived (s) (not (q)))
         (:action a :parameters (?x - thing) :effect (r)))",
        &expect![[""]],
    );
}

#[test]
fn unsupported_features_are_refused_by_name() {
    check_domain(
        "(define (domain d) (:requirements :typing :durative-actions :preferences :typin)
         (:types thing) (:predicates (p ?x - thing) (q)) (:functions (f))
         (:durative-action b :parameters () :duration (= ?duration 1) :effect (at end (q)))
         (:constraints (always (q)))
         (:action a :parameters (?x - thing) :precondition (>= (f) 1.5) :effect (q)))",
        &expect![[""]],
    );
    check_problem(
        "(define (problem x) (:domain d) (:objects o - thing) (:init (p o) (at 5 (q)))
         (:goal (preference g (q))) (:metric maximize 1))",
        &expect![[""]],
    );
}

#[test]
fn garbage_ends_in_messages() {
    let garbage: String = (0..200_000u32)
        .map(|at| char::from(32 + (at.wrapping_mul(2_654_435_761) >> 25) as u8 % 95))
        .collect();
    for text in [&*garbage, "\u{1F980}", "(define", "define", "()", "(define (problem p))"] {
        assert!(!messages(text, PROBLEM).is_empty());
        assert!(!messages(DOMAIN, text).is_empty());
    }
}
