//! A story for people: a line for each step, followed by its output, and the last state.

use std::ops::ControlFlow;

use beeline_model::{ProcessPosition, StepTeller, Story, StoryEnd, StoryStep, ValueChange};
use beeline_promela::source::SourceMap;

use crate::base::text::push;
use crate::model::location::place;
use crate::render::story::name::name;

/// Widths of the parts of a line.
#[derive(Clone, Copy)]
pub(crate) struct Widths {
    /// The number of the step.
    pub(crate) number: usize,
    /// The process.
    pub(crate) process: usize,
}

impl Widths {
    /// As much as the steps of a story need, told or not.
    fn of(story: &Story) -> Widths {
        let names = story.movers.iter().map(|(pid, process)| format!("{process}({pid})").len());
        let process = names.max().unwrap_or(0);
        Widths { number: story.length.to_string().len().max(3), process }
    }
}

/// The text for a cycle without steps (stuttering).
pub(crate) const STAYS: &str = "    <<<<< the last state repeats for ever >>>>>\n";

/// The steps, starting with `from`.
pub(crate) fn steps(story: &Story, sources: &SourceMap, from: usize) -> String {
    let mut out = String::new();
    say_steps(story, story, sources, from, &mut |text| {
        out += text;
        ControlFlow::Continue(())
    });
    out
}

/// Says the steps as they are told, from one of them on, until nobody listens.
pub(crate) fn say_steps(
    story: &Story,
    teller: &dyn StepTeller,
    sources: &SourceMap,
    from: usize,
    say: &mut dyn FnMut(&str) -> ControlFlow<()>,
) {
    let widths = Widths::of(story);
    let has_needless_steps = story.has_needless_steps();
    teller.tell(&mut |at, told| {
        if at < from {
            return ControlFlow::Continue(());
        }
        if story.cycle_start == Some(at) {
            say("    <<<<< start of the cycle >>>>>\n")?;
        }
        let needed = has_needless_steps && story.core.get(at) == Some(&true);
        say(&marked(told, at + 1, if needed { '*' } else { ' ' }, widths, sources))
    });
    let stays = if story.stays() { STAYS } else { "" };
    let needed = "* steps that the error needs\n";
    for text in [stays, if has_needless_steps { needed } else { "" }] {
        if say(text).is_break() {
            return;
        }
    }
}

/// One step, and what it prints.
pub(crate) fn step(step: &StoryStep, number: usize, widths: Widths, sources: &SourceMap) -> String {
    marked(step, number, ' ', widths, sources)
}

fn marked(
    step: &StoryStep,
    number: usize,
    mark: char,
    widths: Widths,
    sources: &SourceMap,
) -> String {
    let turn = &step.turn;
    let place = place(sources, turn.span);
    let (digits, who) = (widths.number, widths.process);
    let mut line =
        format!("{number:>digits$}{mark} {:<who$}  {place:<14}  {}", name(turn), turn.statement);
    if let Some(partner) = &step.partner {
        let there = crate::model::location::place(sources, partner.span);
        push(&mut line, format_args!("  =>  {} {there} {}", name(partner), partner.statement));
    }
    push(&mut line, format_args!("{}", changes(&step.changes)));
    if let Some(fault) = step.fault {
        push(&mut line, format_args!("  !! {fault}"));
    }
    let mut out = line.trim_end().to_owned() + "\n";
    for text in step.printed.lines() {
        push(&mut out, format_args!("{:>digits$}  | {text}\n", ""));
    }
    out
}

/// The changes, in braces.
pub(crate) fn changes<'a>(changes: impl IntoIterator<Item = &'a ValueChange>) -> String {
    let changes = changes.into_iter().map(|change| match &change.before {
        Some(before) => format!("{}: {before} -> {}", change.name, change.after),
        None => format!("{} = {}", change.name, change.after),
    });
    let list: Vec<_> = changes.collect();
    if list.is_empty() { String::new() } else { format!("   {{{}}}", list.join(", ")) }
}

/// This many processes with consecutive numbers at the same statement share a line.
const CROWD: usize = 4;

/// The end of a story: the error and the last state.
pub(crate) fn end(story: &Story, sources: &SourceMap) -> String {
    let what = match story.end.error {
        Some(wrong) => wrong.to_string(),
        None => "there is no error here".to_owned(),
    };
    ending(&when(story), &what, &story.end) + &state(&story.end, sources)
}

/// When a story ends, or that it ends in a cycle.
fn when(story: &Story) -> String {
    let after = after(story.length);
    match story.cycle() {
        None => after,
        Some(_) if story.stays() => format!("{after} the last state repeats for ever"),
        Some(start) => format!("{after} the state is the same as after {start}"),
    }
}

/// `after N steps`
pub(crate) fn after(steps: usize) -> String {
    format!("after {}", crate::base::units::steps(steps as u64))
}

/// The end, in a line.
pub(crate) fn ending(when: &str, what: &str, end: &StoryEnd) -> String {
    let detail = end.detail.as_ref().map_or_else(String::new, |detail| format!(": {detail}"));
    format!("{when}: {what}{detail}\n")
}

/// The positions of the processes, and all values that are not zero or empty.
pub(crate) fn state(end: &StoryEnd, sources: &SourceMap) -> String {
    state_with(end, sources, |value| value != "0" && value != "[]")
}

/// The positions of the processes, and all values.
pub(crate) fn whole_state(end: &StoryEnd, sources: &SourceMap) -> String {
    state_with(end, sources, |_| true)
}

fn state_with(end: &StoryEnd, sources: &SourceMap, wanted: impl Fn(&str) -> bool) -> String {
    let mut out = String::new();
    let resting = end.processes.iter().map(|process| (process, doing(process, Some(end), sources)));
    let resting: Vec<(&ProcessPosition, String)> = resting.collect();
    for alike in resting.chunk_by(|(a, doing), (b, other)| a.process == b.process && doing == other)
    {
        match alike {
            [(first, doing), .., (last, _)] if alike.len() >= CROWD => {
                let (first, last) = (name_of(first), name_of(last));
                push(&mut out, format_args!("  {first} to {last}: each {doing}\n"));
            }
            _ => alike.iter().for_each(|(process, doing)| {
                push(&mut out, format_args!("  {} {doing}\n", name_of(process)));
            }),
        }
    }
    for (name, value) in end.values.iter().filter(|(_, value)| wanted(value)) {
        push(&mut out, format_args!("  {name} = {value}\n"));
    }
    out
}

/// The position of a process.
pub(crate) fn rests(
    process: &ProcessPosition,
    end: Option<&StoryEnd>,
    sources: &SourceMap,
) -> String {
    format!("{} {}", name_of(process), doing(process, end, sources))
}

fn name_of(process: &ProcessPosition) -> String {
    format!("{}({})", process.process, process.pid)
}

/// The position of a process, without its name.
fn doing(process: &ProcessPosition, end: Option<&StoryEnd>, sources: &SourceMap) -> String {
    let ProcessPosition { span, statements, obstacles, at_end, .. } = process;
    let place = span.map_or_else(String::new, |span| format!(" at {}", place(sources, span)));
    let stuck = end.is_some_and(|end| end.stuck);
    let how = match (stuck, at_end) {
        (true, true) => "may rest",
        (true, false) => "is stuck",
        (false, _) => "is",
    };
    let statements = statements.iter().zip(obstacles).map(|(statement, obstacle)| match obstacle {
        Some(obstacle) if stuck => format!("{statement} ({obstacle})"),
        _ => statement.clone(),
    });
    let statements = statements.collect::<Vec<_>>().join(" | ");
    let waits = if statements.is_empty() { String::new() } else { format!(": {statements}") };
    format!("{how}{place}{waits}")
}
