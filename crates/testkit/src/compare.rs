//! Our automata against the tables that `pan -d` prints: same locations, same
//! edges with the same numbers, in the same order, with the same statements.

use beeline_engine::automata::{Automaton, Edge, EdgeAction, JumpKind};
use beeline_promela::hir::{Model, MtypeSet, ProcessKind, Type, Variable};

use crate::spin::{PanEdge, PanKind, PanProcess};

/// The differences, one line each; empty when the two agree. Claims that SPIN made from `ltl`
/// formulas are left out: they have no text in the model.
pub fn differences(model: &Model, ours: &[Automaton], pan: &[PanProcess]) -> Vec<String> {
    let mut found = Vec::new();
    let written = pan.iter().filter(|process| {
        process.kind != PanKind::Claim
            || !model.formulas.iter().any(|formula| *formula.name.name == *process.name)
    });
    let mut compared = 0;
    for theirs in written {
        compared += 1;
        match ours.iter().find(|automaton| same_process(automaton, theirs)) {
            Some(ours) => compare(model, ours, theirs, &mut found),
            None => found.push(format!("{}: only SPIN has it", theirs.name)),
        }
    }
    if compared != ours.len() {
        found.push(format!("{} processes here, {compared} in SPIN", ours.len()));
    }
    found
}

fn same_process(ours: &Automaton, theirs: &PanProcess) -> bool {
    match theirs.kind {
        PanKind::Proctype => ours.kind == ProcessKind::Proctype && *ours.name == *theirs.name,
        PanKind::Init => ours.kind == ProcessKind::Init,
        PanKind::Claim => ours.kind == ProcessKind::Never && *ours.name == *theirs.name,
        PanKind::Trace => ours.kind == ProcessKind::Trace,
        PanKind::Notrace => ours.kind == ProcessKind::Notrace,
    }
}

fn compare(model: &Model, ours: &Automaton, theirs: &PanProcess, found: &mut Vec<String>) {
    let name = &theirs.name;
    if let Some(initial) = theirs.initial()
        && initial != ours.start.0
    {
        found.push(format!("{name}: starts at {} here, at {initial} in SPIN", ours.start.0));
    }
    let mut pan: Vec<&PanEdge> = theirs.edges.iter().filter(|edge| !is_absorbed(edge)).collect();
    // Stable: keeps the order of the edges of one location.
    pan.sort_by_key(|edge| edge.from);
    for at in 0..pan.len().max(ours.edges.len()) {
        let left = ours.edges.get(at).map(|edge| our_row(ours, edge));
        let right = pan.get(at).map(|edge| their_row(edge));
        if left != right {
            let show = |row: Option<String>| row.unwrap_or_else(|| "nothing".to_owned());
            found.push(format!("{name}: {} here, {} in SPIN", show(left), show(right)));
            return;
        }
        if let (Some(left), Some(right)) = (ours.edges.get(at), pan.get(at))
            && let Some((left, right)) = different_text(model, ours, left, right)
        {
            found.push(format!("{name}: `{left}` here, `{right}` in SPIN"));
        }
    }
}

/// Whether SPIN keeps this row for a statement that was merged into another step.
fn is_absorbed(edge: &PanEdge) -> bool {
    edge.forward == 0 && edge.to == 0
}

fn our_row(automaton: &Automaton, edge: &Edge) -> String {
    let marks = automaton.marks[edge.from.0 as usize];
    let atomic = edge.hold.atomic || edge.hold.last_atomic;
    row(
        [edge.from.0, edge.to.0, edge.id.0],
        edge.escape.map(|at| at.0),
        [atomic, edge.hold.d_step && !atomic],
        [marks.accept, marks.end, marks.progress],
    )
}

fn their_row(edge: &PanEdge) -> String {
    row(
        [edge.from, edge.to, edge.id],
        edge.escape_of,
        [edge.atomic, edge.d_step],
        [edge.accept, edge.end, edge.progress],
    )
}

fn row(numbers: [u32; 3], escape: Option<u32>, hold: [bool; 2], marks: [bool; 3]) -> String {
    let [from, to, id] = numbers;
    let escape = escape.map_or_else(String::new, |at| format!(" escape {at}"));
    let letter = |set: bool, letter: &'static str| if set { letter } else { "-" };
    let hold = [letter(hold[0], "A"), letter(hold[1], "D")].concat();
    let marks = [letter(marks[0], "a"), letter(marks[1], "e"), letter(marks[2], "p")].concat();
    format!("{from} -> {to} [id {id}] {hold}{marks}{escape}")
}

/// The statements in both notations, when they differ in more than parentheses, blanks and SPIN's
/// names of inner variables.
fn different_text(
    model: &Model,
    automaton: &Automaton,
    ours: &Edge,
    theirs: &PanEdge,
) -> Option<(String, String)> {
    let process = model.process(automaton.process);
    let right = theirs.text.trim();
    let left = ours.steps[0].action.text(model, process);
    let same = match &ours.steps[0].action {
        EdgeAction::Move(JumpKind::Break) => right.starts_with("goto :b"),
        EdgeAction::Move(JumpKind::LoopExit) => right == "break",
        EdgeAction::Move(JumpKind::Join) => right == ".(goto)",
        EdgeAction::DStep => right.starts_with("D_STEP"),
        EdgeAction::Print { .. } | EdgeAction::PrintM(_) => right.starts_with("print"),
        // SPIN shows no parts of a structure and only the first element of an array.
        EdgeAction::Declare { var, .. } if !is_plain(&process.locals[var.index()]) => true,
        _ => same_tokens(model, &tokens(&left), &tokens(right)),
    };
    // SPIN writes these in C, omits a part, or has names of its own.
    let incomparable = right.contains("._p")
        || left.contains(['@', ':'])
        || left.contains("priority")
        || left.contains("_f0r_t3mp");
    (!same && !incomparable).then(|| (left, right.to_owned()))
}

fn is_plain(variable: &Variable) -> bool {
    variable.length.is_none() && !matches!(variable.ty, Type::Struct(_))
}

/// Words and operators, without parentheses.
fn tokens(text: &str) -> Vec<String> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens: Vec<String> = Vec::new();
    let mut fresh = true;
    for c in text.chars() {
        if c.is_whitespace() || "()".contains(c) {
            fresh = true;
            continue;
        }
        match tokens.last_mut() {
            Some(last) if !fresh && word(c) && last.ends_with(word) => last.push(c),
            _ => tokens.push(c.to_string()),
        }
        fresh = false;
    }
    tokens.iter().map(|token| without_block_numbers(token).to_owned()).collect()
}

/// SPIN puts the numbers of its blocks before the name of an inner variable
/// (`_1_2_x`), and drops underscores there when it prints.
fn without_block_numbers(name: &str) -> &str {
    if !name.starts_with('_') {
        return name;
    }
    let stripped = name.trim_start_matches(|c: char| c == '_' || c.is_ascii_digit());
    if stripped.is_empty() { name } else { stripped }
}

/// Whether tokens are equal, except that SPIN may write an mtype constant as its number, or as a
/// constant of another set with the same number.
fn same_tokens(model: &Model, ours: &[String], theirs: &[String]) -> bool {
    let values = |token: &str| -> Vec<usize> {
        let in_set = |set: &MtypeSet| {
            set.constants.iter().position(|name| **name == *token).map(|at| at + 1)
        };
        model.mtypes.iter().filter_map(in_set).chain(token.parse().ok()).collect()
    };
    ours.len() == theirs.len()
        && ours.iter().zip(theirs).all(|(left, right)| {
            left == right || values(left).iter().any(|value| values(right).contains(value))
        })
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn block_numbers_and_parentheses_are_dropped() {
        assert_eq!(tokens("((_1_2_x==5))"), tokens("x == 5"));
        assert_eq!(tokens("run p(_3__y)"), tokens("run p (_y)"));
        assert_ne!(tokens("a_1_b"), tokens("b"));
        assert_ne!(tokens("run pa"), tokens("run p(a)"));
    }
}
