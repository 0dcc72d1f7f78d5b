//! The relations of random graphs, compared with naive fixpoints and with enumerated words.

use std::collections::BTreeSet;

use beeline_kernel::{SplitMix64, Stop};

use super::distinguishing_play;
use super::meter::Meter;
use super::observed_graph::ObservedGraph;
use super::play::Play;
use super::quotient::Quotient;
use super::report::{Observation, Relation, Side};
use super::stutter::{saturated, single_steps};
use crate::observe::NoObserver;

/// Words of at most this many observations are enumerated.
const LONGEST: usize = 7;

fn graph_of(states: &[(u64, &[u32])]) -> ObservedGraph {
    let mut graph = ObservedGraph::default();
    states.iter().for_each(|&(seen, next)| graph.push(Observation(seen), next.to_vec()));
    graph
}

fn random_graph(random: &mut SplitMix64) -> ObservedGraph {
    let states = 1 + random.below(6);
    let mut graph = ObservedGraph::default();
    for state in 0..states {
        // Initial states mostly agree.
        let observation = if state == 0 { random.below(8) / 7 } else { random.below(2) };
        let degree = random.below(4);
        let next = (0..degree).map(|_| random.below(states) as u32).collect();
        graph.push(Observation(observation as u64), next);
    }
    graph
}

fn found(relation: Relation, a: &ObservedGraph, b: &ObservedGraph) -> Option<Play> {
    let mut observer = NoObserver;
    let mut meter = Meter::new(&mut observer, None);
    distinguishing_play(relation, a, b, &mut meter).expect("there are no limits")
}

fn weak(graph: &ObservedGraph) -> ObservedGraph {
    let mut observer = NoObserver;
    saturated(graph, &mut Meter::new(&mut observer, None)).expect("there are no limits")
}

/// The round in which the naive fixpoint removes the pair of initial states: 0 for different
/// observations; `None` if it stays.
fn naive(relation: Relation, a: &ObservedGraph, b: &ObservedGraph) -> Option<usize> {
    let all = a.states().flat_map(|s| b.states().map(move |t| (s, t)));
    let mut related: BTreeSet<(u32, u32)> =
        all.filter(|&(s, t)| a.observation(s) == b.observation(t)).collect();
    for round in 0.. {
        if !related.contains(&(0, 0)) {
            return Some(round);
        }
        let is_answered = |&(s, t): &(u32, u32)| {
            let forth = a.successors(s).iter().all(|&next| {
                b.successors(t).iter().any(|&answer| related.contains(&(next, answer)))
            });
            let back = b.successors(t).iter().all(|&next| {
                a.successors(s).iter().any(|&answer| related.contains(&(answer, next)))
            });
            forth && (back || relation == Relation::Simulation)
        };
        let kept: BTreeSet<(u32, u32)> = related.iter().copied().filter(is_answered).collect();
        if kept.len() == related.len() {
            return None;
        }
        related = kept;
    }
    unreachable!("rounds do not end")
}

/// The sequences of this number of observations.
fn words(graph: &ObservedGraph, length: usize) -> BTreeSet<Vec<Observation>> {
    let mut runs = BTreeSet::from([(vec![graph.observation(0)], 0)]);
    for _ in 1..length {
        let longer = runs.iter().flat_map(|(word, state)| {
            graph.successors(*state).iter().map(move |&next| {
                let word = word.iter().copied().chain([graph.observation(next)]).collect();
                (word, next)
            })
        });
        runs = longer.collect();
    }
    runs.into_iter().map(|(word, _)| word).collect()
}

/// The number of steps that are answered, and the one that is not.
fn rounds(play: &Play) -> usize {
    play.a.len().max(play.b.as_ref().map_or(0, Vec::len)) - 1
}

fn is_run(graph: &ObservedGraph, run: &[u32]) -> bool {
    run[0] == 0 && run.windows(2).all(|pair| graph.successors(pair[0]).contains(&pair[1]))
}

/// Both runs are runs, each step but the last is answered, and the last cannot be.
fn is_sound(play: &Play, a: &ObservedGraph, b: &ObservedGraph) {
    assert!(is_run(a, &play.a), "{play:?}");
    let answers = play.b.as_ref().expect("a play has answers");
    assert!(is_run(b, answers), "{play:?}");
    let same = play.a.iter().zip(answers).all(|(&s, &t)| a.observation(s) == b.observation(t));
    assert_eq!(same, !play.is_at_start(), "{play:?}");
    if play.is_at_start() {
        return;
    }
    let (own, run, other, answering) = match play.by {
        Side::A => (a, &play.a, b, answers),
        Side::B => (b, answers, a, &play.a),
    };
    assert_eq!(run.len(), answering.len() + 1, "{play:?}");
    assert_eq!(play.without_answer, [answering[answering.len() - 1]], "{play:?}");
    let last = own.observation(run[run.len() - 1]);
    assert_eq!(other.successors_with(play.without_answer[0], last).count(), 0, "{play:?}");
}

#[test]
fn simulation_and_bisimulation_are_the_naive_fixpoints() {
    let mut random = SplitMix64::new(5);
    let mut counts = [[0; 2]; 2];
    for _ in 0..4000 {
        let (a, b) = (random_graph(&mut random), random_graph(&mut random));
        for (at, relation) in [Relation::Simulation, Relation::Bisimulation].into_iter().enumerate()
        {
            let play = found(relation, &a, &b);
            let rounds = play.as_ref().map(|play| {
                is_sound(play, &a, &b);
                rounds(play)
            });
            assert_eq!(rounds, naive(relation, &a, &b), "{relation:?}\n{a:?}\n{b:?}");
            counts[at][usize::from(rounds.is_some_and(|rounds| rounds > 1))] += 1;
        }
    }
    assert!(counts.as_flattened().iter().all(|&count| count > 200), "{counts:?}");
}

fn quotient(graph: &ObservedGraph) -> Quotient {
    let mut observer = NoObserver;
    Quotient::new(graph, &mut Meter::new(&mut observer, None)).expect("there are no limits")
}

#[test]
fn a_quotient_has_the_plays_of_its_graph() {
    let mut random = SplitMix64::new(9);
    let mut is_smaller = 0;
    for _ in 0..1500 {
        let (a, b) = (random_graph(&mut random), random_graph(&mut random));
        let (of_a, of_b) = (quotient(&a), quotient(&b));
        assert_eq!(naive(Relation::Bisimulation, &a, &of_a.graph), None);
        assert_eq!(quotient(&of_a.graph).graph.len(), of_a.graph.len());
        is_smaller += usize::from(of_a.graph.len() < a.len());
        for relation in Relation::ALL {
            let play = found(relation, &of_a.graph, &of_b.graph);
            let whole = found(relation, &a, &b);
            assert_eq!(whole.as_ref().map(rounds), play.as_ref().map(rounds), "{relation:?}");
            let Some(Play { a: run, .. }) = play else { continue };
            let lifted = of_a.lift(&a, &run);
            assert!(is_run(&a, &lifted) && lifted.len() == run.len());
            let same = |(&state, &class): (&u32, &u32)| {
                a.observation(state) == of_a.graph.observation(class)
            };
            assert!(lifted.iter().zip(&run).all(same));
        }
    }
    assert!(is_smaller > 300, "{is_smaller}");
}

#[test]
fn trace_inclusion_is_the_inclusion_of_words() {
    let mut random = SplitMix64::new(6);
    let mut counts = [0; 2];
    for _ in 0..1500 {
        let (a, b) = (random_graph(&mut random), random_graph(&mut random));
        let play = found(Relation::TraceInclusion, &a, &b);
        let least = (1..=LONGEST).find(|&length| !words(&a, length).is_subset(&words(&b, length)));
        match &play {
            Some(Play { a: run, .. }) => {
                assert!(is_run(&a, run));
                let word: Vec<_> = run.iter().map(|&state| a.observation(state)).collect();
                assert!(!words(&b, word.len()).contains(&word), "{a:?}\n{b:?}");
                assert_eq!(Some(run.len()).filter(|&length| length <= LONGEST), least);
            }
            None => assert_eq!(least, None, "{a:?}\n{b:?}"),
        }
        counts[usize::from(least.is_some_and(|length| length > 2))] += 1;
    }
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

#[test]
fn a_finer_relation_implies_a_coarser_one() {
    let mut random = SplitMix64::new(7);
    for _ in 0..1000 {
        let (a, b) = (random_graph(&mut random), random_graph(&mut random));
        let holds =
            |relation, a: &ObservedGraph, b: &ObservedGraph| found(relation, a, b).is_none();
        let simulates = holds(Relation::Simulation, &a, &b);
        assert!(!holds(Relation::Bisimulation, &a, &b) || simulates);
        assert!(!simulates || holds(Relation::TraceInclusion, &a, &b));
        for relation in Relation::ALL {
            assert!(holds(relation, &a, &a), "{relation:?}");
            let (wa, wb) = (weak(&a), weak(&b));
            assert!(!holds(relation, &a, &b) || holds(relation, &wa, &wb), "{relation:?}");
            // Only answers need paths.
            let steps = if relation == Relation::Bisimulation { &wa } else { &a };
            assert_eq!(holds(relation, steps, &wb), holds(relation, &wa, &wb), "{relation:?}");
        }
    }
}

#[test]
fn a_saturated_step_is_a_path_of_silent_steps_and_perhaps_another() {
    let mut random = SplitMix64::new(8);
    for _ in 0..500 {
        let graph = random_graph(&mut random);
        let weak = weak(&graph);
        for state in graph.states() {
            for &next in weak.successors(state) {
                let path = single_steps(&graph, &[state, next]);
                assert_eq!((path[0], path.last()), (state, Some(&next)));
                let seen: Vec<_> = path.iter().map(|&state| graph.observation(state)).collect();
                assert!(
                    seen[..path.len() - 1].iter().all(|&one| one == seen[0]) || seen.len() == 1
                );
                let is_edge = |pair: &[u32]| graph.successors(pair[0]).contains(&pair[1]);
                assert!(path.windows(2).all(is_edge));
            }
            assert!(weak.successors(state).contains(&state));
            let all = graph.successors(state).iter();
            all.for_each(|next| assert!(weak.successors(state).contains(next)));
        }
    }
}

#[test]
fn limits_end_a_comparison() {
    // Two cycles of different lengths have many pairs.
    let cycle = |length: u32| {
        let mut graph = ObservedGraph::default();
        (0..length).for_each(|state| graph.push(Observation(0), vec![(state + 1) % length]));
        graph
    };
    let (a, b) = (cycle(401), cycle(400));
    let mut never = NoObserver;
    let mut meter = Meter::new(&mut never, Some(100_000));
    let found = distinguishing_play(Relation::Simulation, &a, &b, &mut meter);
    assert_eq!(found, Err(Stop::Memory));
    let mut at_once = |_: &beeline_search::Stats| std::ops::ControlFlow::Break(Stop::Interrupted);
    for relation in Relation::ALL {
        let mut meter = Meter::new(&mut at_once, None);
        assert_eq!(distinguishing_play(relation, &a, &b, &mut meter), Err(Stop::Interrupted));
    }
}

#[test]
fn a_choice_that_is_made_early_is_distinguished_by_simulation_only() {
    // After a coin: tea or coffee; or a coin for tea, and a coin for coffee.
    let late = graph_of(&[(0, &[1]), (1, &[2, 3]), (2, &[]), (3, &[])]);
    let early = graph_of(&[(0, &[1, 2]), (1, &[3]), (1, &[4]), (2, &[]), (3, &[])]);
    for (relation, there, back) in [
        (Relation::TraceInclusion, true, true),
        (Relation::Simulation, false, true),
        (Relation::Bisimulation, false, false),
    ] {
        assert_eq!(found(relation, &late, &early).is_none(), there, "{relation:?}");
        assert_eq!(found(relation, &early, &late).is_none(), back, "{relation:?}");
    }
    let play = found(Relation::Simulation, &late, &early).expect("a difference");
    assert_eq!((play.a.len(), play.by), (3, Side::A));
    let play = found(Relation::Bisimulation, &early, &late).expect("a difference");
    assert_eq!(play.by, Side::B);
}
