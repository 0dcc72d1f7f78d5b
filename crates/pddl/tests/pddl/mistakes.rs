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
    check_domain(
        &DOMAIN[..DOMAIN.len() - 2],
        &expect![[r#"
        domain:3:35 pddl-syntax: 2 `)` are missing at the end of the file
    "#]],
    );
    check_domain(
        &format!("{DOMAIN})"),
        &expect![[r#"
        domain:3:37 pddl-syntax: `)` closes nothing; remove it, or add the `(` that it belongs to
    "#]],
    );
    check_domain(
        "",
        &expect![[r#"
        domain:1:1 pddl-syntax: the file is empty: expected `(define (domain NAME) …)`
    "#]],
    );
    check_domain(
        &"(".repeat(100_000),
        &expect![[r#"
        domain:1:501 pddl-syntax: parentheses are nested deeper than 500 levels
    "#]],
    );
}

#[test]
fn names() {
    check_domain(
        "(define (domain d) (:requirements :adl) (:types thing) (:predicates (p ?x - thin) (q))
         (:action a :parameters (?x - thing) :precondition (and (pp ?x) (p ?y) (p oo))
         :effect (and (q) (r))) (:action a :effect (q)) (:predicats (s)))",
        &expect![[r#"
            domain:3:58 pddl-syntax: a domain has no section `:predicats`; did you mean `:predicates`?
            domain:1:77 pddl-unknown-name: unknown type `thin`; did you mean `thing`?
            domain:2:66 pddl-unknown-name: unknown predicate `pp`
            domain:2:76 pddl-unknown-name: unknown variable `?y`; did you mean `?x`?
            domain:2:83 pddl-unknown-name: unknown object `oo`
            domain:3:28 pddl-unknown-name: unknown predicate `r`
            domain:3:42 pddl-declared-twice: action `a` is declared twice
        "#]],
    );
    check_problem(
        "(define (problem x) (:domain e) (:objects o o - thing) (:init (p oh) (s)) (:goal (qq)))",
        &expect![[r#"
            problem:1:45 pddl-declared-twice: object `o` is declared twice
            problem:1:30 pddl-domain: the problem belongs to the domain `e`, not to `d`
            problem:1:66 pddl-unknown-name: unknown object `oh`
            problem:1:71 pddl-unknown-name: unknown predicate `s`
            problem:1:83 pddl-unknown-name: unknown predicate `qq`
        "#]],
    );
}

#[test]
fn types() {
    check_domain(
        "(define (domain d) (:requirements :typing) (:types a - b b - c c - a thing)
         (:predicates (p ?x - thing) (q)))",
        &expect![[r#"
            domain:1:52 pddl-type-cycle: the hierarchy of types has a cycle: a - b - c - a
        "#]],
    );
    check_problem(
        "(define (problem x) (:domain d) (:objects o) (:init (p o)) (:goal (q)))",
        &expect![[r#"
            problem:1:56 pddl-type: this argument of `p` is no `thing`
        "#]],
    );
}

#[test]
fn arities() {
    check_domain(
        "(define (domain d) (:requirements :adl) (:types thing) (:predicates (p ?x - thing) (q))
         (:action a :parameters (?x - thing) :precondition (and (p) (q ?x)) :effect (p ?x ?x)))",
        &expect![[r#"
            domain:2:66 pddl-arity: `p` takes one argument, not 0
            domain:2:70 pddl-arity: `q` takes no argument, not 1
            domain:2:86 pddl-arity: `p` takes one argument, not 2
        "#]],
    );
}

#[test]
fn axioms() {
    check_domain(
        "(define (domain d) (:requirements :adl :derived-predicates) (:types thing)
         (:predicates (p ?x - thing) (q) (r) (s))
         (:derived (q) (not (r))) (:derived (r) (s)) (:derived (s) (not (q)))
         (:action a :parameters (?x - thing) :effect (r)))",
        &expect![[r#"
            domain:4:54 pddl-derived: `r` is derived by axioms: no effect can change it
            domain:3:20 pddl-strata: axioms are not stratified: `q` depends on its own negation
        "#]],
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
        &expect![[r#"
            domain:3:11 pddl-unsupported: durative actions are not supported; leave them out, if the task allows it
            domain:4:11 pddl-unsupported: trajectory constraints are not supported; leave them out, if the task allows it
            domain:1:43 pddl-unsupported: durative actions are not supported; leave them out, if the task allows it
            domain:1:61 pddl-unsupported: preferences are not supported; leave them out, if the task allows it
            domain:1:74 pddl-requirement: unknown requirement `:typin`; did you mean `:typing`?
            domain:2:70 pddl-requirement: this needs the requirement `:numeric-fluents`, which is missing; add `:numeric-fluents` to `(:requirements …)`
            domain:5:68 pddl-unsupported: numbers with a fraction are not supported; leave them out, if the task allows it
        "#]],
    );
    check_problem(
        "(define (problem x) (:domain d) (:objects o - thing) (:init (p o) (at 5 (q)))
         (:goal (preference g (q))) (:metric maximize 1))",
        &expect![[r#"
            problem:1:68 pddl-unsupported: timed initial literals are not supported; leave them out, if the task allows it
            problem:2:18 pddl-unsupported: preferences are not supported; leave them out, if the task allows it
            problem:2:38 pddl-requirement: this needs the requirement `:action-costs`, which is missing; add `:action-costs` to `(:requirements …)`
            problem:2:46 pddl-unsupported: metrics that are maximised are not supported; leave them out, if the task allows it
        "#]],
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
