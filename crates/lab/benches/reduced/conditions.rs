//! The number of states with each cycle condition, for some protocols.
//!
//! Source: [EMJ05], "Partial Order Reduction", section 4.

use std::fmt::Write as _;
use std::path::PathBuf;

use beeline_checker::{NoObserver, Plan, check, parse_reduction, parse_search};
use beeline_model::Model;
use beeline_testkit::checking::{heuristic_names, promela};
use beeline_testkit::model;

use super::{Table, whole};
use crate::Ground;
use beeline_lab::place::root;

pub(crate) const NAME: &str = "conditions";

/// The searches, and the conditions that they support, those that prune most first.
const SEARCHES: [(&str, &[&str]); 2] = [
    ("dfs", &["none", "stack-", "stack", "open", "duplicate-", "duplicate", "static"]),
    ("astar(active)", &["none", "open", "duplicate-", "duplicate", "static"]),
];
/// Protocols: ours, and some of the corpus.
const MODELS: [&str; 12] = [
    "models/alternating_bit.pml",
    "models/leader.pml",
    "models/sliding_window.pml",
    "models/telephone.pml",
    "beem/brp.1.pml",
    "beem/needham.2.pml",
    "case-studies/iprotocol_i4.pml",
    "case-studies/tests_leader.pml",
    "case-studies/x509.pml",
    "realworld/abp_saralazza.pml",
    "spin-examples/hajek.pml",
    "spin-examples/snoopy.pml",
];

pub(crate) fn measure(ground: &Ground, table: &mut Table) {
    for name in MODELS.into_iter().filter(|name| ground.wants(name)) {
        let file: PathBuf = match name.starts_with("models/") {
            true => root().join(name),
            false => ground.corpus.root.join(name),
        };
        let front = model::read(&file).expect("the file can be read");
        let model = promela(&front);
        let deadlock = model.select(&["deadlock".to_owned()]).expect("every model has that");
        for (search, conditions) in SEARCHES {
            let mut states = |what: &str, reduce: &str| {
                let plan = Plan {
                    search: parse_search(search, 0, &heuristic_names())
                        .expect("there is such a search"),
                    reduce: parse_reduction(reduce).expect("there is such a reduction"),
                    ..Plan::default()
                };
                let report = check(&model, &deadlock, &plan, true, &mut NoObserver);
                let stored = report.expect("findings are confirmed").stats.stored;
                table.put(NAME, name, &format!("{search} {what}"), stored as f64);
            };
            states("all", "off");
            for condition in conditions {
                states(condition, &format!("stubborn(c3={condition})"));
            }
        }
        eprintln!("{NAME}: {name}");
    }
}

/// The section of the page.
pub(crate) fn section(table: &Table) -> String {
    let mut out = "\n## Cost of the cycle conditions\n\n\
         States stored with each condition, for deadlocks, so that all conditions are comparable:\n\
         `none`, which is sound for deadlocks only, is the minimum. The search visits all states.\n"
        .to_owned();
    for (search, conditions) in SEARCHES {
        let cells = conditions.join("` | `");
        let rule = "---|".repeat(conditions.len());
        write!(out, "\n`{search}`:\n\n| model | all | `{cells}` |\n|---|---|{rule}\n")
            .expect("it is a string");
        for model in table.models(NAME) {
            let value = |what: &str| whole(table.value(NAME, model, &format!("{search} {what}")));
            let cells: Vec<String> = conditions.iter().map(|one| value(one)).collect();
            writeln!(out, "| {model} | {} | {} |", value("all"), cells.join(" | "))
                .expect("it is a string");
        }
    }
    out + &told(table)
}

/// Whether stronger conditions leave more states. An implied condition need not leave fewer states,
/// since a choice leads to other states; but it should.
fn told(table: &Table) -> String {
    let mut exceptions = Vec::new();
    let mut compared = 0;
    for (search, weak, strong) in [
        ("dfs", "none", "stack-"),
        ("dfs", "stack-", "stack"),
        ("dfs", "stack-", "open"),
        ("dfs", "open", "duplicate-"),
        ("dfs", "duplicate-", "duplicate"),
        ("dfs", "stack", "duplicate"),
        ("astar(active)", "none", "open"),
        ("astar(active)", "open", "duplicate-"),
        ("astar(active)", "duplicate-", "duplicate"),
    ] {
        for model in table.models(NAME) {
            let value = |what| table.value(NAME, model, &format!("{search} {what}"));
            let (Some(fewer), Some(more)) = (value(weak), value(strong)) else { continue };
            compared += 1;
            if fewer > more {
                exceptions.push(format!("`{weak}` and `{strong}` in {model} (`{search}`)"));
            }
        }
    }
    let count = exceptions.len();
    let mut out = format!(
        "\nThe hierarchy of [EMJ05] says which condition implies which: `duplicate` implies `stack` and\n\
         `duplicate-`, these imply `stack-`, and `open` lies between `duplicate-` and `stack-`. An implied\n\
         condition keeps no more successors of a state; over whole searches, it left no more states in {}\n\
         of {compared} comparisons.",
        compared - count
    );
    if count > 0 {
        write!(out, " The others, where one choice led to other states than the other:\n{}.", {
            exceptions.join(";\n")
        })
        .expect("it is a string");
    }
    out + "\n"
}
