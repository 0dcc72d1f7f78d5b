//! `beeline check`: a verdict for every property, with trails.

use std::path::{Path, PathBuf};

use beeline_checker::{CheckError, CheckReport, PropertyReport};
use beeline_kernel::Stop;
use beeline_model::{Coverage, StoryStates, Violation};
use beeline_source::expect::Expect;

use crate::args::chart::ChartRequest;
use crate::args::check::Check;
use crate::base::failure::Failure;
use crate::base::output::CommandOutput;
use crate::commands::chart_file::{self, DrawnChart};
use crate::commands::load::{self, LoadRequest};
use crate::commands::retell::story_of;
use crate::commands::{earlier_trails, expectation, output_files};
use crate::model::loaded::LoadedModel;
use crate::model::trail;
use crate::model::trail_paths::{TrailPaths, TrailPlace};
use crate::render::check::{CheckOutcome, ShownViolation, judged_exit};
use crate::render::formats;
use crate::run::{FoundViolations, LiveTrails, ProgressObserver, with_watchdog};

/// Executes `check`.
pub(crate) fn check(options: &Check) -> Result<CommandOutput, CommandOutput> {
    let chart = options.drawing.request(options.report.json).map_err(|error| {
        load::fail(&options.input.model.to_string_lossy(), &options.report, error)
    })?;
    let given: Vec<_> = options.for_some_languages().collect();
    let mut loaded = load::parse(&LoadRequest {
        properties: &options.properties,
        semantics: options.meaning.semantics(),
        given: &given,
        ..LoadRequest::new(&options.input, &options.report)
    })?;
    let header = expectation::header(&options.expecting, &mut loaded);
    let mut warnings = load::accept(&loaded, &options.report)
        .map_err(|output| output_files::of_refused(&loaded, options, output))?;
    warnings += &load::unused_macros(&loaded, &options.input, &options.report);
    let paths = TrailPaths::new(&loaded.model, options.trail.as_deref());
    let run = CheckRun { options, loaded: &loaded, paths: &paths, header: header.as_ref() };
    let checked = run.execute(&warnings)?;
    Ok(run.output(checked, chart.as_ref(), warnings))
}

/// A check of a model without errors.
struct CheckRun<'a> {
    options: &'a Check,
    loaded: &'a LoadedModel,
    paths: &'a TrailPaths,
    /// The expectations in the model itself.
    header: Option<&'a Expect>,
}

/// The results of the checker.
struct Finished {
    report: CheckReport,
    coverage: Option<Coverage>,
    seconds: f64,
}

impl CheckRun<'_> {
    /// Checks the properties. If a single step exceeds a limit by far, the watchdog ends the
    /// process with the results so far.
    fn execute(&self, warnings: &str) -> Result<Finished, CommandOutput> {
        let options = self.options;
        let model = self.loaded.as_model();
        let fail = |failure: Failure| load::fail(&self.loaded.model, &options.report, failure);
        let properties =
            expectation::selected(&options.expecting, model, &options.properties, self.header)
                .map_err(|error| fail(error.into()))?;
        let mut clock = ProgressObserver::start(&options.exploring, options.report.quiet);
        clock.set_properties(&properties);
        clock.begin(&options.search().name);
        let (known, latest) = (FoundViolations::default(), clock.latest());
        let paths = (!options.no_trail).then_some(self.paths);
        let stops = options.stops_after_violation();
        let mut observer = LiveTrails::new(clock, paths, &known, stops);
        let plan = options.plan();
        let give_up = |stop: Stop, seconds: f64| {
            let known = known.lock().map(|known| known.clone()).unwrap_or_default();
            let stats = latest.stats();
            let report = CheckReport::interrupted(&properties, &plan, &known, stats, stop);
            self.output(Finished { report, coverage: None, seconds }, None, warnings.to_owned())
        };
        let (report, coverage) = with_watchdog(options.exploring.time, give_up, || {
            let report =
                beeline_checker::check(model, &properties, &plan, options.all, &mut observer);
            let coverage = options
                .coverage
                .then(|| beeline_checker::coverage(model, &plan, &mut observer.clock).ok());
            (report, coverage.flatten())
        });
        let clock = observer.clock;
        clock.finish();
        match report {
            Ok(report) => Ok(Finished { report, coverage, seconds: clock.seconds() }),
            Err(CheckError::Heuristic(error)) => {
                let help = "`beeline list heuristics` tells what each of them takes";
                Err(fail(Failure::new(error.to_string(), help)))
            }
            Err(CheckError::Reduction(why)) => Err(fail(Failure::new(why, load::REDUCTIONS))),
            // An unconfirmed finding is a bug of Beeline, and reported as one.
            Err(error @ CheckError::Unconfirmed(_)) => panic!("{error}"),
        }
    }

    fn output(
        &self,
        finished: Finished,
        chart: Option<&ChartRequest>,
        mut err: String,
    ) -> CommandOutput {
        let options = self.options;
        let Finished { report, coverage, seconds } = finished;
        let shown = self.shown(&report, &mut err);
        if !options.no_trail && self.paths.is_certain() {
            err += &earlier_trails::tidy(self.paths, &report, options);
        }
        if let Some(file) = &options.nearest {
            err += &write_nearest(file, &report.properties);
        }
        let plain = options.exploring.plain;
        let outcome = CheckOutcome {
            loaded: self.loaded,
            shown,
            judged: expectation::judge(&options.expecting, &report, self.header, plain),
            report: &report,
            coverage,
            seconds,
            search: options.search().name,
            store: options.exploring.store,
            nearest: options.nearest.as_deref(),
            paint: options.report.color.paint(&std::io::stdout()),
            wants_stats: options.exploring.stats,
            is_quiet: options.report.quiet,
        };
        let exit = outcome.judged.as_deref().map_or_else(|| outcome.exit(), judged_exit);
        let format = if options.report.json { "json" } else { "text" };
        let mut out = formats::output(format, &outcome);
        if let Some(chart) = chart {
            self.draw(chart, &outcome, &mut out, &mut err);
        }
        output_files::of_check(&outcome, options, CommandOutput { out, err, exit })
    }

    /// Draws the first violation. As with trails, the verdict stands when the chart cannot be
    /// written. If the chart goes to standard output, the report goes to standard error.
    fn draw(
        &self,
        request: &ChartRequest,
        outcome: &CheckOutcome<'_>,
        out: &mut String,
        err: &mut String,
    ) {
        let report = &self.options.report;
        let Some(shown) = outcome.shown.iter().flatten().next() else {
            if request.file.is_none() {
                err.push_str(&std::mem::take(out));
            }
            err.push_str("note: no property is violated, so there is no trail to draw\n");
            return;
        };
        let chronicle = self.loaded.as_model().chronicle(&shown.violation.trail);
        let mut chronicle =
            chronicle.unwrap_or_else(|error| panic!("a confirmed trail fails: {error}"));
        chronicle.story.end = shown.story.end.clone();
        match chart_file::draw(request, self.loaded, &chronicle) {
            Ok(DrawnChart::Written(note)) if !report.json && !report.quiet => out.push_str(&note),
            Ok(DrawnChart::Written(_)) => {}
            Ok(DrawnChart::Output(chart)) => err.push_str(&std::mem::replace(out, chart)),
            Err(error) => {
                let Failure { message, help } = error.into();
                err.push_str(&format!("warning: {message}\nhelp: the verdict stands; {help}\n"));
            }
        }
    }

    /// Writes the trails and builds their stories, for each property.
    fn shown<'r>(&self, report: &'r CheckReport, err: &mut String) -> Vec<Vec<ShownViolation<'r>>> {
        let mut is_first = true;
        let show = |checked: &'r PropertyReport| {
            let show = |(at, violation): (usize, &'r Violation)| {
                let property = &*checked.property.name;
                let place = TrailPlace { property, number: at + 1, is_first };
                is_first = false;
                self.show(checked, violation, place, err)
            };
            checked.verdict.violations().iter().enumerate().map(show).collect()
        };
        report.properties.iter().map(show).collect()
    }

    /// Writes a trail and builds its story. The verdict stands when the trail cannot be written.
    fn show<'r>(
        &self,
        checked: &PropertyReport,
        violation: &'r Violation,
        place: TrailPlace<'_>,
        err: &mut String,
    ) -> ShownViolation<'r> {
        let (options, model) = (self.options, self.loaded.as_model());
        let wants_states = options.traces.iter().next().is_some();
        let states = if wants_states { StoryStates::Whole } else { StoryStates::Left };
        let mut story = story_of(model, violation, Some(&checked.property), states);
        let core = model.causal_core(&violation.trail);
        story.core = core.unwrap_or_default();
        let mut shown = ShownViolation { violation, story, file: None, copy: None, is_lost: false };
        if !options.no_trail {
            let (file, copy) = self.paths.of_trail(place);
            shown.file = write_trail(file, violation, err);
            shown.is_lost = shown.file.is_none();
            // Where the first file cannot be written, the copy beside it most likely cannot either.
            let copy = copy.filter(|_| !shown.is_lost);
            shown.copy = copy.and_then(|copy| write_trail(copy, violation, err));
        }
        shown
    }
}

/// Writes a trail, and returns its file; or adds a warning.
fn write_trail(file: PathBuf, violation: &Violation, err: &mut String) -> Option<PathBuf> {
    let error = match trail::write(&file, &violation.trail) {
        Ok(()) => return Some(file),
        Err(error) => error,
    };
    err.push_str(&format!(
        "warning: cannot write the trail `{}`: {error}\n\
         help: the verdict stands, and every step is shown; `--trail FILE` writes it elsewhere\n",
        file.display()
    ));
    None
}

/// Writes the trail of the nearest miss, of the first property that has one. Returns a message for
/// standard error, which is empty when the trail was written.
fn write_nearest(file: &Path, properties: &[PropertyReport]) -> String {
    let Some(nearest) = properties.iter().find_map(|checked| checked.nearest.as_ref()) else {
        return "note: no property is unknown after a directed search, so there is no nearest \
                miss\n"
            .to_owned();
    };
    match trail::write(file, &nearest.trail) {
        Ok(()) => String::new(),
        Err(error) => {
            let name = file.display();
            format!("warning: cannot write the trail `{name}`: {error}\nhelp: the verdict stands\n")
        }
    }
}
