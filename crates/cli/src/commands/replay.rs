//! `beeline replay`: a trail executed step by step.

use std::path::PathBuf;

use beeline_model::StoryStates;
use serde::Serialize;

use crate::args::replay::Replay;
use crate::base::exit::Exit;
use crate::base::failure::Failure;
use crate::base::json::{self, Header};
use crate::base::output::CommandOutput;
use crate::commands::chart_file::{self, DrawnChart};
use crate::commands::load::{self, LoadRequest};
use crate::commands::output_files;
use crate::commands::retell::{Retelling, Retold};
use crate::model::trail::{self, TrailReadError};
use crate::render::story::{self, StoryObject};

/// The object that `replay --json` prints.
#[derive(Serialize)]
struct ReplayObject<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    trail: String,
    #[serde(flatten)]
    story: StoryObject<'a>,
}

/// Executes `replay`. A trail without an error at its end is shown, too, but with a warning: most
/// likely it is truncated.
pub(crate) fn replay(options: &Replay) -> Result<CommandOutput, CommandOutput> {
    let chart = options.drawing.request(options.report.json).map_err(|error| {
        load::fail(&options.input.model.to_string_lossy(), &options.report, error)
    })?;
    let (loaded, warnings) = load::read(&LoadRequest {
        properties: &options.properties,
        semantics: options.meaning.semantics(),
        ..LoadRequest::new(&options.input, &options.report)
    })?;
    let fail = |failure: Failure| load::fail(&loaded.model, &options.report, failure);
    let properties = match loaded.as_model().select(&options.properties) {
        // Without names, any error is shown.
        Ok(_) if options.properties.is_empty() => Vec::new(),
        Ok(properties) => properties,
        Err(error) => {
            let help = "without --property, the first error is told";
            return Err(fail(Failure::new(error.to_string(), help)));
        }
    };
    let (trail, note) = trail_of(options, &loaded.model).map_err(|error| fail(error.into()))?;
    let mut retelling = Retelling::read(&loaded, &trail).map_err(fail)?;
    retelling.given.cut(options.steps.unwrap_or(usize::MAX));
    let wants_states = options.traces.iter().next().is_some();
    let states = if wants_states { StoryStates::Whole } else { StoryStates::Left };
    let retold = retelling.tell_for(&properties, states).map_err(fail)?;
    let Retold { story, file, doubt } = retold;
    // The first steps of a trail need not lead to an error.
    let doubt = doubt.filter(|_| options.steps.is_none());
    let sources = loaded.sources();
    let mut out = if options.report.json {
        let trail = trail.to_string_lossy().into_owned();
        let story = StoryObject::new(&story, sources);
        json::line(&ReplayObject { header: Header::new(&loaded.model), trail, story })
    } else {
        let steps =
            if options.columns { story::columns(&story) } else { story::steps(&story, sources, 0) };
        steps + &story::end(&story, sources)
    };
    if let Some(chart) = chart {
        let chronicle = loaded.as_model().chronicle(&file);
        let chronicle = chronicle.expect("it was executed just now");
        match chart_file::draw(&chart, &loaded, &chronicle).map_err(|error| fail(error.into()))? {
            DrawnChart::Written(note) if !options.report.json && !options.report.quiet => {
                out += &note;
            }
            DrawnChart::Written(_) => {}
            DrawnChart::Output(chart) => out = chart,
        }
    }
    let warnings = warnings + &note;
    let output = match doubt {
        None => CommandOutput { out, err: warnings, exit: Exit::Success },
        Some(doubt) => {
            let complaint = doubt.render(options.report.color.paint(&std::io::stderr()));
            CommandOutput { out, err: warnings + &complaint, exit: Exit::Usage }
        }
    };
    Ok(output_files::of_replay(&loaded, options, &story, output))
}

/// The trail to execute, and a note that names it if the user did not.
fn trail_of(options: &Replay, model: &str) -> Result<(PathBuf, String), TrailReadError> {
    if let Some(trail) = &options.trail {
        return Ok((trail.clone(), String::new()));
    }
    let property = match &options.properties[..] {
        [property] => Some(&**property),
        _ => None,
    };
    let trail = trail::find(model, property)?;
    let silent = options.report.quiet || options.report.json;
    let note = format!("note: this is the trail `{}`\n", trail.display());
    Ok((trail, if silent { String::new() } else { note }))
}
