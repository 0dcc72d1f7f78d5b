//! An automaton as a drawing for Graphviz: accepting states have two circles.

use std::fmt::Write as _;

use crate::buchi::{Buchi, Guard};
use crate::formula::Atom;

/// The text of the graph; atoms are called by `name`. Parallel edges are drawn as one.
#[must_use]
pub fn dot(automaton: &Buchi, name: &dyn Fn(Atom) -> String) -> String {
    let mut text = String::from("digraph automaton {\n  rankdir=LR;\n  start [shape=point];\n");
    for (number, state) in automaton.states.iter().enumerate() {
        let shape = if state.accepting { "doublecircle" } else { "circle" };
        let _ = writeln!(text, "  {number} [shape={shape}];");
    }
    let _ = writeln!(text, "  start -> {};", automaton.start);
    for (from, state) in automaton.states.iter().enumerate() {
        let mut targets: Vec<u32> = state.edges.iter().map(|edge| edge.to).collect();
        targets.sort_unstable();
        targets.dedup();
        for to in targets {
            let guards = state.edges.iter().filter(|edge| edge.to == to);
            let lines: Vec<String> = guards.map(|edge| label(&edge.guard, name)).collect();
            let _ = writeln!(text, "  {from} -> {to} [label=\"{}\"];", lines.join("\\n"));
        }
    }
    text.push_str("}\n");
    text
}

fn label(guard: &Guard, name: &dyn Fn(Atom) -> String) -> String {
    if guard.is_true() {
        return "true".to_owned();
    }
    let literal = |literal: &crate::buchi::AtomLiteral| {
        let not = if literal.positive { "" } else { "!" };
        let name = name(literal.atom).replace('\\', "\\\\").replace('"', "\\\"");
        format!("{not}{name}")
    };
    guard.literals().iter().map(literal).collect::<Vec<_>>().join(" && ")
}
