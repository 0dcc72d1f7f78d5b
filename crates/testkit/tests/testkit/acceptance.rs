//! `lint` accepts the models of the project.

use beeline_testkit::{fixture, model};

#[test]
fn the_models_of_the_project_have_no_errors() {
    for fixture in fixture::all() {
        let front = model::read(&fixture.file).expect("our models can be read");
        assert_eq!(model::first_error(&front), None, "{}", fixture.name);
    }
}
