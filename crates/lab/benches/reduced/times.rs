//! Whether a reduction pays off: the time of `check` from start to end, with and without.

use std::fmt::Write as _;

use super::{Table, mean};
use crate::Ground;
use beeline_lab::ask::{ask, percent, verdict};

pub(crate) const NAME: &str = "times";

/// Time limit of a run in seconds, unless `BEELINE_BENCH_SECONDS` is set.
const SECONDS: f64 = 5.0;
/// The name of the row for all models.
const ALL: &str = "all";
const LIMIT: &str = "limit";
const MEMORY: &str = "2G";
/// Runs of each kind, alternating.
const RUNS: usize = 3;
/// Runs of each kind if one seems to take `DOUBTFUL` times as long as the other: the machine is
/// shared, and the least time of each kind counts.
const MORE: usize = 15;
const DOUBTFUL: f64 = 1.15;
/// Shorter times are ignored, in seconds.
const SHORT: f64 = 0.05;
/// The limit of the ratio of the times with and without reduction.
const SLOWER: f64 = 1.3;
/// The number of listed slowest and fastest models.
const LISTED: usize = 10;
/// Without a reduction, and with the default.
const HOW: [&str; 2] = ["off", "auto"];

pub(crate) fn measure(ground: &Ground, table: &mut Table) {
    let limit = std::env::var("BEELINE_BENCH_SECONDS").ok().and_then(|n| n.parse().ok());
    let limit: f64 = limit.unwrap_or(SECONDS);
    table.put(NAME, ALL, LIMIT, limit);
    for entry in ground.corpus.entries.iter().filter(|entry| ground.wants(&entry.name)) {
        if !entry.spin_accepts || entry.embedded_c {
            continue;
        }
        let file = entry.file.to_string_lossy();
        let run = |reduce: &str| {
            let (seconds, words) = (format!("{limit}s"), ["check", &file, "--json", "--no-trail"]);
            let limits = ["--time", &seconds, "--memory", MEMORY, "--reduce", reduce];
            let properties = ["--property", "deadlock", "--property", "assertions"];
            let asked = ask(&[&[&*ground.beeline], &words[..], &limits, &properties].concat());
            (asked.seconds, asked.exit, asked.said["stats"]["reduced"].as_f64().unwrap_or_default())
        };
        let mut least = [f64::MAX; 2];
        let (mut reduced, mut exits) = ([0.0; 2], [0; 2]);
        for round in 0..MORE {
            if round >= RUNS && least[1] <= DOUBTFUL * least[0] {
                break;
            }
            for at in if round % 2 == 0 { [0, 1] } else { [1, 0] } {
                let (seconds, exit, states) = run(HOW[at]);
                least[at] = least[at].min(seconds);
                (reduced[at], exits[at]) = (states, exit);
            }
            // Very short runs, and runs up to the limit, are not repeated.
            let is_short = least.into_iter().all(|seconds| seconds < SHORT);
            if is_short || least.into_iter().all(|seconds| seconds >= limit) {
                break;
            }
        }
        eprintln!("{NAME}: {}", entry.name);
        for (at, how) in HOW.into_iter().enumerate() {
            table.put(NAME, &entry.name, how, (least[at] * 1e4).round() / 1e4);
            table.put(NAME, &entry.name, &format!("{how} reduced"), reduced[at]);
            table.put(NAME, &entry.name, &format!("{how} exit"), f64::from(exits[at]));
        }
    }
}

/// A model with its seconds.
struct Pair<'t> {
    model: &'t str,
    off: f64,
    auto: f64,
    /// Whether the reduction was effective.
    is_reduced: bool,
}

/// The section of the page.
pub(crate) fn section(table: &Table) -> String {
    let mut models = table.models(NAME);
    models.retain(|model| *model != ALL);
    let limit = table.value(NAME, ALL, LIMIT).unwrap_or(SECONDS);
    let mut pairs = Vec::new();
    for &model in &models {
        let seconds = |how| table.value(NAME, model, how).unwrap_or_default();
        let (off, auto) = (seconds(HOW[0]), seconds(HOW[1]));
        if off.max(auto) >= SHORT && off.min(auto) < limit {
            let reduced = table.value(NAME, model, &format!("{} reduced", HOW[1]));
            let is_reduced = reduced.is_some_and(|states| states > 0.0);
            pairs.push(Pair { model, off, auto, is_reduced });
        }
    }
    if pairs.is_empty() {
        return String::new();
    }
    pairs.sort_by(|one, two| (two.auto / two.off).total_cmp(&(one.auto / one.off)));
    let slower = pairs.iter().filter(|pair| pair.auto > SLOWER * pair.off).count();
    let faster = pairs.iter().filter(|pair| pair.off > SLOWER * pair.auto).count();
    let is_other = |&&model: &&&str| {
        let exit = |how| table.value(NAME, model, &format!("{how} exit"));
        // 0 is holds, 1 violated; other codes are no verdict.
        let [off, auto] = HOW.map(|how| exit(how).filter(|exit| *exit <= 1.0));
        off.zip(auto).is_some_and(|(off, auto)| off != auto)
    };
    let others = models.iter().filter(is_other).count();
    let mut out = format!(
        "\n## Time with and without the reduction\n\n\
         `check --property deadlock --property assertions` on {} models of the corpus, wall-clock\n\
         time, with `--reduce off` and by default, {limit} s and {MEMORY} at most; the\n\
         least of {RUNS} runs in turn, or of up to {MORE} where the reduction seems to take longer, on two\n\
         cores that ran other programs as well. {} models take {} ms or more\n\
         and are completed in time, with or without; in {} of them the automatic strategy reduces.\n\n\
         - **{}**: none should take more than {SLOWER} × as long with the reduction: {slower} do.\n\
         - **{}**: verdicts should be the same: {others} differ.\n\
         - Over these models, it takes {:.2} × as long (geometric mean); {:.0} % are more than {SLOWER} ×\n  \
           as fast.\n\n\
         The slowest and the fastest in comparison. Without a reduction, differences are noise and the cost of\n\
         the attempt:\n\n\
         | model | reduced | off, s | with, s | × |\n|---|---|---|---|---|\n",
        models.len(),
        pairs.len(),
        SHORT * 1000.0,
        pairs.iter().filter(|pair| pair.is_reduced).count(),
        verdict(slower == 0),
        verdict(others == 0),
        mean(pairs.iter().map(|pair| pair.auto / pair.off)),
        percent(faster, pairs.len()),
    );
    let (first, last) = (LISTED.max(slower), pairs.len().saturating_sub(LISTED));
    for (at, Pair { model, off, auto, is_reduced }) in pairs.iter().enumerate() {
        if at < first || at >= last {
            let ratio = auto / off;
            let word = if *is_reduced { "yes" } else { "no" };
            writeln!(out, "| {model} | {word} | {off:.2} | {auto:.2} | {ratio:.2} |")
                .expect("it is a string");
        }
    }
    out
}
