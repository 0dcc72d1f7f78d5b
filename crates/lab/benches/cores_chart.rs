//! Draws the table of `bench/cores` in `bench/cores.md` as `bench/cores.svg`: how many times as many
//! states a second each model has with each number of threads as with one.

use std::fs;

use beeline_lab::chart::{Chart, Line};
use beeline_lab::place::root;

fn main() {
    let table = root().join("bench/cores.md");
    let text = fs::read_to_string(&table).expect("bench/cores.md has the table of bench/cores");
    let mut rows = text.lines().filter(|line| line.starts_with('|')).map(cells);
    let threads: Vec<f64> = rows.next().expect("the table has a head")[4..]
        .iter()
        .map(|head| head.split(' ').next().and_then(|count| count.parse().ok()))
        .map(|count| count.expect("a column of threads"))
        .collect();
    let lines: Vec<Line> = rows
        .skip(1)
        .map(|row| {
            let points = threads.iter().copied().zip(row[4..].iter().map(|cell| ratio(cell)));
            Line { name: row[0].to_owned(), points: points.collect() }
        })
        .collect();
    let chart = Chart {
        title: "Breadth-first search in threads".to_owned(),
        across: "threads".to_owned(),
        up: "states per second, as a multiple of one thread".to_owned(),
        lines,
    };
    fs::write(root().join("bench/cores.svg"), chart.svg()).expect("bench/ is writable");
}

fn cells(row: &str) -> Vec<&str> {
    row.trim_matches('|').split('|').map(str::trim).collect()
}

/// The number in `4.26 M/s (1.58×)`.
fn ratio(cell: &str) -> f64 {
    let ratio = cell.split_once('(').and_then(|(_, rest)| rest.strip_suffix("×)"));
    ratio.and_then(|ratio| ratio.parse().ok()).expect("each cell ends with its ratio")
}
