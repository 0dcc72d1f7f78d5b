//! The table of errors, and the page about it.

use std::fmt::Write as _;

/// The automatic strategy without estimates of whole systems, the same with greedy searches that
/// start early, and the current one.
pub(crate) const WAYS: [&str; 3] =
    ["auto(estimates=local, greedy=late)", "auto(estimates=local)", "auto"];

/// Errors that took fewer states are ignored.
const MANY: u64 = 10_000;
/// Shorter runs are below the resolution of the clock.
const SHORT: f64 = 0.05;

/// The result of one configuration.
pub(crate) struct Found {
    /// States of all its searches until the error was found, if it was.
    pub(crate) stored: Option<u64>,
    pub(crate) seconds: f64,
    pub(crate) by: String,
}

/// An error.
pub(crate) struct Row {
    pub(crate) model: String,
    pub(crate) property: String,
    /// By configuration.
    pub(crate) found: [Found; 3],
}

/// All rows as text.
pub(crate) fn table(rows: &[Row]) -> String {
    let mut text = "model\tproperty".to_owned();
    for way in WAYS {
        write!(text, "\t{way}: states\tcpu seconds\tfound by").expect("a string has room");
    }
    for Row { model, property, found } in rows {
        write!(text, "\n{model}\t{property}").expect("a string has room");
        for Found { stored, seconds, by } in found {
            let stored = stored.map_or(String::new(), |stored| stored.to_string());
            write!(text, "\t{stored}\t{seconds:.3}\t{by}").expect("a string has room");
        }
    }
    text + "\n"
}

/// The rows of a text.
pub(crate) fn read(text: &str) -> Vec<Row> {
    let row = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let field = |at: usize| fields.get(at).copied().unwrap_or_default();
        let found = [0, 1, 2].map(|way| Found {
            stored: field(2 + 3 * way).parse().ok(),
            seconds: field(3 + 3 * way).parse().unwrap_or(0.0),
            by: field(4 + 3 * way).to_owned(),
        });
        Row { model: field(0).to_owned(), property: field(1).to_owned(), found }
    };
    text.lines().skip(1).map(row).collect()
}

/// The ratio of the states that two configurations store, as a geometric mean, and the number of
/// errors in it: those for which `other` stores more than [`MANY`] states.
fn mean(rows: &[Row], other: usize, one: usize) -> (f64, usize) {
    let ratios: Vec<f64> = rows
        .iter()
        .filter_map(|row| {
            let before = row.found[other].stored.filter(|&stored| stored > MANY)?;
            Some((row.found[one].stored? as f64 / before as f64).ln())
        })
        .collect();
    ((ratios.iter().sum::<f64>() / ratios.len().max(1) as f64).exp(), ratios.len())
}

fn slowdown(row: &Row) -> f64 {
    row.found[2].seconds.max(SHORT) / row.found[0].seconds.max(SHORT)
}

fn verdict(is_met: bool) -> &'static str {
    if is_met { "PASS" } else { "FAIL" }
}

/// The page.
pub(crate) fn page(rows: &[Row]) -> String {
    let (against_before, many) = mean(rows, 0, 2);
    let (early, _) = mean(rows, 0, 1);
    let (against_local, local_many) = mean(rows, 1, 2);
    let lost = |way: usize| rows.iter().filter(|row| row.found[way].stored.is_none()).count();
    let mut slow: Vec<&Row> = rows.iter().collect();
    slow.sort_by(|a, b| slowdown(b).total_cmp(&slowdown(a)));
    let slowest = slow.first().map_or(1.0, |row| slowdown(row));
    let seconds = |way: usize| rows.iter().map(|row| row.found[way].seconds).sum::<f64>();
    let mut page = format!(
        "# Heuristics of the whole system, measured\n\n\
         Written by `bench/estimates`; every error is in `bench/estimates.tsv`.\n\n\
         There are {} errors of all kinds in the models of the corpus. For each of them the\n\
         [automatic strategy](auto.md) runs until it has found it (`--no-improve --jobs 1`), in three\n\
         variants: without heuristics of the whole system, as in earlier versions,\n\
         `{}`; with greedy searches that start early,\n\
         `{}`; and by default, `{}`. States are those that all its searches have stored by then. Seconds\n\
         are CPU seconds from the file to the verdict, the best of three runs.\n\n",
        rows.len(),
        WAYS[0],
        WAYS[1],
        WAYS[2],
    );
    let _ = write!(
        page,
        "- **{}**: where it needed more than {MANY} states ({many} errors), it should store at most half\n\
         \x20 as many in the geometric mean: it stores {against_before:.2} times as many.\n\
         - **{}**: it should not take more than twice as long for any error: the slowest takes\n\
         \x20 {slowest:.2} times as long, where runs of less than {SHORT} s count as {SHORT} s. All errors together take\n\
         \x20 {:.1} s, and {:.1} s before.\n\
         - **{}**: no error should be lost: {} are ({} before).\n\n\
         The contribution of the heuristics: the variant with early greedy searches and without heuristics of\n\
         the whole system stores {early:.2} times as many states as before. Of the errors for which\n\
         it still needs more than {MANY} states ({local_many}, of which those about cycles have no such\n\
         heuristics), `auto` stores {against_local:.2} times as many in the geometric mean. So the early\n\
         start pays, and the heuristic does not: in the time of one estimate of the whole system, the other\n\
         searches store ten to a thousand states.\n\n",
        verdict(against_before <= 0.5),
        verdict(slowest <= 2.0),
        seconds(2),
        seconds(0),
        verdict(lost(2) <= lost(0)),
        lost(2),
        lost(0),
    );
    page.push_str(
        "## Slowest errors\n\n| model | property | before | now | times |\n|---|---|---|---|---|\n",
    );
    for row in slow.iter().take(10) {
        let [before, _, now] = row.found.each_ref().map(|found| found.seconds);
        let (model, property) = (&row.model, &row.property);
        let _ = writeln!(
            page,
            "| `{model}` | {property} | {before:.2} s | {now:.2} s | {:.2} |",
            slowdown(row)
        );
    }
    page.push_str("\n## Errors that needed more than 10,000 states\n\n");
    page.push_str(
        "| model | property | before | early | now | found by |\n|---|---|---|---|---|---|\n",
    );
    for Row { model, property, found } in rows {
        if found[0].stored.is_some_and(|stored| stored > MANY) {
            let states = found
                .each_ref()
                .map(|one| one.stored.map_or_else(|| "-".to_owned(), |stored| stored.to_string()));
            let (states, by) = (states.join(" | "), &found[2].by);
            let _ = writeln!(page, "| `{model}` | {property} | {states} | {by} |");
        }
    }
    page
}
