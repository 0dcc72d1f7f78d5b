//! `beeline check`: a verdict for every property, with trails.

use std::path::{Path, PathBuf};

use beeline_checker::{CheckError, CheckReport, PropertyReport};
use beeline_kernel::{Deadline, Stop};
use beeline_model::{
    Coverage, ErrorKind, Story, StoryRequest, StoryStates, Subject, ToldSteps, Violation,
};
use beeline_source::expect::Expect;

use crate::args::chart::ChartRequest;
use crate::args::check::Check;
use crate::base::failure::Failure;
use crate::base::file;
use crate::base::output::CommandOutput;
use crate::commands::chart_file::{self, DrawnChart};
use crate::commands::load::{self, LoadRequest};
use crate::commands::retell::story_of;
use crate::commands::{earlier_trails, expectation, output_files};
use crate::model::loaded::LoadedModel;
use crate::model::trail;
use crate::model::trail_paths::{TrailPaths, TrailPlace};
use crate::render::check::{CheckOutcome, SHOWN_STEPS, ShownViolation, judged_exit, witness_page};
use crate::render::formats::{self, Writer};
use crate::run::{
    FoundViolations, LiveTrails, ProgressObserver, ReportLimits, WatchdogLimits, is_interrupted,
    with_watchdog,
};

/// Executes `check`.
pub(crate) fn check(options: &Check) -> Result<CommandOutput, CommandOutput> {
    let chart = options.drawing.request(options.report.json).map_err(|error| {
        load::fail(&options.input.model.to_string_lossy(), &options.report, error)
    })?;
    let given: Vec<_> = options.for_some_languages().collect();
    let mut loaded = load::parse(&LoadRequest {
        properties: &options.properties,
        queries: &options.queries,
        semantics: options.meaning.semantics(),
        instances: &options.exploring.instances,
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
    Ok(run.report(&checked, chart.as_ref(), &warnings))
}

/// How long trails are told.
#[derive(Clone, Copy)]
enum Telling {
    /// Until then.
    Until(Deadline),
    /// Not at all, for this reason.
    Stopped(Stop),
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
    /// What is left of the limits for the report.
    left: ReportLimits,
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
            let left = ReportLimits::LEAST;
            let finished = Finished { report, coverage: None, seconds, left };
            let telling = match stop {
                // The work goes on to take memory until the process ends.
                Stop::Memory => Telling::Stopped(stop),
                _ => Telling::Until(left.deadline()),
            };
            self.output(&finished, telling, None, warnings)
        };
        let exploring = &options.exploring;
        let limits = WatchdogLimits::of_search(exploring.time, exploring.memory_limit());
        let (report, coverage) = with_watchdog(limits, give_up, || {
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
            Ok(report) => {
                let (seconds, left) = (clock.seconds(), clock.left_for_report());
                Ok(Finished { report, coverage, seconds, left })
            }
            Err(CheckError::Heuristic(error)) => {
                let help = self.loaded.heuristics();
                Err(fail(Failure::new(error.to_string(), help)))
            }
            Err(CheckError::Reduction(why)) => Err(fail(Failure::new(why, load::REDUCTIONS))),
            // An unconfirmed finding is a bug of Beeline, and reported as one.
            Err(error @ CheckError::Unconfirmed(_)) => panic!("{error}"),
        }
    }

    /// Writes the trails and the report. The limits hold here, too: a trail can have millions of
    /// steps. What takes too long is left out, but never a verdict or a trail file.
    fn report(
        &self,
        finished: &Finished,
        chart: Option<&ChartRequest>,
        warnings: &str,
    ) -> CommandOutput {
        let give_up =
            |stop: Stop, _: f64| self.output(finished, Telling::Stopped(stop), None, warnings);
        let memory = self.options.exploring.memory_limit();
        let limits = WatchdogLimits::of_report(finished.left, memory);
        let telling = Telling::Until(finished.left.deadline());
        with_watchdog(limits, give_up, || self.output(finished, telling, chart, warnings))
    }

    fn output(
        &self,
        finished: &Finished,
        telling: Telling,
        chart: Option<&ChartRequest>,
        warnings: &str,
    ) -> CommandOutput {
        let options = self.options;
        let Finished { report, coverage, seconds, .. } = finished;
        let mut err = warnings.to_owned();
        let shown = self.shown(report, telling, &mut err);
        if !options.no_trail && self.paths.is_certain() {
            err += &earlier_trails::tidy(self.paths, report, options);
        }
        if let Some(file) = &options.nearest {
            err += &write_nearest(file, &report.properties);
        }
        let plain = options.exploring.plain;
        let outcome = CheckOutcome {
            loaded: self.loaded,
            shown,
            judged: expectation::judge(&options.expecting, report, self.header, plain),
            report,
            coverage: coverage.as_ref(),
            seconds: *seconds,
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

    /// Draws each violation, to files that are named as those of trails are. As with trails, the
    /// verdict stands when a chart cannot be written. If the chart goes to standard output, the
    /// report goes to standard error, and only the first violation is drawn.
    fn draw(
        &self,
        request: &ChartRequest,
        outcome: &CheckOutcome<'_>,
        out: &mut String,
        err: &mut String,
    ) {
        let mut requests = chart_requests(request, outcome);
        let has_witness = self.draw_witnesses(request, outcome, out, err);
        let Some(first) = requests.next() else {
            if has_witness {
                return;
            }
            if request.file.is_none() {
                err.push_str(&std::mem::take(out));
            }
            err.push_str("note: no property is violated, so there is no trail to draw\n");
            return;
        };
        self.draw_one(&first.0, first.1, out, err);
        match requests.next() {
            Some(_) if request.file.is_none() => err.push_str(
                "note: only the first violation is drawn; with a file name, each one is\n",
            ),
            next => next.into_iter().chain(requests).for_each(|(request, shown)| {
                self.draw_one(&request, shown, out, err);
            }),
        }
    }

    /// Writes the runs of each witness as a page, if the chart is a page; returns whether there is
    /// one. Without a violation, the first page has the requested file; the others are named after
    /// their properties.
    fn draw_witnesses(
        &self,
        request: &ChartRequest,
        outcome: &CheckOutcome<'_>,
        out: &mut String,
        err: &mut String,
    ) -> bool {
        let (Some(file), true) = (&request.file, request.writer.extensions.contains(&"html"))
        else {
            return false;
        };
        let paths = TrailPaths::new("", Some(file));
        let mut is_taken = outcome.shown.iter().any(|shown| !shown.is_empty());
        let mut has_page = false;
        let all = outcome.report.properties.iter().filter(|checked| !checked.witness.is_empty());
        for checked in all {
            let path = match std::mem::replace(&mut is_taken, true) {
                true => paths.of_property(&format!("{}-witness", checked.property.name), 1),
                false => file.clone(),
            };
            has_page = true;
            let written = file::replace(&path, witness_page(checked, outcome));
            let name = path.display();
            match written {
                Ok(()) if self.options.report.json || self.options.report.quiet => {}
                Ok(()) => out.push_str(&format!("witness written to {name}\n")),
                Err(error) => err.push_str(&format!(
                    "warning: cannot write the witness `{name}`: {error}\nhelp: the verdict is \
                     valid nevertheless; check the directory and its permissions\n"
                )),
            }
        }
        has_page
    }

    fn draw_one(
        &self,
        request: &ChartRequest,
        shown: &ShownViolation<'_>,
        out: &mut String,
        err: &mut String,
    ) {
        if let Some(stop) = shown.not_told {
            err.push_str(&format!("warning: the chart is not drawn: {stop}\n"));
            return;
        }
        let report = &self.options.report;
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
                err.push_str(&format!(
                    "warning: {message}\nhelp: the verdict is valid nevertheless; {help}\n"
                ));
            }
        }
    }

    /// Writes the trails and builds their stories, for each property.
    fn shown<'r>(
        &self,
        report: &'r CheckReport,
        telling: Telling,
        err: &mut String,
    ) -> Vec<Vec<ShownViolation<'r>>> {
        let mut is_first = true;
        let show = |checked: &'r PropertyReport| {
            let show = |(at, violation): (usize, &'r Violation)| {
                let property = &*checked.property.name;
                let place = TrailPlace { property, number: at + 1, is_first };
                is_first = false;
                self.show(checked, violation, place, telling, err)
            };
            // That no state is reachable, or no run possible, is shown by no trail.
            let all = checked.verdict.violations().iter();
            let with_trail =
                all.filter(|one| !matches!(one.error, ErrorKind::Unreachable | ErrorKind::NoRun));
            with_trail.enumerate().map(show).collect()
        };
        report.properties.iter().map(show).collect()
    }

    /// Writes a trail and builds its story. The verdict stands when the trail cannot be written.
    fn show<'r>(
        &self,
        checked: &PropertyReport,
        violation: &'r Violation,
        place: TrailPlace<'_>,
        telling: Telling,
        err: &mut String,
    ) -> ShownViolation<'r> {
        let (mut file, mut copy, mut is_lost) = (None, None, false);
        if !self.options.no_trail {
            let (path, copy_path) = self.paths.of_trail(place);
            file = write_trail(path, violation, err);
            is_lost = file.is_none();
            // Where the first file cannot be written, the copy beside it most likely cannot either.
            let copy_path = copy_path.filter(|_| !is_lost);
            copy = copy_path.and_then(|path| write_trail(path, violation, err));
        }
        let story = self.story(checked, violation, is_lost, telling);
        let not_told = story.is_cut.then(|| match telling {
            Telling::Stopped(stop) => stop,
            Telling::Until(_) if is_interrupted() => Stop::Interrupted,
            Telling::Until(_) => Stop::Time,
        });
        ShownViolation { violation, story, not_told, file, copy, is_lost }
    }

    /// The story of a violation, with the steps that are shown.
    fn story(
        &self,
        checked: &PropertyReport,
        violation: &Violation,
        is_lost: bool,
        telling: Telling,
    ) -> Story {
        let Telling::Until(deadline) = telling else {
            return Story::cut(violation.length.steps as usize, Some(violation.error));
        };
        let model = self.loaded.as_model();
        let wants_states = self.options.traces.iter().next().is_some();
        let states = if wants_states { StoryStates::Whole } else { StoryStates::Left };
        let steps = self.told_steps(is_lost);
        let subject = Subject::Violation(violation, Some(&checked.property));
        let request = StoryRequest { subject, steps, states, deadline };
        let mut story = story_of(model, violation, &request);
        // It is shown with the steps only.
        if steps != ToldSteps::None {
            story.core = model.causal_core(&violation.trail, deadline).unwrap_or_default();
        }
        story
    }

    /// The steps of a trail that the output or a file shows. A trail that could not be written is
    /// shown in full.
    fn told_steps(&self, is_lost: bool) -> ToldSteps {
        let Check { report, reports, traces, .. } = self.options;
        let own = match (report.json || report.quiet, is_lost) {
            (true, _) => ToldSteps::None,
            (false, true) => ToldSteps::All,
            (false, false) => SHOWN_STEPS,
        };
        let formats = reports.iter().chain(traces.iter()).map(|file| match &file.row.build {
            Writer::Report(writer) if !is_lost => writer.steps,
            _ => ToldSteps::All,
        });
        formats.fold(own, ToldSteps::or)
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
         help: the verdict is valid nevertheless, and every step is shown; `--trail FILE` names \
         another file\n",
        file.display()
    ));
    None
}

/// Writes the trail to the state with the least estimate, of the first property that has one. Returns a message for
/// standard error, which is empty when the trail was written.
fn write_nearest(file: &Path, properties: &[PropertyReport]) -> String {
    let Some(nearest) = properties.iter().find_map(|checked| checked.nearest.as_ref()) else {
        return "note: no property is unknown after a directed search, so no \
                state has the least estimate\n"
            .to_owned();
    };
    match trail::write(file, &nearest.trail) {
        Ok(()) => String::new(),
        Err(error) => {
            let name = file.display();
            format!(
                "warning: cannot write the trail `{name}`: {error}\nhelp: the verdict is valid \
                 nevertheless\n"
            )
        }
    }
}

/// The charts of a check: the first one has the requested file, the others are named after their
/// properties.
fn chart_requests<'a>(
    request: &'a ChartRequest,
    outcome: &'a CheckOutcome<'_>,
) -> impl Iterator<Item = (ChartRequest, &'a ShownViolation<'a>)> {
    let paths = request.file.as_deref().map(|file| TrailPaths::new("", Some(file)));
    let properties = outcome.report.properties.iter().zip(&outcome.shown);
    let all = properties.flat_map(|(checked, shown)| {
        shown.iter().enumerate().map(move |(at, shown)| (&*checked.property.name, at + 1, shown))
    });
    all.enumerate().map(move |(at, (property, number, shown))| {
        let place = TrailPlace { property, number, is_first: at == 0 };
        let file = paths.as_ref().map(|paths| paths.of_trail(place).0);
        (ChartRequest { file, ..request.clone() }, shown)
    })
}
