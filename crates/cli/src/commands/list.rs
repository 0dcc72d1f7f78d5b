//! `beeline list`: the rows of the registries.

use std::fmt::Write as _;

use beeline_checker::{REDUCTIONS, SEARCHES, STORES};
use beeline_heuristics::{HEURISTICS, TASK_HEURISTICS};
use beeline_kernel::registry::{self, ArgumentRow};
use beeline_network::NETWORK_HEURISTICS;
use serde::Serialize;

use crate::args::list::{List, ListKind};
use crate::base::exit::Exit;
use crate::base::json;
use crate::base::output::CommandOutput;
use crate::base::text::{Paragraph, fill};

/// The longest line of text.
const WIDTH: usize = 96;
/// The indent of the description of a name.
const INDENT: usize = 6;

/// The object that `list --json` prints.
#[derive(Serialize)]
struct Object {
    tool: &'static str,
    kind: &'static str,
    rows: Vec<Row>,
}

/// A row of a registry.
#[derive(Serialize)]
struct Row {
    name: &'static str,
    aliases: Vec<&'static str>,
    about: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    promises: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    goals: Option<Vec<&'static str>>,
    arguments: Vec<Argument>,
}

#[derive(Serialize)]
struct Argument {
    name: &'static str,
    about: String,
}

/// The object that `list --json` prints without a kind.
#[derive(Serialize)]
struct KindsObject {
    tool: &'static str,
    kinds: Vec<KindObject>,
}

/// A kind of components.
#[derive(Serialize)]
struct KindObject {
    kind: &'static str,
    about: &'static str,
    rows: usize,
}

/// The kinds, each with a description.
const KINDS: [(ListKind, &str); 6] = [
    (ListKind::Searches, "search algorithms, for --search"),
    (ListKind::Heuristics, "estimates that direct a search, as in --search 'astar(hmax)'"),
    (ListKind::NetworkHeuristics, "estimates for process networks (.net)"),
    (ListKind::PlanningHeuristics, "estimates for planning tasks (.pddl)"),
    (ListKind::Stores, "sets of visited states, for --store"),
    (ListKind::Reductions, "partial order reductions, for --reduce"),
];

/// Executes `list`.
pub(crate) fn list(options: &List) -> CommandOutput {
    let Some(kind) = options.kind else {
        let out = if options.json { kinds_object() } else { kinds_text() };
        return CommandOutput { out, err: String::new(), exit: Exit::Success };
    };
    let (kind, rows) = rows_of(kind);
    let out = if options.markdown {
        page(kind, &rows)
    } else if options.json {
        json::line(&Object { tool: "beeline", kind, rows })
    } else {
        rows.iter().map(text).collect::<Vec<_>>().join("\n") + default_note(&rows)
    };
    CommandOutput { out, err: String::new(), exit: Exit::Success }
}

/// The name of a kind, and its rows.
fn rows_of(kind: ListKind) -> (&'static str, Vec<Row>) {
    match kind {
        ListKind::Searches => ("searches", listed(SEARCHES)),
        ListKind::Heuristics => ("heuristics", heuristics()),
        ListKind::NetworkHeuristics => ("network-heuristics", listed(NETWORK_HEURISTICS)),
        ListKind::PlanningHeuristics => ("planning-heuristics", listed(TASK_HEURISTICS)),
        ListKind::Stores => ("stores", listed(STORES)),
        ListKind::Reductions => ("reductions", listed(REDUCTIONS)),
    }
}

/// The kinds, a line each.
fn kinds_text() -> String {
    let mut out = String::new();
    for (kind, about) in KINDS {
        let (name, rows) = rows_of(kind);
        let count = rows.len();
        writeln!(out, "{name:<20}{count:>3}  {about}").expect("writing to a string succeeds");
    }
    out + "\n`beeline list KIND` describes them, with their arguments.\n"
}

fn kinds_object() -> String {
    let kinds = KINDS.map(|(kind, about)| {
        let (kind, rows) = rows_of(kind);
        KindObject { kind, about, rows: rows.len() }
    });
    json::line(&KindsObject { tool: "beeline", kinds: kinds.into() })
}

fn described(one: &ArgumentRow) -> Argument {
    Argument { name: one.name, about: one.help() }
}

/// The rows of a registry.
fn listed<B>(rows: &[registry::Row<B>]) -> Vec<Row> {
    let listed = rows.iter().map(|row| Row {
        name: row.name,
        aliases: row.aliases.to_vec(),
        about: row.about.to_owned(),
        promises: row.promises,
        source: row.source,
        goals: None,
        arguments: row.arguments.iter().map(described).collect(),
    });
    listed.collect()
}

/// The rows of the heuristics for Promela, with their goals.
fn heuristics() -> Vec<Row> {
    let mut rows = listed(HEURISTICS);
    for (row, heuristic) in rows.iter_mut().zip(HEURISTICS) {
        row.goals = Some(heuristic.build.goals.iter().map(|goal| goal.name()).collect());
    }
    rows
}

/// The rule for defaults, if any row has arguments.
fn default_note(rows: &[Row]) -> &'static str {
    if rows.iter().all(|row| row.arguments.is_empty()) {
        return "";
    }
    "\nThe possible values of an argument are in parentheses. The first one is the default, unless\n\
     another default is named.\n"
}

/// A page of the book.
fn page(kind: &str, rows: &[Row]) -> String {
    let mut out = format!(
        "# All {kind}\n\nPrinted by `beeline list {kind} --markdown`; a test keeps the page up to \
         date. The first of the\npossible values of an argument is its default, unless another \
         default is named. Keys in square brackets are\nthose of the \
         [bibliography](../bibliography.md).\n"
    );
    for row in rows {
        let mut add = |line: String| out.push_str(&line);
        add(format!("\n## `{}`\n\n{}.\n", row.name, capital(&row.about)));
        if !row.aliases.is_empty() {
            add(format!("\nAlso called: {}.\n", row.aliases.join(", ")));
        }
        if !row.arguments.is_empty() {
            add("\n| argument | meaning |\n|---|---|\n".to_owned());
            for argument in &row.arguments {
                add(format!("| `{}` | {} |\n", argument.name, argument.about.replace('|', "\\|")));
            }
        }
        if let Some(promises) = row.promises {
            add(format!("\nGuarantees: {promises}.\n"));
        }
        if let Some(goals) = &row.goals {
            add(format!("\nFor: {}.\n", goals.join(", ")));
        }
        if let Some(source) = row.source {
            add(format!("\nSource: {source}.\n"));
        }
    }
    out
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

fn text(row: &Row) -> String {
    let (mut out, mut title) = (String::new(), row.name.to_owned());
    if !row.arguments.is_empty() {
        let names: Vec<_> = row.arguments.iter().map(|argument| argument.name).collect();
        title += &format!("({})", names.join(", "));
    }
    if !row.aliases.is_empty() {
        title += &format!(", also {}", row.aliases.join(", "));
    }
    fill(&mut out, paragraph(0), "", &title);
    wrap(&mut out, "", &row.about);
    for argument in &row.arguments {
        wrap(&mut out, &format!("{}: ", argument.name), &argument.about);
    }
    if let Some(promises) = row.promises {
        wrap(&mut out, "guarantees: ", promises);
    }
    if let Some(goals) = &row.goals {
        wrap(&mut out, "for: ", &goals.join(", "));
    }
    if let Some(source) = row.source {
        wrap(&mut out, "source: ", source);
    }
    out
}

fn paragraph(indent: usize) -> Paragraph {
    Paragraph { width: WIDTH, indent, hanging: indent + 2 }
}

/// Adds words below a name, wrapped.
fn wrap(out: &mut String, head: &str, words: &str) {
    fill(out, paragraph(INDENT), head, words);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_says_what_it_is() {
        for (kind, _) in KINDS {
            let (_, rows) = rows_of(kind);
            assert!(rows.len() > 1);
            for row in rows {
                assert!(!row.about.is_empty(), "{}", row.name);
                assert!(text(&row).lines().all(|line| line.chars().count() <= WIDTH));
            }
        }
    }

    #[test]
    fn every_kind_has_a_line() {
        let kinds = <ListKind as clap::ValueEnum>::value_variants();
        assert_eq!(KINDS.map(|(kind, _)| kind), *kinds);
    }
}
