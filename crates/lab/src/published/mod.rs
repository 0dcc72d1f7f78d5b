//! The published numbers, compared with ours. `bench/published` holds the numbers of the papers;
//! this module defines the search of each column, and the classification of differences.
//!
//! Shared by the test of the small cells and by `bench/tables`, which computes all.

mod recipe;
mod verdict;

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;

use beeline_checker::{Stats, hsf};
use beeline_kernel::Stop;
use beeline_model::Verdict;
use beeline_promela::preprocess::{Define, NoIncludes, PreprocessOptions};
use beeline_testkit::checking::promela;

pub use crate::place::root;
use recipe::{Measure, Ran, Recipe, TABLES, Table};
use verdict::Remark;
pub use verdict::{Cell, Status};

/// The extent of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Cells that take seconds.
    Small,
    /// All cells within the budget.
    Full,
}

/// The limit of expanded states of a search. A count and not a time, so that the page is the same
/// on every machine.
const MOST_EXPANDED: u64 = 2_500_000;

/// Memory that a search may use.
const MOST_BYTES: usize = 3 << 30;

/// The lines of a file of values separated by tabs, without comments.
fn lines(name: &str) -> Vec<Vec<String>> {
    let path = root().join("bench/published").join(name);
    let text = fs::read_to_string(&path);
    let text = text.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// Remarks on cells that differ.
fn remarks() -> Vec<Remark> {
    let rows = lines("remarks.tsv").into_iter().skip(1);
    rows.map(|row| Remark::new(&row)).collect()
}

/// Finished searches, so that none is repeated. `None` if too large.
type Done = BTreeMap<(u32, Recipe), Option<Ran>>;

/// A table with every cell compared.
pub struct Compared {
    /// The table.
    pub table: &'static Table,
    /// By n, in the order of the columns.
    pub rows: Vec<(u32, Vec<Cell>)>,
}

impl Compared {
    /// All cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.rows.iter().flat_map(|(_, cells)| cells)
    }
}

/// Compares all tables. `tell` is called for each row.
pub fn compare(extent: Extent, tell: &mut dyn FnMut(&str)) -> Vec<Compared> {
    let remarks = remarks();
    let compare = |table: &'static Table| {
        let mut rows = lines(&format!("{}.tsv", table.file)).into_iter();
        let header = rows.next().expect("a table has a header");
        let mut done = Done::new();
        let mut compared = Vec::new();
        for row in rows {
            let n: u32 = row[0].parse().expect("n is a number");
            if extent == Extent::Small && n > table.small {
                continue;
            }
            let printed = |column: &str| {
                let at = header.iter().position(|name| name == column);
                row[at.unwrap_or_else(|| panic!("{}: no column {column}", table.file))].clone()
            };
            let cells = table.columns.iter().map(|column| {
                let published = printed(column.published);
                let mut ours = |recipe| {
                    let search = || search(table.model, n, recipe);
                    *done.entry((n, recipe)).or_insert_with(search)
                };
                let value = match column.measure {
                    _ if published == "-" => None,
                    Measure::Lengths(searches) => {
                        lengths(searches, &printed, &mut |recipe| ours(recipe).map(|ran| ran.steps))
                    }
                    Measure::ExpandedAndMore => {
                        let l = printed("l").parse().expect("l is a number");
                        ours(column.recipe).map(|ran| expanded_and_more(ran, l))
                    }
                    measure => ours(column.recipe).map(|ran| measure.of(ran)),
                };
                let known = remarks.iter().find(|remark| remark.is_about(table.file, column, n));
                Cell::new(column, n, &published, value, known)
            });
            compared.push((n, cells.collect()));
            tell(&format!("{} n = {n}", table.file));
        }
        Compared { table, rows: compared }
    };
    TABLES.iter().map(compare).collect()
}

/// The lengths of the trails of a row with their numbers, as in `2*26,4*30`: of the searches whose
/// column is not empty.
fn lengths(
    searches: &[(&str, Recipe)],
    printed: &dyn Fn(&str) -> String,
    steps: &mut dyn FnMut(Recipe) -> Option<u64>,
) -> Option<String> {
    let mut groups: Vec<(usize, u64)> = Vec::new();
    for &(column, recipe) in searches {
        if printed(column) == "-" {
            continue;
        }
        let steps = steps(recipe)?;
        match groups.last_mut() {
            Some((count, same)) if *same == steps => *count += 1,
            _ => groups.push((1, steps)),
        }
    }
    let groups: Vec<String> = groups.iter().map(|(count, l)| format!("{count}*{l}")).collect();
    Some(groups.join(","))
}

/// States expanded, and after a plus sign the difference of the trail's length from `l`.
fn expanded_and_more(ran: Ran, l: u64) -> String {
    match ran.steps - l {
        0 => ran.stats.expanded.to_string(),
        more => format!("{}+{more}", ran.stats.expanded),
    }
}

/// Runs a search; `None` when it is too large for the budget.
fn search(model: &str, n: u32, recipe: Recipe) -> Option<Ran> {
    if recipe.is_beyond(n) {
        return None;
    }
    let path = root().join("models").join(model);
    let text = fs::read_to_string(&path);
    let text = text.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let options = PreprocessOptions { defines: vec![Define::set(&format!("N={n}"))] };
    let front = beeline_promela::read(model, &text, &mut NoIncludes, &options);
    assert!(!front.diagnostics.has_errors(), "{model} has errors");
    let plan = hsf::HsfPlan { bytes: Some(MOST_BYTES), ..recipe.plan() };
    let mut observer = |stats: &Stats| {
        if stats.expanded > MOST_EXPANDED {
            return ControlFlow::Break(Stop::Time);
        }
        ControlFlow::Continue(())
    };
    let report = hsf::run(&promela(&front), &plan, &mut observer);
    let report = report.unwrap_or_else(|error| panic!("{model}, n = {n}: {error}"));
    match report.verdict {
        Verdict::Violated(found) => Some(Ran { stats: report.stats, steps: found[0].length.steps }),
        Verdict::Unknown(_) => None,
        Verdict::Holds => panic!("{model}, n = {n}: there is a deadlock"),
    }
}
