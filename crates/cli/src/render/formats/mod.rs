//! The output formats: a file each, and their table.
//!
//! A row has the name of a format and the function that writes it. A new format is a file with that
//! function and a row here: `check` and `replay` derive their options from the rows.

mod html;
mod itf;
mod junit;
pub(crate) mod junit_xml;
mod mermaid;
mod place;
mod plantuml;
mod sarif;
mod svg;

use beeline_kernel::registry::Row;
use beeline_model::{Story, ToldSteps};

use crate::base::exit::Exit;
use crate::model::loaded::LoadedModel;
use crate::render::chart::ChartInput;
use crate::render::check::{self, CheckOutcome};

/// A format: its name is that of its option, and `about` the help.
pub(crate) type FormatRow = Row<Writer>;

/// What a format shows, and the function that writes it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Writer {
    /// The result of a check, on standard output.
    Output(fn(&CheckOutcome<'_>) -> String),
    /// The result of a check, in a file of its own.
    Report(ReportWriter),
    /// The states along a trail: of the model, the property if it is known, and the story.
    Trace(fn(&LoadedModel, Option<&str>, &Story) -> String),
    /// A trail as a message sequence chart.
    Chart(ChartWriter),
}

/// A report beside the output of a check.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReportWriter {
    /// The name of the report in messages.
    pub(crate) title: &'static str,
    /// The report of a check that ends with this exit code.
    pub(crate) of_check: fn(&CheckOutcome<'_>, Exit) -> String,
    /// The steps of a trail that the report shows.
    pub(crate) steps: ToldSteps,
    /// The report on a model with errors.
    pub(crate) of_refused: fn(&LoadedModel) -> String,
}

/// A chart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChartWriter {
    /// Extensions of file names that stand for the format.
    pub(crate) extensions: &'static [&'static str],
    pub(crate) draw: fn(&ChartInput<'_>) -> String,
}

/// All formats.
const FORMATS: &[FormatRow] = &[
    FormatRow::new("text", "Verdicts and trails as text", Writer::Output(check::text)),
    FormatRow::new("json", "One JSON object, for programs", Writer::Output(check::json)),
    FormatRow::new(
        "sarif",
        "Write errors as SARIF 2.1.0, for code scanning; `-` is standard output",
        Writer::Report(ReportWriter {
            title: "the SARIF report",
            of_check: sarif::of_check,
            steps: ToldSteps::Tail { longest: sarif::LONGEST_FLOW, last: sarif::LONGEST_FLOW },
            of_refused: sarif::of_refused,
        }),
    ),
    FormatRow::new(
        "junit",
        "Write a test case for each property as JUnit XML; `-` is standard output",
        Writer::Report(ReportWriter {
            title: "the JUnit report",
            of_check: junit::of_check,
            steps: check::SHOWN_STEPS,
            of_refused: junit::of_refused,
        }),
    ),
    FormatRow::new(
        "itf",
        "Write the states along the trail in the Informal Trace Format of Apalache; `-` is \
               standard output; further trails get numbers",
        Writer::Trace(itf::trace),
    ),
    FormatRow::new(
        "svg",
        "A drawing",
        Writer::Chart(ChartWriter { extensions: &["svg"], draw: svg::svg }),
    ),
    FormatRow::new(
        "html",
        "A self-contained page",
        Writer::Chart(ChartWriter { extensions: &["html", "htm"], draw: html::html }),
    ),
    FormatRow::new(
        "mermaid",
        "A diagram for Mermaid",
        Writer::Chart(ChartWriter { extensions: &["mmd", "mermaid"], draw: mermaid::mermaid }),
    ),
    FormatRow::new(
        "plantuml",
        "A diagram for PlantUML",
        Writer::Chart(ChartWriter { extensions: &["puml", "plantuml"], draw: plantuml::plantuml }),
    ),
];

/// Formats of reports beside the output of a check.
pub(crate) fn reports() -> impl Iterator<Item = &'static FormatRow> {
    FORMATS.iter().filter(|row| matches!(row.build, Writer::Report(_)))
}

/// Formats of states along a trail.
pub(crate) fn traces() -> impl Iterator<Item = &'static FormatRow> {
    FORMATS.iter().filter(|row| matches!(row.build, Writer::Trace(_)))
}

/// Formats of charts.
pub(crate) fn charts() -> impl Iterator<Item = (&'static FormatRow, &'static ChartWriter)> {
    FORMATS.iter().filter_map(|row| match &row.build {
        Writer::Chart(writer) => Some((row, writer)),
        _ => None,
    })
}

/// The output of a check in the format of this name.
pub(crate) fn output(name: &str, outcome: &CheckOutcome<'_>) -> String {
    let row = FORMATS.iter().find(|row| row.name == name);
    match row.map(|row| &row.build) {
        Some(Writer::Output(write)) => write(outcome),
        _ => unreachable!("`{name}` is not an output format"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_and_every_extension_stands_for_one_format() {
        let mut names: Vec<_> = FORMATS.iter().map(|row| row.name).collect();
        let mut extensions: Vec<_> =
            charts().flat_map(|(_, writer)| writer.extensions).copied().collect();
        for all in [&mut names, &mut extensions] {
            let count = all.len();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), count, "{all:?}");
        }
    }
}
