//! The generated classics: the answers in their headers are those of the literature.

use beeline_search::{CoveringStore, ExactStore};
use beeline_timed::generate::{Waiting, bridge, csma_cd, fddi, fischer, train_gate};

use crate::exploring::{explore, model};
use crate::fixtures::expected;

fn check(name: &str, text: &str) {
    let expected = expected(text);
    assert!(!expected.is_empty(), "{name} expects nothing");
    let queries: Vec<&str> = expected.iter().map(|(_, query)| &**query).collect();
    let model = model(text, &queries);
    let by_inclusion = explore::<CoveringStore>(&model, 100_000);
    let by_equality = explore::<ExactStore>(&model, 100_000);
    for (at, (wanted, query)) in expected.iter().enumerate() {
        assert_eq!(by_inclusion.answers[at].1, *wanted, "{name}: {query}");
        assert_eq!(by_equality.answers[at].1, *wanted, "{name}: {query} without inclusion");
    }
}

#[test]
fn classics_have_the_answers_of_the_literature() {
    for number in 2..4 {
        check("fischer", &fischer(number, Waiting::Longer));
        check("faulty fischer", &fischer(number, Waiting::AsLong));
        check("csma/cd", &csma_cd(number));
        check("fddi", &fddi(number));
        check("train gate", &train_gate(number));
        check("bridge", &bridge(number));
    }
    check("bridge", &bridge(4));
}
