//! Formulas of branching time: known verdicts of CTL, and an explicit labelling on the corpus; see
//! [`beeline_testkit::branching`]. `BEELINE_STATES` chooses larger models, `BEELINE_SEEDS` more
//! programs.

use std::fs;

use beeline_checker::{NoObserver, Plan, check};
use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_model::{Model as _, Verdict};
use beeline_testkit::branching::{
    BranchingCompared, ExplicitGraph, SHAPES, atoms_of, compare, shape,
};
use beeline_testkit::checking::promela;
use beeline_testkit::corpus::Entry;
use beeline_testkit::need::{Need, ctl_directory};
use beeline_testkit::rng::Rng;
use beeline_testkit::{chosen, corpus, model, threads};
use serde_json::Value;

/// The meaning of the names in the formulas, by model.
const NAMES: &[(&str, &[(&str, &str)])] = &[
    (
        "phil",
        &[
            ("home", "(philosopher[0]@T && philosopher[1]@T && philosopher[2]@T)"),
            ("hungry0", "philosopher[0]@H"),
            ("eat0", "philosopher[0]@E"),
            ("eat1", "philosopher[1]@E"),
        ],
    ),
    ("peterson", &[("cs0", "p[0]@C"), ("cs1", "p[1]@C"), ("try0", "p[0]@W")]),
    ("naive", &[("cs0", "p[0]@C"), ("cs1", "p[1]@C")]),
    ("turn", &[("cs0", "p[0]@C"), ("cs1", "p[1]@C")]),
    ("sem", &[("cs0", "w[0]@C"), ("free", "(s > 0)")]),
    ("abp", &[("synced", "(sb == rb)"), ("sb0", "(sb == 0)"), ("rb0", "(rb == 0)")]),
];

fn spelled_out(model: &str, formula: &str) -> String {
    let names = NAMES.iter().find(|(prefix, _)| model.starts_with(prefix)).expect("it is known").1;
    let mut text = formula.to_owned();
    for (name, meaning) in names {
        text = text.replace(name, meaning);
    }
    text
}

#[test]
fn known_verdicts_of_ctl() {
    if !Need::CtlVerdicts.is_here_or_skip("known verdicts of CTL") {
        return;
    }
    let directory = ctl_directory();
    let table = fs::read_to_string(directory.join("verdicts.json")).expect("it is there");
    let rows: Vec<Value> = serde_json::from_str(&table).expect("it is JSON");
    assert_eq!(rows.len(), 32);
    for row in &rows {
        let (name, formula) = (row["model"].as_str().unwrap(), row["formula"].as_str().unwrap());
        let text = fs::read_to_string(directory.join(format!("{name}.pml"))).expect("it is there");
        let text = format!("{text}\nctl known {{ {} }}\n", spelled_out(name, formula));
        let front = model::read_text(name, &text);
        assert_eq!(model::first_error(&front), None, "{name}: {formula}");
        let compared = compare(name, &front, 1_000);
        assert!(compared.complaints.is_empty(), "{:#?}", compared.complaints);
        assert_eq!(compared.formulas, 1, "{name}: {formula}");
        assert_eq!(compared.holding == 1, row["verdict"] == true, "{name}: {formula}");
        let counts = (compared.satisfying, compared.states);
        let known = (row["sat_states"].as_u64().unwrap(), row["states"].as_u64().unwrap());
        assert_eq!(counts, known, "{name}: {formula}");
    }
}

#[test]
fn the_corpus_is_labelled() {
    let Some(corpus) = corpus::corpus_or_skip("formulas of branching time") else { return };
    let most = chosen::states(600);
    let is_usable = |entry: &&Entry| entry.spin_accepts && !entry.embedded_c;
    let models: Vec<&Entry> = corpus.entries.iter().filter(is_usable).collect();
    let label = |seed: usize| {
        let entry = models[seed];
        let front = model::read(&entry.file).expect("corpus files can be read");
        let atoms = atoms_of(&front.hir);
        let mut rng = Rng::new(seed as u64);
        let mut formulas = String::new();
        for (at, one) in SHAPES.iter().enumerate() {
            let mut pick = || rng.pick(&atoms).expect("there are some").clone();
            formulas += &shape(one, &format!("shape_{at}"), &[pick(), pick(), pick()]);
        }
        let front = model::read_with(&entry.file, &formulas).expect("corpus files can be read");
        if let Some(error) = model::first_error(&front) {
            // A macro of the model has the name of an operator.
            println!("{}: {error}", entry.name);
            return BranchingCompared::default();
        }
        let compared = compare(&entry.name, &front, most);
        if compared.formulas + compared.stopped > 0 {
            let (equal, stopped) = (compared.formulas, compared.stopped);
            println!("{}: {equal} of {} formulas, {stopped} stopped", entry.name, SHAPES.len());
        }
        for complaint in &compared.complaints {
            println!("{complaint}");
        }
        compared
    };
    let mut compared = BranchingCompared::default();
    for one in threads::map(models.len(), label) {
        compared.add(one);
    }
    println!("{compared:?}");
    assert!(compared.complaints.is_empty(), "{:#?}", compared.complaints);
    assert!(compared.formulas >= 3_000, "{compared:?}");
    // Few atoms are not determined, and few evaluations reach a limit.
    let undecided = compared.undetermined + compared.stopped;
    assert!(undecided * 20 < compared.formulas, "{compared:?}");
}

/// Shapes of formulas of linear time over the atoms `p`, `q` and `r`.
const LINEAR: &[&str] = &[
    "G p",
    "F p",
    "G F p",
    "F G p",
    "G (p -> F q)",
    "p U q",
    "F p -> F q",
    "G (p -> (q W r))",
    "(G F p) -> (G F q)",
    "F (p && F (q && F r))",
];

/// `ltl { φ }` and `ctl { A (φ) }`, and each verdict on a model.
#[test]
fn formulas_of_linear_time_agree_with_the_search_for_lassos() {
    let Some(corpus) = corpus::corpus_or_skip("linear time on sets") else { return };
    let most = chosen::states(600);
    let (mut held, mut violated, mut unknown) = (0, 0, 0);
    for (seed, entry) in corpus.entries.iter().enumerate() {
        if !entry.spin_accepts || entry.embedded_c {
            continue;
        }
        let front = model::read(&entry.file).expect("corpus files can be read");
        let mut atoms = atoms_of(&front.hir);
        atoms.retain(|atom| !atom.contains("deadlock") && !atom.contains("enabled"));
        let mut rng = Rng::new(seed as u64);
        let Some(first) = rng.pick(&atoms).cloned() else { continue };
        let mut formulas = String::new();
        for (at, one) in LINEAR.iter().enumerate() {
            let mut pick = || rng.pick(&atoms).unwrap_or(&first).clone();
            let text =
                shape(&format!("ctl A ({one})"), &format!("sets_{at}"), &[pick(), pick(), pick()]);
            let path = text.trim().split_once("A (").expect("it begins so").1;
            let path = path.strip_suffix(") }").expect("it ends so");
            let path = path.replace("G ", "[] ").replace("F ", "<> ");
            formulas += &format!("{text}\nltl lassos_{at} {{ {path} }}\n");
        }
        let front = model::read_with(&entry.file, &formulas).expect("corpus files can be read");
        if model::first_error(&front).is_some() {
            continue;
        }
        let machine = Machine::new(&front.hir, AutomataOptions::PLAIN);
        if ExplicitGraph::new(&machine, most).is_none() {
            continue;
        }
        let model = promela(&front);
        let properties = model.properties();
        let verdict = |name: String| {
            let property = properties.iter().find(|one| one.name == name).expect("it is there");
            let plan = Plan { bytes: Some(1 << 30), ..Plan::default() };
            let report =
                check(&model, std::slice::from_ref(property), &plan, false, &mut NoObserver);
            report.expect("findings are confirmed").properties[0].verdict.clone()
        };
        for (at, shape) in LINEAR.iter().enumerate() {
            let (sets, lassos) = (verdict(format!("sets_{at}")), verdict(format!("lassos_{at}")));
            match (&sets, &lassos) {
                (Verdict::Holds, Verdict::Holds) => held += 1,
                (Verdict::Violated(_), Verdict::Violated(_)) => violated += 1,
                (Verdict::Unknown(_), _) | (_, Verdict::Unknown(_)) => unknown += 1,
                _ => panic!("{}, {shape}: {sets:?}, {lassos:?}", entry.name),
            }
        }
    }
    println!("{held} hold, {violated} violated, {unknown} unknown");
    assert!(held >= 100 && violated >= 100, "{held} {violated} {unknown}");
}
