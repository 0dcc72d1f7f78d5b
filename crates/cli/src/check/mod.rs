//! `beeline check`: a verdict for every property, with trails.

mod json;
mod live_trails;
mod text;
mod unresolved;

pub(crate) use json::of_network;
pub(crate) use text::{length, trail as trail_text};

use std::path::PathBuf;

use beeline_checker::{CheckError, CheckReport, Coverage, Plan, Story, Verdict, Violation};
use beeline_kernel::Stop;
use beeline_source::expect::Expect;

use crate::chart::{self, Drawn, Wanted};
use crate::exit::Exit;
use crate::expect::{self, Judged};
use crate::formats;
use crate::load;
use crate::loaded::LoadedModel;
use crate::network;
use crate::options::Check;
use crate::output::CommandOutput;
use crate::progress::{self, ProgressObserver};
use crate::render::json as lines;
use crate::trail::{self, Places};
use crate::watchdog;

use live_trails::{Known, LiveTrails};

/// A violation on its way to the reader.
pub(crate) struct Shown<'a> {
    pub(crate) violation: &'a Violation,
    pub(crate) story: Story,
    /// Where the trail was written.
    pub(crate) file: Option<PathBuf>,
    /// It could not be written.
    lost: bool,
}

/// Everything there is to say.
pub(crate) struct Outcome<'a> {
    pub(crate) loaded: &'a LoadedModel,
    pub(crate) options: &'a Check,
    pub(crate) report: &'a CheckReport,
    /// For each property its violations.
    pub(crate) shown: Vec<Vec<Shown<'a>>>,
    /// For each property whether it came as expected, if anything was.
    pub(crate) judged: Option<Vec<Judged>>,
    /// What was reached, if it was asked for.
    coverage: Option<Coverage>,
    pub(crate) seconds: f64,
}

/// Answers `check`.
pub(crate) fn check(options: &Check) -> CommandOutput {
    let wanted = match options.drawing.wanted(options.report.json) {
        Ok(wanted) => wanted,
        Err((message, help)) => {
            let model = options.input.model.to_string_lossy();
            return load::usage(&model, &options.report, message, help);
        }
    };
    match network::read(&options.input, &options.report) {
        Ok(None) => {}
        Ok(Some((name, network))) => return network::check(&name, &network, options),
        Err(answer) => return answer,
    }
    let formulas = beeline_checker::formulas(&options.properties);
    let mut loaded = match load::loaded_with(&options.input, &options.report, &formulas) {
        Ok(loaded) => loaded,
        Err(answer) => return answer,
    };
    let header = options.expecting.header(&mut loaded);
    let err = match load::accept(&loaded, &options.report) {
        Ok(warnings) => warnings,
        Err(answer) => return formats::of_refused(&loaded, options, answer),
    };
    let model = &loaded.result.hir;
    let selected = options.expecting.select(model, &options.properties, header.as_ref());
    let properties = match selected {
        Ok(properties) => properties,
        Err((message, help)) => return load::failure(&loaded, &options.report, message, help),
    };
    let places = Places::new(&loaded.model, options.trail.as_deref());
    let clock = ProgressObserver::start(&options.exploring, options.report.quiet);
    let (known, latest) = (Known::default(), clock.latest());
    let mut observer = LiveTrails::new(clock, (!options.no_trail).then_some(&places), &known);
    let plan = Plan {
        search: options.search(),
        auto: options.auto(),
        fairness: options.fairness(),
        ..progress::plan(&options.exploring, options.meaning.semantics())
    };
    let give_up = |stop: Stop, seconds: f64| {
        let known = known.lock().map(|known| known.clone()).unwrap_or_default();
        let why = format!("{stop}, in the middle of something that takes long");
        let report = CheckReport::interrupted(&properties, &plan, (&known, latest.stats()), &why);
        let left = Done { loaded: &loaded, places: &places, header: header.as_ref() };
        left.answer(options, &report, (None, seconds), None, err.clone())
    };
    let (report, coverage) = watchdog::with_watchdog(options.exploring.time, give_up, || {
        let report = beeline_checker::check(model, &properties, &plan, options.all, &mut observer);
        let coverage =
            options.coverage.then(|| beeline_checker::coverage(model, &plan, &mut observer.clock));
        (report, coverage)
    });
    let observer = observer.clock;
    observer.finish();
    let report = match report {
        Ok(report) => report,
        Err(CheckError::Heuristic(why)) => {
            let help = "`beeline list heuristics` tells what each of them takes".to_owned();
            return load::failure(&loaded, &options.report, why, help);
        }
        Err(CheckError::Reduction(why)) => {
            return load::failure(&loaded, &options.report, why, load::REDUCTIONS.to_owned());
        }
        // A finding that cannot be confirmed is a bug of ours, and reported as one.
        Err(error @ (CheckError::Unconfirmed { .. } | CheckError::Claim(_))) => panic!("{error}"),
    };
    let done = Done { loaded: &loaded, places: &places, header: header.as_ref() };
    done.answer(options, &report, (coverage, observer.seconds()), wanted.as_ref(), err)
}

/// A model that was checked, with all that the answer needs beside the report.
struct Done<'a> {
    loaded: &'a LoadedModel,
    places: &'a Places,
    header: Option<&'a Expect>,
}

impl Done<'_> {
    fn answer(
        &self,
        options: &Check,
        report: &CheckReport,
        (coverage, seconds): (Option<Coverage>, f64),
        wanted: Option<&Wanted>,
        mut err: String,
    ) -> CommandOutput {
        let shown = show(self.loaded, options, self.places, report, &mut err);
        let judged = options.expecting.judge(report, self.header, options.exploring.plain);
        let exit = judged.as_deref().map_or_else(|| exit(report), expect::exit);
        if let Some(file) = &options.nearest
            && let Err(problem) = unresolved::write_nearest(file, &report.properties)
        {
            err += &problem;
        }
        let loaded = self.loaded;
        let outcome = Outcome { loaded, options, report, shown, judged, coverage, seconds };
        let mut out = if options.report.json {
            lines::line(&json::object(&outcome))
        } else {
            text::text(&outcome)
        };
        if let Some(wanted) = wanted {
            draw(wanted, &outcome, &mut out, &mut err);
        }
        formats::of_check(&outcome, CommandOutput { out, err, exit })
    }
}

/// Draws the first violation. As with trails, the verdict stands when the chart cannot be
/// written. On standard output a chart stands alone, and the report steps aside.
fn draw(wanted: &Wanted, outcome: &Outcome<'_>, out: &mut String, err: &mut String) {
    let report = &outcome.options.report;
    let Some(shown) = outcome.shown.iter().flatten().next() else {
        if wanted.file.is_none() {
            err.push_str(&std::mem::take(out));
        }
        err.push_str("note: no property is violated, so there is no trail to draw\n");
        return;
    };
    let (model, semantics) = (&outcome.loaded.result.hir, outcome.options.meaning.semantics());
    let chronicle = beeline_checker::chronicle(model, &shown.violation.trail, semantics);
    let mut chronicle =
        chronicle.unwrap_or_else(|error| panic!("a confirmed trail fails: {error}"));
    chronicle.story.end = shown.story.end.clone();
    match chart::draw(wanted, outcome.loaded, &chronicle) {
        Drawn::Written(note) if !report.json && !report.quiet => out.push_str(&note),
        Drawn::Written(_) => {}
        Drawn::Out(chart) => err.push_str(&std::mem::replace(out, chart)),
        Drawn::Failed(message, help) => {
            err.push_str(&format!("warning: {message}\nhelp: the verdict stands; {help}\n"));
        }
    }
}

/// Writes the trails and tells their stories. A trail that cannot be written is
/// a pity, but the verdict stands.
fn show<'a>(
    loaded: &LoadedModel,
    options: &Check,
    places: &Places,
    report: &'a CheckReport,
    err: &mut String,
) -> Vec<Vec<Shown<'a>>> {
    let mut number = 0;
    let mut all = Vec::new();
    for checked in &report.properties {
        let violations = match &checked.verdict {
            Verdict::Violated(violations) => &violations[..],
            Verdict::Holds | Verdict::Unknown(_) => &[],
        };
        let mut shown = Vec::new();
        for violation in violations {
            number += 1;
            let (model, semantics) = (&loaded.result.hir, options.meaning.semantics());
            let wants_states = options.traces.itf.is_some();
            let formula = checked.property.formula.as_deref();
            let mut story = trail::story_of(loaded, violation, formula, semantics, wants_states);
            let core = beeline_checker::causal_core(model, &violation.trail, semantics);
            story.core = core.unwrap_or_default();
            let file = (!options.no_trail).then(|| places.file(number));
            let written = file.map(|file| (trail::write(&file, &violation.trail), file));
            let (file, lost) = match written {
                Some((Ok(()), file)) => (Some(file), false),
                Some((Err(error), file)) => {
                    let name = file.display();
                    err.push_str(&format!(
                        "warning: cannot write the trail `{name}`: {error}\n\
                         help: the verdict stands, and every step is shown; `--trail FILE` writes \
                         it elsewhere\n"
                    ));
                    (None, true)
                }
                None => (None, false),
            };
            shown.push(Shown { violation, story, file, lost });
        }
        all.push(shown);
    }
    all
}

fn exit(report: &CheckReport) -> Exit {
    let any = |test: fn(&Verdict) -> bool| report.properties.iter().any(|p| test(&p.verdict));
    if any(|answer| matches!(answer, Verdict::Violated(_))) {
        Exit::Violated
    } else if any(|answer| matches!(answer, Verdict::Unknown(_))) {
        Exit::Unknown
    } else {
        Exit::Success
    }
}
