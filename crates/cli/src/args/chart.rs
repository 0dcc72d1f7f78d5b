//! Options of charts, which several commands share.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::args::formats::is_output;
use crate::args::heading;
use crate::base::failure::Failure;
use crate::render::formats::{self, ChartWriter};

/// Whether to draw a trail, to which file, and in which format.
#[derive(Debug, Args)]
pub(crate) struct ChartArgs {
    /// Draw the trail as a message sequence chart: FILE ends in .svg, .html (a page that shows each
    /// state), .mmd (Mermaid) or .puml (PlantUML); `-` is standard output
    #[arg(help_heading = heading::TRAILS, long, value_name = "FILE")]
    chart: Option<PathBuf>,
    /// Format of the chart, instead of the one that the name of the file determines
    #[arg(help_heading = heading::TRAILS)]
    #[arg(long, value_name = "FORMAT", requires = "chart", value_parser = format_parser())]
    chart_format: Option<&'static ChartWriter>,
}

/// Reads the name of a format.
fn format_parser() -> impl TypedValueParser<Value = &'static ChartWriter> {
    let names = formats::charts().map(|(row, _)| PossibleValue::new(row.name).help(row.about));
    PossibleValuesParser::new(names).map(|name| {
        let mut all = formats::charts();
        all.find(|(row, _)| row.name == name).expect("the parser takes these names only").1
    })
}

/// A requested chart.
#[derive(Clone, Debug)]
pub(crate) struct ChartRequest {
    /// `None` is standard output.
    pub(crate) file: Option<PathBuf>,
    pub(crate) writer: &'static ChartWriter,
}

/// Why a requested chart cannot be drawn.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ChartError {
    /// JSON needs standard output, too.
    OutputTaken,
    /// The name of the file, or standard output, determines no format.
    UnknownFormat(PathBuf),
}

impl From<ChartError> for Failure {
    fn from(error: ChartError) -> Failure {
        match error {
            ChartError::OutputTaken => Failure::new(
                "standard output cannot hold both the chart and JSON",
                "name a file for the chart",
            ),
            ChartError::UnknownFormat(file) => {
                let message = if is_output(&file) {
                    "standard output does not determine the format of the chart".to_owned()
                } else {
                    format!(
                        "the name `{}` does not determine the format of the chart",
                        file.display()
                    )
                };
                let help =
                    "use a name that ends in .svg, .html, .mmd or .puml, or add --chart-format";
                Failure::new(message, help)
            }
        }
    }
}

impl ChartArgs {
    /// The requested chart, if there is one. With `json`, standard output is taken.
    ///
    /// # Errors
    ///
    /// When the options contradict each other, or do not determine the format.
    pub(crate) fn request(&self, json: bool) -> Result<Option<ChartRequest>, ChartError> {
        let Some(file) = &self.chart else { return Ok(None) };
        if json && is_output(file) {
            return Err(ChartError::OutputTaken);
        }
        let Some(writer) = self.chart_format.or_else(|| by_extension(file)) else {
            return Err(ChartError::UnknownFormat(file.clone()));
        };
        let file = (!is_output(file)).then(|| file.clone());
        Ok(Some(ChartRequest { file, writer }))
    }
}

fn by_extension(file: &Path) -> Option<&'static ChartWriter> {
    let extension = file.extension()?.to_string_lossy().to_lowercase();
    let mut writers = formats::charts().map(|(_, writer)| writer);
    writers.find(|writer| writer.extensions.contains(&extension.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(name: &str) -> Option<&'static ChartWriter> {
        formats::charts().find(|(row, _)| row.name == name).map(|(_, writer)| writer)
    }

    /// Whether there is a file, and the extensions of the format.
    fn request(chart: &str, format: Option<&str>) -> Option<(bool, &'static [&'static str])> {
        let chart_format = format.map(|name| find(name).expect("it is in the table"));
        let args = ChartArgs { chart: Some(chart.into()), chart_format };
        let request = args.request(false).ok()??;
        Some((request.file.is_some(), request.writer.extensions))
    }

    #[test]
    fn the_name_tells_the_format_unless_it_is_given() {
        let format = |name: &str| find(name).expect("it is in the table").extensions;
        assert_eq!(request("a.b/x.SVG", None), Some((true, format("svg"))));
        assert_eq!(request("x.html", None), Some((true, format("html"))));
        assert_eq!(request("x.mmd", None), Some((true, format("mermaid"))));
        assert_eq!(request("x.puml", Some("svg")), Some((true, format("svg"))));
        assert_eq!(request("-", Some("html")), Some((false, format("html"))));
        for unclear in ["x", "x.png", "-", "svg"] {
            assert_eq!(request(unclear, None), None, "{unclear}");
        }
    }
}
