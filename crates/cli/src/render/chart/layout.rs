//! The layout of a chart: a column for each process, a row for each step, and arrows between them.
//! The drawing and the page use the same layout; only the page moves columns together when some are
//! hidden.

use std::collections::BTreeMap;

use beeline_model::{Chronicle, Message, MessageFate, MessageRole, StepDetails, StoryStep};
use beeline_promela::source::SourceMap;

use crate::model::location;
use crate::render::chart::label;

/// The height of a row.
pub(crate) const ROW: usize = 28;
/// The width of a letter.
pub(crate) const LETTER: f64 = 7.2;
/// The minimum width for numbers and lines on the left.
pub(crate) const MARGIN: usize = 92;
/// Longer texts are truncated.
pub(crate) const LONGEST: usize = 34;
/// An arrow over more rows than this does not cross them: it goes straight to a lane beside the
/// receiver, down the lane, and then to the receiver.
pub(crate) const STEEP: usize = 8;

/// The text for a cycle without steps (stuttering).
pub(crate) const STAYS: &str = "the last state repeats for ever";

const NARROWEST: usize = 104;
const WIDEST: usize = 272;

/// A chart.
pub(crate) struct Layout {
    /// The width left of the first column.
    pub(crate) margin: usize,
    /// The part of it for the times of steps, behind their lines.
    pub(crate) times: usize,
    pub(crate) columns: Vec<Column>,
    /// The rows, one for each step.
    pub(crate) rows: Vec<Row>,
    pub(crate) arrows: Vec<Arrow>,
    /// All channels with messages.
    pub(crate) channels: Vec<String>,
    /// The first row of the cycle; the number of rows, if the cycle is stuttering.
    pub(crate) cycle_start: Option<usize>,
    pub(crate) end: End,
}

/// The column of a process.
pub(crate) struct Column {
    pub(crate) pid: usize,
    pub(crate) title: String,
    pub(crate) width: usize,
    /// More than one if its process number was used again.
    pub(crate) lives: Vec<Life>,
}

/// The lifetime of a process.
pub(crate) struct Life {
    pub(crate) name: String,
    /// The row that starts it; `None` for a process of the initial state.
    pub(crate) from: Option<usize>,
    /// The row of its end.
    pub(crate) to: Option<usize>,
}

/// How a step is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// As a box.
    Local,
    /// As the beginning of an arrow.
    Send,
    /// As the end of an arrow.
    Take,
    /// As an arrow.
    Meet,
    /// As the end of a column.
    End,
}

/// The side of a text at its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Side {
    Left,
    Right,
}

/// A step.
pub(crate) struct Row {
    pub(crate) column: usize,
    pub(crate) look: Look,
    pub(crate) side: Side,
    pub(crate) text: String,
    /// Whether it only determines the next location.
    pub(crate) is_idle: bool,
    /// Position and line of the statement.
    pub(crate) place: String,
    pub(crate) line: u32,
    /// The time of the step, in a model with clocks.
    pub(crate) time: Option<String>,
    /// The fault of the step.
    pub(crate) fault: Option<String>,
}

/// The meaning of an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A message that was sent, and received later.
    Message,
    /// A message of a rendezvous.
    Rendezvous,
    /// A message that was never received.
    Waits,
    /// A message that was lost.
    Lost,
    /// The start of a process.
    Start,
}

/// An arrow, from column and row to column and row.
pub(crate) struct Arrow {
    pub(crate) kind: Kind,
    pub(crate) from: (usize, usize),
    pub(crate) to: (usize, usize),
    /// Its lane beside the receiver.
    pub(crate) track: usize,
    pub(crate) channel: Option<usize>,
    pub(crate) title: String,
}

/// The end of a trail.
pub(crate) struct End {
    /// The error.
    pub(crate) error: Option<String>,
    /// The error, or that there is none, with details.
    pub(crate) text: String,
    /// The conditions that processes wait for; empty unless no process can move.
    pub(crate) rests: Vec<Rest>,
}

/// A process that cannot move.
pub(crate) struct Rest {
    pub(crate) column: usize,
    pub(crate) text: String,
    /// Whether this is a valid end.
    pub(crate) is_fine: bool,
}

impl Layout {
    pub(crate) fn new(chronicle: &Chronicle, sources: &SourceMap) -> Layout {
        let mut columns = columns(chronicle);
        let mut channels: Vec<String> = Vec::new();
        for message in &chronicle.messages {
            if !channels.contains(&message.channel) {
                channels.push(message.channel.clone());
            }
        }
        let steps = chronicle.story.steps.iter().zip(&chronicle.step_details);
        let rows: Vec<Row> =
            steps.map(|(told, details)| row(told, details, chronicle, sources)).collect();
        let end = end(chronicle);
        for (at, column) in columns.iter_mut().enumerate() {
            column.width = width(at, column, &rows, &end);
        }
        let times = width_of_times(&rows);
        let margin = margin(&columns, &rows) + times;
        let arrows = arrows(chronicle, &channels);
        let cycle_start = chronicle.story.cycle();
        Layout { margin, times, columns, rows, arrows, channels, cycle_start, end }
    }

    /// Whether it ends with a cycle without steps (stuttering).
    pub(crate) fn stays(&self) -> bool {
        self.cycle_start == Some(self.rows.len())
    }

    /// The centre of each column.
    pub(crate) fn middles(&self) -> Vec<f64> {
        let mut at = self.margin as f64;
        let middle = |column: &Column| {
            at += column.width as f64;
            at - column.width as f64 / 2.0
        };
        self.columns.iter().map(middle).collect()
    }
}

/// A column for each process of the trail.
fn columns(chronicle: &Chronicle) -> Vec<Column> {
    let mut lives: BTreeMap<usize, Vec<Life>> = BTreeMap::new();
    for process in &chronicle.initial.processes {
        let life = Life { name: process.process.clone(), from: None, to: None };
        lives.entry(process.pid).or_default().push(life);
    }
    for (row, details) in chronicle.step_details.iter().enumerate() {
        let places = &details.delta.processes;
        for process in places.iter().filter(|place| details.started.contains(&place.pid)) {
            let life = Life { name: process.process.clone(), from: Some(row), to: None };
            lives.entry(process.pid).or_default().push(life);
        }
        let ended = details.ended.and_then(|pid| lives.get_mut(&pid)?.last_mut());
        if let Some(life) = ended {
            life.to = Some(row);
        }
    }
    // Process numbers have no gaps, so the column of a process is its number.
    let column = |(pid, lives): (usize, Vec<Life>)| {
        let mut names: Vec<&str> = lives.iter().map(|life| &*life.name).collect();
        names.dedup();
        names.sort_unstable();
        names.dedup();
        let title = format!("{}({pid})", names.join("/"));
        Column { pid, title, width: 0, lives }
    };
    lives.into_iter().map(column).collect()
}

fn row(told: &StoryStep, details: &StepDetails, chronicle: &Chronicle, sources: &SourceMap) -> Row {
    let pid = told.turn.pid;
    let messages = &chronicle.messages;
    let (look, side) = match details.parts[..] {
        _ if details.ended.is_some() => (Look::End, Side::Right),
        [MessageRole::Sends(number)] => (
            if matches!(messages[number].fate, MessageFate::Met { .. }) {
                Look::Meet
            } else {
                Look::Send
            },
            match messages[number].fate {
                MessageFate::Taken { pid: other, .. } | MessageFate::Met { pid: other }
                    if other < pid =>
                {
                    Side::Left
                }
                _ => Side::Right,
            },
        ),
        // The text of a receive is on the side without the arrow.
        [MessageRole::Takes(number)] if messages[number].sender > pid => (Look::Take, Side::Left),
        [MessageRole::Takes(number)] if messages[number].sender == pid => (Look::Take, Side::Left),
        [MessageRole::Takes(_)] => (Look::Take, Side::Right),
        _ => (Look::Local, Side::Right),
    };
    Row {
        column: pid,
        look,
        side,
        text: label::row(told, details, messages),
        is_idle: label::is_idle(details),
        place: location::place(sources, told.turn.span),
        line: location::location(sources, told.turn.span).line,
        time: told.time.clone(),
        fault: told.fault.map(|fault| fault.to_string()),
    }
}

/// The width of the times of steps; 0 if they have none.
fn width_of_times(rows: &[Row]) -> usize {
    let longest = rows.iter().filter_map(|row| row.time.as_ref()).map(|time| time.chars().count());
    longest.max().map_or(0, |letters| (letters.max(4) as f64 * LETTER).ceil() as usize + 12)
}

/// The width of a column: boxes, and most of the texts beside it.
fn width(at: usize, column: &Column, rows: &[Row], end: &End) -> usize {
    let letters = |text: &str| text.chars().count().min(LONGEST) as f64;
    let own = rows.iter().filter(|row| row.column == at);
    let need = own.map(|row| match row.look {
        Look::Local => letters(&row.text) * LETTER + 26.0,
        _ => letters(&row.text) * LETTER + 16.0,
    });
    let title = column.title.chars().count() as f64 * LETTER + 28.0;
    let rests = end.rests.iter().filter(|rest| rest.column == at);
    let rests = rests.map(|rest| letters(&rest.text) * LETTER + 26.0);
    let need = need.chain(rests).fold(title, f64::max);
    (need.ceil() as usize).clamp(NARROWEST, WIDEST)
}

/// The margin has room for texts left of the first column.
fn margin(columns: &[Column], rows: &[Row]) -> usize {
    let half = columns.first().map_or(0, |column| column.width) as f64 / 2.0;
    let first = rows
        .iter()
        .filter(|row| row.column == 0 && row.look != Look::Local && row.side == Side::Left);
    let reach = first.map(|row| row.text.chars().count().min(LONGEST) as f64 * LETTER + 16.0);
    MARGIN + (reach.fold(0.0, f64::max) - half).max(0.0).ceil() as usize
}

fn arrows(chronicle: &Chronicle, channels: &[String]) -> Vec<Arrow> {
    let mut arrows: Vec<Arrow> = Vec::new();
    for message in &chronicle.messages {
        let from = (message.sender, message.sent);
        let (kind, to) = match message.fate {
            MessageFate::Waits => (Kind::Waits, from),
            MessageFate::Lost => (Kind::Lost, from),
            MessageFate::Taken { step, pid } => (Kind::Message, (pid, step)),
            MessageFate::Met { pid } => (Kind::Rendezvous, (pid, message.sent)),
        };
        let channel = channels.iter().position(|name| *name == message.channel);
        arrows.push(Arrow { kind, from, to, track: 0, channel, title: title(message) });
    }
    for (row, details) in chronicle.step_details.iter().enumerate() {
        let starter = chronicle.story.steps[row].turn.pid;
        let starts = details.started.iter().map(|&pid| Arrow {
            kind: Kind::Start,
            from: (starter, row),
            to: (pid, row),
            track: 0,
            channel: None,
            title: format!("step {} starts process {pid}", row + 1),
        });
        arrows.extend(starts);
    }
    assign_tracks(&mut arrows);
    arrows
}

/// Assigns lanes to messages that wait beside their receivers.
fn assign_tracks(arrows: &mut [Arrow]) {
    // By column and side: the last used row of each lane.
    let mut lanes: BTreeMap<(usize, Side), Vec<usize>> = BTreeMap::new();
    for arrow in arrows.iter_mut().filter(|arrow| arrow.waits_aside()) {
        let side = if arrow.from.0 < arrow.to.0 { Side::Left } else { Side::Right };
        let lanes = lanes.entry((arrow.to.0, side)).or_default();
        let free = lanes.iter().position(|&until| until < arrow.from.1);
        arrow.track = free.unwrap_or_else(|| {
            lanes.push(0);
            lanes.len() - 1
        });
        lanes[arrow.track] = arrow.to.1;
    }
}

impl Arrow {
    /// Whether it uses a lane: it is too steep to cross, or sender and receiver are the same.
    pub(crate) fn waits_aside(&self) -> bool {
        let steep = self.to.1 - self.from.1 > STEEP;
        self.kind == Kind::Message && (steep || self.from.0 == self.to.0)
    }
}

fn title(message: &Message) -> String {
    let Message { channel, text, sent, .. } = message;
    let begin = format!("{channel}: {text}, sent in step {}", sent + 1);
    match message.fate {
        MessageFate::Waits => format!("{begin}, never received"),
        MessageFate::Lost => format!("{begin}, lost: the channel was full"),
        MessageFate::Taken { step, .. } => format!("{begin}, received in step {}", step + 1),
        MessageFate::Met { .. } => format!("{begin}, by rendezvous"),
    }
}

fn end(chronicle: &Chronicle) -> End {
    let end = &chronicle.story.end;
    let error = end.error.map(|error| error.to_string());
    let what = match (&error, chronicle.story.cycle()) {
        (Some(error), _) => error.clone(),
        (None, Some(_)) if chronicle.story.stays() => STAYS.to_owned(),
        (None, Some(start)) => format!("and so on, from step {} again", start + 1),
        (None, None) => "there is no error here".to_owned(),
    };
    let explanation = end.explanation();
    let text = if explanation.is_empty() { what } else { format!("{what}: {explanation}") };
    let stuck = end.stuck;
    let rests = end.processes.iter().filter(|_| stuck).map(|process| {
        let what = process.statements.join(" | ");
        let word = if process.at_end { "valid end state" } else { "waits" };
        Rest { column: process.pid, text: format!("{word}: {what}"), is_fine: process.at_end }
    });
    End { error, text, rests: rests.collect() }
}
