//! The page of the book.

use std::fmt::Write as _;

use crate::figures::Figure;
use crate::measure::{Row, SEARCHES};
use crate::paper::{AStar, BestFirst, TABLE_1, TABLE_2};

const BEFORE: &str = include_str!("before.md");

pub(crate) fn page(rows: &[Row], figures: &[Figure]) -> String {
    let mut out = BEFORE.to_owned();
    out += "\n## Table 1: random depth-first search and best-first search\n";
    let measures = ["explored states", "seconds", "trace length, 2T + 1"];
    let networks: Vec<Lines> = TABLE_1.iter().map(best_first).collect();
    out += &tables(rows, ["rDF", "FSM", "N50", "N100"], &measures, &networks);
    out += "\n## Table 2: A\\*\n";
    let networks: Vec<Lines> = TABLE_2.iter().map(a_star).collect();
    out += &tables(rows, ["FSM", "N50", "N100", "length"], &measures[..2], &networks);
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

/// A number in the paper's short form.
fn short(number: f64) -> String {
    if number >= 99_999.5 { format!("{number:.1e}") } else { format!("{number:.0}") }
}

/// A measure of a search, or the reason why there is none.
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

/// Two cells: the published value, and our search and measure for it.
struct Pair {
    printed: &'static str,
    search: &'static str,
    value: fn(&Row) -> String,
}

fn pairs(
    printed: &[&'static str],
    searches: &[&'static str],
    value: fn(&Row) -> String,
) -> Vec<Pair> {
    let both = printed.iter().zip(searches);
    both.map(|(printed, search)| Pair { printed, search, value }).collect()
}

/// A network, with a line for each measure.
struct Lines {
    name: &'static str,
    by_measure: Vec<Vec<Pair>>,
}

fn best_first(row: &BestFirst) -> Lines {
    let searches = &SEARCHES[..4];
    let by_measure = vec![
        pairs(&row.explored, searches, explored),
        pairs(&row.seconds, searches, seconds),
        pairs(&row.length, searches, length),
    ];
    Lines { name: row.name, by_measure }
}

fn a_star(row: &AStar) -> Lines {
    let searches = &SEARCHES[4..];
    let mut by_measure =
        vec![pairs(&row.explored, searches, explored), pairs(&row.seconds, searches, seconds)];
    for line in &mut by_measure {
        line.push(Pair { printed: row.length, search: searches[2], value: length });
    }
    Lines { name: row.name, by_measure }
}

/// A table for each measure.
fn tables(rows: &[Row], columns: [&str; 4], measures: &[&str], networks: &[Lines]) -> String {
    let mut out = String::new();
    let head = columns.map(|column| format!("{column} paper | ours")).join(" | ");
    for (number, what) in measures.iter().enumerate() {
        let rule = "---:|".repeat(2 * columns.len());
        let _ = writeln!(out, "\n{what}:\n\n| | {head} |\n|---|{rule}");
        for Lines { name, by_measure } in networks {
            let cells = by_measure[number].iter().map(|&Pair { printed, search, value }| {
                format!("{printed} | {}", cell(find(rows, name, search), value))
            });
            let _ = writeln!(out, "| {name} | {} |", cells.collect::<Vec<_>>().join(" | "));
        }
    }
    out
}
