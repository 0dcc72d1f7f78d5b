//! The parts of the measurement of reduction, and the table of all numbers.

mod conditions;
mod lengths;
mod page;
mod strength;
mod times;

use std::fmt::Write as _;

use crate::Ground;

pub(crate) use page::page;

/// A part of the measurement.
pub(crate) struct Part {
    pub(crate) name: &'static str,
    pub(crate) measure: fn(&Ground, &mut Table),
}

/// All parts.
pub(crate) const PARTS: [Part; 4] = [
    Part { name: strength::NAME, measure: strength::measure },
    Part { name: conditions::NAME, measure: conditions::measure },
    Part { name: lengths::NAME, measure: lengths::measure },
    Part { name: times::NAME, measure: times::measure },
];

/// A number of a part, for a model.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    part: String,
    model: String,
    what: String,
    value: f64,
}

/// All numbers, in the order in which they were measured.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table(Vec<Row>);

impl Table {
    pub(crate) fn read(text: &str) -> Table {
        let row = |line: &str| {
            let mut cells = line.split('\t').map(str::to_owned);
            let (part, model, what) = (cells.next()?, cells.next()?, cells.next()?);
            Some(Row { part, model, what, value: cells.next()?.parse().ok()? })
        };
        Table(text.lines().skip(1).filter_map(row).collect())
    }

    pub(crate) fn text(&self) -> String {
        let mut out = "part\tmodel\twhat\tvalue\n".to_owned();
        for Row { part, model, what, value } in &self.0 {
            writeln!(out, "{part}\t{model}\t{what}\t{value}").expect("it is a string");
        }
        out
    }

    /// Copies a part of another table.
    pub(crate) fn take(&mut self, other: &Table, part: &str) {
        self.0.extend(other.0.iter().filter(|row| row.part == part).cloned());
    }

    /// Appends other tables.
    fn append(&mut self, others: Vec<Table>) {
        self.0.extend(others.into_iter().flat_map(|other| other.0));
    }

    fn put(&mut self, part: &str, model: &str, what: &str, value: f64) {
        let (part, model, what) = (part.to_owned(), model.to_owned(), what.to_owned());
        self.0.push(Row { part, model, what, value });
    }

    fn value(&self, part: &str, model: &str, what: &str) -> Option<f64> {
        let is_it = |row: &&Row| row.part == part && row.model == model && row.what == what;
        self.0.iter().find(is_it).map(|row| row.value)
    }

    /// The models of a part.
    fn models(&self, part: &str) -> Vec<&str> {
        let mut models: Vec<&str> = Vec::new();
        for row in self.0.iter().filter(|row| row.part == part) {
            if models.last() != Some(&&*row.model) {
                models.push(&row.model);
            }
        }
        models
    }
}

/// Models in parallel, if time is not measured.
const THREADS: usize = 2;

/// The geometric mean; 1 if there are no values.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let logs: Vec<f64> = values.map(f64::ln).collect();
    (logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp()
}

/// A printed share.
fn share(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.3}"))
}

/// A printed whole number.
fn whole(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.0}"))
}
