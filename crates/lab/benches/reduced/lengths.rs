//! The length of trails in a reduced space, and after unnecessary steps are filtered out.
//!
//! Source: [EMJ05], "Partial Order Reduction", section 5.

use std::fmt::Write as _;
use std::fs;

use beeline_testkit::spin::Scratch;

use super::{THREADS, Table, mean, whole};
use crate::Ground;
use beeline_lab::ask::{ask, for_each};
use beeline_lab::place::root;

pub(crate) const NAME: &str = "lengths";

/// Limits of a run.
const LIMITS: [&str; 4] = ["--time", "5s", "--memory", "2G"];
/// The limit for `dijkstra`, in seconds of CPU time.
const SECONDS: f64 = 0.5;
/// The searches, with admissible heuristics.
const SEARCHES: [&str; 2] = ["astar", "ida"];

/// An admissible heuristic for errors of a kind.
fn heuristic(kind: &str) -> &'static str {
    if kind == "deadlock" { "dangerous-states(half)" } else { "assertion-distance" }
}

pub(crate) fn measure(ground: &Ground, table: &mut Table) {
    let known = fs::read_to_string(root().join("bench/quality.tsv")).expect("it is there");
    let mut tasks = Vec::new();
    for line in known.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [name, kind, "dijkstra", _, _, _, seconds, ..] = cells[..] else { continue };
        if seconds.parse::<f64>().is_ok_and(|seconds| seconds <= SECONDS) && ground.wants(name) {
            tasks.push((name, kind));
        }
    }
    table.append(for_each(&tasks, THREADS, |(name, kind)| {
        eprintln!("{NAME}: {name}");
        one(ground, name, kind)
    }));
}

fn one(ground: &Ground, name: &str, kind: &str) -> Table {
    let mut table = Table::default();
    let scratch = Scratch::new().expect("a scratch directory");
    let file = ground.corpus.root.join(name);
    let file = file.to_string_lossy();
    let [trail, shorter] = ["found.trail", "filtered.trail"].map(|file| scratch.path().join(file));
    let (trail, shorter) = (trail.to_string_lossy(), shorter.to_string_lossy());
    for search in SEARCHES {
        let spec = format!("{search}({})", heuristic(kind));
        for reduce in ["off", "stubborn"] {
            let words = ["check", &file, "--json", "--property", kind, "--search", &spec];
            let words = [&[&*ground.beeline], &words[..], &LIMITS].concat();
            let said = ask(&[&words[..], &["--reduce", reduce, "--trail", &trail]].concat()).said;
            let Some(steps) = said["properties"][0]["trail"]["steps"].as_f64() else { continue };
            table.put(NAME, name, &format!("{search} {reduce}"), steps);
            let expanded = said["stats"]["expanded"].as_f64().unwrap_or_default();
            table.put(NAME, name, &format!("{search} {reduce} expanded"), expanded);
            if reduce == "off" {
                continue;
            }
            let words = [&*ground.beeline, "improve", &file, &trail, "--json", "--by", "filter"];
            let said = ask(&[&words[..], &["--trail", &shorter]].concat()).said;
            if let Some(steps) = said["trail"]["length"].as_f64() {
                table.put(NAME, name, &format!("{search} filter"), steps);
            }
        }
    }
    table
}

/// The section of the page.
pub(crate) fn section(table: &Table) -> String {
    let models = table.models(NAME);
    let value = |model: &str, search: &str, what: &str| {
        table.value(NAME, model, &format!("{search} {what}"))
    };
    let is_filtered = models.iter().any(|model| value(model, SEARCHES[0], "filter").is_some());
    let columns: &[&str] =
        if is_filtered { &["off", "stubborn", "filter"] } else { &["off", "stubborn"] };
    let mut out = format!(
        "\n## Length of trails\n\n\
         The {} models of the corpus with an error that `dijkstra` finds in {SECONDS} s, searched by A\\*\n\
         and IDA\\* with an admissible heuristic (for deadlocks `{}`,\n\
         for assertions `{}`), {} each. Without a reduction trails are shortest; the\n\
         columns are geometric means over the models that are solved with and without, as multiples of\n\
         the search without: states expanded, and length of the trail{}.\n\n\
         | search | solved without | with | both | longer | expanded | length |{}\n\
         |---|---|---|---|---|---|---|{}\n",
        models.len(),
        heuristic("deadlock"),
        heuristic("assertions"),
        LIMITS[1],
        if is_filtered { ", as found and after `improve --by filter`" } else { "" },
        if is_filtered { " after Filter |" } else { "" },
        if is_filtered { "---|" } else { "" },
    );
    for search in SEARCHES {
        let solved = |what: &'static str| {
            models.iter().copied().filter(move |model| value(model, search, what).is_some())
        };
        let both: Vec<&str> =
            solved("off").filter(|model| value(model, search, "stubborn").is_some()).collect();
        let ratio = |model: &str, what: &str, to: &str| {
            Some((value(model, search, what)? + 1.0) / (value(model, search, to)? + 1.0))
        };
        let of = |what: &str, to: &str| {
            format!("{:.3}", mean(both.iter().filter_map(|model| ratio(model, what, to))))
        };
        let is_longer =
            |model: &&&str| ratio(model, "stubborn", "off").is_some_and(|one| one > 1.0);
        let mut cells = vec![
            solved("off").count().to_string(),
            solved("stubborn").count().to_string(),
            both.len().to_string(),
            both.iter().filter(is_longer).count().to_string(),
            of("stubborn expanded", "off expanded"),
            of("stubborn", "off"),
        ];
        if is_filtered {
            cells.push(of("filter", "off"));
        }
        writeln!(out, "| `{search}` | {} |", cells.join(" | ")).expect("it is a string");
    }
    let names = if is_filtered { " reduced | filtered |" } else { " reduced |" };
    let rule = "---|".repeat(2 * columns.len());
    write!(
        out,
        "\nThe models in which the length of a trail differs, or a search was not completed in time (-):\n\n\
         | model | A\\* |{names} IDA\\* |{names}\n|---|{rule}\n"
    )
    .expect("it is a string");
    for model in models {
        let differs =
            |search: &&str| value(model, search, "off") != value(model, search, "stubborn");
        if SEARCHES.iter().any(differs) {
            let cells = SEARCHES.map(|search| {
                let cell = |what: &&str| whole(value(model, search, what));
                columns.iter().map(cell).collect::<Vec<_>>().join(" | ")
            });
            writeln!(out, "| {model} | {} |", cells.join(" | ")).expect("it is a string");
        }
    }
    out
}
