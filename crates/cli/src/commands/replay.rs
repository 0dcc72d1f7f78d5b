//! `beeline replay`: a trail executed step by step.

use std::ops::ControlFlow;
use std::path::Path;

use beeline_kernel::Deadline;
use beeline_model::{Property, StepTeller, Story};
use serde::Serialize;

use crate::args::chart::ChartRequest;
use crate::args::replay::Replay;
use crate::base::exit::Exit;
use crate::base::failure::Failure;
use crate::base::json::Header;
use crate::base::output::CommandOutput;
use crate::base::stream::Stream;
use crate::commands::chart_file::{self, DrawnChart};
use crate::commands::load::{self, LoadRequest};
use crate::commands::output_files;
use crate::commands::retell::Retelling;
use crate::commands::trail_request::TrailRequest;
use crate::model::loaded::LoadedModel;
use crate::render::story::{self, StateDetail, StoryObject};
use crate::run::{catch_interrupts, is_interrupted};

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
            let help = "without --property, the first error is reported";
            return Err(fail(Failure::new(error.to_string(), help)));
        }
    };
    let request = TrailRequest {
        given: options.trail.as_deref(),
        properties: &options.properties,
        report: &options.report,
    };
    let (trail, note) = request.find(&loaded.model).map_err(|error| fail(error.into()))?;
    let mut retelling = Retelling::read(&loaded, &trail).map_err(fail)?;
    retelling.given.cut(options.steps.unwrap_or(usize::MAX));
    let core = loaded.as_model().causal_core(&retelling.given.trail, Deadline::NEVER);
    let run = ReplayRun {
        options,
        loaded: &loaded,
        retelling: &retelling,
        trail: &trail,
        properties: &properties,
    };
    let told = retelling.with_story(&properties, |mut story, teller| {
        story.core = core.unwrap_or_default();
        run.output(&story, teller, chart.as_ref(), warnings + &note)
    });
    told.map_err(fail)?.map_err(fail)
}

/// A replay of a trail that fits its model.
struct ReplayRun<'a> {
    options: &'a Replay,
    loaded: &'a LoadedModel,
    retelling: &'a Retelling<'a>,
    /// The file of the trail.
    trail: &'a Path,
    properties: &'a [Property],
}

impl ReplayRun<'_> {
    /// Writes the requested files, and then prints the steps as they are told: a trail can have
    /// millions of them.
    fn output(
        &self,
        story: &Story,
        teller: &dyn StepTeller,
        chart: Option<&ChartRequest>,
        warnings: String,
    ) -> Result<CommandOutput, Failure> {
        let (options, loaded) = (self.options, self.loaded);
        let mut output = CommandOutput { out: String::new(), err: warnings, exit: Exit::Success };
        // The first steps of a trail need not lead to an error.
        let doubt = self.retelling.doubt(story).filter(|_| options.steps.is_none());
        if let Some(doubt) = doubt {
            output.err += &doubt.render(options.report.color.paint(&std::io::stderr()));
            output.exit = Exit::Usage;
        }
        let mut takes_output = false;
        let mut note = String::new();
        if let Some(chart) = chart {
            let chronicle = loaded.as_model().chronicle(&self.retelling.given.trail);
            let chronicle = chronicle.expect("it was executed just now");
            match chart_file::draw(chart, loaded, &chronicle)? {
                DrawnChart::Written(text) if !options.report.json && !options.report.quiet => {
                    note = text;
                }
                DrawnChart::Written(_) => {}
                DrawnChart::Output(chart) => {
                    output.out = chart;
                    takes_output = true;
                }
            }
        }
        if options.traces.iter().next().is_some() {
            let story = self.retelling.story_with_states(self.properties)?;
            takes_output |= options.traces.on_output() > 0;
            output = output_files::of_replay(loaded, options, &story, output);
        }
        if takes_output {
            return Ok(output);
        }
        CommandOutput { out: String::new(), ..output }.give();
        Ok(self.print(story, teller, &note, output.exit))
    }

    fn print(
        &self,
        story: &Story,
        teller: &dyn StepTeller,
        note: &str,
        exit: Exit,
    ) -> CommandOutput {
        let (options, sources) = (self.options, self.loaded.sources());
        let is_paged = !options.no_pager && !options.report.json;
        let mut stream = if is_paged { Stream::paged() } else { Stream::new() };
        if options.report.json {
            let trail = self.trail.to_string_lossy().into_owned();
            let story = StoryObject::new(story, teller, sources);
            let header = Header::new(&self.loaded.model);
            stream.say_line(&ReplayObject { header, trail, story });
            return stream.finish_known(exit);
        }
        // In a pager, Ctrl-C means no further text, and does not end this process.
        if stream.is_paged() {
            catch_interrupts();
        }
        let mut say = |text: &str| {
            stream.say(text);
            let is_wanted = stream.is_heard() && !is_interrupted();
            if is_wanted { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        if options.columns {
            story::say_columns(story, teller, &mut say);
        } else {
            story::say_steps(story, teller, sources, 0, &mut say);
        }
        let detail = if options.full { StateDetail::Full } else { StateDetail::Brief };
        stream.say(&story::end(story, sources, detail));
        stream.say(note);
        stream.finish_known(exit)
    }
}
