//! An automaton in the Hanoi format for omega-automata, version 1.
//!
//! Source: \[HOA15\].

use std::fmt::Write as _;

use crate::buchi::{AtomLiteral, Buchi};
use crate::classify::AutomatonClasses;
use crate::formula::Atom;

/// The text of the automaton; atoms are called by `atom`.
#[must_use]
pub fn hoa(automaton: &Buchi, name: &str, atom: &dyn Fn(Atom) -> String) -> String {
    let atoms = automaton.atoms();
    let mut text = String::from("HOA: v1\n");
    let _ = writeln!(text, "name: {}", quoted(name));
    let _ = writeln!(text, "States: {}", automaton.states.len());
    let _ = writeln!(text, "Start: {}", automaton.start);
    let _ = write!(text, "AP: {}", atoms.len());
    for &number in &atoms {
        let _ = write!(text, " {}", quoted(&atom(number)));
    }
    text.push_str("\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n");
    text.push_str("properties: trans-labels explicit-labels state-acc");
    if AutomatonClasses::of(automaton).is_deterministic() {
        text.push_str(" deterministic");
    }
    text.push_str("\n--BODY--\n");
    let literal = |literal: &AtomLiteral| {
        let number = atoms.binary_search(&literal.atom).expect("all atoms are listed");
        format!("{}{number}", if literal.positive { "" } else { "!" })
    };
    for (number, state) in automaton.states.iter().enumerate() {
        let _ = writeln!(text, "State: {number}{}", if state.accepting { " {0}" } else { "" });
        for edge in &state.edges {
            let literals: Vec<String> = edge.guard.literals().iter().map(literal).collect();
            let label = if literals.is_empty() { "t".to_owned() } else { literals.join("&") };
            let _ = writeln!(text, "[{label}] {}", edge.to);
        }
    }
    text.push_str("--END--\n");
    text
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
