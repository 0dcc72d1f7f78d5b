//! Channels with one end: sent to but never received from, or the reverse. The first fills up and
//! then blocks every sender, the second blocks its receivers from the start. Also `xr` and `xs`,
//! which assert that only one process uses an end, where two processes use it.

use super::facts::Facts;
use super::usage::Uses;
use super::variables::mentioned_elsewhere;
use crate::hir::{GlobalId, Init, LocalId, ProcessId, Root, Variable};
use beeline_source::diagnostic::Diagnostic;
use beeline_source::source::Span;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for (number, variable) in facts.model.globals.iter().enumerate() {
        let uses = facts.usage.global(GlobalId(number as u32));
        found.extend(one_sided(facts, variable, uses, None));
    }
    for (number, process) in facts.model.processes.iter().enumerate() {
        let id = ProcessId(number as u32);
        let text = process.name.span.to(process.end);
        for (number, variable) in process.locals.iter().enumerate() {
            let uses = facts.usage.local(id, LocalId(number as u32));
            found.extend(one_sided(facts, variable, uses, Some(text)));
        }
    }
    shared(facts, found);
}

fn one_sided(
    facts: &Facts<'_>,
    variable: &Variable,
    uses: &Uses,
    text: Option<Span>,
) -> Option<Diagnostic> {
    let Init::Channel(channel) = &variable.init else {
        return None;
    };
    // Once a channel's number is passed on, any process may use either end.
    let passed_on = !uses.reads.is_empty() || !uses.writes.is_empty() || !uses.received.is_empty();
    if passed_on || uses.sends.is_empty() == uses.receives.is_empty() {
        return None;
    }
    if mentioned_elsewhere(facts, variable, uses, text) {
        return None;
    }
    let name = &variable.name.name;
    let rendezvous = channel.capacity == 0;
    let (message, seen, note, at) = if uses.receives.is_empty() {
        let note = if rendezvous {
            "a rendezvous needs a receiver: every send blocks for ever".to_owned()
        } else {
            let s = if channel.capacity == 1 { "" } else { "s" };
            format!(
                "after {} message{s} it is full, and every send blocks for ever",
                channel.capacity
            )
        };
        (format!("no process receives from channel `{name}`"), "sent here", note, uses.sends[0].1)
    } else {
        let note = "every receive blocks for ever".to_owned();
        (format!("no process sends to channel `{name}`"), "received here", note, uses.receives[0].1)
    };
    Some(
        Diagnostic::warning("one-sided-channel", variable.name.span, message)
            .label("used at one end only")
            .related(at, seen)
            .note(note)
            .help("check whether another channel is used where this one was meant"),
    )
}

/// `xr` and `xs` of a channel whose end a second proctype uses.
fn shared(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for exclusive in &facts.model.exclusives {
        let channel = &exclusive.channel;
        let Root::Global(id) = channel.root else {
            continue;
        };
        // Each element of an array may have another owner.
        if channel.index.is_some() || !channel.path.is_empty() {
            continue;
        }
        let uses = facts.usage.global(id);
        let (word, verb, by) = if exclusive.sends {
            ("xs", "sends to", &uses.sends)
        } else {
            ("xr", "receives from", &uses.receives)
        };
        let Some(&(other, span)) = by.iter().find(|(other, _)| *other != exclusive.process) else {
            continue;
        };
        let name = &facts.model.globals[id.index()].name.name;
        let other = &facts.model.process(other).name.name;
        found.push(
            Diagnostic::warning(
                "not-exclusive",
                channel.span,
                format!("`{other}` also {verb} `{name}`"),
            )
            .label(format!("`{word}` declares that only this process does"))
            .related(span, "contradicts the declaration")
            .note("partial order reduction relies on the declaration: if it is false, errors can be missed")
            .help(format!("remove `{word} {name}`")),
        );
    }
}
