//! The instances of `tchecker/RESULTS.tsv`: verdicts, stored states and speed next to TChecker's.

use std::fs;
use std::path::Path;

use super::{Cells, Request, table};

/// Runs of TChecker that are shorter tell nothing about speed.
const LEAST_SECONDS: f64 = 0.5;

/// Measures, and returns the table.
pub(super) fn measure(request: &Request, directory: &Path) -> String {
    let head =
        "model\tlabels\tstore\tverdict\tits\tstored\tits\tvisited\tits\tper_second\tits\tratio";
    let mut lines = vec![head.to_owned()];
    let (mut ratios, mut different, mut open) = (Vec::new(), 0, 0);
    for row in table(&directory.join("tchecker/RESULTS.tsv")) {
        if !request.wants(&row["model"]) || row["order"] != "bfs" {
            continue;
        }
        let measured = Measured::of(request, directory, &row);
        let its = &row["verdict"];
        match &*measured.verdict {
            "unknown" => open += 1,
            verdict if its != "timeout" && verdict != its => different += 1,
            _ => {}
        }
        let its_seconds = row["cpu_s"].parse::<f64>().unwrap_or(0.0);
        let its_rate = row["visited_per_cpu_s"].parse::<f64>().ok();
        let rate = measured.visited as f64 / measured.seconds.max(0.01);
        let ratio = its_rate
            .filter(|_| its_seconds >= LEAST_SECONDS && measured.seconds >= 0.05)
            .map(|its| rate / its);
        ratios.extend(ratio);
        let shown = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.2}"));
        let line = format!(
            "{}\t{}\t{}\t{}\t{its}\t{}\t{}\t{}\t{}\t{rate:.0}\t{}\t{}",
            row["model"],
            row["labels"],
            measured.store,
            measured.verdict,
            measured.stored,
            row["stored"],
            measured.visited,
            row["visited"],
            row["visited_per_cpu_s"],
            shown(ratio)
        );
        eprintln!("{line}");
        lines.push(line);
    }
    let mean = ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len().max(1) as f64;
    println!(
        "other verdicts: {different}; not decided: {open}; visited states per second of processor \
         time, geometric mean of {} instances: {:.2} times TChecker's",
        ratios.len(),
        mean.exp()
    );
    lines.join("\n") + "\n"
}

/// A run of the tool.
struct Measured {
    verdict: String,
    store: &'static str,
    stored: u64,
    visited: u64,
    seconds: f64,
}

impl Measured {
    fn of(request: &Request, directory: &Path, row: &Cells) -> Measured {
        let paths =
            ["tck", "L.tck"].map(|end| directory.join(format!("tchecker/{}.{end}", row["model"])));
        let model = paths.into_iter().find(|path| fs::exists(path).unwrap_or(false));
        let model = model.expect("the model is there").to_string_lossy().into_owned();
        let store = if row["algorithm"] == "reach" { "exact" } else { "covering" };
        let query = format!("E<> {}", row["labels"].replace(',', " and "));
        let whole = row["labels"] == "-";
        let words = if whole {
            vec!["count", &*model, "--store", store]
        } else {
            vec![
                "check",
                &*model,
                "--no-trail",
                "--search",
                "bfs",
                "--store",
                store,
                "--query",
                &query,
            ]
        };
        let ran = request.run(request.seconds, &words);
        let said = ran.object();
        let stats = if whole { &said } else { &said["stats"] };
        let verdict = match (whole, said["complete"].as_bool(), said["verdict"].as_str()) {
            (true, Some(true), _) => "complete",
            (false, _, Some("holds")) => "reachable",
            (false, _, Some("violated")) => "unreachable",
            _ => "unknown",
        };
        let number = |key: &str| stats[key].as_u64().unwrap_or(0);
        // TChecker forgets states that later ones cover, and does not visit those that wait.
        let stored = number("stored") - number("covered");
        let expanded = if whole { number("stored") } else { number("expanded") };
        let visited = expanded - number("skipped");
        Measured { verdict: verdict.to_owned(), store, stored, visited, seconds: ran.cpu }
    }
}
