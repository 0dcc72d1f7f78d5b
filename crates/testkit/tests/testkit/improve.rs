//! Trails of depth-first search, shortened, on the models of the project; see
//! [`beeline_testkit::improvement`].

use beeline_testkit::checking::promela;
use beeline_testkit::improvement::{Tally, compare};
use beeline_testkit::{fixture, model};

#[test]
fn trails_become_shorter_on_the_fixtures() {
    let mut tally = Tally::default();
    for fixture in fixture::all() {
        let front = model::read(&fixture.file).expect("fixtures can be read");
        compare(&fixture.name, &promela(&front), 20_000, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.shortened >= 5 && tally.confirmed >= 5, "{tally:?}");
}
