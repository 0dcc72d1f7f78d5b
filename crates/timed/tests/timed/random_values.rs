//! Random networks in which the value of a variable decides which comparisons of clocks count, as in
//! Fischer's protocol, and with a variable that nothing reads: zones agree with digitised time.

use beeline_kernel::SplitMix64;
use beeline_search::{CoveringStore, ExactStore};

use crate::digitised::digitised;
use crate::exploring::{Answer, explore, model};
use crate::random::seeds;

/// A random network of processes that assign constants to shared variables, perhaps in functions or
/// through references, and compare clocks if a variable has a value. If it is closed, no bound is
/// strict.
fn network(seed: u64, is_closed: bool) -> String {
    let mut rng = SplitMix64::new(seed ^ 0x7a1e);
    let mut below = |bound: usize| rng.below(bound);
    let mut text = String::from(
        "clock x, y;\nint[0,2] v;\nint[0,1] w;\nint[0,7] unread;\nbroadcast chan b;\nchan c;\n\
         void set(int[0,2] &to, int[0,2] value) { to = value; }\n\
         void both(int[0,1] value) { w = value; unread = value + 3; }\n",
    );
    let has_reference = below(3) == 0;
    let processes = 2 + below(2);
    for process in 0..processes {
        text += &format!("process P{process}() {{\nstate ");
        let locations = 2 + below(2);
        for location in 0..locations {
            let clock = ["x", "y"][below(2)];
            let invariant = match below(4) {
                0 => format!(" {{ {clock} <= {} }}", 1 + below(3)),
                1 if !is_closed => format!(" {{ {clock} < {} }}", 1 + below(3)),
                _ => String::new(),
            };
            let end = if location + 1 == locations { ";\n" } else { ", " };
            text += &format!("L{location}{invariant}{end}");
        }
        text += "init L0;\ntrans\n";
        let edges = 2 + below(4);
        for edge in 0..edges {
            let (from, to) = (below(locations), below(locations));
            let clock = ["x", "y"][below(2)];
            let op = if is_closed {
                ["<=", "==", ">="][below(3)]
            } else {
                ["<", "<=", "==", ">=", ">"][below(5)]
            };
            let (number, value) = (below(4), below(3));
            let guard = match below(6) {
                0 => format!("guard v == {value};"),
                1 => format!("guard v == {value} && {clock} {op} {number};"),
                2 => format!("guard {clock} {op} {number} && !(v != {value});"),
                3 => format!("guard v < {value} && w == {} && {clock} {op} {number};", below(2)),
                4 => format!("guard (v == {value} or w == 1) && {clock} {op} {number};"),
                _ => String::new(),
            };
            let sync = ["sync b!;", "sync b?;", "sync c!;", "sync c?;", "", "", "", ""][below(8)];
            let assign = match below(8) {
                0 => format!("assign {clock} = 0;"),
                1 => format!("assign v = {}, {clock} = 0;", below(3)),
                2 if has_reference => format!("assign set(v, {});", below(3)),
                2 | 3 => format!("assign v = {};", below(3)),
                4 => format!("assign both({}), {clock} = 0;", below(2)),
                5 => format!("assign w = {}, unread = v + w;", below(2)),
                6 => format!("assign v = w == 1 ? {} : {};", below(3), below(3)),
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

#[test]
fn comparisons_that_depend_on_values_agree_with_digitised_time() {
    let queries =
        ["E<> P0.L1 and P1.L1", "A[] v < 2 or y >= 1", "E<> v == 1 and w == 1", "A[] not deadlock"];
    let (mut yes, mut no) = (0, 0);
    for seed in 0..seeds(60) {
        let text = network(seed, false);
        for queries in [&queries[..1], &queries[1..2], &queries[2..3], &queries[3..]] {
            let model = model(&text, queries);
            let wanted = digitised(&model, 2_000_000);
            let by_inclusion = explore::<CoveringStore>(&model, 50_000);
            let by_equality = explore::<ExactStore>(&model, 50_000);
            assert!(by_inclusion.is_complete && by_equality.is_complete, "{seed}\n{text}");
            assert_eq!(by_inclusion.answers[0].1, wanted[0], "{seed}: {queries:?}\n{text}");
            assert_eq!(by_equality.answers[0].1, wanted[0], "{seed}: {queries:?}\n{text}");
            yes += usize::from(wanted[0] == Answer::Yes);
            no += usize::from(wanted[0] == Answer::No);
        }
    }
    assert!(yes > 10 && no > 10, "{yes} {no}");
}

#[test]
fn maximal_runs_that_depend_on_values_agree_with_digitised_time() {
    let queries = ["E[] not P0.L1", "A<> v == 2", "v == 1 --> P0.L0", "P0.L1 --> w == 1 or y > 1"];
    for seed in 0..seeds(60) {
        let text = network(seed, true);
        for query in queries {
            let model = model(&text, &[query]);
            let wanted = digitised(&model, 2_000_000);
            let found = explore::<ExactStore>(&model, 50_000);
            assert_eq!(found.answers[0].1, wanted[0], "{seed}: {query}\n{text}");
        }
    }
}
