//! The index of a channel comes after the guard: out of bounds, it is a fault where the guard holds
//! and nowhere else. By zones, by digitised time, and in the factored view.

use beeline_factored::{Interval, RangeScratch, Ranges};
use beeline_kernel::FaultKind;
use beeline_search::{CoveringStore, ExactStore};
use beeline_timed::discrete::DiscreteView;
use beeline_timed::semantics::symbolic::SymbolicEngine;

use crate::digitised;
use crate::directed::compare;
use crate::exploring::{Answer, explore, faults, model};

/// A process whose edge has this guard and channel, next to one that receives on `c[0]` and on the
/// broadcast channel `b[0]`. The index `n` is 2 and outside the arrays. Time ends at 3.
fn text(edge: &str) -> String {
    format!(
        "clock x; chan c[2]; broadcast chan b[2]; int[0,9] n = 2; int[0,1] k[2] = {{ 0, 1 }};\n\
         process P() {{ state A {{ x <= 3 }}, B; init A; trans A -> B {{ {edge} }}; }}\n\
         process Q() {{ state A, B; init A; trans A -> B {{ sync c[0]?; }}, \
         A -> B {{ sync b[0]?; }}; }}\n\
         system P, Q;"
    )
}

/// Whether an index out of bounds is met, which all semantics agree on.
fn has_fault(text: &str) -> bool {
    let model = model(text, &["E<> P.B", "A[] not deadlock"]);
    let mut kinds = faults(&model, 1_000);
    kinds.dedup();
    assert_eq!(kinds, digitised::faults(&model, 10_000), "{text}");
    assert!(kinds.iter().all(|&kind| kind == FaultKind::Index), "{text}");
    // Each failing state has an operator that fails in the factored view.
    compare(&model, text);
    if kinds.is_empty() {
        // Without faults, each answer is one.
        let concrete = digitised::digitised(&model, 10_000);
        for explored in
            [explore::<CoveringStore>(&model, 1_000), explore::<ExactStore>(&model, 1_000)]
        {
            let answers: Vec<Answer> = explored.answers.iter().map(|one| one.1).collect();
            assert_eq!(answers, concrete, "{text}");
        }
    }
    !kinds.is_empty()
}

#[test]
fn an_index_out_of_bounds_is_a_fault_where_the_guard_holds() {
    let channels = ["c[n]!", "c[n]?", "b[n]!", "b[n]?"];
    for sync in channels {
        let of = |labels: &str| has_fault(&text(&format!("{labels} sync {sync};")));
        assert!(of(""), "{sync}");
        // Guards on variables.
        assert!(!of("guard n < 2;"), "{sync}");
        assert!(of("guard n < 3;"), "{sync}");
        // Guards on clocks: one that time reaches, and one that the invariant excludes.
        assert!(of("guard x >= 3;"), "{sync}");
        assert!(!of("guard x > 3;"), "{sync}");
        assert!(!of("guard x >= 2 && x < 2;"), "{sync}");
        // Both.
        assert!(of("guard x >= 1 && n == 2;"), "{sync}");
        assert!(!of("guard x >= 1 && n != 2;"), "{sync}");
        assert!(!of("guard n == 2 && x > 3;"), "{sync}");
    }
}

#[test]
fn a_chosen_value_in_the_index_is_guarded_too() {
    for way in ["!", "?"] {
        let of = |guard: &str, index: &str| {
            let labels = format!("select i : int[0,3]; {guard} sync c[{index}]{way};");
            has_fault(&text(&labels))
        };
        assert!(of("", "i"));
        assert!(!of("guard i < n;", "i"));
        assert!(of("guard i <= n;", "i"));
        assert!(!of("guard i < n && x >= 1;", "i"));
        assert!(of("guard i < n || x >= 1;", "i"));
        assert!(!of("guard i < n || x > 3;", "i"));
        // The index of an array in the index.
        assert!(!of("guard i < 2;", "k[i]"));
        assert!(of("guard i < 3;", "k[i]"));
    }
}

#[test]
fn the_factored_view_asks_the_guard_first() {
    let may_fail = |edge: &str| {
        let model = model(&text(edge), &[]);
        let engine = SymbolicEngine::new(model.network(), Vec::new());
        let view = DiscreteView::new(model.network(), &engine.layout).expect("it is small");
        let view = view.for_faults();
        let initial = view.system.initial.iter().map(|&value| Interval::one(value)).collect();
        let ranges = Ranges::given(&view.system, initial);
        let mut failing = view.system.steps.iter().filter(|step| step.fails.is_some());
        failing.any(|step| ranges.allow(&step.actions, &mut RangeScratch::default()))
    };
    assert!(may_fail("sync c[n]!;"));
    assert!(may_fail("guard n == 2; sync c[n]!;"));
    assert!(may_fail("guard n == 2 && x > 3; sync c[n]!;"));
    assert!(!may_fail("guard n < 2; sync c[n]!;"));
    assert!(!may_fail("guard n < 2 && x >= 1; sync b[n]?;"));
    // A guard that may fail itself excludes nothing.
    assert!(may_fail("guard k[n] == 0; sync c[0]!;"));
}

#[test]
fn a_receiver_with_an_index_out_of_bounds_does_not_stay_behind() {
    // The broadcast is possible only where the guard of the other receiver does not hold.
    let of = |guard: &str| {
        format!(
            "clock x; broadcast chan b[2]; int[0,9] n = 2;\n\
             process S() {{ state A {{ x <= 3 }}, B; init A; trans A -> B {{ sync b[0]!; }}; }}\n\
             process P() {{ state A, B; init A; trans A -> B {{ guard {guard}; sync b[n]?; }}; }}\n\
             system S, P;"
        )
    };
    for (guard, is_faulty, early, late) in [
        ("n < 2", false, true, true),
        ("x >= 2", true, true, false),
        ("x < 2", true, false, true),
        ("n == 2", true, false, false),
    ] {
        let model = model(&of(guard), &["E<> S.B and x < 2", "E<> S.B and x < 3 and x >= 2"]);
        assert_eq!(!faults(&model, 1_000).is_empty(), is_faulty, "{guard}");
        assert_eq!(!digitised::faults(&model, 10_000).is_empty(), is_faulty, "{guard}");
        let at_once = |answer: Answer| answer == Answer::Yes;
        // A state that follows the broadcast may be later than it: the sender is at its end early,
        // or by a broadcast that is late.
        let expected = [early, early || late];
        let concrete = digitised::digitised(&model, 10_000);
        assert_eq!(concrete.iter().map(|&one| at_once(one)).collect::<Vec<_>>(), expected);
        let zones = explore::<ExactStore>(&model, 1_000);
        let found: Vec<bool> = zones.answers.iter().map(|one| at_once(one.1)).collect();
        assert_eq!(found, expected, "{guard}");
    }
}
