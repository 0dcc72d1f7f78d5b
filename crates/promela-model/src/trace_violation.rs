//! Why an event violates a trace assertion: the message, and the events that are expected instead.

use beeline_engine::interpreter::{DecodedState, TraceEvent};
use beeline_model::Cause;
use beeline_promela::hir::ProcessKind;

use crate::explanation::Explanation;
use crate::view::View;

/// Explains an event of a step that is taken in the state `now`.
pub(crate) fn trace_violation(
    view: &View<'_>,
    now: &DecodedState,
    event: &TraceEvent,
) -> Option<Explanation> {
    let machine = view.machine();
    let process = machine.trace_assertion()?;
    let TraceEvent { is_sent, channel, message, before } = event;
    let channel_name = view.channel_name(now, *channel);
    let message = view.message(now, *channel, message);
    let part = format!("{channel_name}{}{message}", if *is_sent { '!' } else { '?' });
    let assertion = machine.model().process(process);
    let mut expected: Vec<String> = Vec::new();
    for edge in machine.automaton(process).edges_from(*before) {
        let text = edge.steps[0].text(machine.model(), assertion);
        if !expected.contains(&text) {
            expected.push(text);
        }
    }
    let text = match (assertion.kind, &expected[..]) {
        (ProcessKind::Notrace, _) => format!("{part} completes the sequence of `notrace`"),
        (_, [] | [_]) if *before == machine.automaton(process).end => {
            format!("{part} follows the last event of the trace")
        }
        (_, expected) => format!("{part} occurs where the trace expects {}", expected.join(" or ")),
    };
    let values = vec![("message".to_owned(), message)];
    let cause = Cause { part, text, values, is_whole: true };
    Some(Explanation { detail: Some(cause.text.clone()), causes: vec![cause] })
}
