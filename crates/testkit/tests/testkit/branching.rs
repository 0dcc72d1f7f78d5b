//! Formulas of branching time have the states of an explicit labelling, on the models of the project
//! and on random programs; see [`beeline_testkit::branching`].

use beeline_test_size::portion;
use beeline_testkit::branching::{
    BranchingCompared, SHAPES, atoms_of, compare, random_formula, shape,
};
use beeline_testkit::generate::{self, Config, Feature};
use beeline_testkit::rng::Rng;
use beeline_testkit::{chosen, fixture, model};

#[test]
fn the_models_of_the_project_are_labelled() {
    let mut compared = BranchingCompared::default();
    for (seed, fixture) in fixture::all().iter().enumerate() {
        let text = std::fs::read_to_string(&fixture.file).expect("our models can be read");
        let atoms = atoms_of(&model::read(&fixture.file).expect("our models can be read").hir);
        let mut rng = Rng::new(seed as u64);
        let mut with_formulas = text.clone();
        for (at, one) in SHAPES.iter().enumerate() {
            let mut pick = || rng.pick(&atoms).expect("there are some").clone();
            with_formulas += &shape(one, &format!("shape_{at}"), &[pick(), pick(), pick()]);
        }
        let front = model::read_text(&fixture.name, &with_formulas);
        assert_eq!(model::first_error(&front), None, "{}", fixture.name);
        compared.add(compare(&fixture.name, &front, portion(1_000)));
    }
    println!("{compared:?}");
    assert!(compared.complaints.is_empty(), "{:#?}", compared.complaints);
    assert!(
        compared.formulas >= portion(1_000) && compared.witnesses >= portion(300),
        "{compared:?}"
    );
    assert_eq!(compared.undetermined, 0, "{compared:?}");
}

#[test]
fn random_formulas_of_random_programs_are_labelled() {
    let mut compared = BranchingCompared::default();
    for seed in chosen::seeds(portion(120)) {
        let rare = [(Feature::OutOfBounds, 0), (Feature::DivideByZero, 0), (Feature::Atomic, 25)];
        let config = Config::full().with_all(&rare);
        let mut text = beeline_promela::printer::print(&generate::program(seed, &config));
        let front = model::read_text("random", &text);
        if model::first_error(&front).is_some() {
            continue;
        }
        let atoms = atoms_of(&front.hir);
        let mut rng = Rng::new(seed);
        for at in 0..6 {
            let formula = random_formula(&mut rng, &atoms, 3);
            text += &format!("\nctl random_{at} {{ {formula} }}\n");
        }
        let front = model::read_text("random", &text);
        assert_eq!(model::first_error(&front), None, "{text}");
        compared.add(compare(&format!("seed {seed}"), &front, 2_000));
    }
    println!("{compared:?}");
    assert!(compared.complaints.is_empty(), "{:#?}", compared.complaints);
    assert!(compared.formulas >= portion(150), "{compared:?}");
}
