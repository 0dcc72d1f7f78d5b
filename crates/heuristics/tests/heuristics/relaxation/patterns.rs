//! Pattern databases against true distances, of every state of small random systems.

use std::sync::Arc;

use beeline_factored::{Binary, FactorId, FactorKind, Interval, Ranges, System};
use beeline_heuristics::pattern::{NoPattern, Pdb, RefinementSettings};
use beeline_kernel::{Cost, Estimate, Heuristic};

use super::oracle::{Graph, graph};
use super::systems::{Parts, bytes, compare, goal, plain, plus, random, require, set, step};

fn refined(system: &System, states: usize) -> Pdb<'static> {
    let ranges = Ranges::of(system);
    Pdb::refined(Arc::new(system.clone()), ranges, plain(system), RefinementSettings { states })
}

fn named(system: &System, names: &[&str], states: usize) -> Result<Pdb<'static>, NoPattern> {
    let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    let ranges = Ranges::of(system);
    Pdb::named(
        Arc::new(system.clone()),
        ranges,
        plain(system),
        RefinementSettings { states },
        &names,
    )
}

/// Checks the claims of a pattern database in all states; returns the number of informed estimates.
pub(crate) fn check(graph: &Graph, pdb: &mut Pdb<'_>, what: &str) -> usize {
    let all = graph.states.iter().map(|state| match pdb.estimate(&bytes(state)) {
        Estimate::Finite(Cost(cost)) => Some(cost),
        Estimate::DeadEnd => None,
    });
    let estimates: Vec<Option<u32>> = all.collect();
    let number = |estimate: Option<u32>| estimate.map_or(u64::MAX, u64::from);
    for (at, &estimate) in estimates.iter().enumerate() {
        assert!(number(estimate) <= number(graph.distances[at]), "{what}: state {at}");
    }
    for &(from, to, cost) in &graph.edges {
        let there = number(estimates[to]).saturating_add(u64::from(cost));
        assert!(number(estimates[from]) <= there, "{what}: {from} to {to}");
    }
    estimates.into_iter().filter(|&estimate| estimate != Some(0)).count()
}

#[test]
fn estimates_of_random_systems_keep_the_claims() {
    let (mut systems, mut told, mut exact) = (0, 0, 0);
    for seed in 0..600 {
        let parts = if seed % 2 == 0 { Parts::All } else { Parts::Single };
        let system = random(seed, parts);
        let Some(graph) = graph(&system, 400) else { continue };
        systems += 1;
        for states in [1, 12, 1_000] {
            let mut pdb = refined(&system, states);
            told += check(&graph, &mut pdb, &format!("seed {seed}, refined, {states}"));
            assert!(pdb.databases().iter().all(|database| database.len() <= states));
            if pdb.proves_absence() {
                assert_eq!(graph.distances[0], None, "seed {seed}, {states} states");
            }
        }
        // A projection to all factors is exact.
        let all: Vec<&str> = system.factors.iter().map(|factor| factor.name.as_str()).collect();
        for kept in [&all[..1], &all[1..3], &all[..]] {
            let Ok(mut pdb) = named(&system, kept, 5_000) else { continue };
            told += check(&graph, &mut pdb, &format!("seed {seed}, {kept:?}"));
            let first = pdb.estimate(&bytes(&system.initial));
            let truth =
                graph.distances[0].map_or(Estimate::DeadEnd, |far| Estimate::Finite(Cost(far)));
            exact += usize::from(kept.len() == all.len() && first == truth);
        }
    }
    assert!(systems > 300 && told > 10_000 && exact > 250, "{systems} {told} {exact}");
}

/// A token circulates; noise counts up and down. The goal is a token at two positions.
fn noisy() -> System {
    let mut system = System::default();
    let turn =
        system.add("turn".to_owned(), FactorKind::Variable, Interval { least: 0, greatest: 3 }, 0);
    let range = Interval { least: 0, greatest: 50 };
    let noise: Vec<FactorId> = (0..3)
        .map(|at| system.add(format!("noise[{at}]"), FactorKind::Variable, range, 0))
        .collect();
    let held: Vec<FactorId> = (0..2)
        .map(|at| system.add(format!("held{at}"), FactorKind::Variable, Interval::TRUTH, 0))
        .collect();
    for (at, &held) in held.iter().enumerate() {
        let mine = compare(turn, Binary::Equal, at as i32);
        let one = beeline_factored::FactorExpr::Const;
        step(&mut system, "take", vec![require(mine), set(held, one(1))]);
        let has = compare(held, Binary::Equal, 1);
        let give = vec![require(has), set(held, one(0)), set(turn, one(1 - at as i32))];
        step(&mut system, "give", give);
    }
    for &noise in &noise {
        let up = vec![require(compare(noise, Binary::Less, 50)), set(noise, plus(noise, 1))];
        step(&mut system, "up", up);
        let less = compare(noise, Binary::LessEqual, 0).negated();
        step(&mut system, "down", vec![require(less), set(noise, plus(noise, -1))]);
    }
    let both = held.iter().map(|&held| compare(held, Binary::Equal, 1)).collect();
    goal(&mut system, both);
    system
}

#[test]
fn refinement_keeps_what_a_proof_needs_and_nothing_else() {
    let system = noisy();
    let pdb = refined(&system, 1_000);
    assert!(pdb.proves_absence());
    let [database] = pdb.databases() else { panic!("one goal, one database") };
    let kept = database.pattern().iter().map(|&id| system.factor(id).name.as_str());
    let mut kept: Vec<&str> = kept.collect();
    kept.sort_unstable();
    assert_eq!(kept, ["held0", "held1", "turn"]);
    assert_eq!(database.len(), 4);
}

#[test]
fn a_budget_that_is_too_small_for_the_proof_says_nothing_wrong() {
    let system = noisy();
    let mut pdb = refined(&system, 2);
    assert!(!pdb.proves_absence());
    // One table for each of the two conditions, added up.
    assert_eq!(pdb.databases().len(), 2);
    assert_eq!(pdb.estimate(&bytes(&system.initial)), Estimate::Finite(Cost(2)));
}

#[test]
fn patterns_are_named_as_factors_are() {
    let system = noisy();
    let kept = |names: &[&str]| {
        let pdb = named(&system, names, 1_000).map_err(|cause| cause.to_string())?;
        Ok::<usize, String>(pdb.databases()[0].len())
    };
    assert_eq!(kept(&["turn"]), Ok(2));
    assert_eq!(kept(&["noise[1]", "turn"]), Ok(102));
    assert_eq!(kept(&["noise"]), Err("has too many abstract states".to_owned()));
    let unknown = kept(&["turns"]).expect_err("there is no such factor");
    assert_eq!(unknown, "names `turns`, which does not exist; did you mean `turn`?");
    let unknown = kept(&["other"]).expect_err("there is no such factor");
    assert!(
        unknown.starts_with("names `other`, which does not exist; there are `turn`, `noise[0]`")
    );
}
