//! Checks with a reduction say what checks without one say, about cycles of random programs; see
//! [`beeline_testkit::reduced_checks`].

use beeline_checker::{Plan, ReductionChoice};
use beeline_model::{Fairness, Model};
use beeline_test_size::portion;
use beeline_testkit::checking::promela;
use beeline_testkit::generate::{Config, Feature};
use beeline_testkit::model;
use beeline_testkit::reduced_checks::{
    VerdictKind, compare_cycles, for_each, plan, random_models, reduction, verdict,
};

/// Small programs that go round, with a formula, or with labels that have a meaning.
fn lively(seed: u64) -> Config {
    let mut config = if seed.is_multiple_of(3) { Config::small() } else { Config::full() };
    (config.bits, config.channels, config.operators, config.nesting) = (7, 2, 1, 2);
    config = config.with(Feature::RemoteReference, 15).with(Feature::Timeout, 5);
    match seed % 4 {
        3 => config.with(Feature::AcceptLabel, 15).with(Feature::ProgressLabel, 15),
        _ => config.with(Feature::Ltl, 100),
    }
}

#[test]
fn random_programs_have_the_same_cycles_with_a_reduction() {
    let programs = random_models(portion(150), lively);
    let all = for_each(&programs, |(seed, front, states)| {
        compare_cycles(&format!("seed {seed}"), front, *states)
    });
    all.tell();
    assert_eq!(all.wrong, Vec::<String>::new());
    assert!(all.models >= portion(70), "only {} programs", all.models);
    assert!(all.violated >= portion(100) && all.held >= portion(100) && all.fewer >= portion(30));
}

/// What is said about one property of a text with a reduction.
fn remarks(text: &str, property: &str, plan: &Plan) -> (VerdictKind, Vec<String>) {
    let front = model::read_text("model.pml", text);
    assert_eq!(model::first_error(&front), None);
    let model = promela(&front);
    let property = model.select(&[property.to_owned()]).expect("it is there").remove(0);
    let (verdict, remarks, _) =
        verdict(&model, &property, plan, u64::MAX).expect("it can be checked");
    (verdict, remarks)
}

#[test]
fn what_counts_steps_or_movers_is_not_reduced_and_says_so() {
    let system = "byte x, y;\n\
                  active proctype P() { do :: x = 1 - x od }\n\
                  active proctype Q() { do :: y = 1 - y od }\n";
    let formula = |formula: &str| format!("{system}ltl p {{ {formula} }}\n");
    let never = format!("{system}never {{ do :: true :: x == 1 && y == 1 -> break od }}\n");
    let fair = Plan { fairness: Fairness::Weak, ..plan("scc", reduction("best")) };
    let reduced = plan("indfs", reduction("best"));
    let cases = [
        (formula("[] (x == 0 -> X (x == 0))"), "p", &reduced, "the formula counts steps, with `X`"),
        (never, "never", &reduced, "the never claim may count steps"),
        (
            formula("[] <> (x == 1)"),
            "p",
            &fair,
            "weak fairness depends on the steps that a reduction omits",
        ),
    ];
    for (text, property, reduced, why) in cases {
        let unreduced = Plan { reduce: ReductionChoice::Off, ..reduced.clone() };
        let (found, remarks_made) = remarks(&text, property, reduced);
        let (truth, others) = remarks(&text, property, &unreduced);
        assert_eq!(found, truth, "{text}");
        let remark = format!("not reduced, because {why}");
        assert!(remarks_made.contains(&remark), "{text}: {remarks_made:?}");
        assert!(!others.contains(&remark), "{text}: {others:?}");
    }
}
