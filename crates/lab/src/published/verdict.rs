//! The comparison of a published value with ours.

use super::recipe::Column;

/// How a cell came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// The paper leaves it out.
    Absent,
    /// As printed.
    Exact,
    /// The heuristic as it is defined expands less than the one that was measured.
    Better,
    /// It expands more.
    Worse,
    /// The paper cannot mean what it prints; ours is what it should be.
    Misprint,
    /// The paper measured SPIN, and SPIN 6.5.2 has what we have.
    Spin,
    /// It depends on which states a hash function takes for one.
    Collision,
    /// How it was counted is not known.
    Rule,
    /// Not tried, or given up.
    TooLarge,
    /// Different, for unknown reasons.
    Mismatch,
}

impl Status {
    /// Those that are worth counting, in this order.
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

    /// In a few words.
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

/// What is known about a cell, or about a column.
pub struct Remark {
    table: String,
    column: String,
    n: Option<u32>,
    status: Status,
    /// What it should be; or `-`; or how far from the published value it may be, as in `10%`.
    value: String,
    pub text: String,
}

impl Remark {
    /// From a line of the file.
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
    /// The size of the model, which names the row.
    pub n: u32,
    /// What the paper prints.
    pub published: String,
    /// What we count; nothing where it is too large.
    pub ours: Option<String>,
    /// How both compare.
    pub status: Status,
    /// What is known about it, if it differs.
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

/// Whether a printed value is ours, as far as it is printed.
fn is_same(published: &str, ours: &str) -> bool {
    if published.contains('e') {
        let rounded = |text: &str| text.parse::<f64>().map(|value| format!("{value:.3e}"));
        return rounded(published) == rounded(ours);
    }
    published.trim_start_matches("-,") == ours
}
