//! Random networks: zones with and without inclusion agree with digitised time.
//!
//! `BEELINE_SEEDS` is their number.

use beeline_kernel::SplitMix64;
use beeline_search::{CoveringStore, ExactStore};
use beeline_test_size::portion;

use crate::digitised::digitised;
use crate::exploring::{Answer, explore, model};

/// A random network; if it is closed, no bound is strict.
pub(crate) fn network(seed: u64, is_closed: bool) -> String {
    let mut rng = SplitMix64::new(seed);
    let mut below = |bound: usize| rng.below(bound);
    let mut text =
        String::from("clock x, y;\nint[0,2] v;\nchan c;\nbroadcast chan b;\nurgent chan u;\n");
    let processes = 1 + below(2);
    for process in 0..processes {
        text += &format!("process P{process}() {{\nstate ");
        let locations = 2 + below(2);
        for location in 0..locations {
            let invariant = match below(4) {
                0 => format!(" {{ x <= {} }}", 1 + below(3)),
                1 if is_closed => format!(" {{ y <= {} }}", 1 + below(3)),
                1 => format!(" {{ y < {} }}", 1 + below(3)),
                _ => String::new(),
            };
            let end = if location + 1 == locations { ";\n" } else { ", " };
            text += &format!("L{location}{invariant}{end}");
        }
        match below(5) {
            0 => text += &format!("commit L{};\n", 1 + below(locations - 1)),
            1 => text += &format!("urgent L{};\n", 1 + below(locations - 1)),
            _ => {}
        }
        text += "init L0;\ntrans\n";
        let edges = 2 + below(4);
        for edge in 0..edges {
            let (from, to) = (below(locations), below(locations));
            let is_urgent = below(8) == 0;
            let clock = ["x", "y"][below(2)];
            let op = if is_closed {
                ["<=", "==", ">="][below(3)]
            } else {
                ["<", "<=", "==", ">=", ">"][below(5)]
            };
            let number = below(4);
            let guard = match below(4) {
                0 => format!("guard v == {};", below(3)),
                1 if !is_urgent => format!("guard {clock} {op} {number};"),
                2 if !is_urgent => format!("guard {clock} {op} {number} && v < 2;"),
                _ => String::new(),
            };
            let sync = match below(5) {
                _ if is_urgent => ["sync u!;", "sync u?;"][below(2)],
                0 => "sync c!;",
                1 => "sync c?;",
                2 => "sync b!;",
                3 => "sync b?;",
                _ => "",
            };
            let assign = match below(5) {
                0 => "assign x = 0;".to_owned(),
                1 => "assign y = 0;".to_owned(),
                2 => format!("assign x = {}, v = (v + 1) % 3;", below(2)),
                3 => "assign v = (v + 1) % 3;".to_owned(),
                _ => String::new(),
            };
            let end = if edge + 1 == edges { ";\n" } else { ",\n" };
            text += &format!("L{from} -> L{to} {{ {guard} {sync} {assign} }}{end}");
        }
        text += "}\n";
    }
    let names: Vec<String> = (0..processes).map(|process| format!("P{process}")).collect();
    text + &format!("system {};\n", names.join(", "))
}

pub(crate) fn seeds(usual: u64) -> u64 {
    let seeds = std::env::var("BEELINE_SEEDS").ok();
    seeds.map_or(portion(usual), |seeds| seeds.parse().expect("BEELINE_SEEDS is a number"))
}

/// Digitised time has no infinite run in which delays become ever shorter, so bounds are not strict.
#[test]
fn maximal_runs_agree_with_digitised_time() {
    let queries = [
        "E[] not P0.L1",
        "A<> P0.L1",
        "E[] x <= 2",
        "E[] v < 2 or y <= 2",
        "A<> v == 2 or x > 2",
        "v == 1 --> P0.L0",
        "P0.L1 --> v == 2 or y > 1",
        "x >= 1 and v == 0 --> v == 1",
    ];
    let (mut yes, mut no) = (0, 0);
    for seed in 0..seeds(150) {
        let text = network(seed, true);
        let model = model(&text, &queries);
        let wanted = digitised(&model, 2_000_000);
        let found = explore::<ExactStore>(&model, 50_000);
        for (at, query) in queries.iter().enumerate() {
            assert_eq!(found.answers[at].1, wanted[at], "{seed}: {query}\n{text}");
            yes += usize::from(wanted[at] == Answer::Yes);
            no += usize::from(wanted[at] == Answer::No);
        }
    }
    assert!(yes > 30 && no > 30, "{yes} {no}");
}

#[test]
fn zones_agree_with_digitised_time() {
    let queries = [
        "E<> P0.L1",
        "E<> P0.L1 and x > 2",
        "E<> P0.L1 and x - y >= 2",
        "A[] v < 2 or y >= 1",
        "E<> v == 2 and x < 1 and y > 1",
        "A[] not deadlock",
    ];
    for seed in 0..seeds(60) {
        let text = network(seed, false);
        // A difference of clocks in a query disables extrapolation, which may then have no end.
        for queries in [&queries[..2], &queries[3..5], &queries[5..]] {
            let model = model(&text, queries);
            let wanted = digitised(&model, 2_000_000);
            let by_inclusion = explore::<CoveringStore>(&model, 50_000);
            let by_equality = explore::<ExactStore>(&model, 50_000);
            assert!(by_inclusion.is_complete && by_equality.is_complete, "{seed}\n{text}");
            for (at, query) in queries.iter().enumerate() {
                assert_eq!(by_inclusion.answers[at].1, wanted[at], "{seed}: {query}\n{text}");
                assert_eq!(by_equality.answers[at].1, wanted[at], "{seed}: {query}\n{text}");
            }
        }
    }
}
