//! Why a process cannot take a step: what it waits for, in words, with the values.

use beeline_engine::automata::EdgeAction;
use beeline_engine::interpreter::DecodedState;
use beeline_promela::hir::Access;

use crate::names::StateScope;
use crate::view::View;

/// The condition that disables a statement of a process, if it can be described: "`q` is empty".
pub(crate) fn obstacle(
    view: &View<'_>,
    now: &DecodedState,
    pid: usize,
    action: &EdgeAction,
) -> Option<String> {
    let machine = view.machine();
    match action {
        EdgeAction::Guard(condition) => {
            let values = StateScope { machine, now, pid }.values(condition);
            (!values.is_empty()).then_some(values)
        }
        EdgeAction::Send { channel, .. } => {
            let (name, number) = held(view, now, pid, channel)?;
            Some(match machine.capacity(now, number) {
                0 => format!("no process receives from {name}"),
                _ => format!("{name} is full: {}", view.contents(now, number)),
            })
        }
        EdgeAction::Receive { channel, .. } => {
            let (name, number) = held(view, now, pid, channel)?;
            let messages = machine.channel(now, number).messages.len();
            Some(match (machine.capacity(now, number), messages) {
                (0, _) => format!("no process sends to {name}"),
                (_, 0) => format!("{name} is empty"),
                _ => format!("no matching message: {name} = {}", view.contents(now, number)),
            })
        }
        EdgeAction::End if pid + 1 < now.process_count() => {
            Some("processes that were started later have not ended".to_owned())
        }
        _ => None,
    }
}

/// The channel that a process refers to, and its name.
fn held(
    view: &View<'_>,
    now: &DecodedState,
    pid: usize,
    channel: &Access,
) -> Option<(String, usize)> {
    let number = view.machine().channel_held(channel, now, pid)?;
    Some((view.channel_name(now, number), number))
}
