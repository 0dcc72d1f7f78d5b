//! Trail files of earlier checks.
//!
//! A trail that is named after a property becomes wrong when the property holds: it is removed. The
//! file that SPIN would write may be SPIN's; it stays, with a note.

use std::fs;

use beeline_checker::{CheckReport, PropertyReport};
use beeline_model::Verdict;

use crate::args::check::Check;
use crate::model::trail_paths::TrailPaths;

/// Removes outdated trails of the properties that were checked. Returns notes for standard error.
pub(super) fn tidy(paths: &TrailPaths, report: &CheckReport, options: &Check) -> String {
    let mut notes = String::new();
    let mut violated = report.properties.iter().filter(|one| !one.verdict.violations().is_empty());
    let first = violated.next().map(|checked| &*checked.property.name);
    for checked in &report.properties {
        let name = &checked.property.name;
        let is_first = first == Some(&**name);
        let why = match checked.verdict {
            Verdict::Holds => "the property holds now",
            _ => "the trails of this check replace it",
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

/// The outdated trails of a property.
fn outdated(
    paths: &TrailPaths,
    checked: &PropertyReport,
    is_first: bool,
    all: bool,
) -> Vec<std::path::PathBuf> {
    let name = &checked.property.name;
    match &checked.verdict {
        Verdict::Holds => paths.earlier(name, 1),
        // The first trail is in the requested file only; a live trail may have been elsewhere.
        Verdict::Violated(_) if is_first && paths.is_requested() => {
            paths.earlier(name, 1).into_iter().take(1).collect()
        }
        Verdict::Violated(violations) if all => paths.earlier(name, violations.len() + 1),
        Verdict::Violated(_) | Verdict::Unknown(_) => Vec::new(),
    }
}
