//! Absence proved by abstraction: models of the corpus without an error, where an abstraction alone
//! proves it, so that hardly any state is expanded.
//!
//! Run it with `bench/absence`; with names, only models whose name contains one of them. For each
//! model deadlocks and assertions are checked together, for five seconds at most. Prints Markdown,
//! of which a copy is in `bench/absence.md`.

use beeline_testkit::corpus::{Status, corpus_or_skip};

use beeline_lab::tool::{Ran, beeline, field, root, run};

/// Smaller models are skipped.
const LEAST: u64 = 1_000;
/// The expected number of proved models,
const WANTED: usize = 10;
/// with at most this fraction (one in `PART`) of their states.
const PART: u64 = 10;

const SEARCHES: [&str; 3] = ["gbfs(pdb)", "gbfs(dpa)", "gbfs(hmax)"];

/// The number of states that a search visits until both properties are proved, and the CPU seconds
/// from the file to the verdict; `None` if they are not proved.
fn visited(file: &str, search: &str) -> Option<(u64, f64)> {
    let tool = beeline();
    let words = [
        &*tool,
        "check",
        file,
        "--search",
        search,
        "--property",
        "deadlock",
        "--property",
        "assertions",
        "--json",
        "--no-trail",
        "--time",
        "5",
        "--memory",
        "2G",
    ];
    let Ran { cpu, output } = run(&root(), &words);
    let holds = output.contains("\"verdict\":\"holds\",\"as_expected\"");
    holds.then(|| (field(&output, "stored") as u64, cpu))
}

fn main() {
    let Some(corpus) = corpus_or_skip("absence by abstraction") else { return };
    let names: Vec<String> = std::env::args().skip(1).filter(|name| name != "--bench").collect();
    println!("# Absence by abstraction\n");
    println!(
        "Printed by `bench/absence`: models with at least {LEAST} states, without deadlocks and \
         failing assertions,\nand the number of states that a search visits with an abstraction as \
         its heuristic. With `pdb` and `dpa`,\nthe initial state is mostly a proved dead end. Their \
         abstract states are not counted, but are in the\nCPU time from the file to the verdict. A \
         dash: not within five seconds.\n"
    );
    println!("| model | states | {} |", SEARCHES.map(|search| format!("`{search}`")).join(" | "));
    println!("|---|---|---|---|---|");
    let (mut models, mut proved) = (0, 0);
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        let Some(row) = corpus.result(&entry.name, "full") else { continue };
        let (Some(states), Some(0)) = (row.stored, row.errors) else { continue };
        let is_asked = names.is_empty() || names.iter().any(|name| entry.name.contains(name));
        if row.status != Status::Complete || states < LEAST || !is_asked {
            continue;
        }
        models += 1;
        let file = entry.file.to_string_lossy();
        let found = SEARCHES.map(|search| visited(&file, search));
        if found.iter().flatten().any(|(visited, _)| visited * PART < states) {
            proved += 1;
            let cell = |one: Option<(u64, f64)>| {
                one.map_or("–".to_owned(), |(visited, cpu)| format!("{visited} ({cpu:.2} s)"))
            };
            let cells = found.map(cell);
            println!("| `{}` | {states} | {} |", entry.name, cells.join(" | "));
        }
    }
    let verdict = if proved >= WANTED { "PASS" } else { "FAIL" };
    println!(
        "\n**{verdict}**: of {models} models, {proved} are proved with fewer than a tenth of their \
         states; {WANTED} should be."
    );
}
