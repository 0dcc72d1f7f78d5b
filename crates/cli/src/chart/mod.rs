//! Message sequence charts: a trail as a drawing, as a page, or as text for other tools.
//!
//! [`layout`] says what goes where; the other files say it in one format each.

mod html;
mod label;
mod layout;
mod mermaid;
mod options;
mod plantuml;
mod sequence;
mod svg;

use beeline_checker::Chronicle;

use crate::file;
use crate::loaded::LoadedModel;
use crate::units;
pub(crate) use label::shorten;
use layout::Layout;
pub(crate) use options::{Drawing, Format, Wanted};
pub(crate) use svg::escaped;

/// What became of a chart.
pub(crate) enum Drawn {
    /// It is in its file; this says so.
    Written(String),
    /// It is for standard output.
    Out(String),
    /// It could not be written: what is wrong, and what to do.
    Failed(String, String),
}

/// Draws a chart, and puts it where it was asked for.
pub(crate) fn draw(wanted: &Wanted, loaded: &LoadedModel, chronicle: &Chronicle) -> Drawn {
    let chart = chart(wanted.format, loaded, chronicle);
    let Some(file) = &wanted.file else { return Drawn::Out(chart) };
    let name = file.display();
    match file::replace(file, &chart) {
        Ok(()) => Drawn::Written(format!("chart written to {name}\n")),
        Err(error) => {
            let message = format!("cannot write the chart `{name}`: {error}");
            let help = "check the directory, and who may write there".to_owned();
            Drawn::Failed(message, help)
        }
    }
}

fn chart(format: Format, loaded: &LoadedModel, chronicle: &Chronicle) -> String {
    let layout = Layout::new(chronicle, &loaded.result.sources);
    let title = title(loaded, chronicle);
    match format {
        Format::Svg => svg::svg(&layout, &title),
        Format::Html => html::html(&layout, chronicle, loaded, &title),
        Format::Mermaid => mermaid::mermaid(&layout, &sequence::lines(chronicle, &layout), &title),
        Format::Plantuml => {
            plantuml::plantuml(&layout, &sequence::lines(chronicle, &layout), &title)
        }
    }
}

fn title(loaded: &LoadedModel, chronicle: &Chronicle) -> String {
    let steps = chronicle.story.steps.len();
    let count = |steps: usize| units::steps(steps as u64);
    let model = loaded.model.rsplit('/').next().unwrap_or_default();
    let cycle = chronicle.story.cycle().filter(|_| !chronicle.story.stays());
    match chronicle.story.end.error {
        Some(wrong) if cycle.is_some() => {
            let before = cycle.unwrap_or_default();
            let round = steps - before;
            format!("{model}: {wrong} after {}, then {} for ever", count(before), count(round))
        }
        Some(wrong) => format!("{model}: {wrong} after {}", count(steps)),
        None => format!("{model}: {}", count(steps)),
    }
}
