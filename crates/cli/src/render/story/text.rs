//! A story for people: a line for each step, followed by its output, and how it ends.

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

/// `after N steps`
pub(crate) fn after(steps: usize) -> String {
    format!("after {}", crate::base::units::steps(steps as u64))
}

/// The end, in a line.
pub(crate) fn ending(when: &str, what: &str, end: &StoryEnd) -> String {
    let detail = end.detail.as_ref().map_or_else(String::new, |detail| format!(": {detail}"));
    let mut out = format!("{when}: {what}{detail}\n");
    for cause in end.partial_causes() {
        push(&mut out, format_args!("  {}\n", cause.text));
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

pub(super) fn name_of(process: &ProcessPosition) -> String {
    format!("{}({})", process.process, process.pid)
}

/// The position of a process, without its name.
pub(super) fn doing(
    process: &ProcessPosition,
    end: Option<&StoryEnd>,
    sources: &SourceMap,
) -> String {
    let ProcessPosition { span, statements, obstacles, at_end, .. } = process;
    let place = span.map_or_else(String::new, |span| format!(" at {}", place(sources, span)));
    let stuck = end.is_some_and(|end| end.stuck);
    let how = match (stuck, at_end) {
        (true, true) => "is in a valid end state",
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
