//! A chart as a page of its own: one file without network access, with all states.
//!
//! The page holds the layout and, for each step, the changes: its script reconstructs the states on
//! demand, and draws only the visible rows. So a trail of thousands of steps stays small and fast.
//! Texts are stored once.

use std::collections::HashMap;

use beeline_model::{ProcessPosition, ProcessStep, StateDelta};
use beeline_promela::source::{FileId, SourceMap, Span};
use serde::Serialize;

use crate::base::text::escaped;
use crate::model::loaded::LoadedModel;
use crate::model::location;
use crate::render::chart::ChartInput;
use crate::render::chart::layout::{Kind, LETTER, LONGEST, Layout, Look, ROW, Side};
use crate::render::formats::svg::STYLE;
use crate::render::page_colors::PAGE_COLORS;

const PAGE: &str = include_str!("chart.html");
const SCRIPT: &str = include_str!("chart.js");
const PAGE_STYLE: &str = include_str!("page.css");

#[derive(Serialize)]
struct Page<'a> {
    title: &'a str,
    row: usize,
    letter: f64,
    margin: usize,
    /// The part of the margin for the times of steps.
    times: usize,
    longest: usize,
    wrong: bool,
    what: &'a str,
    end: &'a str,
    rests: Vec<RestObject<'a>>,
    cycle: Option<usize>,
    columns: Vec<ColumnObject<'a>>,
    channels: &'a [String],
    steps: Vec<StepObject<'a>>,
    arrows: Vec<ArrowObject<'a>>,
    /// The initial state, then one for each step.
    states: Vec<StateObject>,
    strings: Vec<String>,
    /// The files of the model that steps are in.
    files: Vec<FileObject<'a>>,
}

#[derive(Serialize)]
struct FileObject<'a> {
    name: &'a str,
    text: &'a str,
}

#[derive(Serialize)]
struct RestObject<'a> {
    column: usize,
    text: &'a str,
    fine: bool,
}

#[derive(Serialize)]
struct ColumnObject<'a> {
    title: &'a str,
    pid: usize,
    width: usize,
    /// Name, first row or -1, last row or -1.
    lives: Vec<(&'a str, i64, i64)>,
}

/// Texts are numbers in `strings`.
#[derive(Serialize)]
struct StepObject<'a> {
    c: usize,
    k: &'static str,
    /// Whether the text is on the left.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    left: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    idle: bool,
    text: usize,
    line: u32,
    turn: TurnObject,
    #[serde(skip_serializing_if = "Option::is_none")]
    partner: Option<TurnObject>,
    #[serde(skip_serializing_if = "str::is_empty")]
    printed: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<&'a str>,
}

#[derive(Serialize)]
struct TurnObject {
    c: usize,
    statement: usize,
    place: usize,
    source: usize,
    /// The file, and the first and last line in it, from 0.
    lines: (usize, usize, usize),
}

#[derive(Serialize)]
struct ArrowObject<'a> {
    kind: &'static str,
    from: (usize, usize),
    to: (usize, usize),
    #[serde(skip_serializing_if = "Option::is_none")]
    track: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    channel: Option<usize>,
    title: &'a str,
}

/// The difference from the previous state.
#[derive(Serialize)]
struct StateObject {
    /// Names and values, alternating.
    v: Vec<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gone: Vec<usize>,
    /// Processes and their positions, alternating.
    p: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<usize>,
}

/// The page.
pub(crate) fn html(input: &ChartInput<'_>) -> String {
    let title = &input.title;
    let data = serde_json::to_string(&page(input)).expect("these types have string keys");
    // Each part is inserted once, and not searched for the marks of the others.
    let parts = [
        ("{{title}}", escaped(title)),
        ("{{style}}", format!("{PAGE_COLORS}{PAGE_STYLE}{STYLE}")),
        ("{{data}}", inside_script(&data)),
        ("{{script}}", SCRIPT.to_owned()),
    ];
    let mut out = String::new();
    let mut rest = PAGE;
    for (mark, text) in parts {
        let (before, after) = rest.split_once(mark).expect("the page has all marks, in order");
        out.push_str(before);
        out.push_str(&text);
        rest = after;
    }
    out + rest
}

/// The data of the page.
fn page<'a>(input: &'a ChartInput<'_>) -> Page<'a> {
    let ChartInput { loaded, chronicle, layout, title } = input;
    let sources = loaded.sources();
    let mut strings = Strings::default();
    let mut files = SourcePane::default();
    let story = &chronicle.story;
    let steps = layout.rows.iter().zip(&story.steps).map(|(row, told)| StepObject {
        c: row.column,
        k: match row.look {
            Look::Local => "local",
            Look::Send => "send",
            Look::Take => "take",
            Look::Meet => "meet",
            Look::End => "end",
        },
        left: row.side == Side::Left,
        idle: row.is_idle,
        text: strings.add(&row.text),
        line: row.line,
        turn: turn(&told.turn, sources, &mut strings, &mut files),
        partner: told
            .partner
            .as_ref()
            .map(|partner| turn(partner, sources, &mut strings, &mut files)),
        printed: &told.printed,
        time: row.time.as_deref(),
        fault: row.fault.as_deref(),
    });
    let steps = steps.collect();
    let mut states = vec![state(&chronicle.initial, None, sources, &mut strings)];
    for details in &chronicle.step_details {
        states.push(state(&details.delta, details.ended, sources, &mut strings));
    }
    let rests = layout.end.rests.iter();
    Page {
        title,
        row: ROW,
        letter: LETTER,
        margin: layout.margin,
        times: layout.times,
        longest: LONGEST,
        wrong: layout.end.error.is_some(),
        what: layout.end.error.as_deref().unwrap_or(&layout.end.text),
        end: &layout.end.text,
        rests: rests
            .map(|rest| RestObject { column: rest.column, text: &rest.text, fine: rest.is_fine })
            .collect(),
        cycle: layout.cycle_start,
        columns: columns(layout),
        channels: &layout.channels,
        steps,
        arrows: arrows(layout),
        states,
        strings: strings.all,
        files: files.objects(loaded),
    }
}

/// Escapes JSON so that no browser takes it for the end of a script, or for a comment.
fn inside_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

fn columns(layout: &Layout) -> Vec<ColumnObject<'_>> {
    let row = |row: Option<usize>| row.map_or(-1, |row| row as i64);
    let columns = layout.columns.iter().map(|column| ColumnObject {
        title: &column.title,
        pid: column.pid,
        width: column.width,
        lives: column.lives.iter().map(|l| (&*l.name, row(l.from), row(l.to))).collect(),
    });
    columns.collect()
}

fn arrows(layout: &Layout) -> Vec<ArrowObject<'_>> {
    let arrows = layout.arrows.iter().map(|arrow| ArrowObject {
        kind: match arrow.kind {
            Kind::Message => "message",
            Kind::Rendezvous => "rendezvous",
            Kind::Waits => "unreceived",
            Kind::Lost => "lost",
            Kind::Start => "start",
        },
        from: arrow.from,
        to: arrow.to,
        track: arrow.waits_aside().then_some(arrow.track),
        channel: arrow.channel,
        title: &arrow.title,
    });
    arrows.collect()
}

fn turn(
    turn: &ProcessStep,
    sources: &SourceMap,
    strings: &mut Strings,
    files: &mut SourcePane,
) -> TurnObject {
    TurnObject {
        c: turn.pid,
        statement: strings.add(&turn.statement),
        place: strings.add(&location::place(sources, turn.span)),
        source: strings.add(location::source_line(sources, turn.span)),
        lines: files.add(sources, turn.span),
    }
}

fn state(
    delta: &StateDelta,
    ended: Option<usize>,
    sources: &SourceMap,
    strings: &mut Strings,
) -> StateObject {
    let mut v = Vec::new();
    for (name, value) in &delta.values {
        v.extend([strings.add(name), strings.add(value)]);
    }
    let gone = delta.gone.iter().map(|name| strings.add(name)).collect();
    let mut p = Vec::new();
    for process in &delta.processes {
        p.extend([process.pid, strings.add(&rests(process, sources))]);
    }
    StateObject { v, gone, p, ended }
}

/// The position of a process, and its next statements.
fn rests(process: &ProcessPosition, sources: &SourceMap) -> String {
    let place = process.span.map_or_else(String::new, |span| location::place(sources, span));
    format!("{place}  {}", process.statements.join(" | "))
}

/// The files whose text the page shows.
#[derive(Default)]
struct SourcePane {
    files: Vec<FileId>,
}

impl SourcePane {
    /// The file of a statement, and its first and last line.
    fn add(&mut self, sources: &SourceMap, span: Span) -> (usize, usize, usize) {
        let span = sources.written(location::seen(sources, span));
        let file = sources.file(span.file);
        let last = span.end.max(span.start + 1) - 1;
        let at = self.files.iter().position(|&id| id == span.file).unwrap_or_else(|| {
            self.files.push(span.file);
            self.files.len() - 1
        });
        (at, file.line_of(span.start), file.line_of(last))
    }

    fn objects<'a>(&self, loaded: &'a LoadedModel) -> Vec<FileObject<'a>> {
        let texts = loaded.texts();
        let text = |id: &FileId| texts.iter().find(|(other, ..)| other == id);
        let object = |&(_, name, text): &(FileId, &'a str, &'a str)| FileObject {
            name: name.rsplit('/').next().unwrap_or_default(),
            text,
        };
        self.files.iter().filter_map(text).map(object).collect()
    }
}

/// Interned texts.
#[derive(Default)]
struct Strings {
    all: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Strings {
    fn add(&mut self, text: &str) -> usize {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        self.all.push(text.to_owned());
        self.numbers.insert(text.to_owned(), self.all.len() - 1);
        self.all.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_end_the_script() {
        let text = inside_script("\"</script><!--\"");
        assert!(!text.contains('<') && !text.contains('>'), "{text}");
        let back: String = serde_json::from_str(&text).expect("it is JSON still");
        assert_eq!(back, "</script><!--");
    }

    #[test]
    fn a_text_is_stored_once() {
        let mut strings = Strings::default();
        assert_eq!([strings.add("a"), strings.add("b"), strings.add("a")], [0, 1, 0]);
        assert_eq!(strings.all, ["a", "b"]);
    }
}
