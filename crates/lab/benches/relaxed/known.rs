//! The errors of the BEEM database itself, where they are known.
//!
//! Source: the reachability properties of [Pel07], and which models violate them, as published with
//! the translation of the database to BTOR (J. Dubrovin, 2012). For `adding`, `fischer` and
//! `krebs`, the conditions are taken from there; the others follow the names in the models.
//! Exhaustive search, where it is complete, agrees with the published results, also for those
//! members of these families without an error. Two processes at a label are two of those that have
//! it.
//!
//! Left out: states that the Promela versions do not distinguish (in `leader_filters` being elected
//! and having lost are the same location), and properties of which only the verdict is known.

use std::path::Path;

use beeline_promela::hir::{Label, Model};
use beeline_testkit::model;

/// An error condition.
enum Error {
    /// Two processes are at this label at once.
    Two(&'static str),
    /// This condition is true.
    Is(&'static str),
}

use Error::{Is, Two};

/// Families of models, the numbers of those with the error, and the error.
const KNOWN: [(&str, &[u32], Error); 26] = [
    ("adding", &[1], Is("c == 17")),
    ("adding", &[2], Is("c == 500")),
    ("at", &[2, 3, 6], Two("CS")),
    ("bakery", &[2, 4, 6], Two("CS")),
    ("bridge", &[1], Is("on_right == 4")),
    ("bridge", &[2], Is("on_right == 6")),
    ("bridge", &[3], Is("on_right == 8")),
    ("brp", &[2, 3, 4, 5, 6], Is("Consumer@st_error")),
    ("extinction", &[3], Is("leaders_num > 1")),
    ("fischer", &[2, 3, 5, 7], Two("CS")),
    // All four errors of the control are one location in Promela.
    ("gear", &[1, 2], Is("GearControl@copen_error")),
    ("hanoi", &[1], Is("c_act == 9")),
    ("hanoi", &[2], Is("c_act == 13")),
    ("hanoi", &[3], Is("c_act == 16")),
    ("krebs", &[1], Is("energy > 5")),
    ("krebs", &[3], Is("energy > 50")),
    ("lamport", &[2, 3, 6, 8], Two("CS")),
    ("lamport_nonatomic", &[3], Two("CS")),
    ("loyd", &[1, 2], Is("Check@done")),
    ("peg_solitaire", &[1, 2, 3, 5, 6], Is("peg_count == 1")),
    ("peterson", &[2, 3, 5, 6], Two("CS")),
    ("reader_writer", &[1, 3], Is("control@q_error")),
    ("rushhour", &[1, 2], Is("Red_car@out")),
    ("schedule_world", &[1, 2, 3], Is("P@done")),
    ("sokoban", &[1, 2], Is("done == 1")),
    ("szymanski", &[2, 4], Two("CS")),
];

fn find(name: &str) -> Option<&'static Error> {
    let (family, number) = name.rsplit_once('.')?;
    let number: u32 = number.parse().ok()?;
    let is_it = |row: &&(&str, &[u32], Error)| row.0 == family && row.1.contains(&number);
    KNOWN.iter().find(is_it).map(|row| &row.2)
}

/// Whether the error of a model is known.
pub(crate) fn is_known(name: &str) -> bool {
    find(name).is_some()
}

/// The error of a model, as a condition.
pub(crate) fn known_error(name: &str, file: &Path) -> Option<String> {
    match find(name)? {
        Is(condition) => Some((*condition).to_owned()),
        Two(label) => Some(two_at(label, &model::read(file).ok()?.hir)),
    }
}

/// The condition that two processes are at a label at once.
fn two_at(label: &str, hir: &Model) -> String {
    let has_it = |labels: &[Label]| labels.iter().any(|one| &*one.name.name == label);
    let with = hir.processes.iter().filter(|process| has_it(&process.labels));
    let names: Vec<_> = with.map(|process| &process.name.name).collect();
    let mut pairs = Vec::new();
    for (at, other) in names.iter().enumerate() {
        pairs.extend(names[..at].iter().map(|one| format!("({one}@{label} && {other}@{label})")));
    }
    pairs.join(" || ")
}
