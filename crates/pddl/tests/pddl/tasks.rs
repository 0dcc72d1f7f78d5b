//! Small tasks, each with the cost of an optimal plan.

use beeline_kernel::Deadline;
use beeline_pddl::{PlanningSystem, PlanningTask, PlanningText, read};

/// A task and the cost of its optimal plan; `None` if there is no plan.
pub(crate) struct SmallTask {
    pub(crate) name: &'static str,
    pub(crate) domain: &'static str,
    pub(crate) problem: &'static str,
    pub(crate) optimal: Option<u64>,
}

/// A robot that moves balls between rooms: types, `either`, constants.
const ROBOT: &str = "(define (domain robot)
  (:requirements :strips :typing)
  (:types room - object thing - object ball box - thing)
  (:constants home - room)
  (:predicates (at-robot ?r - room) (at ?t - (either ball box) ?r - room) (holds ?t - thing) (empty))
  (:action move :parameters (?from ?to - room)
    :precondition (at-robot ?from) :effect (and (not (at-robot ?from)) (at-robot ?to)))
  (:action pick :parameters (?t - thing ?r - room)
    :precondition (and (at-robot ?r) (at ?t ?r) (empty))
    :effect (and (holds ?t) (not (at ?t ?r)) (not (empty))))
  (:action drop :parameters (?t - thing ?r - room)
    :precondition (and (at-robot ?r) (holds ?t))
    :effect (and (at ?t ?r) (empty) (not (holds ?t)))))";

/// Switches and lamps: quantifiers, disjunctions, conditional effects, derived predicates.
pub(crate) const LAMPS: &str = "(define (domain lamps)
  (:requirements :adl :derived-predicates)
  (:types lamp)
  (:predicates (on ?l - lamp) (next ?a ?b - lamp) (broken ?l - lamp) (lit ?l - lamp) (dark))
  (:derived (lit ?l - lamp) (or (on ?l) (exists (?m - lamp) (and (next ?m ?l) (lit ?m)))))
  (:derived (dark) (forall (?l - lamp) (not (lit ?l))))
  (:action press :parameters (?l - lamp)
    :precondition (not (broken ?l))
    :effect (and (when (on ?l) (not (on ?l))) (when (not (on ?l)) (on ?l))
      (forall (?m - lamp) (when (and (next ?l ?m) (not (= ?l ?m)) (on ?m)) (not (on ?m))))))
  (:action repair :parameters (?l - lamp)
    :precondition (and (broken ?l) (or (dark) (imply (on ?l) (dark))))
    :effect (not (broken ?l))))";

/// Buying: action costs from a table.
const SHOP: &str = "(define (domain shop)
  (:requirements :typing :action-costs)
  (:types place item)
  (:predicates (in ?p - place) (has ?i - item) (sells ?p - place ?i - item))
  (:functions (price ?p - place ?i - item) (way ?a ?b - place) (total-cost))
  (:action go :parameters (?a ?b - place) :precondition (in ?a)
    :effect (and (not (in ?a)) (in ?b) (increase (total-cost) (way ?a ?b))))
  (:action buy :parameters (?p - place ?i - item) :precondition (and (in ?p) (sells ?p ?i))
    :effect (and (has ?i) (increase (total-cost) (price ?p ?i)))))";

/// Water: bounded numbers.
const JUGS: &str = "(define (domain jugs)
  (:requirements :typing :numeric-fluents)
  (:types jug)
  (:functions (size ?j - jug) (in ?j - jug))
  (:action fill :parameters (?j - jug) :precondition (< (in ?j) (size ?j))
    :effect (assign (in ?j) (size ?j)))
  (:action drain :parameters (?j - jug) :precondition (> (in ?j) 0) :effect (assign (in ?j) 0))
  (:action pour-all :parameters (?a ?b - jug)
    :precondition (and (not (= ?a ?b)) (<= (+ (in ?a) (in ?b)) (size ?b)))
    :effect (and (increase (in ?b) (in ?a)) (assign (in ?a) 0)))
  (:action pour-some :parameters (?a ?b - jug)
    :precondition (and (not (= ?a ?b)) (> (+ (in ?a) (in ?b)) (size ?b)))
    :effect (and (decrease (in ?a) (- (size ?b) (in ?b))) (assign (in ?b) (size ?b)))))";

pub(crate) const TASKS: &[SmallTask] = &[
    SmallTask {
        name: "two balls",
        domain: ROBOT,
        problem: "(define (problem two) (:domain robot) (:objects hall - room a b - ball c - box)
          (:init (at-robot home) (empty) (at a home) (at b home) (at c hall))
          (:goal (and (at a hall) (at b hall) (at c home))))",
        optimal: Some(9),
    },
    SmallTask {
        name: "nothing to do",
        domain: ROBOT,
        problem: "(define (problem none) (:domain robot) (:objects a - ball)
          (:init (at-robot home) (empty) (at a home)) (:goal (at a home)))",
        optimal: Some(0),
    },
    SmallTask {
        name: "no hand",
        domain: ROBOT,
        problem: "(define (problem hand) (:domain robot) (:objects hall - room a - ball)
          (:init (at-robot home) (at a home)) (:goal (at a hall)))",
        optimal: None,
    },
    SmallTask {
        name: "lamps",
        domain: LAMPS,
        problem: "(define (problem lamps) (:domain lamps) (:objects a b c d - lamp)
          (:init (next a b) (next b c) (next c d) (broken d) (on a))
          (:goal (and (on d) (not (lit c)))))",
        optimal: Some(3),
    },
    SmallTask {
        name: "all lamps",
        domain: LAMPS,
        problem: "(define (problem all) (:domain lamps) (:objects a b c - lamp)
          (:init (next a b) (next b c) (broken b))
          (:goal (forall (?l - lamp) (on ?l))))",
        optimal: Some(4),
    },
    SmallTask {
        name: "shopping",
        domain: SHOP,
        problem: "(define (problem shopping) (:domain shop)
          (:objects home market mall - place milk bread - item)
          (:init (in home) (sells market milk) (sells market bread) (sells mall milk)
            (= (price market milk) 7) (= (price market bread) 4) (= (price mall milk) 1)
            (= (price mall bread) 0) (= (price home milk) 0) (= (price home bread) 0)
            (= (way home market) 3) (= (way market home) 3) (= (way home mall) 2)
            (= (way mall home) 2) (= (way mall market) 0) (= (way market mall) 9)
            (= (way home home) 0) (= (way mall mall) 0) (= (way market market) 0))
          (:goal (and (has milk) (has bread)))
          (:metric minimize (total-cost)))",
        optimal: Some(7),
    },
    SmallTask {
        name: "four litres",
        domain: JUGS,
        problem: "(define (problem four) (:domain jugs) (:objects small large - jug)
          (:init (= (size small) 3) (= (size large) 5) (= (in small) 0) (= (in large) 0))
          (:goal (= (in large) 4)))",
        optimal: Some(6),
    },
    SmallTask {
        name: "six litres",
        domain: JUGS,
        problem: "(define (problem six) (:domain jugs) (:objects small large - jug)
          (:init (= (size small) 3) (= (size large) 5) (= (in small) 0) (= (in large) 0))
          (:goal (= (in large) 6)))",
        optimal: None,
    },
];

impl SmallTask {
    /// The task, which has no errors.
    pub(crate) fn task(&self) -> PlanningTask {
        let domain = PlanningText { name: "domain.pddl", text: self.domain };
        let problem = PlanningText { name: "problem.pddl", text: self.problem };
        let given = read(domain, problem);
        let messages: Vec<&str> = given.diagnostics.iter().map(|one| &*one.message).collect();
        given.task.unwrap_or_else(|| panic!("{}: {messages:?}", self.name))
    }

    /// The task, grounded.
    pub(crate) fn system(&self) -> PlanningSystem {
        let system = PlanningSystem::new(self.task(), Deadline::NEVER, usize::MAX);
        system.unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }
}
