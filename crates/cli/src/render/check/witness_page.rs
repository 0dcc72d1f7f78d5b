//! The runs of a witness as a page: a tree, in which each run can be folded.

use beeline_checker::{PropertyReport, WitnessTrail};

use crate::base::text::{escaped, push};
use crate::base::units;
use crate::render::check::outcome::CheckOutcome;
use crate::render::check::witness::{purpose, shown_steps};
use crate::render::page_colors::PAGE_COLORS;
use crate::render::story::STAYS;

const STYLE: &str = include_str!("witness_page.css");

/// The page of a property with a witness.
pub(crate) fn witness_page(checked: &PropertyReport, outcome: &CheckOutcome<'_>) -> String {
    let name = escaped(&checked.property.name);
    let what = escaped(purpose(checked));
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>{name}</title>\n<style>\n{PAGE_COLORS}{STYLE}</style>\n</head>\n<body>\n\
         <h1>{name}</h1>\n<p>{what}.</p>\n"
    );
    runs(&checked.witness, 0, outcome, &mut out);
    out += "</body>\n</html>\n";
    out
}

fn runs(all: &[WitnessTrail], shared: u64, outcome: &CheckOutcome<'_>, out: &mut String) {
    for (at, run) in all.iter().enumerate() {
        let number = match all.len() {
            1 => String::new(),
            count => format!("run {} of {count}, ", at + 1),
        };
        let (after, own) = (units::steps(shared), units::steps(run.steps - shared));
        let cycle = run.cycle.map(|cycle| format!(", the last {}", units::repeated(cycle)));
        let cycle = cycle.unwrap_or_default();
        push(
            out,
            format_args!(
                "<details open>\n<summary>{number}after {after}: {own}{cycle}</summary>\n<pre>{}{}</pre>\n",
                escaped(&shown_steps(run, shared, outcome)),
                if run.rests { STAYS } else { "" },
            ),
        );
        runs(&run.then, run.steps, outcome, out);
        *out += "</details>\n";
    }
}
