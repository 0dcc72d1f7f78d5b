//! Stubborn sets of random tasks: a cheapest plan begins with an operator of the set, in each state.
//! Without one of the rules, some state has none.

use std::collections::HashMap;
use std::fmt::Write as _;

use beeline_kernel::{CandidateSets, Expansion, Space as _, SplitMix64};

use beeline_test_size::portion;

use super::*;
use crate::small_space::space;

/// The most states of a task.
const STATES: usize = 3_000;

/// Random texts of tasks.
struct Writer {
    rng: SplitMix64,
    /// The facts that are used: with fewer of them, operators have more to do with each other.
    facts: &'static [&'static str],
    /// One condition and one effect in this many is on numbers.
    numbers: usize,
}

impl Writer {
    fn new(seed: u64) -> Writer {
        const FACTS: &[&str] = &["a", "b", "c", "d", "e", "f"];
        let mut rng = SplitMix64::new(seed);
        let facts = &FACTS[..[3, 4, 6][rng.below(3)]];
        let numbers = [3, 10, 1000][rng.below(3)];
        Writer { rng, facts, numbers }
    }

    fn pick(&mut self, of: &[&'static str]) -> &'static str {
        of[self.rng.below(of.len())]
    }

    /// A condition on facts, derived facts and numbers.
    fn condition(&mut self) -> String {
        let negated = self.rng.below(3) == 0;
        let text = if self.rng.below(self.numbers) == 0 {
            format!("({} (n) {})", self.pick(&["<", "=", ">"]), self.rng.below(3))
        } else {
            match self.rng.below(10) {
                0..=6 => format!("({})", self.pick(self.facts)),
                7..=8 => format!("({})", self.pick(&["p", "q", "r"])),
                _ => format!("(at {})", self.pick(&["x", "y", "z"])),
            }
        };
        if negated { format!("(not {text})") } else { text }
    }

    fn effect(&mut self) -> String {
        if self.rng.below(self.numbers) == 0 {
            let changes = ["(increase (n) 1)", "(decrease (n) 1)", "(assign (m) (n))"];
            return self.pick(&changes).to_owned();
        }
        let fact = self.pick(self.facts);
        match self.rng.below(10) {
            0..=4 => format!("({fact})"),
            5..=7 => format!("(not ({fact}))"),
            8 => format!("(when {} ({fact}))", self.condition()),
            _ => format!("(when {} (not ({fact})))", self.condition()),
        }
    }

    /// A fact or its negation.
    fn literal(&mut self) -> String {
        let fact = self.pick(self.facts);
        if self.rng.below(4) == 0 { format!("(not ({fact}))") } else { format!("({fact})") }
    }
}

/// A domain and a problem. The derived facts p and q are defined by each other, r by the absence of p.
fn task(seed: u64) -> (String, String) {
    let writer = &mut Writer::new(seed);
    let mut domain = "(define (domain random) (:requirements :adl :derived-predicates :fluents)
      (:constants x y z) (:predicates (a) (b) (c) (d) (e) (f) (at ?o) (p) (q) (r))
      (:functions (n) (m))\n"
        .to_owned();
    let _ =
        writeln!(domain, "(:derived (p) (or {} (and (q) {})))", writer.literal(), writer.literal());
    let _ = writeln!(domain, "(:derived (q) (and (p) {}))", writer.literal());
    let _ = writeln!(domain, "(:derived (r) (and (not (p)) {}))", writer.literal());
    for number in 0..4 + writer.rng.below(5) {
        let mut conditions: Vec<String> =
            (0..writer.rng.below(3)).map(|_| writer.condition()).collect();
        let mut effects: Vec<String> =
            (0..1 + writer.rng.below(2)).map(|_| writer.effect()).collect();
        if writer.rng.below(3) == 0 {
            let (from, to) = (writer.pick(&["x", "y", "z"]), writer.pick(&["x", "y", "z"]));
            if from != to {
                conditions.push(format!("(at {from})"));
                effects.push(format!("(not (at {from})) (at {to})"));
            }
        }
        let _ = writeln!(
            domain,
            "(:action act{number} :parameters () :precondition (and {}) :effect (and {}))",
            conditions.join(" "),
            effects.join(" ")
        );
    }
    let goal: Vec<String> = (0..2 + writer.rng.below(3)).map(|_| writer.condition()).collect();
    let initial: Vec<&str> = ["(a)", "(b)", "(c)", "(d)", "(e)", "(f)"]
        .into_iter()
        .filter(|_| writer.rng.below(3) == 0)
        .collect();
    let problem = format!(
        "(define (problem random) (:domain random)
          (:init (= (n) 1) (= (m) 0) (at x) {}) (:goal (and {})))",
        initial.join(" "),
        goal.join(" ")
    );
    (domain + ")", problem)
}

/// A task in which `take` is applicable first, but has to wait until the lock was open: `take` and
/// `look` require different values of the lock, which `open` changes without requiring one.
const LOCK: (&str, &str) = (
    "(define (domain lock) (:requirements :strips :negative-preconditions)
      (:predicates (locked) (light) (taken) (seen))
      (:action open :parameters () :precondition () :effect (not (locked)))
      (:action look :parameters () :precondition (and (not (locked)) (light)) :effect (seen))
      (:action close :parameters () :precondition (and (not (locked)) (seen)) :effect (locked))
      (:action take :parameters () :precondition (locked)
        :effect (and (not (locked)) (not (light)) (taken))))",
    "(define (problem lock) (:domain lock) (:init (locked) (light)) (:goal (and (taken) (seen))))",
);

/// All states of a task with their transitions, and the least numbers of actions of their plans.
struct Graph {
    states: Vec<Vec<u8>>,
    transitions: Vec<Vec<Transition>>,
    ends: Vec<Vec<usize>>,
    distances: Vec<Option<u32>>,
}

impl Graph {
    /// Explores a task; `None` if it has too many states.
    fn of(space: &PlanningSpace) -> Option<Graph> {
        let initial = space.initial_state();
        let mut ids = HashMap::from([(initial.clone(), 0)]);
        let (mut states, mut transitions, mut ends) = (vec![initial], Vec::new(), Vec::new());
        let (mut expansion, mut is_goal) = (Expansion::default(), Vec::new());
        while ends.len() < states.len() {
            space.expand(&states[ends.len()], &mut expansion);
            is_goal.push(!expansion.violated_invariants.is_empty());
            transitions.push(expansion.successors.transitions().to_vec());
            let mut found = Vec::new();
            for state in expansion.states() {
                let next = states.len();
                let id = *ids.entry(state.to_vec()).or_insert(next);
                if id == next {
                    states.push(state.to_vec());
                }
                found.push(id);
            }
            ends.push(found);
            if states.len() > STATES {
                return None;
            }
        }
        let mut distances: Vec<Option<u32>> =
            is_goal.iter().map(|&is_goal| is_goal.then_some(0)).collect();
        for distance in 0.. {
            let next: Vec<usize> = (0..states.len())
                .filter(|&at| distances[at].is_none())
                .filter(|&at| ends[at].iter().any(|&end| distances[end] == Some(distance)))
                .collect();
            if next.is_empty() {
                break;
            }
            next.into_iter().for_each(|at| distances[at] = Some(distance + 1));
        }
        Some(Graph { states, transitions, ends, distances })
    }

    /// The states of which a set has no operator with which a cheapest plan begins, and the numbers of
    /// transitions that were pruned.
    fn lost(&self, sets: &StubbornSets) -> (Vec<usize>, usize) {
        let mut reducer = sets.reducer(Proposals::One);
        let (mut choices, mut lost, mut pruned) = (CandidateSets::default(), Vec::new(), 0);
        for at in 0..self.states.len() {
            let ends = &self.ends[at];
            if ends.len() < 2 {
                continue;
            }
            reducer.propose(&self.states[at], &self.transitions[at], &mut choices);
            let Some(set) = choices.iter().next() else { continue };
            pruned += ends.len() - set.len();
            let Some(distance) = self.distances[at] else { continue };
            let is_kept = set
                .iter()
                .any(|&one| self.distances[ends[one as usize]] == distance.checked_sub(1));
            if distance > 0 && !is_kept {
                lost.push(at);
            }
        }
        (lost, pruned)
    }
}

/// Graphs of random tasks that have a plan.
fn graphs(seeds: u64) -> impl Iterator<Item = (u64, Arc<PlanningSpace>, Graph)> {
    (0..seeds).filter_map(|seed| {
        let (domain, problem) = task(seed);
        let space = space(&domain, &problem);
        let graph = Graph::of(&space)?;
        graph.distances[0].is_some().then_some((seed, space, graph))
    })
}

#[test]
fn a_cheapest_plan_begins_in_the_set() {
    let (mut tasks, mut pruned) = (0, 0);
    for (seed, space, graph) in graphs(portion(6_000)) {
        let (lost, here) = graph.lost(&StubbornSets::new(space));
        assert_eq!(lost, [], "seed {seed}");
        tasks += 1;
        pruned += here;
    }
    assert!(tasks > portion(800) && pruned > portion(2_000), "{tasks} tasks, {pruned} transitions");
}

#[test]
fn a_value_that_is_required_and_changed_is_guarded() {
    let space = space(LOCK.0, LOCK.1);
    let graph = Graph::of(&space).expect("the task is small");
    assert_eq!(graph.distances[0], Some(4));
    assert_eq!(graph.lost(&StubbornSets::new(space.clone())).0, []);
    let without = StubbornSets::without(space, StubbornRule::Guard);
    assert!(!graph.lost(&without).0.is_empty());
}

#[test]
fn each_omitted_rule_is_noticed() {
    let mut left = vec![
        StubbornRule::Enabling,
        StubbornRule::Disabling,
        StubbornRule::Derived,
        StubbornRule::Agreement,
        StubbornRule::Readers,
        StubbornRule::Inputs,
        StubbornRule::Numbers,
    ];
    for (_, space, graph) in graphs(20_000) {
        left.retain(|&rule| graph.lost(&StubbornSets::without(space.clone(), rule)).0.is_empty());
        if left.is_empty() {
            break;
        }
    }
    assert_eq!(left, []);
}

/// The transitions that a reducer with limits prunes in the states of a graph, in the first part of them and
/// in the rest.
fn pruned_before_and_after(graph: &Graph, sets: &StubbornSets) -> (usize, usize) {
    let mut reducer = sets.reducer(Proposals::One);
    let mut choices = CandidateSets::default();
    let mut pruned = Vec::new();
    for (state, transitions) in graph.states.iter().zip(&graph.transitions) {
        reducer.propose(state, transitions, &mut choices);
        let kept = choices.iter().next().map_or(transitions.len(), <[u32]>::len);
        pruned.push(transitions.len() - kept);
    }
    let (first, rest) = pruned.split_at(pruned.len() / 2);
    (first.iter().sum(), rest.iter().sum())
}

/// Switches that are pressed in any order, and may be released at any time.
const SWITCHES: (&str, &str) = (
    "(define (domain switches) (:requirements :strips :negative-preconditions)
      (:predicates (on ?x) (switch ?x))
      (:action press :parameters (?x) :precondition (and (switch ?x) (not (on ?x))) :effect (on ?x))
      (:action release :parameters (?x) :precondition (switch ?x) :effect (not (on ?x))))",
    "(define (problem switches) (:domain switches) (:objects a b c d e f)
      (:init (switch a) (switch b) (switch c) (switch d) (switch e) (switch f))
      (:goal (and (on a) (on b) (on c) (on d) (on e) (on f))))",
);

#[test]
fn sets_end_when_they_take_too_much_work() {
    let space = space(SWITCHES.0, SWITCHES.1);
    let graph = Graph::of(&space).expect("the task is small");
    let mut sets = StubbornSets::new(space);
    let (before, after) = pruned_before_and_after(&graph, &sets);
    assert!(before > 0 && after > 0, "{before} {after}");
    sets.limits = SetLimits { per_state: 0, trial: 40 };
    let (before, after) = pruned_before_and_after(&graph, &sets);
    assert!(before > 0, "the work is judged after a trial");
    assert_eq!(after, 0);
    sets.limits = SetLimits { per_state: 1_000_000, trial: 0 };
    let (before, after) = pruned_before_and_after(&graph, &sets);
    assert!(before > 0 && after > 0, "the work of a state is far below the limit");
    assert_eq!(graph.lost(&sets).0, []);
}

#[test]
fn sets_end_when_they_take_too_much_memory() {
    let space = space(SWITCHES.0, SWITCHES.1);
    let graph = Graph::of(&space).expect("the task is small");
    for most_kept in [0, 3] {
        let mut index = OperatorIndex::new(&space.task);
        index.most_kept = most_kept;
        let index = Arc::new(index);
        let sets = StubbornSets { space: space.clone(), index, limits: SetLimits::USUAL };
        let (before, after) = pruned_before_and_after(&graph, &sets);
        assert_eq!((before > 0, after), (most_kept > 0, 0));
        assert_eq!(graph.lost(&sets).0, []);
    }
}
