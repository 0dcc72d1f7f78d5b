//! The comparison of a published value with ours.

use super::recipe::Column;

/// The result of the comparison of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// The paper has no value.
    Absent,
    /// As printed.
    Exact,
    /// The heuristic as defined expands less than the measured one.
    Better,
    /// It expands more than the measured one.
    Worse,
    /// A misprint in the paper; ours is the intended value.
    Misprint,
    /// The paper measured SPIN, and SPIN 6.5.2 agrees with ours.
    Spin,
    /// It depends on collisions of a hash function.
    Collision,
    /// The counting convention is unknown.
    Rule,
    /// Not tried, or beyond the budget.
    TooLarge,
    /// Different, for unknown reasons.
    Mismatch,
}

impl Status {
    /// The statuses that are counted, in this order.
    pub const ALL: [Status; 9] = [
        Status::Exact,
        Status::Better,
        Status::Worse,
        Status::Misprint,
        Status::Spin,
        Status::Collision,
        Status::Rule,
        Status::TooLarge,
        Status::Mismatch,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Status::Absent => "absent",
            Status::Exact => "exact",
            Status::Better => "better with the true heuristic",
            Status::Worse => "worse with the true heuristic",
            Status::Misprint => "misprint",
            Status::Spin => "SPIN 6.5.2 agrees with ours",
            Status::Collision => "collision dependent",
            Status::Rule => "rule not known",
            Status::TooLarge => "too large for the budget",
            Status::Mismatch => "MISMATCH",
        }
    }
}

/// A remark on a cell, or on a column.
pub struct Remark {
    table: String,
    column: String,
    n: Option<u32>,
    status: Status,
    /// The correct value; or `-`; or the allowed difference from the published value, as in `10%`.
    value: String,
    pub text: String,
}

impl Remark {
    /// Parses a line of the file.
    pub fn new(row: &[String]) -> Remark {
        let [table, column, n, kind, value, text] = row else { panic!("six fields: {row:?}") };
        let status = match kind.as_str() {
            "misprint" => Status::Misprint,
            "spin" => Status::Spin,
            "collision" => Status::Collision,
            "rule" => Status::Rule,
            _ => panic!("there is no kind of remark `{kind}`"),
        };
        let n = (n != "*").then(|| n.parse().expect("n is a number"));
        let (table, column) = (table.clone(), column.clone());
        Remark { table, column, n, status, value: value.clone(), text: text.clone() }
    }

    /// Whether it explains our value.
    fn explains(&self, published: &str, ours: &str) -> bool {
        let Some(percent) = self.value.strip_suffix('%') else {
            return self.value == "-" || self.value == ours;
        };
        let number = |text: &str| text.parse::<f64>().expect("a number");
        let (published, ours) = (number(published), number(ours));
        (ours - published).abs() <= number(percent) / 100.0 * published
    }

    pub fn is_about(&self, table: &str, column: &Column, n: u32) -> bool {
        self.table == table && self.column == column.name && self.n.is_none_or(|own| own == n)
    }
}

/// A cell of a table.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The name of its column.
    pub column: &'static str,
    /// The size of the model, which identifies the row.
    pub n: u32,
    /// The published value.
    pub published: String,
    /// Our value; `None` if it is too large.
    pub ours: Option<String>,
    /// The result of the comparison.
    pub status: Status,
    /// The remark, if they differ.
    pub remark: String,
}

impl Cell {
    /// Compares one value.
    pub fn new(
        column: &Column,
        n: u32,
        published: &str,
        ours: Option<String>,
        known: Option<&Remark>,
    ) -> Cell {
        let status = match &ours {
            _ if published == "-" => Status::Absent,
            None => Status::TooLarge,
            Some(ours) if is_same(published, ours) => Status::Exact,
            Some(ours) if column.is_true => {
                let number = |text: &str| text.parse::<u64>().expect("a number of states");
                if number(ours) < number(published) { Status::Better } else { Status::Worse }
            }
            Some(ours) => match known {
                Some(remark) if remark.explains(published, ours) => remark.status,
                _ => Status::Mismatch,
            },
        };
        let is_odd = known.is_some_and(|remark| remark.status == status);
        let remark = known.filter(|_| is_odd).map_or("", |remark| &remark.text).to_owned();
        Cell { column: column.name, n, published: published.to_owned(), ours, status, remark }
    }
}

/// Whether a printed value equals ours, up to its precision.
fn is_same(published: &str, ours: &str) -> bool {
    if published.contains('e') {
        let rounded = |text: &str| text.parse::<f64>().map(|value| format!("{value:.3e}"));
        return rounded(published) == rounded(ours);
    }
    published.trim_start_matches("-,") == ours
}
