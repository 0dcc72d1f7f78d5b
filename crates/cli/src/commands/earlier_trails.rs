//! Trail files of earlier checks.
//!
//! A trail that is named after a property becomes wrong when there is none any more: it is removed.
//! The file that SPIN would write may be SPIN's; it stays, with a note.

use std::fs;

use beeline_checker::{CheckReport, PropertyReport};
use beeline_model::Verdict;

use crate::args::check::Check;
use crate::model::trail_paths::TrailPaths;

/// Removes outdated trails of the properties that were checked. Returns notes for standard error.
pub(super) fn tidy(paths: &TrailPaths, report: &CheckReport, options: &Check) -> String {
    let mut notes = String::new();
    let mut with_trails = report.properties.iter().filter(|one| trails_of(one) > 0);
    let first = with_trails.next().map(|checked| &*checked.property.name);
    for checked in &report.properties {
        let name = &checked.property.name;
        let is_first = first == Some(&**name);
        let why = match checked.verdict {
            _ if trails_of(checked) > 0 => "the trails of this check replace it",
            Verdict::Holds => "the property holds now",
            _ => "no run shows that the property holds",
        };
        for file in outdated(paths, checked, is_first, options.all) {
            // A file that cannot be removed is not worth an error.
            if fs::remove_file(&file).is_ok() {
                let file = file.display();
                notes += &format!("note: removed `{file}`, which an earlier check wrote: {why}\n");
            }
        }
    }
    if first.is_none() && paths.first().is_file() {
        let file = paths.first().display();
        notes += &format!("note: `{file}` is from an earlier run; this check found no error\n");
    }
    if options.report.quiet || options.report.json { String::new() } else { notes }
}

/// The number of trails of a property that this check wrote: violations, or the run that a query asks
/// for.
fn trails_of(checked: &PropertyReport) -> usize {
    match checked.property.kind.asks_for_witness() {
        true => checked.witness.len(),
        false => checked.verdict.violations().len(),
    }
}

/// The outdated trails of a property.
fn outdated(
    paths: &TrailPaths,
    checked: &PropertyReport,
    is_first: bool,
    all: bool,
) -> Vec<std::path::PathBuf> {
    let name = &checked.property.name;
    match (&checked.verdict, trails_of(checked)) {
        (Verdict::Unknown(_), _) => Vec::new(),
        (_, 0) => paths.earlier(name, 1),
        // The first trail is in the requested file only; a live trail may have been elsewhere.
        _ if is_first && paths.is_requested() => {
            paths.earlier(name, 1).into_iter().take(1).collect()
        }
        (_, trails) if all => paths.earlier(name, trails + 1),
        _ => Vec::new(),
    }
}
