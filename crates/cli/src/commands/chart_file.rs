//! Drawing a chart to its file or to standard output.

use std::io;
use std::path::PathBuf;

use beeline_model::Chronicle;

use crate::args::chart::ChartRequest;
use crate::base::failure::Failure;
use crate::base::file;
use crate::model::loaded::LoadedModel;
use crate::render::chart::ChartInput;

/// A chart that was drawn.
pub(crate) enum DrawnChart {
    /// Written to a file; the text is a message about it.
    Written(String),
    /// For standard output.
    Output(String),
}

/// The chart cannot be written to this file.
#[derive(Debug)]
pub(crate) struct ChartFileError(PathBuf, io::Error);

impl From<ChartFileError> for Failure {
    fn from(ChartFileError(file, error): ChartFileError) -> Failure {
        let message = format!("cannot write the chart `{}`: {error}", file.display());
        Failure::new(message, "check the directory and its permissions")
    }
}

/// Draws a chart to the file that was requested.
///
/// # Errors
///
/// When the file cannot be written.
pub(crate) fn draw(
    request: &ChartRequest,
    loaded: &LoadedModel,
    chronicle: &Chronicle,
) -> Result<DrawnChart, ChartFileError> {
    let chart = (request.writer.draw)(&ChartInput::new(loaded, chronicle));
    let Some(path) = &request.file else { return Ok(DrawnChart::Output(chart)) };
    match file::replace(path, &chart) {
        Ok(()) => Ok(DrawnChart::Written(format!("chart written to {}\n", path.display()))),
        Err(error) => Err(ChartFileError(path.clone(), error)),
    }
}
