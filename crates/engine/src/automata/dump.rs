//! Automata as text and as a picture.

use std::fmt::Write as _;

use beeline_promela::hir::{Model, Process, ProcessKind};

use super::coverage::EdgeCoverage;
use super::graph::{Automaton, Edge, Location};

/// A listing: one line per edge, in the order in which SPIN tries them.
pub fn dump(automata: &[Automaton], model: &Model) -> String {
    let mut out = String::new();
    for automaton in automata {
        let process = model.process(automaton.process);
        line(&mut out, format_args!("{} (starts at {})", title(automaton), automaton.start.0));
        list(&mut out, &automaton.edges, automaton, model, process);
        for inside in &automaton.d_steps {
            let entry = inside.entry.0;
            line(&mut out, format_args!("  inside d_step {} (starts at {entry})", inside.edge.0));
            list(&mut out, &inside.edges, automaton, model, process);
        }
    }
    out
}

/// The kind and name of a process.
pub fn title(automaton: &Automaton) -> String {
    match automaton.kind {
        ProcessKind::Proctype => format!("proctype {}", automaton.name),
        ProcessKind::Init => "init".to_owned(),
        ProcessKind::Never => format!("never {}", automaton.name),
        ProcessKind::Trace => "trace".to_owned(),
        ProcessKind::Notrace => "notrace".to_owned(),
    }
}

fn list(out: &mut String, edges: &[Edge], automaton: &Automaton, model: &Model, process: &Process) {
    for edge in edges {
        let hold = match edge.hold {
            hold if hold.d_step => 'D',
            hold if hold.atomic => 'A',
            hold if hold.last_atomic => 'a',
            _ => '-',
        };
        let escape = edge.escape.map_or_else(String::new, |at| format!(" escape {}", at.0));
        let text = label(edge, model, process);
        let marks = marks(automaton, edge.from);
        line(
            out,
            format_args!(
                "  {:>4} -> {:<4} [id {:>4}] {hold}{marks}{escape}  {text}",
                edge.from.0, edge.to.0, edge.id.0
            ),
        );
    }
}

fn marks(automaton: &Automaton, at: Location) -> String {
    let marks = automaton.marks[at.0 as usize];
    let letter = |set: bool, letter: char| if set { letter } else { '-' };
    [letter(marks.accept, 'a'), letter(marks.end, 'e'), letter(marks.progress, 'p')]
        .iter()
        .collect()
}

/// The statements of an edge, with the variables that die after it.
fn label(edge: &Edge, model: &Model, process: &Process) -> String {
    let mut texts = Vec::new();
    for step in &edge.steps {
        let mut text = step.text(model, process);
        for id in &step.dead {
            let name = &process.locals[id.index()].name.name;
            write!(text, " {{{name} dies}}").expect("writing to a string succeeds");
        }
        texts.push(text);
    }
    texts.join("; ")
}

/// The automata for Graphviz. Covered edges are highlighted, with their counts.
pub fn dot(automata: &[Automaton], model: &Model, coverage: Option<&EdgeCoverage>) -> String {
    let mut out = String::from("digraph model {\n  node [shape=circle, fontsize=10];\n");
    for (number, automaton) in automata.iter().enumerate() {
        let process = model.process(automaton.process);
        line(&mut out, format_args!("  subgraph cluster_{number} {{"));
        line(&mut out, format_args!("    label=\"{}\";", quoted(&title(automaton))));
        for location in automaton.locations() {
            let (text, style) = dot_location(automaton, location, coverage);
            let at = location.0;
            line(&mut out, format_args!("    p{number}_{at} [label=\"{text}\"{style}];"));
        }
        if automaton.edges.iter().any(|edge| edge.to == Location(0)) {
            line(&mut out, format_args!("    p{number}_0 [label=\"\", shape=point, width=0.15];"));
        }
        for edge in &automaton.edges {
            let mut style = match edge.hold {
                hold if hold.d_step => ", style=dotted".to_owned(),
                hold if hold.atomic || hold.last_atomic => ", style=dashed".to_owned(),
                _ => String::new(),
            };
            let mut text = quoted(&label(edge, model, process));
            match coverage.map_or(0, |coverage| coverage.taken(automaton, edge)) {
                0 => {}
                times => {
                    text += &format!("  ×{times}");
                    style += ", color=blue, fontcolor=blue, penwidth=2";
                }
            }
            let (from, to) = (edge.from.0, edge.to.0);
            line(
                &mut out,
                format_args!("    p{number}_{from} -> p{number}_{to} [label=\"{text}\"{style}];"),
            );
        }
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    out
}

/// The label and style of a location.
fn dot_location(
    automaton: &Automaton,
    location: Location,
    coverage: Option<&EdgeCoverage>,
) -> (String, String) {
    let marks = automaton.marks[location.0 as usize];
    let mut style = String::new();
    if marks.accept {
        style.push_str(", shape=doublecircle");
    }
    let mut fill = Vec::new();
    if marks.end {
        fill.push("dashed");
    }
    if marks.progress {
        style.push_str(", color=green");
    }
    if location == automaton.start {
        style.push_str(", penwidth=2");
    }
    let mut text = location.0.to_string();
    let ends = coverage.map_or(0, |coverage| coverage.resting(automaton, location));
    if ends > 0 {
        fill.push("filled");
        style.push_str(", fillcolor=\"#ffd6d3\", color=red");
        text += &format!("\\nend ×{ends}");
    } else if coverage.is_some_and(|coverage| coverage.passes(automaton, location)) {
        fill.push("filled");
        style.push_str(", fillcolor=\"#ddf4ff\", color=blue");
    }
    if !fill.is_empty() {
        style += &format!(", style=\"{}\"", fill.join(","));
    }
    (text, style)
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ")
}

fn line(out: &mut String, args: std::fmt::Arguments<'_>) {
    out.write_fmt(args).expect("writing to a string succeeds");
    out.push('\n');
}
