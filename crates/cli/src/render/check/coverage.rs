//! Statements that no run reaches, for people.

use beeline_model::Coverage;

use crate::base::text::push;
use crate::model::location;
use crate::render::check::outcome::CheckOutcome;

/// The unreached statements, a line for each process type that has some.
pub(crate) fn unreached(coverage: &Coverage, outcome: &CheckOutcome<'_>) -> String {
    let mut out = String::new();
    let so_far = if coverage.is_complete { "" } else { " so far (not all states were visited)" };
    let all: usize = coverage.processes.iter().map(|process| process.unreached.len()).sum();
    if all == 0 {
        return "\nevery statement is reached\n".to_owned();
    }
    push(&mut out, format_args!("\nnot reached{so_far}:\n"));
    for process in coverage.processes.iter().filter(|process| !process.unreached.is_empty()) {
        let (name, count) = (&process.process, process.unreached.len());
        push(&mut out, format_args!("  {name}: {count} of {} statements\n", process.statements));
        for statement in &process.unreached {
            let place = location::place(outcome.loaded.sources(), statement.span);
            push(&mut out, format_args!("    {place}  {}\n", statement.statement));
        }
    }
    out
}
