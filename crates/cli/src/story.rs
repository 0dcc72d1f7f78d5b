//! A replayed trail for people and for programs.

use std::fmt::Write as _;

use beeline_checker::{Resting, Story, Told, Turn, Wrong};
use beeline_promela::source::{ExpansionKind, Location, SourceMap, Span};
use serde::Serialize;

/// The steps as text, one line each.
pub(crate) fn steps(story: &Story, sources: &SourceMap, from: usize) -> String {
    let mut out = String::new();
    let digits = story.steps.len().to_string().len().max(3);
    let who = story.steps.iter().map(|step| name(&step.turn).len()).max().unwrap_or(0);
    for (at, step) in story.steps.iter().enumerate().skip(from) {
        if story.cycle_start == Some(at) {
            out.push_str("    <<<<< start of the cycle >>>>>\n");
        }
        let turn = &step.turn;
        let place = place(sources, turn.span);
        let mut line =
            format!("{:>digits$}  {:<who$}  {place:<14}  {}", at + 1, name(turn), turn.statement);
        if let Some(partner) = &step.partner {
            let there = self::place(sources, partner.span);
            push(&mut line, format_args!("  =>  {} {there} {}", name(partner), partner.statement));
        }
        push(&mut line, format_args!("{}", changes(step)));
        if let Some(fault) = step.fault {
            push(&mut line, format_args!("  !! {fault}"));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

fn changes(step: &Told) -> String {
    let changes = step.changes.iter().map(|change| match &change.before {
        Some(before) => format!("{}: {before} -> {}", change.name, change.after),
        None => format!("{} = {}", change.name, change.after),
    });
    let list: Vec<_> = changes.collect();
    if list.is_empty() { String::new() } else { format!("   {{{}}}", list.join(", ")) }
}

/// How it ends, as text.
pub(crate) fn end(story: &Story, sources: &SourceMap) -> String {
    let mut out = String::new();
    let end = &story.end;
    let steps = story.steps.len();
    let plural = if steps == 1 { "" } else { "s" };
    let what = match end.wrong {
        Some(wrong) => wrong.to_string(),
        None => "nothing is wrong here".to_owned(),
    };
    let detail = end.detail.as_ref().map_or_else(String::new, |detail| format!(": {detail}"));
    push(&mut out, format_args!("after {steps} step{plural}: {what}{detail}\n"));
    for process in &end.processes {
        push(&mut out, format_args!("  {}\n", rests(process, end.wrong, sources)));
    }
    let values = end.values.iter().filter(|(_, value)| value != "0" && value != "[]");
    for (name, value) in values {
        push(&mut out, format_args!("  {name} = {value}\n"));
    }
    out
}

fn rests(process: &Resting, wrong: Option<Wrong>, sources: &SourceMap) -> String {
    let Resting { pid, process, span, statements, at_end } = process;
    let place = span.map_or_else(String::new, |span| format!(" at {}", place(sources, span)));
    let stuck = wrong == Some(Wrong::InvalidEnd);
    let how = match (stuck, at_end) {
        (true, true) => "may rest",
        (true, false) => "is stuck",
        (false, _) => "is",
    };
    let waits =
        if statements.is_empty() { String::new() } else { format!(": {}", statements.join(" | ")) };
    format!("{process}({pid}) {how}{place}{waits}")
}

fn name(turn: &Turn) -> String {
    format!("{}({})", turn.process, turn.pid)
}

/// `file:line`, for people: without directories.
fn place(sources: &SourceMap, span: Span) -> String {
    let location = location(sources, span);
    let file = location.file.rsplit('/').next().unwrap_or_default().to_owned();
    format!("{file}:{}", location.line)
}

/// Where a statement stands. For what comes out of a macro that is its call, as
/// in SPIN; the text of an inline stands where the inline is defined.
fn location(sources: &SourceMap, span: Span) -> Location {
    let mut span = span;
    while let Some(id) = span.expansion {
        let expansion = sources.expansion(id);
        if matches!(expansion.kind, ExpansionKind::Inline(_)) {
            break;
        }
        span = expansion.call_site;
    }
    sources.location(span)
}

fn push(out: &mut String, args: std::fmt::Arguments<'_>) {
    out.write_fmt(args).expect("writing to a string succeeds");
}

/// A story for programs.
#[derive(Serialize)]
pub(crate) struct StoryObject<'a> {
    error: Option<String>,
    detail: Option<&'a str>,
    cycle_start: Option<usize>,
    steps: Vec<StepObject<'a>>,
    processes: Vec<RestingObject<'a>>,
    values: Vec<ValueObject<'a>>,
}

#[derive(Serialize)]
struct StepObject<'a> {
    step: usize,
    #[serde(flatten)]
    turn: TurnObject<'a>,
    partner: Option<TurnObject<'a>>,
    changes: Vec<ChangeObject<'a>>,
    fault: Option<String>,
}

#[derive(Serialize)]
struct TurnObject<'a> {
    pid: usize,
    process: &'a str,
    file: String,
    line: u32,
    statement: &'a str,
}

#[derive(Serialize)]
struct ChangeObject<'a> {
    name: &'a str,
    before: Option<&'a str>,
    after: &'a str,
}

#[derive(Serialize)]
struct RestingObject<'a> {
    pid: usize,
    process: &'a str,
    file: Option<String>,
    line: Option<u32>,
    statements: &'a [String],
    at_end: bool,
}

#[derive(Serialize)]
struct ValueObject<'a> {
    name: &'a str,
    value: &'a str,
}

impl<'a> StoryObject<'a> {
    pub(crate) fn new(story: &'a Story, sources: &SourceMap) -> StoryObject<'a> {
        let steps = story.steps.iter().enumerate();
        let end = &story.end;
        let values = end.values.iter();
        StoryObject {
            error: end.wrong.map(|wrong| wrong.to_string()),
            detail: end.detail.as_deref(),
            cycle_start: story.cycle_start,
            steps: steps.map(|(at, step)| StepObject::new(at + 1, step, sources)).collect(),
            processes: end.processes.iter().map(|p| RestingObject::new(p, sources)).collect(),
            values: values.map(|(name, value)| ValueObject { name, value }).collect(),
        }
    }
}

impl<'a> StepObject<'a> {
    fn new(step: usize, told: &'a Told, sources: &SourceMap) -> StepObject<'a> {
        let changes = told.changes.iter().map(|change| ChangeObject {
            name: &change.name,
            before: change.before.as_deref(),
            after: &change.after,
        });
        StepObject {
            step,
            turn: TurnObject::new(&told.turn, sources),
            partner: told.partner.as_ref().map(|partner| TurnObject::new(partner, sources)),
            changes: changes.collect(),
            fault: told.fault.map(|fault| fault.to_string()),
        }
    }
}

impl<'a> TurnObject<'a> {
    fn new(turn: &'a Turn, sources: &SourceMap) -> TurnObject<'a> {
        let location = location(sources, turn.span);
        TurnObject {
            pid: turn.pid,
            process: &turn.process,
            file: location.file.to_string(),
            line: location.line,
            statement: &turn.statement,
        }
    }
}

impl<'a> RestingObject<'a> {
    fn new(resting: &'a Resting, sources: &SourceMap) -> RestingObject<'a> {
        let location = resting.span.map(|span| location(sources, span));
        RestingObject {
            pid: resting.pid,
            process: &resting.process,
            file: location.as_ref().map(|location| location.file.to_string()),
            line: location.map(|location| location.line),
            statements: &resting.statements,
            at_end: resting.at_end,
        }
    }
}
