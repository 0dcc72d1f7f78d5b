//! A chart as a sequence of lines, for tools that draw sequence diagrams themselves. These tools
//! have no arrows over several rows: a message of a buffered channel points to its receiver where
//! it is sent, and a note marks where it is received.

use beeline_model::{Chronicle, MessageFate, MessageRole};

use crate::render::chart::label;
use crate::render::chart::layout::Layout;

/// Notes have at most this many lines, for readability.
const LONGEST_NOTE: usize = 8;

/// A line of a sequence diagram.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A message sent into a channel, from process to process.
    Send(usize, usize, String),
    /// A message of a rendezvous.
    Meet(usize, usize, String),
    /// A process that starts another one.
    Start(usize, usize, String),
    /// Local steps of a process.
    Note(usize, Vec<String>),
    /// The beginning of the cycle.
    Cycle,
    /// A cycle without steps (stuttering).
    Stays,
}

/// The lines of a chart.
pub(crate) fn lines(chronicle: &Chronicle, layout: &Layout) -> Vec<Line> {
    let mut lines = Vec::new();
    for (at, details) in chronicle.step_details.iter().enumerate() {
        if layout.cycle_start == Some(at) {
            lines.push(Line::Cycle);
        }
        let row = &layout.rows[at];
        let time = row.time.as_ref().map_or_else(String::new, |time| format!(" at {time}"));
        let text = |text: &str| format!("{}{time}: {text}", at + 1);
        let fault = row.fault.as_ref().map_or_else(String::new, |fault| format!(" ✗ {fault}"));
        let alone = details.parts.len() == 1;
        if !details.started.is_empty() {
            for &pid in &details.started {
                lines.push(Line::Start(row.column, pid, text(&row.text)));
            }
        } else if !alone {
            note(&mut lines, row.column, text(&row.text) + &fault);
        }
        for &part in &details.parts {
            // A single part has the text of its step, including merged statements.
            let what =
                if alone { row.text.clone() } else { label::exchange(part, &chronicle.messages) };
            let what = text(&what) + &fault;
            let (MessageRole::Sends(number)
            | MessageRole::Takes(number)
            | MessageRole::Looks(number)) = part;
            let message = &chronicle.messages[number];
            let step = message.sent + 1;
            match (part, message.fate) {
                (MessageRole::Sends(_), MessageFate::Taken { pid, .. }) => {
                    lines.push(Line::Send(message.sender, pid, what));
                }
                (MessageRole::Sends(_), MessageFate::Met { pid }) => {
                    lines.push(Line::Meet(message.sender, pid, what));
                }
                (MessageRole::Sends(_), MessageFate::Waits) => {
                    note(&mut lines, row.column, format!("{what} (never received)"));
                }
                (MessageRole::Sends(_), MessageFate::Lost) => {
                    note(&mut lines, row.column, format!("{what} (lost)"));
                }
                (MessageRole::Takes(_) | MessageRole::Looks(_), _) => {
                    note(&mut lines, row.column, format!("{what} (sent in step {step})"));
                }
            }
        }
    }
    if layout.stays() {
        lines.extend([Line::Cycle, Line::Stays]);
    }
    lines
}

/// Adds a note; to the last one if it is of the same process.
fn note(lines: &mut Vec<Line>, column: usize, text: String) {
    match lines.last_mut() {
        Some(Line::Note(last, texts)) if *last == column && texts.len() < LONGEST_NOTE => {
            texts.push(text);
        }
        _ => lines.push(Line::Note(column, vec![text])),
    }
}
