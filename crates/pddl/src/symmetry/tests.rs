//! Symmetries of small and random tasks: the cheapest plans of the orbit space cost what those of the
//! task cost, with and without stubborn sets. A graph that lacks a part of the task leads to wrong
//! symmetries.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use beeline_kernel::{CandidateSets, Deadline, Expansion, Proposals, Space, SplitMix64, StatePath};
use beeline_model::Independence as _;
use beeline_test_size::portion;

use super::*;
use crate::small_space::space;
use crate::stubborn::StubbornSets;

/// The most states of a task.
const STATES: usize = 4_000;

/// Machines in a ring that work, wait for their neighbours and count; the text of one machine is repeated for
/// each place of the ring. Some machines differ.
fn ring(seed: u64) -> (String, String) {
    let mut rng = SplitMix64::new(seed);
    let count = 2 + rng.below(2);
    let facts = ["a", "b", "c"];
    let mut condition = |own: usize, next: usize| {
        let at = if rng.below(3) == 0 { next } else { own };
        let text = match rng.below(8) {
            0..=4 => format!("({} m{at})", facts[rng.below(3)]),
            5 => format!("(p m{at})"),
            6 => format!("(= (n m{at}) {})", rng.below(3)),
            _ => format!("(< (n m{at}) (n m{}))", own + next - at),
        };
        let is_negated = rng.below(3) == 0;
        if is_negated { format!("(not {text})") } else { text }
    };
    // Conditions and effects for machine 0 and its neighbour 1, which are renamed for others.
    let axiom = format!("(:derived (p ?m) (and (exists (?o) (a ?o)) {}))", "(not (b ?m))");
    let mut actions = Vec::new();
    for at in 0..4 {
        let conditions: Vec<String> = (0..1 + at % 2).map(|_| condition(0, 1)).collect();
        let when = condition(0, 1);
        actions.push((conditions.join(" "), when));
    }
    let mut effects = Vec::new();
    for _ in 0..12 {
        let of = if rng.below(3) == 0 { 1 } else { 0 };
        effects.push(match rng.below(8) {
            0..=3 => format!("({} m{of})", facts[rng.below(3)]),
            4 | 5 => format!("(not ({} m{of}))", facts[rng.below(3)]),
            6 => format!("(increase (n m{of}) 1)"),
            _ => format!("(assign (n m{of}) (n m{}))", 1 - of),
        });
    }
    let different = (rng.below(3) == 0).then(|| (rng.below(count), rng.below(4)));
    let mut domain = "(define (domain ring) (:requirements :adl :derived-predicates :fluents \
                      :action-costs) (:constants m0 m1 m2) (:predicates (a ?m) (b ?m) (c ?m) (p ?m)) \
                      (:functions (n ?m) (total-cost))\n"
        .to_owned();
    let _ = writeln!(domain, "{axiom}");
    for machine in 0..count {
        let next = (machine + 1) % count;
        let renamed = |text: &str| {
            text.replace("m0", "m_")
                .replace("m1", &format!("m{next}"))
                .replace("m_", &format!("m{machine}"))
        };
        for (at, (conditions, when)) in actions.iter().enumerate() {
            let (mut conditions, mut when) = (renamed(conditions), renamed(when));
            let first = renamed(&effects[3 * at..3 * at + 2].join(" "));
            let mut second = renamed(&effects[3 * at + 2]);
            let mut cost = 1 + at;
            if different.is_some_and(|one| one.0 == machine) && at < 2 {
                match different.map(|one| one.1) {
                    Some(0) => cost += 1,
                    Some(1) => conditions += &renamed(" (c m0)"),
                    Some(2) => when = renamed("(c m1)"),
                    _ => second = renamed("(b m0)"),
                }
            }
            let _ = writeln!(
                domain,
                "(:action do{at}-{machine} :parameters () :precondition (and {conditions}) :effect \
                 (and {first} (when {when} {second}) (increase (total-cost) {cost})))"
            );
        }
    }
    let mut initial = String::new();
    for machine in 0..count {
        let _ = write!(initial, "(= (n m{machine}) {}) ", rng.below(2));
        for fact in facts {
            if rng.below(3) == 0 {
                let _ = write!(initial, "({fact} m{machine}) ");
            }
        }
    }
    let goal = ["(b m0)", "(= (n m0) 2)", "(and (c m0) (a m0))", "(c m0)"][rng.below(4)];
    let all = if rng.below(4) > 0 { count } else { 1 };
    let goals: Vec<String> =
        (0..all).map(|machine| goal.replace("m0", &format!("m{machine}"))).collect();
    let problem = format!(
        "(define (problem ring) (:domain ring) (:init (= (total-cost) 0) {initial}) (:goal (and {})) \
         (:metric minimize (total-cost)))",
        goals.join(" ")
    );
    (domain + ")", problem)
}

/// The cost of a cheapest plan with its states, and the number of states that were expanded before. `None`
/// for the cost if there is no plan.
struct Cheapest {
    plan: Option<(u32, StatePath)>,
    expanded: usize,
}

/// Dijkstra's algorithm, on what stubborn sets leave if there are any. `None` if there are too many states.
fn cheapest(space: &dyn Space, sets: Option<&StubbornSets>) -> Option<Cheapest> {
    let mut initial = Vec::new();
    space.initial(&mut initial).expect("the task has an initial state");
    let mut reducer = sets.map(|sets| sets.reducer(Proposals::One));
    let mut choices = CandidateSets::default();
    let mut parents: BTreeMap<Vec<u8>, (u32, Option<Vec<u8>>)> = BTreeMap::new();
    parents.insert(initial.clone(), (0, None));
    let mut queue = BTreeSet::from([(0, initial)]);
    let (mut expansion, mut expanded) = (Expansion::default(), 0);
    while let Some((cost, state)) = queue.pop_first() {
        if parents.len() > STATES {
            return None;
        }
        if parents[&state].0 < cost {
            continue;
        }
        space.expand(&state, &mut expansion);
        if !expansion.violated_invariants.is_empty() {
            let mut states = vec![state];
            while let (_, Some(parent)) = &parents[&states[states.len() - 1]] {
                states.push(parent.clone());
            }
            let path = states.iter().rev().collect();
            return Some(Cheapest { plan: Some((cost, path)), expanded });
        }
        expanded += 1;
        let transitions = expansion.successors.transitions();
        let mut kept: Vec<u32> = (0..transitions.len() as u32).collect();
        if let Some(reducer) = &mut reducer {
            reducer.propose(&state, transitions, &mut choices);
            if let Some(set) = choices.iter().next() {
                kept = set.to_vec();
            }
        }
        for at in kept {
            let next = expansion.successors.state(at as usize);
            let total = cost + transitions[at as usize].steps;
            if parents.get(next).is_none_or(|known| total < known.0) {
                parents.insert(next.to_vec(), (total, Some(state.clone())));
                queue.insert((total, next.to_vec()));
            }
        }
    }
    Some(Cheapest { plan: None, expanded })
}

/// The cost of a path of the task; `None` if it is none.
fn cost_along(space: &PlanningSpace, path: &StatePath) -> Option<u32> {
    let (mut pairs, mut expansion, mut total) = (path.pairs(), Expansion::default(), 0);
    while let Some((from, to)) = pairs.advance() {
        space.expand(from, &mut expansion);
        let transitions = expansion.successors.transitions().iter().zip(expansion.states());
        total += transitions.filter(|one| one.1 == to).map(|one| one.0.steps).min()?;
    }
    space.expand(path.last()?, &mut expansion);
    (!expansion.violated_invariants.is_empty()).then_some(total)
}

/// What is wrong with the orbit space of a task; `None` if nothing is.
fn fault(space: &Arc<PlanningSpace>, symmetries: Symmetries, plain: &Cheapest) -> Option<String> {
    let orbits = OrbitSpace::new(space.clone(), Arc::new(symmetries));
    let sets = StubbornSets::new(space.clone());
    for sets in [None, Some(&sets)] {
        let found = cheapest(&orbits, sets)?;
        let cost = found.plan.as_ref().map(|one| one.0);
        let expected = plain.plan.as_ref().map(|one| one.0);
        if cost != expected {
            return Some(format!("{cost:?} instead of {expected:?}"));
        }
        if let Some((cost, path)) = &found.plan {
            let along = orbits.plain_path(path).and_then(|path| cost_along(space, &path));
            if along != Some(*cost) {
                return Some(format!("a path that costs {along:?} for {cost}"));
            }
        }
    }
    None
}

#[test]
fn cheapest_plans_cost_the_same() {
    let (mut symmetric, mut solved, mut saved) = (0u64, 0u64, 0u64);
    for seed in 0..portion(3_000) {
        let (domain, problem) = ring(seed);
        let space = space(&domain, &problem);
        let Some(symmetries) = Symmetries::of(&space, Deadline::NEVER) else { continue };
        let Some(plain) = cheapest(&*space, None) else { continue };
        symmetric += 1;
        solved += u64::from(plain.plan.is_some());
        let orbits = Symmetries::of(&space, Deadline::NEVER).map(Arc::new);
        let orbits = orbits.map(|symmetries| OrbitSpace::new(space.clone(), symmetries));
        let fewer = orbits.and_then(|orbits| cheapest(&orbits, None)).map(|one| one.expanded);
        saved += u64::from(fewer.is_some_and(|fewer| fewer < plain.expanded));
        assert_eq!(fault(&space, symmetries, &plain), None, "seed {seed}\n{domain}\n{problem}");
    }
    assert!(
        symmetric > portion(300) && solved > portion(150) && saved > portion(150),
        "{symmetric} symmetric, {solved} with a plan, {saved} with fewer states"
    );
}

/// A graph without the edges of one kind, or with one kind of operators, has more automorphisms, and some
/// of them are no symmetries.
#[test]
fn each_part_of_the_graph_is_necessary() {
    let mut left: Vec<GraphPart> = GraphPart::ALL.to_vec();
    for seed in 0..20_000 {
        if left.is_empty() {
            break;
        }
        let (domain, problem) = ring(seed);
        let space = space(&domain, &problem);
        let Some(plain) = cheapest(&*space, None) else { continue };
        left.retain(|&part| {
            let Some(graph) = DescriptionGraph::without(&space.task, Some(part)) else {
                return true;
            };
            let Some(symmetries) = Symmetries::of_graph(&space.task, &graph, Deadline::NEVER)
            else {
                return true;
            };
            fault(&space, symmetries, &plain).is_none()
        });
    }
    assert_eq!(left, []);
}

/// Balls that are moved one at a time: all are alike.
#[test]
fn many_objects_that_are_alike_have_few_states() {
    let domain = "(define (domain balls) (:requirements :strips)
      (:predicates (at-a ?b) (at-b ?b) (held ?b) (free) (ball ?b))
      (:action take :parameters (?b) :precondition (and (ball ?b) (at-a ?b) (free))
        :effect (and (held ?b) (not (at-a ?b)) (not (free))))
      (:action put :parameters (?b) :precondition (and (ball ?b) (held ?b))
        :effect (and (at-b ?b) (free) (not (held ?b)))))";
    let names: Vec<String> = (0..9).map(|at| format!("b{at}")).collect();
    let each = |text: &str| -> String {
        names.iter().map(|name| text.replace('?', name)).collect::<Vec<_>>().join(" ")
    };
    let problem = format!(
        "(define (problem balls) (:domain balls) (:objects {}) (:init (free) {}) (:goal (and {})))",
        names.join(" "),
        each("(ball ?) (at-a ?)"),
        each("(at-b ?)")
    );
    let space = space(domain, &problem);
    let symmetries = Symmetries::of(&space, Deadline::NEVER).expect("the balls are alike");
    assert!(!symmetries.size().1, "the group has 9! elements");
    let plain = cheapest(&*space, None).expect("the task is small");
    let orbits = OrbitSpace::new(space.clone(), Arc::new(symmetries));
    let few = cheapest(&orbits, None).expect("the task is small");
    assert_eq!(few.plan.as_ref().map(|one| one.0), Some(18));
    assert_eq!(plain.plan.as_ref().map(|one| one.0), Some(18));
    assert!(few.expanded <= 18 && plain.expanded > 1_000, "{} {}", few.expanded, plain.expanded);
    let path = few.plan.map(|one| one.1).and_then(|path| orbits.plain_path(&path));
    assert_eq!(path.and_then(|path| cost_along(&space, &path)), Some(18));
}
