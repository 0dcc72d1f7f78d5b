//! A story with a column for each process, as `spin -c` draws it: time runs down, a rendezvous is
//! in both columns, channels are on the right.

use std::ops::ControlFlow;

use beeline_model::{StepTeller, Story, StoryStep};

use crate::render::story::text::{STAYS, changes};

/// The maximum width of a column; longer statements are truncated.
const WIDEST: usize = 32;

/// Says the steps in columns, until nobody listens. They are told twice: first for the columns,
/// then for the lines.
pub(crate) fn say_columns(
    story: &Story,
    teller: &dyn StepTeller,
    say: &mut dyn FnMut(&str) -> ControlFlow<()>,
) {
    let Columns { heads, widths } = Columns::of(story, teller);
    let digits = story.length.to_string().len().max(3);
    let head = heads.into_iter().enumerate().collect();
    let head = Row { number: None, cells: head, channels: String::new() };
    if say(&head.draw(digits, &widths)).is_break() {
        return;
    }
    teller.tell(&mut |at, step| {
        if story.cycle_start == Some(at) {
            say("    <<<<< start of the cycle >>>>>\n")?;
        }
        rows(at, step).iter().try_for_each(|row| say(&row.draw(digits, &widths)))
    });
    if story.stays() {
        // The reader may be gone by now.
        let _ = say(STAYS);
    }
}

/// A column for each process.
struct Columns {
    /// The name of each process; where a number was used twice, both names.
    heads: Vec<String>,
    widths: Vec<usize>,
}

impl Columns {
    fn of(story: &Story, teller: &dyn StepTeller) -> Columns {
        let mut names: Vec<Vec<String>> = Vec::new();
        let mut widths: Vec<usize> = Vec::new();
        let mut meet = |pid: usize, name: &str| {
            names.resize(names.len().max(pid + 1), Vec::new());
            if !names[pid].iter().any(|other| other == name) {
                names[pid].push(name.to_owned());
            }
        };
        teller.tell(&mut |at, step| {
            for turn in std::iter::once(&step.turn).chain(&step.partner) {
                meet(turn.pid, &turn.process);
            }
            for (pid, text) in rows(at, step).iter().flat_map(|row| &row.cells) {
                widths.resize(widths.len().max(pid + 1), 0);
                widths[*pid] = widths[*pid].max(text.chars().count());
            }
            ControlFlow::Continue(())
        });
        story.end.processes.iter().for_each(|one| meet(one.pid, &one.process));
        let head = |(pid, names): (usize, &Vec<String>)| format!("{}({pid})", names.join("/"));
        let heads: Vec<String> = names.iter().enumerate().map(head).collect();
        widths.resize(heads.len(), 0);
        for (width, head) in widths.iter_mut().zip(&heads) {
            *width = (*width).max(head.chars().count()).min(WIDEST);
        }
        Columns { heads, widths }
    }
}

/// A line of the drawing.
struct Row {
    number: Option<usize>,
    /// Process and text.
    cells: Vec<(usize, String)>,
    channels: String,
}

/// The lines of a step: what happens, then what is printed.
fn rows(at: usize, step: &StoryStep) -> Vec<Row> {
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
