//! Properties with a claim, without SPIN; `tests/differential/liveness/` compares with it.

use beeline_model::Model;
use beeline_testkit::checking::promela;
use beeline_testkit::cycle_verdicts::{Manner, OurVerdict, verdicts};
use beeline_testkit::model;

#[test]
fn a_formula_that_computes_with_the_future_is_unknown() {
    let text = "byte x; active proctype A() { do :: x = 1 - x od } ltl p { []<> x == 1 }";
    let front = model::read_text("m.pml", text);
    let model = promela(&front);
    let property = model.select(&["p".to_owned()]).expect("the formula is there").remove(0);
    let manner = Manner { plain: false, fair: false, states: 1000 };
    let found = verdicts(&model, &property, manner, true).expect("they agree");
    for verdict in found {
        let OurVerdict::Unknown(why) = verdict else { panic!("{verdict:?}") };
        assert!(why.contains("put the comparison in parentheses"), "{why}");
    }
}
