//! SARIF 2.1.0, the format of code scanning: a result for each error, with the steps of the trail
//! as a code flow.
//!
//! Source: OASIS, Static Analysis Results Interchange Format 2.1.0. Properties that hold, unknown
//! and expected verdicts are notifications: some readers, GitHub among them, make an alert of every
//! result of any kind.

use std::collections::BTreeMap;

use beeline_checker::PropertyReport;
use beeline_model::{ProcessPosition, PropertyKind, Story, StoryStep, Verdict};
use beeline_promela::diagnostic::{Diagnostic, Severity};
use beeline_promela::source::SourceMap;
use serde_json::{Map, Value, json};

use crate::base::exit::Exit;
use crate::model::loaded::LoadedModel;
use crate::render::check::{CheckOutcome, ShownViolation, length};
use crate::render::formats::place;
use crate::render::story;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// GitHub refuses a file with a longer flow.
pub(super) const LONGEST_FLOW: usize = 10_000;

/// The log of a check.
pub(crate) fn of_check(outcome: &CheckOutcome<'_>, exit: Exit) -> String {
    let mut log = Log::new(outcome.loaded);
    for (at, checked) in outcome.report.properties.iter().enumerate() {
        log.property(outcome, at, checked);
    }
    log.text(&json!({ "executionSuccessful": true, "exitCode": exit as u8 }))
}

/// The log of a check that could not begin.
pub(crate) fn of_refused(loaded: &LoadedModel) -> String {
    let description = "the model has errors";
    Log::new(loaded).text(&json!({
        "executionSuccessful": false, "exitCode": loaded.exit() as u8,
        "exitCodeDescription": description,
    }))
}

/// A log under construction.
struct Log<'a> {
    loaded: &'a LoadedModel,
    rules: Vec<Value>,
    /// The position of each rule.
    numbers: BTreeMap<&'static str, usize>,
    results: Vec<Value>,
    notifications: Vec<Value>,
}

impl<'a> Log<'a> {
    /// A log with the diagnostics of the front-end.
    fn new(loaded: &'a LoadedModel) -> Log<'a> {
        let mut log = Log {
            loaded,
            rules: Vec::new(),
            numbers: BTreeMap::new(),
            results: Vec::new(),
            notifications: Vec::new(),
        };
        for message in loaded.diagnostics.iter() {
            log.diagnostic(message);
        }
        log
    }

    fn sources(&self) -> &'a SourceMap {
        self.loaded.sources()
    }

    /// The number of a rule, which is added to the list.
    fn rule(&mut self, id: &'static str, about: &str, level: &str) -> usize {
        *self.numbers.entry(id).or_insert_with(|| {
            self.rules.push(json!({
                "id": id,
                "shortDescription": { "text": about },
                "defaultConfiguration": { "level": level },
            }));
            self.rules.len() - 1
        })
    }

    fn diagnostic(&mut self, message: &Diagnostic) {
        let level = match message.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let index = self.rule(message.code, &message.code.replace('-', " "), level);
        let advice = message.fix.as_ref().map(|fix| &fix.advice);
        let text = std::iter::once(&message.message).chain(&message.notes).chain(advice);
        let related = message.related.iter().enumerate().map(|(at, label)| {
            let place = place::region(self.sources(), label.span);
            marked(place, at + 1, &label.text)
        });
        self.results.push(json!({
            "ruleId": message.code, "ruleIndex": index, "kind": "fail", "level": level,
            "message": { "text": sentences(text) },
            "locations": [place::region(self.sources(), message.span)],
            "relatedLocations": related.collect::<Vec<_>>(),
        }));
    }

    fn property(&mut self, outcome: &CheckOutcome<'_>, at: usize, checked: &PropertyReport) {
        let name = &checked.property.name;
        let kind = checked.property.kind;
        let judged = outcome.judged.as_ref().map(|all| &all[at]);
        let surprise = judged.and_then(|judged| judged.complaint());
        let met = judged.is_some_and(|judged| judged.is_met());
        match &checked.verdict {
            Verdict::Violated(_) if !met => {
                for shown in &outcome.shown[at] {
                    self.violation(name, kind, shown, surprise);
                }
            }
            Verdict::Violated(violations) => {
                self.notify(kind, "note", format!("{name}: violated, {}", length(&violations[0])));
            }
            Verdict::Unknown(reason) => {
                let level = if met { "note" } else { "warning" };
                self.notify(kind, level, format!("{name}: unknown, {reason}"));
            }
            Verdict::Holds => match surprise {
                Some(why) => self.disappointment(name, kind, why),
                None => self.notify(kind, "note", format!("{name}: holds")),
            },
        }
    }

    fn notify(&mut self, kind: PropertyKind, level: &str, text: String) {
        let index = self.rule(kind.name(), about(kind), "error");
        self.notifications.push(json!({
            "level": level,
            "message": { "text": text },
            "associatedRule": { "id": kind.name(), "index": index },
            "locations": [place::file(&self.loaded.model)],
        }));
    }

    /// The property holds unexpectedly.
    fn disappointment(&mut self, name: &str, kind: PropertyKind, why: &str) {
        let index = self.rule(kind.name(), about(kind), "error");
        self.results.push(json!({
            "ruleId": kind.name(), "ruleIndex": index, "kind": "fail", "level": "error",
            "message": { "text": format!("{name}: holds, {why}") },
            "locations": [place::file(&self.loaded.model)],
            "properties": { "property": name },
        }));
    }

    fn violation(
        &mut self,
        name: &str,
        kind: PropertyKind,
        shown: &ShownViolation<'_>,
        surprise: Option<&str>,
    ) {
        let index = self.rule(kind.name(), about(kind), "error");
        let (story, violation) = (&shown.story, shown.violation);
        let sources = self.sources();
        let stuck: Vec<_> = stuck(story).collect();
        let mut text = format!("{name}: {}", length(violation));
        let explanation = story.end.explanation();
        if !explanation.is_empty() {
            text += &format!(": {explanation}");
        }
        text += &surprise.map_or_else(String::new, |why| format!(" ({why})"));
        let rests = |process: &ProcessPosition| story::rests(process, Some(&story.end), sources);
        let words = stuck.iter().map(|process| rests(process));
        let words: Vec<String> = std::iter::once(text).chain(words).collect();
        let mut places = places(story, &stuck, sources, rests).into_iter();
        let first =
            places.next().map_or_else(|| place::file(&self.loaded.model), |(place, _)| place);
        let related = places.enumerate().map(|(at, (place, text))| marked(place, at + 1, &text));
        let mut result = json!({
            "ruleId": kind.name(), "ruleIndex": index, "kind": "fail", "level": "error",
            "message": { "text": sentences(words.iter()) },
            "locations": [first],
            "relatedLocations": related.collect::<Vec<_>>(),
            "properties": {
                "property": name, "steps": violation.length.steps, "shortest": violation.is_shortest(),
                "lowerBound": violation.length.lower_bound, "cycleStart": story.cycle(),
                "trail": shown.file.as_ref().map(|file| file.to_string_lossy().into_owned()),
            },
        });
        if !story.steps.is_empty() {
            result["codeFlows"] = json!([flow(story, sources)]);
        }
        self.results.push(result);
    }

    fn text(self, invocation: &Value) -> String {
        let mut invocation = invocation.clone();
        invocation["toolExecutionNotifications"] = Value::Array(self.notifications);
        let version = env!("CARGO_PKG_VERSION");
        let log = json!({
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "Beeline", "version": version, "semanticVersion": version,
                    "rules": self.rules,
                } },
                "invocations": [invocation],
                "artifacts": [{ "location": { "uri": place::uri(&self.loaded.model) } }],
                "columnKind": "unicodeCodePoints",
                "results": self.results,
            }],
        });
        let text = serde_json::to_string_pretty(&log);
        text.expect("a JSON value can be written") + "\n"
    }
}

/// The blocked processes, if the error is a deadlock.
fn stuck(story: &Story) -> impl Iterator<Item = &ProcessPosition> {
    let wanted = story.end.stuck;
    story.end.processes.iter().filter(move |process| wanted && !process.at_end)
}

/// The positions to show, the most relevant first: those of blocked processes, or the last step.
fn places(
    story: &Story,
    stuck: &[&ProcessPosition],
    sources: &SourceMap,
    rests: impl Fn(&ProcessPosition) -> String,
) -> Vec<(Value, String)> {
    let mut found = Vec::new();
    for process in stuck {
        found.extend(process.span.map(|span| (place::statement(sources, span), rests(process))));
    }
    if found.is_empty()
        && let Some(last) = story.steps.last()
    {
        let turns = std::iter::once(&last.turn).chain(&last.partner);
        found.extend(turns.map(|turn| {
            let text = format!("{}: {}", story::name(turn), turn.statement);
            (place::statement(sources, turn.span), text)
        }));
    }
    found
}

/// The trail. Sender and receiver of a rendezvous have the same number in the order.
fn flow(story: &Story, sources: &SourceMap) -> Value {
    let mut locations = Vec::new();
    for (at, step) in (story.untold()..).zip(&story.steps) {
        for turn in std::iter::once(&step.turn).chain(&step.partner) {
            let begins = if story.cycle() == Some(at) { "the cycle begins: " } else { "" };
            let text = format!("{begins}{}: {}", story::name(turn), turn.statement);
            let mut location = place::statement(sources, turn.span);
            location["message"] = json!({ "text": text });
            locations.push(json!({
                "location": location,
                "executionOrder": at + 1,
                "state": changes(step),
                "importance": if at + 1 == story.length { "essential" } else { "important" },
            }));
        }
    }
    // The end of a trail is more informative than its beginning.
    let locations = locations.split_off(locations.len().saturating_sub(LONGEST_FLOW));
    json!({ "threadFlows": [{ "locations": locations }] })
}

fn changes(step: &StoryStep) -> Value {
    let change =
        step.changes.iter().map(|change| (change.name.clone(), json!({ "text": change.after })));
    Value::Object(change.collect::<Map<_, _>>())
}

fn marked(mut place: Value, id: usize, text: &str) -> Value {
    place["id"] = json!(id);
    place["message"] = json!({ "text": text });
    place
}

/// Several remarks as one text.
fn sentences<'a>(parts: impl IntoIterator<Item = &'a String>) -> String {
    parts.into_iter().map(String::as_str).collect::<Vec<_>>().join("\n")
}

fn about(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Deadlock => "no process gets stuck outside of a valid end state",
        PropertyKind::Assertions => "no assertion fails",
        PropertyKind::RuntimeErrors => "no statement has a run-time error",
        PropertyKind::Overflow => "every stored value fits in the type of its variable",
        PropertyKind::Trace => "every run follows the trace assertion",
        PropertyKind::Never => "no run matches the never claim",
        PropertyKind::Ltl => "the formula holds for every run",
        PropertyKind::Ctl | PropertyKind::Mu => "the formula holds in the initial state",
        PropertyKind::Progress => "every cycle passes a progress label",
        PropertyKind::Acceptance => "no cycle passes an accept label",
        PropertyKind::Invariant => "the invariant is true in every state",
        PropertyKind::Reachability => "the condition is true in some reachable state",
        PropertyKind::PotentiallyAlways => "the condition is true on all of some maximal run",
        PropertyKind::Query => "the query is satisfied",
    }
}
