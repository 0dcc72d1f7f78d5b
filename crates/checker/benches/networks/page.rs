//! The page of the book.

use std::fmt::Write as _;

use crate::figures::Figure;
use crate::measure::{Row, SEARCHES};
use crate::paper::{TABLE_1, TABLE_2};

const BEFORE: &str = include_str!("before.md");

pub(crate) fn page(rows: &[Row], figures: &[Figure]) -> String {
    let mut out = BEFORE.to_owned();
    out += &best_first(rows);
    out += &a_star(rows);
    out += "\n## Figures\n";
    let captions = [
        "Fig. 4: buckets near to an error are split first, or those far from one",
        "Fig. 5: components are composed by ranking, or as they are defined",
        "Fig. 6: the bound N, and the time that search and abstraction take together",
    ];
    for (figure, caption) in figures.iter().zip(captions) {
        let Figure { file, about, .. } = figure;
        writeln!(out, "\n![{caption}](networks/{file})\n\n{caption}. Ours: {about}.")
            .expect("writing to a string succeeds");
    }
    out
}

fn find<'r>(rows: &'r [Row], name: &str, search: &str) -> Option<&'r Row> {
    rows.iter().find(|row| row.name == name && row.search == search)
}

/// A number as short as the paper's.
fn short(number: f64) -> String {
    if number >= 99_999.5 { format!("{number:.1e}") } else { format!("{number:.0}") }
}

/// What a search did by one measure, or why it did not.
fn cell(row: Option<&Row>, value: impl Fn(&Row) -> String) -> String {
    match row {
        None => "–".to_owned(),
        Some(row) if row.solved == row.runs => value(row),
        Some(row) if row.solved == 0 => {
            if row.reason.contains("memory") {
                "memory".to_owned()
            } else {
                "time".to_owned()
            }
        }
        Some(row) => format!("{} ({} of {})", value(row), row.solved, row.runs),
    }
}

fn explored(row: &Row) -> String {
    short(row.explored)
}

fn seconds(row: &Row) -> String {
    format!("{:.2}", row.seconds)
}

fn length(row: &Row) -> String {
    short(2.0 * row.steps + 1.0)
}

type Measure = (&'static str, fn(&Row) -> String);

fn best_first(rows: &[Row]) -> String {
    let searches = &SEARCHES[..4];
    let measures: [Measure; 3] =
        [("explored states", explored), ("seconds", seconds), ("trace length, 2T + 1", length)];
    let mut out = "\n## Table 1: random depth-first search and best-first search\n".to_owned();
    for (number, (what, value)) in measures.into_iter().enumerate() {
        let _ = write!(
            out,
            "\n{what}:\n\n| | rDF paper | ours | FSM paper | ours | N50 paper | ours | N100 paper \
             | ours |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n"
        );
        for row in TABLE_1 {
            let printed = [row.explored, row.seconds, row.length][number];
            let cells: Vec<String> = searches
                .iter()
                .zip(printed)
                .map(|(search, printed)| {
                    format!("{printed} | {}", cell(find(rows, row.name, search), value))
                })
                .collect();
            let _ = writeln!(out, "| {} | {} |", row.name, cells.join(" | "));
        }
    }
    out
}

fn a_star(rows: &[Row]) -> String {
    let searches = &SEARCHES[4..];
    let measures: [Measure; 2] = [("explored states", explored), ("seconds", seconds)];
    let mut out = "\n## Table 2: A\\*\n".to_owned();
    for (number, (what, value)) in measures.into_iter().enumerate() {
        let _ = write!(
            out,
            "\n{what}:\n\n| | FSM paper | ours | N50 paper | ours | N100 paper | ours | length paper \
             | ours |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n"
        );
        for row in TABLE_2 {
            let printed = [row.explored, row.seconds][number];
            let cells: Vec<String> = searches
                .iter()
                .zip(printed)
                .map(|(search, printed)| {
                    format!("{printed} | {}", cell(find(rows, row.name, search), value))
                })
                .collect();
            let ours = cell(find(rows, row.name, searches[2]), length);
            let _ =
                writeln!(out, "| {} | {} | {} | {ours} |", row.name, cells.join(" | "), row.length);
        }
    }
    out
}
