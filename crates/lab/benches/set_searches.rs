//! Searches on sets of states: the sets and states that each search expands, in the style of
//! [EMJ05], "Symbolic Search".
//!
//! Run it with `bench/set_searches`, which writes `docs/book/symbolic-measured.md`.

use std::fmt::Write as _;
use std::fs;

use beeline_lab::place::{beeline, root};
use beeline_lab::tool;
use beeline_testkit::corpus::corpus_or_skip;
use serde_json::Value;

/// A longer search is stopped.
const LONG: &str = "60s";

/// Our models: file, further arguments, property.
const OWN: [(&str, &[&str], &str); 5] = [
    ("models/philosophers.pml", &["-D", "N=8"], "deadlock"),
    ("models/philosophers.pml", &["-D", "N=16"], "deadlock"),
    ("models/philosophers_hsf.pml", &[], "deadlock"),
    ("models/telegraph.pml", &[], "deadlock"),
    ("models/leader.pml", &[], "invariant: leaders == 0"),
];

/// Sliding tiles by other people: the goal is the reversed order.
const TILES: [(&str, &str); 2] = [
    (
        "beem/loyd.1.pml",
        "invariant: !(a[0] == 5 && a[1] == 4 && a[2] == 3 && a[3] == 2 && a[4] == 1 && a[5] == 0)",
    ),
    (
        "beem/loyd.2.pml",
        "invariant: !(a[0] == 8 && a[1] == 7 && a[2] == 6 && a[3] == 5 && a[4] == 4 && a[5] == 3)",
    ),
];

const SEARCHES: [&str; 11] = [
    "symbolic-bfs",
    "symbolic-bfs(direction=backward)",
    "symbolic-bfs(direction=both)",
    "symbolic-dijkstra",
    "symbolic-astar(h=pattern)",
    "symbolic-astar(h=pattern, buckets=gh)",
    "symbolic-astar(h=dpa)",
    "symbolic-astar(h=fsm)",
    "symbolic-astar(h=hamming)",
    "symbolic-astar(h=formula)",
    "symbolic-gbfs(h=fsm)",
];

const HEAD: &str = "# Searches on sets, measured

The sets and states that each [search on sets](symbolic.md) expands, in the style of the tables of [EMJ05]:
breadth-first search against A\\* with each estimate. *Sets* are the iterations, *states* the states of all
expanded sets together, *nodes* those of the largest set. A trail marked with `*` may not be shortest.
`bench/set_searches` writes this page; each search had a minute.
";

fn main() {
    let Some(corpus) = corpus_or_skip("searches on sets, measured") else { return };
    let beeline = beeline();
    let mut page = HEAD.to_owned();
    for (file, more, property) in OWN {
        let name = format!("`{file}` {}", more.join(" "));
        table(&mut page, &beeline, name.trim(), (file, more, property));
    }
    for (name, property) in TILES {
        let file = corpus.root.join(name).to_string_lossy().into_owned();
        table(&mut page, &beeline, &format!("`{name}`"), (&file, &[], property));
    }
    fs::write(root().join("docs/book/symbolic-measured.md"), page).expect("the page is written");
}

fn table(page: &mut String, beeline: &str, name: &str, task: (&str, &[&str], &str)) {
    let (file, more, property) = task;
    let _ = write!(page, "\n## {name}, `{property}`\n\n");
    *page += "| search | steps | sets | states | nodes | CPU s |\n|---|---|---|---|---|---|\n";
    for search in SEARCHES {
        let words = ["check", file, "--json", "--no-trail", "--time", LONG, "--search", search];
        let words = [&[beeline], &words[..], &["--property", property], more].concat();
        let ran = tool::run(&root(), &words);
        let row = row(&ran.object()["properties"][0], ran.cpu);
        eprintln!("{name} {search} {row}");
        let _ = writeln!(page, "| `{search}` | {row} |");
    }
}

/// The columns after the search.
fn row(property: &Value, cpu: f64) -> String {
    let effort = &property["sets"];
    let (Some(sets), Some(states), Some(nodes)) =
        (effort["expanded"].as_u64(), effort["states"].as_str(), effort["largest_nodes"].as_u64())
    else {
        return format!("{} | | | | {cpu:.2}", property["reason"].as_str().unwrap_or("stopped"));
    };
    let steps = match property["trail"]["steps"].as_u64() {
        Some(steps) if property["trail"]["shortest"] == true => steps.to_string(),
        Some(steps) => format!("{steps}*"),
        None => "none".to_owned(),
    };
    format!("{steps} | {sets} | {states} | {nodes} | {cpu:.2}")
}
