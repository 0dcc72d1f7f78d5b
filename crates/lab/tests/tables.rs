//! The published tables, cell by cell, as far as they take seconds: the published numbers are those
//! of `beeline hsf`, or the difference is explained. `bench/tables` covers all cells.

use std::fs;

use beeline_checker::{NoObserver, Plan, check, parse_search, parse_store};
use beeline_lab::published::{Extent, Status, compare, root};
use beeline_model::{Model, PropertyKind, Verdict};
use beeline_promela::preprocess::{Define, NoIncludes, PreprocessOptions};
use beeline_testkit::checking::{heuristic_names, promela};

#[test]
fn the_small_cells_of_the_published_tables_come_out() {
    let tables = compare(Extent::Small, &mut |_| {});
    let cells = || tables.iter().flat_map(|table| table.cells());
    let odd: Vec<_> = cells().filter(|cell| cell.status == Status::Mismatch).collect();
    assert!(odd.is_empty(), "{odd:#?}");
    let exact = cells().filter(|cell| cell.status == Status::Exact).count();
    assert!(exact > 300, "only {exact} cells are exact");
}

/// The last line of Table 7 of [ELL00]: the states of twenty philosophers do not fit into memory.
/// Here states inside atomic sequences do not count, which are 1953 of the 1,484,648 published.
/// With one bit for each state a quarter of them is omitted, which depends on chance: with a
/// slightly shorter array, the trail has 86 steps.
#[test]
fn twenty_philosophers_are_stuck_and_bits_are_enough_to_see_it() {
    let text = fs::read_to_string(root().join("models/philosophers_hsf.pml")).expect("it is there");
    let options = PreprocessOptions { defines: vec![Define::set("N=20")] };
    let front = beeline_promela::read("philosophers_hsf.pml", &text, &mut NoIncludes, &options);
    let model = promela(&front);
    let mut wanted = model.properties();
    wanted.retain(|property| property.kind == PropertyKind::Deadlock);
    let search = "ida(nonempty-queues, test=generation, order=reversed)";
    let plan = Plan {
        search: parse_search(search, 1, &heuristic_names()).expect("there is such a search"),
        store: parse_store("bitstate(bits=1, bytes=640000)").expect("there is such a store"),
        ..Plan::default()
    };
    let report = check(&model, &wanted, &plan, false, &mut NoObserver);
    let report = report.expect("what is found can be confirmed");
    let Verdict::Violated(violations) = &report.properties[0].verdict else {
        panic!("{:?}", report.properties[0].verdict);
    };
    assert_eq!(violations[0].length.steps, 82);
    let (published, ours) = (1_484_648_f64, report.stats.expanded as f64);
    assert!((ours / published - 1.0).abs() < 0.05, "{ours} states expanded");
    assert!(report.peak_bytes < 1 << 20, "{} bytes", report.peak_bytes);
}
