//! An automaton as a never claim that SPIN reads.
//!
//! Labels are SPIN's: the initial state is `T0_init`, accepting states begin with
//! `accept`, and a state that accepts everything is `accept_all`, whose `skip` lets the
//! claim end, which SPIN reports as a violation. Parallel edges become one with `||`.

use std::fmt::Write as _;

use crate::buchi::{Buchi, Guard};
use crate::formula::Atom;

/// The text of a never claim. `comment` follows its head; `name` writes an atom as an expression
/// that can be an operand of `!` and `&&`.
#[must_use]
pub fn never(automaton: &Buchi, comment: &str, name: &dyn Fn(Atom) -> String) -> String {
    let comment = comment.replace("*/", "* /").replace(['\n', '\r'], " ");
    let mut text = format!("never  {{    /* {comment} */\n");
    let all = (0..automaton.states.len()).find(|&state| is_all(automaton, state));
    let start = automaton.start as usize;
    let all = all.filter(|&state| state != start);
    let others = (0..automaton.states.len()).filter(|&state| state != start && Some(state) != all);
    for state in std::iter::once(start).chain(others).chain(all) {
        if Some(state) == all {
            text.push_str("accept_all:\n\tskip\n");
            continue;
        }
        if state == start && automaton.states[state].accepting {
            text.push_str("accept_init:\n");
        }
        let _ = writeln!(text, "{}:", label(automaton, state, all));
        let edges = &automaton.states[state].edges;
        if edges.is_empty() {
            text.push_str("\tfalse;\n");
            continue;
        }
        text.push_str("\tdo\n");
        let mut targets: Vec<u32> = edges.iter().map(|edge| edge.to).collect();
        targets.sort_unstable();
        targets.dedup();
        for to in targets {
            let guards = edges.iter().filter(|edge| edge.to == to).map(|edge| &edge.guard);
            let choices: Vec<String> = guards.map(|guard| condition(guard, name)).collect();
            let label = label(automaton, to as usize, all);
            let _ = writeln!(text, "\t:: ({}) -> goto {label}", either(&choices));
        }
        text.push_str("\tod;\n");
    }
    text.push_str("}\n");
    text
}

/// Whether the state is accepting and has a self-loop for every letter.
fn is_all(automaton: &Buchi, state: usize) -> bool {
    let state_of = &automaton.states[state];
    let stays = |edge: &crate::buchi::BuchiEdge| edge.guard.is_true() && edge.to as usize == state;
    state_of.accepting && state_of.edges.iter().any(stays)
}

fn label(automaton: &Buchi, state: usize, all: Option<usize>) -> String {
    if state == automaton.start as usize {
        "T0_init".to_owned()
    } else if Some(state) == all {
        "accept_all".to_owned()
    } else if automaton.states[state].accepting {
        format!("accept_S{state}")
    } else {
        format!("T0_S{state}")
    }
}

fn condition(guard: &Guard, name: &dyn Fn(Atom) -> String) -> String {
    if guard.is_true() {
        return "1".to_owned();
    }
    let literal = |literal: &crate::buchi::AtomLiteral| {
        let not = if literal.positive { "" } else { "!" };
        format!("{not}({})", name(literal.atom))
    };
    let literals: Vec<String> = guard.literals().iter().map(literal).collect();
    literals.join(" && ")
}

fn either(choices: &[String]) -> String {
    match choices {
        [only] => only.clone(),
        _ => format!("({})", choices.join(") || (")),
    }
}
