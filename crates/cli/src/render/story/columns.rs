//! A story with a column for each process, as `spin -c` draws it: time runs down, a rendezvous is
//! in both columns, channels are on the right.

use beeline_model::{Story, StoryStep};

use crate::render::story::text::{STAYS, changes};

/// The maximum width of a column; longer statements are truncated.
const WIDEST: usize = 32;

/// The steps in columns.
pub(crate) fn columns(story: &Story) -> String {
    let heads = heads(story);
    let rows: Vec<Row> = story.steps.iter().enumerate().flat_map(rows).collect();
    let widths: Vec<usize> = heads
        .iter()
        .enumerate()
        .map(|(pid, head)| {
            let cells = rows.iter().flat_map(|row| &row.cells).filter(|cell| cell.0 == pid);
            let longest = cells.map(|cell| cell.1.chars().count()).max().unwrap_or(0);
            longest.max(head.chars().count()).min(WIDEST)
        })
        .collect();
    let digits = story.steps.len().to_string().len().max(3);
    let head = heads.into_iter().enumerate().collect();
    let mut out = Row { number: None, cells: head, channels: String::new() }.draw(digits, &widths);
    for row in rows {
        let begins = row.number.is_some() && row.number == story.cycle_start.map(|at| at + 1);
        if begins {
            out.push_str("    <<<<< start of the cycle >>>>>\n");
        }
        out += &row.draw(digits, &widths);
    }
    if story.stays() {
        out += STAYS;
    }
    out
}

/// The name of each process; both names if a number was used twice.
fn heads(story: &Story) -> Vec<String> {
    let mut names: Vec<Vec<&str>> = Vec::new();
    let movers =
        story.steps.iter().flat_map(|step| std::iter::once(&step.turn).chain(&step.partner));
    let movers = movers.map(|turn| (turn.pid, turn.process.as_str()));
    let resting = story.end.processes.iter().map(|one| (one.pid, one.process.as_str()));
    for (pid, name) in movers.chain(resting) {
        names.resize(names.len().max(pid + 1), Vec::new());
        if !names[pid].contains(&name) {
            names[pid].push(name);
        }
    }
    names.iter().enumerate().map(|(pid, names)| format!("{}({pid})", names.join("/"))).collect()
}

/// A line of the drawing.
struct Row {
    number: Option<usize>,
    /// Process and text.
    cells: Vec<(usize, String)>,
    channels: String,
}

/// The lines of a step: its statements, then its output.
fn rows((at, step): (usize, &StoryStep)) -> Vec<Row> {
    let turns = std::iter::once(&step.turn).chain(&step.partner);
    let mut cells: Vec<_> = turns.map(|turn| (turn.pid, turn.statement.clone())).collect();
    let mut channels = changes(step.changes.iter().filter(|change| change.is_channel));
    if let Some(fault) = step.fault {
        channels += &format!("  !! {fault}");
    }
    // The receiver executes last, so the output is in its column.
    let speaker = step.partner.as_ref().unwrap_or(&step.turn).pid;
    cells.sort_by_key(|cell| cell.0);
    let mut rows = vec![Row { number: Some(at + 1), cells, channels }];
    for text in step.printed.lines() {
        let cells = vec![(speaker, format!("| {text}"))];
        rows.push(Row { number: None, cells, channels: String::new() });
    }
    rows
}

impl Row {
    fn draw(&self, digits: usize, widths: &[usize]) -> String {
        let number = self.number.map_or_else(String::new, |number| number.to_string());
        let mut line = format!("{number:>digits$}");
        for (pid, &width) in widths.iter().enumerate() {
            let cell = self.cells.iter().find(|cell| cell.0 == pid);
            let text = cell.map_or_else(String::new, |cell| cut(&cell.1));
            line += &format!("  {text:<width$}");
        }
        line += &self.channels;
        line.trim_end().to_owned() + "\n"
    }
}

fn cut(text: &str) -> String {
    if text.chars().count() <= WIDEST {
        return text.to_owned();
    }
    text.chars().take(WIDEST - 1).chain(['…']).collect()
}
