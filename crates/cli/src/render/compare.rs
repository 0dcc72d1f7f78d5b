//! The result of `compare`, for people and for programs.

use beeline_checker::{
    CompareReport, ComparedRun, Difference, Observation, Related, Relation, Side, StepMatching,
};
use beeline_model::Story;
use serde::Serialize;

use crate::base::json::Header;
use crate::base::numbers::{count, elapsed};
use crate::base::text::push;
use crate::base::units;
use crate::model::loaded::LoadedModel;
use crate::render::check::SHOWN_STEPS;
use crate::render::story;

/// The result of `compare`.
pub(crate) struct CompareOutcome<'a> {
    pub(crate) models: [&'a LoadedModel; 2],
    pub(crate) relation: Relation,
    pub(crate) matching: StepMatching,
    /// The observed conditions, as they are written.
    pub(crate) observed: Vec<&'a str>,
    pub(crate) report: &'a CompareReport,
    /// The run of the first model that shows a difference.
    pub(crate) told: Option<&'a ToldDifference>,
    pub(crate) seconds: f64,
    /// Whether only the answer is printed.
    pub(crate) is_quiet: bool,
}

/// A run that was replayed.
pub(crate) struct ToldDifference {
    pub(crate) story: Story,
    /// The file of the trail, if it was written.
    pub(crate) file: Option<String>,
}

/// The object that `compare --json` prints. The keys are a contract.
#[derive(Serialize)]
struct Object<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    abstraction: &'a str,
    relation: &'static str,
    stutter: bool,
    observed: &'a [&'a str],
    related: Option<bool>,
    /// Why it is unknown whether the models are related, or how they differ.
    reason: Option<String>,
    states: StatesObject,
    /// The run of the first model that shows the difference.
    trail: Option<TrailObject<'a>>,
    /// The run of the abstraction that answers it for as long as possible.
    answer: Option<TrailObject<'a>>,
    difference: Option<DifferenceObject>,
    peak_bytes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct StatesObject {
    a: Option<usize>,
    b: Option<usize>,
}

#[derive(Serialize)]
struct TrailObject<'a> {
    file: Option<&'a str>,
    steps: u64,
    text: String,
}

/// The step without an answer.
#[derive(Serialize)]
struct DifferenceObject {
    /// The model that makes it.
    by: &'static str,
    /// The observed conditions after it.
    observed: Vec<bool>,
    /// Those that the other model can reach instead.
    possible: Vec<Vec<bool>>,
}

impl<'a> TrailObject<'a> {
    fn new(run: &ComparedRun, file: Option<&'a str>) -> TrailObject<'a> {
        TrailObject { file, steps: run.steps, text: run.trail.text() }
    }
}

impl DifferenceObject {
    fn new(difference: &Difference, conditions: usize) -> DifferenceObject {
        // Without conditions, it is observed whether a state has no step.
        let truths = |observation: Observation| {
            (0..conditions.max(1)).map(|condition| observation.holds(condition)).collect()
        };
        DifferenceObject {
            by: if difference.by == Side::A { "a" } else { "b" },
            observed: truths(difference.observed),
            possible: difference.possible.iter().map(|&possible| truths(possible)).collect(),
        }
    }
}

/// The result for programs.
pub(crate) fn object<'a>(outcome: &'a CompareOutcome<'a>) -> impl Serialize + use<'a> {
    let CompareOutcome { models: [a, b], report, told, .. } = *outcome;
    let difference = match &report.related {
        Related::No(difference) => Some(difference),
        Related::Yes | Related::Unknown(..) => None,
    };
    let file = told.and_then(|told| told.file.as_deref());
    let answer = difference.and_then(|difference| difference.answer.as_ref());
    let conditions = outcome.observed.len();
    Object {
        header: Header::new(&a.model),
        abstraction: &b.model,
        relation: outcome.relation.name(),
        stutter: outcome.matching == StepMatching::Stuttering,
        observed: &outcome.observed,
        related: match report.related {
            Related::Yes => Some(true),
            Related::No(_) => Some(false),
            Related::Unknown(..) => None,
        },
        reason: reason(outcome),
        states: StatesObject { a: report.states[0], b: report.states[1] },
        trail: difference.map(|difference| TrailObject::new(&difference.run, file)),
        answer: answer.map(|run| TrailObject::new(run, None)),
        difference: difference.map(|difference| DifferenceObject::new(difference, conditions)),
        peak_bytes: report.peak_bytes,
        seconds: outcome.seconds,
    }
}

/// The answer for people: a sentence, the run that shows a difference, and the sizes.
pub(crate) fn text(outcome: &CompareOutcome<'_>) -> String {
    let CompareOutcome { models: [a, b], report, told, .. } = *outcome;
    let reason = reason(outcome).map_or_else(String::new, |reason| format!(": {reason}"));
    let mut out = format!("{}{reason}\n", sentence(outcome));
    if outcome.is_quiet {
        return out;
    }
    if let Some(told) = told {
        out += &run(outcome, told);
    }
    for (model, states) in [a, b].into_iter().zip(report.states) {
        if let Some(states) = states {
            push(&mut out, format_args!("states of {}: {}\n", model.model, count(states as u64)));
        }
    }
    push(&mut out, format_args!("time: {}\n", elapsed(outcome.seconds)));
    out
}

/// The answer in a sentence, without reasons.
fn sentence(outcome: &CompareOutcome<'_>) -> String {
    let [a, b] = outcome.models.map(|loaded| &*loaded.model);
    match (&outcome.report.related, outcome.relation) {
        (Related::Yes, Relation::Simulation) => format!("{b} simulates {a}"),
        (Related::Yes, Relation::Bisimulation) => format!("{a} and {b} are bisimilar"),
        (Related::Yes, Relation::TraceInclusion) => format!("{b} has all traces of {a}"),
        (Related::No(_), Relation::Simulation) => format!("{b} does not simulate {a}"),
        (Related::No(_), Relation::Bisimulation) => format!("{a} and {b} are not bisimilar"),
        (Related::No(_), Relation::TraceInclusion) => {
            format!("{b} does not have all traces of {a}")
        }
        (Related::Unknown(..), relation) => {
            format!("{} of {a} and {b} is unknown", relation.name())
        }
    }
}

/// Why the answer is unknown, or how the models differ.
fn reason(outcome: &CompareOutcome<'_>) -> Option<String> {
    let [a, b] = outcome.models.map(|loaded| &*loaded.model);
    let name = |side: Side| if side == Side::A { a } else { b };
    match &outcome.report.related {
        Related::Yes => None,
        Related::Unknown(reason, None) => Some(reason.to_string()),
        Related::Unknown(reason, Some(side)) => Some(format!("{}: {reason}", name(*side))),
        Related::No(difference) => {
            let observed = words(difference.observed, &outcome.observed);
            let possible = difference.possible.iter();
            let possible: Vec<String> =
                possible.map(|&one| words(one, &outcome.observed)).collect();
            let possible = possible.join(" or ");
            if difference.at_start {
                return Some(format!("{a} begins in {observed}, {b} in {possible}"));
            }
            let (steps, other) = match (difference.by, &difference.answer) {
                (Side::B, Some(answer)) => (answer.steps, a),
                (Side::A | Side::B, _) => (difference.run.steps, b),
            };
            let (own, steps) = (name(difference.by), units::steps(steps));
            let is = if difference.rests { "ends in" } else { "is in" };
            Some(format!("after {steps}, {own} {is} {observed}; {other} can only reach {possible}"))
        }
    }
}

/// An observation in words.
fn words(observation: Observation, conditions: &[&str]) -> String {
    if conditions.is_empty() {
        let steps = if observation.holds(0) { "without steps" } else { "with a step" };
        return format!("a state {steps}");
    }
    let words = conditions.iter().enumerate().map(|(at, condition)| {
        if observation.holds(at) { (*condition).to_owned() } else { format!("!({condition})") }
    });
    format!("a state with {}", words.collect::<Vec<String>>().join(", "))
}

/// The run of the first model.
fn run(outcome: &CompareOutcome<'_>, told: &ToldDifference) -> String {
    let (a, story) = (outcome.models[0], &told.story);
    let mut out = String::new();
    if let Some(file) = &told.file {
        push(&mut out, format_args!("trail written to {file}\n"));
    }
    if story.is_cut {
        return out + "… the steps are not shown: there is no time left\n";
    }
    let from = story.length - SHOWN_STEPS.number(story.length);
    if from > 0 {
        let before = units::steps(from as u64);
        push(&mut out, format_args!("… {before} before these: --trail FILE writes them\n"));
    }
    out + &story::steps(story, a.sources(), from)
}
