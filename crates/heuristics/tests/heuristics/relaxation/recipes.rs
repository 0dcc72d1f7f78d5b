//! Tables of pattern files: random ones against true distances, and messages for files with
//! mistakes.

use std::fmt::Write as _;
use std::sync::Arc;

use beeline_factored::{Binary, FactorKind, Interval, Ranges, System};
use beeline_heuristics::pattern::{Pdb, Recipe, RecipeConstants, RefinementSettings};
use beeline_kernel::{Cost, Estimate, Heuristic};

use super::oracle::graph;
use super::patterns::check;
use super::systems::{
    Parts, Random, bytes, compare, goal, plain, plus, random, require, set, step,
};

fn from_recipe(system: &System, text: &str, states: usize) -> Result<Pdb<'static>, String> {
    let recipe = Recipe::read(text, system, &RecipeConstants::default())
        .map_err(|mistake| mistake.to_string())?;
    let (owned, ranges) = (Arc::new(system.clone()), Ranges::of(system));
    let pdb =
        Pdb::from_recipe(owned, ranges, plain(system), RefinementSettings { states }, &recipe);
    pdb.map_err(|cause| cause.to_string())
}

/// A file with random tables.
fn random_recipe(random: &mut Random, system: &System) -> String {
    let how = ["", "combine max\n", "combine sum\n", "combine sum\n"][random.below(4)];
    let mut text = how.to_owned();
    for table in 0..1 + random.below(3) {
        writeln!(text, "table t{table}").expect("a string takes it");
        let count = system.factors.len();
        for at in 0..count {
            let number = random.below(4);
            let line = match random.below(5) {
                0 => format!("keep f{at}"),
                1 if number < 2 => format!("classes f{at} = modulo {}", 2 + number),
                1 => format!("classes f{at} = 0, {{1, 3..{}}}", 3 + number),
                2 => format!("classes f{at} = ..{number}, {}..", number + 2),
                _ => continue,
            };
            writeln!(text, "  {line}").expect("a string takes it");
        }
        for _ in 0..1 + random.below(2) {
            let (a, b, number) = (random.below(count), random.below(count), random.below(4));
            let condition = match random.below(5) {
                0 => format!("f{a} < f{b}"),
                1 => format!("f{a} + {number} >= f{b} * 2 && f{b} != {number}"),
                2 => format!("!(f{a} == {number} || f{b} == f{a})"),
                3 => format!("f{a} % 2 == f{b} % 2"),
                _ => format!("f{a} > {number}"),
            };
            writeln!(text, "  predicate {condition}").expect("a string takes it");
        }
    }
    text
}

#[test]
fn tables_of_random_files_keep_the_claims_on_random_systems() {
    let (mut checked, mut told, mut proved, mut summed) = (0, 0, 0, 0);
    for seed in 0..900 {
        let parts = if seed % 2 == 0 { Parts::All } else { Parts::Single };
        let system = random(seed, parts);
        let Some(graph) = graph(&system, 300) else { continue };
        let mut random = Random::new(seed + 77);
        for _ in 0..2 {
            let text = random_recipe(&mut random, &system);
            let Ok(mut pdb) = from_recipe(&system, &text, 3_000) else { continue };
            checked += 1;
            summed += usize::from(text.starts_with("combine sum") && pdb.databases().len() > 1);
            told += check(&graph, &mut pdb, &format!("seed {seed}\n{text}"));
            if pdb.proves_absence() {
                proved += 1;
                assert_eq!(graph.distances[0], None, "seed {seed}\n{text}");
            }
        }
    }
    println!("{checked} files, {summed} sums, {told} estimates above 0, {proved} proofs");
    assert!(checked > 1_500 && summed > 400 && told > 5_000 && proved > 200);
}

/// Two independent counters; the goal is that both are at 9.
fn counters() -> System {
    let mut system = System::default();
    let range = Interval { least: 0, greatest: 9 };
    let both = ["x", "y"].map(|name| system.add(name.to_owned(), FactorKind::Variable, range, 0));
    for counter in both {
        let less = compare(counter, Binary::Less, 9);
        step(&mut system, "up", vec![require(less), set(counter, plus(counter, 1))]);
    }
    goal(&mut system, both.map(|counter| compare(counter, Binary::Equal, 9)).to_vec());
    system
}

fn at_first(system: &System, text: &str) -> Estimate {
    from_recipe(system, text, 1_000).expect("it is well formed").estimate(&bytes(&system.initial))
}

#[test]
fn sums_count_each_step_once() {
    let system = counters();
    let finite = |far| Estimate::Finite(Cost(far));
    let apart = "table a\nkeep x\ntable b\nkeep y\n";
    assert_eq!(at_first(&system, apart), finite(9));
    assert_eq!(at_first(&system, &format!("combine sum\n{apart}")), finite(18));
    // The second table depends on the same operators, which have no cost there.
    let same = "combine sum\ntable a\nkeep x\ntable b\nkeep x\n";
    assert_eq!(at_first(&system, same), finite(9));
    // The first table needs one step of y, so that all steps of y cost there only.
    let more = "combine sum\ntable a\nkeep x\npredicate y < 5\ntable b\nkeep y";
    assert_eq!(at_first(&system, more), finite(10));
    // The first table does not need steps of y that do not shorten its distance.
    let enough = "combine sum\ntable a\nkeep x\npredicate y < 0\ntable b\nkeep y";
    assert_eq!(at_first(&system, enough), finite(18));
}

#[test]
fn classes_and_predicates_know_what_they_are_about() {
    let mut system = System::default();
    let range = Interval { least: 0, greatest: 200 };
    let x = system.add("x".to_owned(), FactorKind::Variable, range, 0);
    let y =
        system.add("y".to_owned(), FactorKind::Variable, Interval { least: 0, greatest: 15 }, 8);
    let less = compare(x, Binary::Less, 199);
    step(&mut system, "two more", vec![require(less), set(x, plus(x, 2))]);
    let positive = compare(y, Binary::LessEqual, 0).negated();
    step(&mut system, "y less", vec![require(positive), set(y, plus(y, -1))]);
    goal(&mut system, vec![compare(x, Binary::Equal, 101)]);
    // The parity of x never changes.
    assert_eq!(at_first(&system, "table parity\nclasses x = modulo 2"), Estimate::DeadEnd);
    assert_eq!(at_first(&system, "table same\npredicate x % 2 == 0"), Estimate::DeadEnd);
    // Ranges: one step into the class of 101; a step within the class is a self-loop.
    let ranges = "table ranges\nclasses x = 0..99, 100..";
    assert_eq!(at_first(&system, ranges), Estimate::Finite(Cost(1)));
    system.goals.clear();
    goal(&mut system, vec![compare(y, Binary::Equal, 9)]);
    assert_eq!(at_first(&system, "table low\npredicate y <= 8"), Estimate::DeadEnd);
}

const LARGE: &str =
    "line 3: table `wide` has too many abstract states, or too many steps between them";

#[test]
fn mistakes_have_a_place_a_cause_and_a_fix() {
    let system = counters();
    let check = |text: &str, expected: &str| {
        let found = Recipe::read(text, &system, &RecipeConstants::default())
            .expect_err("there is a mistake")
            .to_string();
        assert!(found.starts_with(expected), "{text}\n{found}\n{expected}");
    };
    check("", "line 1, column 1: there is no table; lines are: combine max or sum");
    check(
        "# nothing\ntabel a",
        "line 2, column 1: no line begins with `tabel`; did you mean `table`?",
    );
    check("keep x", "line 1, column 1: `keep` comes before the first table; begin a table with");
    check("table a", "line 1, column 1: table `a` keeps nothing; add a line");
    check("table a\nkeep x\ncombine sum", "line 3, column 1: `combine` must come first; write");
    check("combine most", "line 1, column 9: `most` is not a way to combine tables; write");
    let twice = "line 3, column 7: there is a table `a` in line 1; give it another name";
    check("table a\nkeep x\ntable a", twice);
    check(
        "table a\n  keep x, z",
        "line 2, column 11: there is no `z` in this model; there are `x`",
    );
    check("table a\nkeep x x", "line 2, column 8: expected the end of the line, found `x`; put");
    check("table a\nkeep x\nclasses x = 1", "line 3, column 9: `x` is in this table already; keep");
    check("table a\nclasses x 1", "line 2, column 11: expected `=`, found `1`; write classes as");
    let two = "line 2, column 19: 2 is in two classes, or twice in one; put each value into one";
    check("table a\nclasses x = 1..3, 2..5", two);
    check(
        "table a\nclasses x = 3..1",
        "line 2, column 13: the range `3..1` is empty; write the smaller",
    );
    check("table a\nclasses x = {1, 2", "line 2, column 18: expected `,` or `}`");
    check(
        "table a\nclasses x = modulo 1",
        "line 2, column 20: a remainder by `1` makes no classes",
    );
    check(
        "table a\npredicate 1 < 2",
        "line 2, column 1: the condition is constant; compare variables",
    );
    check(
        "table a\npredicate x / y > 1",
        "line 2, column 15: `/` needs a divisor that is a number",
    );
    check(
        "table a\npredicate (x < 1",
        "line 2, column 17: expected `)`, found the end of the line",
    );
    check("table a\npredicate x < 9999999999", "line 2, column 15: `9999999999` is too large");
    check(
        "table a\npredicate x ? 1",
        "line 2, column 13: `?` has no meaning here; put a name with",
    );
    check(
        "table a\nkeep \"x",
        "line 2, column 6: a name without a closing quotation mark; add the closing",
    );
    let long = format!("table a\npredicate {}x", "!".repeat(1_000_000));
    check(&long, "line 2, column 211: the condition is too long; split it into two");
    let close = "line 2, column 11: there is no `counte` in this model; did you mean `counter`?";
    let mut other = counters();
    other.factors[0].name = "counter".to_owned();
    let found = Recipe::read("table a\npredicate counte < 1", &other, &RecipeConstants::default())
        .expect_err("not there");
    assert_eq!(found.to_string(), close);
    let large = from_recipe(&system, "table small\nkeep x\ntable wide\nkeep x, y", 50);
    let large = large.map(|_| ()).expect_err("it has 100 states");
    assert_eq!(large, LARGE);
}

#[test]
fn values_have_names_in_classes_and_predicates() {
    let system = counters();
    let named = |all: &[(&str, i32)]| {
        RecipeConstants::new(all.iter().map(|&(name, value)| (name.to_owned(), value)))
    };
    let constants = named(&[("red", 3), ("green", 2), ("blue", 1), ("twice", 4), ("twice", 4)]);
    let same = |by_name: &str, by_number: &str| {
        let read = |text: &str, constants: &RecipeConstants| {
            Recipe::read(&format!("table a\n{text}"), &system, constants)
        };
        assert_eq!(read(by_name, &constants), read(by_number, &RecipeConstants::default()));
        assert!(read(by_name, &RecipeConstants::default()).is_err(), "{by_name}");
    };
    same("predicate x == red || y > blue + x", "predicate x == 3 || y > 1 + x");
    same("predicate x % twice == \"green\"", "predicate x % 4 == 2");
    same("classes x = blue, {red, 7}, 9..", "classes x = 1, {3, 7}, 9..");
    let check = |constants: &RecipeConstants, text: &str, expected: &str| {
        let text = format!("table a\n  {text}");
        let found = Recipe::read(&text, &system, constants).expect_err("there is a mistake");
        assert_eq!(found.to_string(), expected);
    };
    check(
        &constants,
        "predicate x == rad",
        "line 2, column 18: there is no `rad` in this model; did you mean `red`?",
    );
    check(
        &constants,
        "classes x = 1, grene",
        "line 2, column 18: there is no value `grene` in this model; did you mean `green`?",
    );
    check(
        &RecipeConstants::default(),
        "classes x = red",
        "line 2, column 15: there is no value `red` in this model; write a number: the model has \
         no mtype",
    );
    let ambiguous = "write the number, or rename it in the model";
    check(
        &named(&[("red", 3), ("red", 5)]),
        "predicate x == red",
        &format!("line 2, column 18: `red` is ambiguous: it is both 3 and 5; {ambiguous}"),
    );
    check(
        &named(&[("y", 3)]),
        "classes x = {0, y}",
        &format!(
            "line 2, column 19: `y` is ambiguous: it is a variable, and a name of the value 3; \
             {ambiguous}"
        ),
    );
    check(
        &constants,
        "classes x = 3, red",
        "line 2, column 18: 3 is in two classes, or twice in one; put each value into one class",
    );
    check(
        &constants,
        "predicate red == blue",
        "line 2, column 3: the condition is constant; compare variables, as in `x < y`",
    );
}
