//! `beeline improve`: a shorter trail, and how it came about.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;

use beeline_checker::{
    CheckError, Event, ImproveError, ImproveOptions, Improved, Improvement, Observer, Stats,
};
use beeline_kernel::{Deadline, Stop};
use beeline_model::{Story, StoryStates};
use serde::Serialize;

use crate::args::improve::Improve;
use crate::base::exit::Exit;
use crate::base::failure::Failure;
use crate::base::json::{self, Header};
use crate::base::output::CommandOutput;
use crate::commands::load::{self, LoadRequest};
use crate::commands::retell::{Retelling, story_of};
use crate::model::loaded::LoadedModel;
use crate::model::trail;
use crate::render::check::length;
use crate::render::story::{self, StoryObject};
use crate::run::ProgressObserver;

/// The object that `improve --json` prints.
#[derive(Serialize)]
struct Object<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    given: TrailObject,
    trail: TrailObject,
    shortest: bool,
    lower_bound: u64,
    improvements: Vec<Step<'a>>,
    expanded: u64,
    peak_bytes: u64,
    seconds: f64,
    #[serde(flatten)]
    story: StoryObject<'a>,
}

#[derive(Serialize)]
struct TrailObject {
    file: Option<String>,
    #[serde(rename = "length")]
    steps: u64,
}

#[derive(Serialize)]
struct Step<'a> {
    by: &'a str,
    #[serde(rename = "length")]
    steps: u64,
    expanded: u64,
    stored: u64,
}

/// Answers `improve`.
pub(crate) fn improve(options: &Improve) -> Result<CommandOutput, CommandOutput> {
    let (loaded, mut err) = load::read(&LoadRequest {
        properties: &options.properties,
        semantics: options.meaning.semantics(),
        ..LoadRequest::new(&options.input, &options.report)
    })?;
    let fail = |failure: Failure| load::fail(&loaded.model, &options.report, failure);
    let (plan, place) = (options.plan(), options.place());
    let retelling = Retelling::read(&loaded, &options.given).map_err(fail)?;
    let (time, progress, quiet) = (Some(options.time), options.progress, options.report.quiet);
    let clock = ProgressObserver::within(time, progress, quiet);
    let mut writer = TrailWriter { clock, place: &place, problem: None };
    let wanted = ImproveOptions { plan: &plan, few_switches: options.switches, by: &options.by };
    let model = loaded.as_model();
    let improved = beeline_checker::improve(model, &retelling.given.trail, &wanted, &mut writer);
    let TrailWriter { clock, problem, .. } = writer;
    clock.finish();
    let improved = improved.map_err(|error| fail(failure(options, &retelling, error)))?;
    let file = (!improved.log.is_empty() && problem.is_none()).then_some(&*place);
    err += problem.as_deref().unwrap_or_default();
    let story = story_of(model, &improved.violation, None, StoryStates::Left);
    let seconds = clock.seconds();
    let out = if options.report.json {
        json::line(&object(options, &loaded, &improved, &story, file, seconds))
    } else {
        text(options, &loaded, &improved, &story, file)
    };
    Ok(CommandOutput { out, err, exit: Exit::Success })
}

/// Why a trail cannot be improved, and what to do.
fn failure(options: &Improve, retelling: &Retelling<'_>, error: ImproveError) -> Failure {
    let refused =
        |error: &ImproveError| format!("`{}` cannot be improved: {error}", options.given.display());
    match error {
        ImproveError::Trail(error) => retelling.misfit(&error),
        ImproveError::Check(CheckError::Heuristic(why)) => Failure::new(
            format!("`--by`: {why}"),
            "`beeline list heuristics` tells what each is made for",
        ),
        // A finding that cannot be confirmed is a bug of ours, and reported as one.
        ImproveError::Check(error) => panic!("{error}"),
        ImproveError::NoError => Failure::new(
            refused(&error),
            "what is not in the model can be named: --property 'ltl: FORMULA' or --property \
             'invariant: EXPR'",
        ),
        ImproveError::Cycle => Failure::new(
            refused(&error),
            "a trail with a cycle has to end in the state in which its cycle begins",
        ),
    }
}

/// Writes each better trail to its file at once.
struct TrailWriter<'a> {
    clock: ProgressObserver,
    place: &'a Path,
    problem: Option<String>,
}

impl Observer for TrailWriter<'_> {
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Stop> {
        self.clock.poll(stats)
    }

    fn slice(&mut self) -> u64 {
        self.clock.slice()
    }

    fn deadline(&self) -> Deadline {
        self.clock.deadline()
    }

    fn on_event(&mut self, event: &Event<'_>) {
        let Event::Shortened { violation, by, .. } = event else { return };
        self.clock.say(&format!("{} steps ({by})", violation.length.steps));
        self.problem = trail::write(self.place, &violation.trail).err().map(|error| {
            format!(
                "warning: cannot write the trail `{}`: {error}\nhelp: every step is shown; \
                 `--trail FILE` writes it elsewhere\n",
                self.place.display()
            )
        });
    }
}

fn object<'a>(
    options: &Improve,
    loaded: &'a LoadedModel,
    improved: &'a Improved,
    story: &'a Story,
    file: Option<&Path>,
    seconds: f64,
) -> Object<'a> {
    let name = |path: &Path| path.to_string_lossy().into_owned();
    let violation = &improved.violation;
    let improvements = improved.log.iter().map(|one| Step {
        by: &one.by,
        steps: one.steps,
        expanded: one.stats.expanded,
        stored: one.stats.stored,
    });
    Object {
        header: Header::new(&loaded.model),
        given: TrailObject { file: Some(name(&options.given)), steps: improved.given },
        trail: TrailObject { file: file.map(name), steps: violation.length.steps },
        shortest: violation.is_shortest(),
        lower_bound: violation.length.lower_bound,
        improvements: improvements.collect(),
        expanded: improved.stats.expanded,
        peak_bytes: improved.peak_bytes,
        seconds,
        story: StoryObject::new(story, loaded.sources()),
    }
}

fn text(
    options: &Improve,
    loaded: &LoadedModel,
    improved: &Improved,
    story: &Story,
    file: Option<&Path>,
) -> String {
    let mut out = format!("given: {} steps\n", improved.given);
    let width = improved.log.iter().map(|one| one.by.len()).max().unwrap_or(0);
    for Improvement { by, steps, .. } in &improved.log {
        push(&mut out, format_args!("  {by:<width$}  {steps}\n"));
    }
    let begin = if improved.log.is_empty() { "not improved" } else { "improved" };
    push(&mut out, format_args!("{begin}: {}\n", length(&improved.violation)));
    if options.report.quiet {
        return out;
    }
    if let Some(file) = file {
        push(&mut out, format_args!("trail written to {}\n", file.display()));
    }
    let sources = loaded.sources();
    out + "\n" + &story::steps(story, sources, 0) + &story::end(story, sources)
}

fn push(out: &mut String, args: std::fmt::Arguments<'_>) {
    out.write_fmt(args).expect("writing to a string succeeds");
}
