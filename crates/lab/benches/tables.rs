//! The published tables, regenerated from our own models: prints differences, and writes
//! `docs/book/tables.md` with published and own values side by side.
//!
//! Run it with `bench/tables`; with `--small`, only cells that take seconds, and no page. It fails
//! when a cell differs without a known reason.

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use beeline_lab::published::{Cell, Compared, Extent, Status, compare, root};

const INTRODUCTION: &str = "\
# The published tables

The numbers in the papers about HSF-SPIN, and those of Beeline on the same models
([philosophers](../../models/philosophers_hsf.pml), [telegraph](../../models/telegraph_hsf.pml)).
`bench/tables` writes this page; `bench/published` has the printed numbers. The keys of the
papers are in the [bibliography](../bibliography.md), and [hsf.md](hsf.md) describes how to run each
search by hand.

A plain number was printed by the paper and is reproduced exactly. `a → b` means that the paper
prints a and Beeline counts b, followed by the reason:

| mark | status |
|---|---|
| ▲ | better with the true heuristic: the heuristic as the paper defines it expands less than the one that was measured |
| ▼ | worse with the true heuristic |
| m | misprint: neighbouring values, or SPIN, contradict what is printed, and agree with ours |
| s | SPIN 6.5.2 agrees with ours: the paper measured SPIN, perhaps an older one; the current version has our value |
| c | collision dependent: the search identified different states, depending on a hash function; so did ours, with another function |
| r | rule not known: the paper does not describe its counting in enough detail |
| ∞ | too large for the budget of this page: 2,500,000 expansions, or too much time; in a bit-state column, a collision may hide the error, and the search continues without finding it |

## How the numbers were counted

The papers do not state all of these rules; some were found by comparing numbers.

- The automata are those of SPIN, with statements merged.
- In 2000, every state inside an atomic sequence was a node like all others, and the error
  that ended the search did not count as expanded. Later papers neither store nor expand such
  states, count each step inside atomic sequences for the depth, and count the error.
- Open nodes are in buckets by f, last in, first out. The goal test is applied when a node is
  expanded. A closed node that is reached with a smaller f is reopened, and counted again.
- Processes are tried from the one started last to the one started first. Tables 7 and 11 take
  the successors in reverse.
- IDA\\* starts with the estimate of the initial state, applies the goal test when a state is
  generated, and skips a state that was reached in the same iteration with the same f or less.
- h2 was measured with a deviation: processes were tried one after the other, and the effects of one
  on the queues were not undone before the next was tried (`active-2000`, `-H2`). The columns
  called *true* try each process in the same state (`active`, `-Ha`), as later papers did.
- Bit-state searches keep one bit per state: A\\* for expanded states, in an array of
  510,509 bits; IDA\\* for the states of an iteration, in an array of 5 million. (The paper
  says 10 million, but loses as many states as half of that.) Neither reopens states.
  Counts then depend on the hash function. IDA\\* counts nearly the same with each; A\\*, on the
  philosophers with n = 15, expanded 94,180 to 120,431 states with the seeds 1 to 6, and with one of
  them found nothing. The page has seed 6, and a cell may be off by 10 % for A\\* and by 5 % for
  IDA\\*. On the telegraph with n = 6, this seed hides the error from IDA\\*; the seeds 1 to 3 give
  8383 to 8391 states.
- SPIN's depth is the depth reached, and its transitions include atomic steps.
";

fn main() -> ExitCode {
    let is_small = std::env::args().any(|arg| arg == "--small");
    let extent = if is_small { Extent::Small } else { Extent::Full };
    let start = Instant::now();
    let tables = compare(extent, &mut |row| {
        eprintln!("{:>7.1} s  {row}", start.elapsed().as_secs_f64());
    });
    let cells = || tables.iter().flat_map(|table| table.cells());
    print!("{}", summary(&tables));
    if extent == Extent::Full {
        let path = root().join("docs/book/tables.md");
        std::fs::write(&path, page(&tables)).expect("the page can be written");
    }
    let odd: Vec<&Cell> = cells().filter(|cell| cell.status == Status::Mismatch).collect();
    for cell in &odd {
        println!("{cell:?}");
    }
    if odd.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn page(tables: &[Compared]) -> String {
    let mut out = format!("{INTRODUCTION}\n## Number of reproduced cells\n\n");
    out += &summary(tables);
    for table in tables {
        out += &drawn(table);
    }
    out
}

/// The number of cells of each table by status.
fn summary(tables: &[Compared]) -> String {
    let mut out = String::new();
    let used: Vec<Status> = Status::ALL
        .into_iter()
        .filter(|&status| tables.iter().any(|table| count(table, status) > 0))
        .collect();
    let names: Vec<&str> = used.iter().map(|status| status.name()).collect();
    line(&mut out, &format!("| table | {} |", names.join(" | ")));
    line(&mut out, &format!("|---|{}", "---:|".repeat(used.len())));
    let mut totals = vec![0; used.len()];
    for table in tables {
        let counts: Vec<usize> = used.iter().map(|&status| count(table, status)).collect();
        totals.iter_mut().zip(&counts).for_each(|(total, count)| *total += count);
        let title = table.table.title;
        line(&mut out, &format!("| {} | {} |", title, row(counts)));
    }
    line(&mut out, &format!("| all | {} |", row(totals)));
    out
}

fn row(counts: Vec<usize>) -> String {
    let shown = counts.into_iter().map(|count| match count {
        0 => String::new(),
        count => count.to_string(),
    });
    shown.collect::<Vec<_>>().join(" | ")
}

fn count(table: &Compared, status: Status) -> usize {
    table.cells().filter(|cell| cell.status == status).count()
}

/// A table, with remarks on cells that differ.
fn drawn(table: &Compared) -> String {
    let mut out = format!("\n## {}\n\n{}.\n\n", table.table.title, capital(table.table.about));
    let names: Vec<&str> = table.table.columns.iter().map(|column| column.name).collect();
    let names = names.join(" | ").replace('*', "\\*");
    line(&mut out, &format!("| n | {names} |"));
    line(&mut out, &format!("|---:|{}", "---:|".repeat(table.table.columns.len())));
    for (n, cells) in &table.rows {
        let cells: Vec<String> = cells.iter().map(shown).collect();
        line(&mut out, &format!("| {n} | {} |", cells.join(" | ").replace('*', "\\*")));
    }
    let mut remarks: Vec<String> = Vec::new();
    for cell in table.cells().filter(|cell| !cell.remark.is_empty()) {
        let place = match cell.status {
            Status::Misprint | Status::Spin => format!("{}, n = {}", cell.column, cell.n),
            _ => cell.column.to_owned(),
        };
        let remark = format!("- {}: {}.", place.replace('*', "\\*"), cell.remark);
        if !remarks.contains(&remark) {
            remarks.push(remark);
        }
    }
    if !remarks.is_empty() {
        line(&mut out, &format!("\n{}", remarks.join("\n")));
    }
    out
}

fn shown(cell: &Cell) -> String {
    let mark = match cell.status {
        Status::Absent => return "-".to_owned(),
        Status::Exact => return cell.published.clone(),
        Status::TooLarge => return format!("{} ∞", cell.published),
        Status::Better => "▲",
        Status::Worse => "▼",
        Status::Misprint => "m",
        Status::Spin => "s",
        Status::Collision => "c",
        Status::Rule => "r",
        Status::Mismatch => "?",
    };
    let ours = cell.ours.as_deref().unwrap_or("-");
    format!("{} → {ours} {mark}", cell.published)
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}

fn line(out: &mut String, text: &str) {
    writeln!(out, "{text}").expect("writing to a string succeeds");
}
