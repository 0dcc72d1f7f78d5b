//! The output of `plan`: plans in the format of the planning competitions, and JSON.

use beeline_checker::{PlanningReport, PlanningVerdict};
use beeline_model::Certificate;
use beeline_pddl::{PlanFault, PlanningSizes, ReplayedPlan};
use serde::Serialize;

use crate::base::json::Header;
use crate::base::numbers::{count, size};
use crate::base::text::push;

/// A validated plan.
pub(crate) struct FoundPlan {
    /// The actions in parentheses.
    pub(crate) steps: Vec<String>,
    /// Its cost, and a lower bound on that of all plans.
    pub(crate) length: Certificate,
}

/// The outcome of a search for a plan.
pub(crate) struct PlanOutcome<'a> {
    pub(crate) name: &'a str,
    pub(crate) report: &'a PlanningReport,
    pub(crate) plan: Option<FoundPlan>,
    pub(crate) sizes: Option<PlanningSizes>,
    pub(crate) seconds: f64,
    pub(crate) grounding_seconds: Option<f64>,
    pub(crate) shows_stats: bool,
    pub(crate) is_quiet: bool,
}

impl<'a> PlanOutcome<'a> {
    pub(crate) fn new(name: &'a str, report: &'a PlanningReport, seconds: f64) -> PlanOutcome<'a> {
        PlanOutcome {
            name,
            report,
            plan: None,
            sizes: None,
            seconds,
            grounding_seconds: None,
            shows_stats: false,
            is_quiet: false,
        }
    }
}

/// The outcome of a validation.
pub(crate) struct ValidationOutcome<'a> {
    pub(crate) name: &'a str,
    pub(crate) replayed: &'a Result<ReplayedPlan, PlanFault>,
}

/// A plan in the format of the planning competitions.
pub(crate) fn plan_text(plan: &FoundPlan) -> String {
    let mut out = String::new();
    for step in &plan.steps {
        push(&mut out, format_args!("{step}\n"));
    }
    push(&mut out, format_args!("; cost = {}\n", plan.length.steps));
    out
}

/// The outcome for people. Lines that are no actions are comments, so that the output is a plan.
pub(crate) fn text(outcome: &PlanOutcome<'_>) -> String {
    let mut out = String::new();
    let report = outcome.report;
    match (&report.verdict, &outcome.plan) {
        (PlanningVerdict::Solved(_), Some(plan)) => {
            out += &plan_text(plan);
            let Certificate { steps, lower_bound } = plan.length;
            let actions = count(plan.steps.len() as u64);
            let quality = match lower_bound >= steps {
                true => "optimal".to_owned(),
                false => format!("no plan costs less than {}", count(lower_bound)),
            };
            if !outcome.is_quiet {
                push(&mut out, format_args!("; {actions} actions, validated; {quality}\n"));
            }
        }
        (PlanningVerdict::Unsolvable, _) => out += "; there is no plan\n",
        (PlanningVerdict::Unknown(reason), _) => {
            push(&mut out, format_args!("; unknown: {reason}\n"));
        }
        (PlanningVerdict::Solved(_), None) => out += "; unknown: the plan was not validated\n",
    }
    if outcome.is_quiet {
        return out;
    }
    for remark in &report.remarks {
        push(&mut out, format_args!("; {remark}\n"));
    }
    if let Some(reason) = &report.stopped {
        push(&mut out, format_args!("; the search for a proof ended early: {reason}\n"));
    }
    if outcome.shows_stats {
        if let Some(sizes) = outcome.sizes {
            push(&mut out, format_args!("; task: {}", sizes_text(sizes)));
        }
        let stats = &report.stats;
        push(
            &mut out,
            format_args!(
                "; expanded {}, evaluated {}, generated {}, memory {}, {:.2} s\n",
                count(stats.expanded),
                count(stats.evaluated),
                count(stats.generated),
                size(report.peak_bytes),
                outcome.seconds
            ),
        );
        if let Some(by) = &report.by {
            push(&mut out, format_args!("; found by {by}\n"));
        }
    }
    out
}

/// The object of `plan --json`.
#[derive(Serialize)]
pub(crate) struct PlanObject<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    verdict: &'static str,
    reason: Option<String>,
    cost: Option<u64>,
    length: Option<usize>,
    lower_bound: Option<u64>,
    optimal: bool,
    plan: Option<&'a [String]>,
    validated: bool,
    by: Option<&'a str>,
    remarks: &'a [String],
    task: Option<SizesObject>,
    stats: StatsObject,
}

#[derive(Serialize)]
struct SizesObject {
    facts: usize,
    variables: usize,
    operators: usize,
    axioms: usize,
}

impl From<PlanningSizes> for SizesObject {
    fn from(sizes: PlanningSizes) -> SizesObject {
        let PlanningSizes { facts, variables, operators, axioms } = sizes;
        SizesObject { facts, variables, operators, axioms }
    }
}

#[derive(Serialize)]
struct StatsObject {
    stored: u64,
    expanded: u64,
    generated: u64,
    evaluated: u64,
    reopened: u64,
    peak_bytes: u64,
    seconds: f64,
    grounding_seconds: Option<f64>,
    h_initial: Option<u32>,
}

/// The outcome as an object.
pub(crate) fn object<'a>(outcome: &'a PlanOutcome<'_>) -> PlanObject<'a> {
    let report = outcome.report;
    let plan = outcome.plan.as_ref();
    let (verdict, reason) = match &report.verdict {
        PlanningVerdict::Solved(_) => ("solved", report.stopped.as_ref().map(ToString::to_string)),
        PlanningVerdict::Unsolvable => ("unsolvable", None),
        PlanningVerdict::Unknown(reason) => ("unknown", Some(reason.to_string())),
    };
    let stats = &report.stats;
    PlanObject {
        header: Header::new(outcome.name),
        verdict,
        reason,
        cost: plan.map(|plan| plan.length.steps),
        length: plan.map(|plan| plan.steps.len()),
        lower_bound: plan.map(|plan| plan.length.lower_bound),
        optimal: plan.is_some_and(|plan| plan.length.lower_bound >= plan.length.steps),
        plan: plan.map(|plan| &plan.steps[..]),
        validated: plan.is_some(),
        by: report.by.as_deref(),
        remarks: &report.remarks,
        task: outcome.sizes.map(SizesObject::from),
        stats: StatsObject {
            stored: stats.stored,
            expanded: stats.expanded,
            generated: stats.generated,
            evaluated: stats.evaluated,
            reopened: stats.reopened,
            peak_bytes: report.peak_bytes,
            seconds: outcome.seconds,
            grounding_seconds: outcome.grounding_seconds,
            h_initial: stats.h_initial,
        },
    }
}

/// The object of `plan --validate --json`.
#[derive(Serialize)]
pub(crate) struct ValidationObject<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    validated: bool,
    reason: Option<String>,
    cost: Option<i64>,
    length: Option<usize>,
}

/// The object of `plan --ground --json`.
#[derive(Serialize)]
pub(crate) struct GroundedObject<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    task: SizesObject,
}

/// The size of a grounded task as an object.
pub(crate) fn grounded_object(name: &str, sizes: PlanningSizes) -> GroundedObject<'_> {
    GroundedObject { header: Header::new(name), task: sizes.into() }
}

/// The size of a grounded task for people.
pub(crate) fn sizes_text(sizes: PlanningSizes) -> String {
    let PlanningSizes { facts, variables, operators, axioms } = sizes;
    format!(
        "{} facts in {} variables, {} operators, {} axioms\n",
        count(facts as u64),
        count(variables as u64),
        count(operators as u64),
        count(axioms as u64)
    )
}

/// A validation as an object.
pub(crate) fn validation_object<'a>(outcome: &ValidationOutcome<'a>) -> ValidationObject<'a> {
    let replayed = outcome.replayed.as_ref();
    ValidationObject {
        header: Header::new(outcome.name),
        validated: replayed.is_ok(),
        reason: replayed.err().map(ToString::to_string),
        cost: replayed.ok().map(|plan| plan.cost),
        length: replayed.ok().map(|plan| plan.length),
    }
}

/// A validation for people.
pub(crate) fn validation_text(outcome: &ValidationOutcome<'_>) -> String {
    match outcome.replayed {
        Ok(ReplayedPlan { cost, length }) => {
            format!("the plan is valid: {length} actions, cost {cost}\n")
        }
        Err(fault) => format!("the plan is not valid: {fault}\n"),
    }
}
