//! `beeline check`: a verdict for every property, with trails.

mod at_once;
mod json;
mod open;
mod text;

pub(crate) use json::of_network;
pub(crate) use text::{length, trail as trail_text};

use std::path::PathBuf;

use beeline_checker::{
    Answer as Verdict, CheckError, CheckReport, Coverage, Plan, Story, Violation,
};
use beeline_kernel::Stop;
use beeline_promela::expect::Expect;

use crate::answer::Answer;
use crate::chart::{self, Drawn, Wanted};
use crate::exit::Exit;
use crate::expect::{self, Judged};
use crate::formats;
use crate::front::Front;
use crate::guard;
use crate::network;
use crate::options::Check;
use crate::ready;
use crate::render::json as lines;
use crate::trail::{self, Places};
use crate::watch::{self, Watch};

use at_once::{AtOnce, Known};

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
    pub(crate) front: &'a Front,
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
pub(crate) fn check(options: &Check) -> Answer {
    let wanted = match options.drawing.wanted(options.report.json) {
        Ok(wanted) => wanted,
        Err((message, help)) => {
            let model = options.input.model.to_string_lossy();
            return ready::usage(&model, &options.report, message, help);
        }
    };
    match network::read(&options.input, &options.report) {
        Ok(None) => {}
        Ok(Some((name, network))) => return network::check(&name, &network, options),
        Err(answer) => return answer,
    }
    let formulas = beeline_checker::formulas(&options.properties);
    let mut front = match ready::front_with(&options.input, &options.report, &formulas) {
        Ok(front) => front,
        Err(answer) => return answer,
    };
    let header = options.expecting.header(&mut front);
    let err = match ready::accept(&front, &options.report) {
        Ok(warnings) => warnings,
        Err(answer) => return formats::of_refused(&front, options, answer),
    };
    let model = &front.result.hir;
    let selected = options.expecting.select(model, &options.properties, header.as_ref());
    let properties = match selected {
        Ok(properties) => properties,
        Err((message, help)) => return ready::failure(&front, &options.report, message, help),
    };
    let places = Places::new(&front.model, options.trail.as_deref());
    let clock = Watch::start(&options.exploring, options.report.quiet);
    let (known, latest) = (Known::default(), clock.latest());
    let mut watch = AtOnce::new(clock, (!options.no_trail).then_some(&places), &known);
    let plan = Plan {
        search: options.search(),
        auto: options.auto(),
        fairness: options.fairness(),
        ..watch::plan(&options.exploring, options.meaning.rules())
    };
    let give_up = |stop: Stop, seconds: f64| {
        let known = known.lock().map(|known| known.clone()).unwrap_or_default();
        let why = format!("{stop}, in the middle of something that takes long");
        let report = CheckReport::left(&properties, &plan, (&known, latest.stats()), &why);
        let left = Done { front: &front, places: &places, header: header.as_ref() };
        left.answer(options, &report, (None, seconds), None, err.clone())
    };
    let (report, coverage) = guard::guarded(options.exploring.time, give_up, || {
        let report = beeline_checker::check(model, &properties, &plan, options.all, &mut watch);
        let coverage =
            options.coverage.then(|| beeline_checker::coverage(model, &plan, &mut watch.clock));
        (report, coverage)
    });
    let watch = watch.clock;
    watch.finish();
    let report = match report {
        Ok(report) => report,
        Err(CheckError::Heuristic(why)) => {
            let help = "`beeline list heuristics` tells what each of them takes".to_owned();
            return ready::failure(&front, &options.report, why, help);
        }
        Err(CheckError::Reduction(why)) => {
            return ready::failure(&front, &options.report, why, ready::REDUCTIONS.to_owned());
        }
        // A finding that cannot be confirmed is a bug of ours, and reported as one.
        Err(error @ (CheckError::Unconfirmed { .. } | CheckError::Claim(_))) => panic!("{error}"),
    };
    let done = Done { front: &front, places: &places, header: header.as_ref() };
    done.answer(options, &report, (coverage, watch.seconds()), wanted.as_ref(), err)
}

/// A model that was checked, with all that the answer needs beside the report.
struct Done<'a> {
    front: &'a Front,
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
    ) -> Answer {
        let shown = show(self.front, options, self.places, report, &mut err);
        let judged = options.expecting.judge(report, self.header, options.exploring.plain);
        let exit = judged.as_deref().map_or_else(|| exit(report), expect::exit);
        if let Some(file) = &options.nearest
            && let Err(problem) = open::write_nearest(file, &report.properties)
        {
            err += &problem;
        }
        let front = self.front;
        let outcome = Outcome { front, options, report, shown, judged, coverage, seconds };
        let mut out = if options.report.json {
            lines::line(&json::object(&outcome))
        } else {
            text::text(&outcome)
        };
        if let Some(wanted) = wanted {
            draw(wanted, &outcome, &mut out, &mut err);
        }
        formats::of_check(&outcome, Answer { out, err, exit })
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
    let (model, rules) = (&outcome.front.result.hir, outcome.options.meaning.rules());
    let chronicle = beeline_checker::chronicle(model, &shown.violation.trail, rules);
    let mut chronicle =
        chronicle.unwrap_or_else(|error| panic!("a confirmed trail fails: {error}"));
    chronicle.story.end = shown.story.end.clone();
    match chart::draw(wanted, outcome.front, &chronicle) {
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
    front: &Front,
    options: &Check,
    places: &Places,
    report: &'a CheckReport,
    err: &mut String,
) -> Vec<Vec<Shown<'a>>> {
    let mut number = 0;
    let mut all = Vec::new();
    for checked in &report.properties {
        let violations = match &checked.answer {
            Verdict::Violated(violations) => &violations[..],
            Verdict::Holds | Verdict::Unknown(_) => &[],
        };
        let mut shown = Vec::new();
        for violation in violations {
            number += 1;
            let (model, rules) = (&front.result.hir, options.meaning.rules());
            let wants_states = options.traces.itf.is_some();
            let formula = checked.property.formula.as_deref();
            let mut story = trail::story_of(front, violation, formula, rules, wants_states);
            let core = beeline_checker::causal_core(model, &violation.trail, rules);
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
    let any = |test: fn(&Verdict) -> bool| report.properties.iter().any(|p| test(&p.answer));
    if any(|answer| matches!(answer, Verdict::Violated(_))) {
        Exit::Violated
    } else if any(|answer| matches!(answer, Verdict::Unknown(_))) {
        Exit::Unknown
    } else {
        Exit::Success
    }
}
