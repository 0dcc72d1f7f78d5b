//! ITF, the Informal Trace Format of Apalache: the states along a trail.
//!
//! Source: Apalache, ADR-015, <https://apalache-mc.org/docs/adr/015adr-trace.html>. Arrays are
//! lists, structures are records, the messages of a channel are a list of tuples, symbolic
//! constants are strings. Processes start and end, so they are one variable: a map from their
//! numbers to records. Channels that no variable shows are another one, if there are any.

use beeline_model::{ProcessState, StateValue, Story, StoryStep, WholeState};
use beeline_promela::source::SourceMap;
use serde_json::{Map, Value as Json, json};

use crate::model::loaded::LoadedModel;
use crate::model::location;
use crate::render::story;

const DESCRIPTION: &str = "https://apalache-mc.org/docs/adr/015adr-trace.html";

/// A trace. The story must have its states.
pub(crate) fn trace(loaded: &LoadedModel, property: Option<&str>, story: &Story) -> String {
    let sources = loaded.sources();
    let states = &story.states[..];
    // The last state of a cycle equals its first one, which the format does not repeat.
    let again = story
        .cycle()
        .is_some_and(|start| start + 1 < states.len() && states.get(start) == states.last());
    let states = &states[..states.len() - usize::from(again)];
    let names = Names::new(states);
    let error = story.end.error.map(|wrong| wrong.to_string());
    let mut trace = json!({
        "#meta": {
            "format": "ITF",
            "format-description": DESCRIPTION,
            "description": format!("Created by Beeline {}", env!("CARGO_PKG_VERSION")),
            "source": loaded.model,
            "status": if error.is_some() || story.cycle().is_some() { "violation" } else { "ok" },
            "property": property,
            "error": error,
            "detail": story.end.detail,
        },
        "vars": names.all(states),
        "states": states.iter().enumerate().map(|(at, state)| {
            let step = at.checked_sub(1).and_then(|step| story.steps.get(step));
            names.state(at, state, step, sources)
        }).collect::<Vec<_>>(),
    });
    if let Some(start) = story.cycle() {
        trace["loop"] = json!(start);
    }
    let text = serde_json::to_string(&trace);
    text.expect("a JSON value can be written") + "\n"
}

/// Names for the additional variables, which the model does not declare.
struct Names {
    processes: String,
    /// The name for channels that no variable shows, if there are any.
    channels: Option<String>,
}

impl Names {
    fn new(states: &[WholeState]) -> Names {
        let globals = states.first().map(|state| &state.globals[..]).unwrap_or_default();
        let free = |name: &str| {
            let mut name = name.to_owned();
            while globals.iter().any(|(other, _)| *other == name) {
                name.insert(0, '_');
            }
            name
        };
        let hidden = states.iter().any(|state| !state.channels.is_empty());
        Names { processes: free("_processes"), channels: hidden.then(|| free("_channels")) }
    }

    fn all<'a>(&'a self, states: &'a [WholeState]) -> Vec<&'a str> {
        let globals = states.first().map(|state| &state.globals[..]).unwrap_or_default();
        let globals = globals.iter().map(|(name, _)| name.as_str());
        globals.chain([self.processes.as_str()]).chain(self.channels.as_deref()).collect()
    }

    fn state(
        &self,
        at: usize,
        state: &WholeState,
        step: Option<&StoryStep>,
        sources: &SourceMap,
    ) -> Json {
        let mut object = record(&state.globals);
        let processes =
            state.processes.iter().map(|process| json!([process.pid, standing(process, sources)]));
        let processes = json!({ "#map": processes.collect::<Vec<_>>() });
        object.insert(self.processes.clone(), processes);
        if let Some(name) = &self.channels {
            let channels = state.channels.iter().map(|(name, held)| json!([name, value(held)]));
            object.insert(name.clone(), json!({ "#map": channels.collect::<Vec<_>>() }));
        }
        object.insert("#meta".to_owned(), meta(at, step, sources));
        Json::Object(object)
    }
}

/// The step that leads to a state.
fn meta(index: usize, step: Option<&StoryStep>, sources: &SourceMap) -> Json {
    let mut meta = json!({ "index": index });
    if let Some(step) = step {
        let turns = std::iter::once(&step.turn).chain(&step.partner);
        let turns = turns.map(|turn| format!("{}: {}", story::name(turn), turn.statement));
        meta["step"] = json!(turns.collect::<Vec<_>>().join(" => "));
        meta["line"] = json!(location::line(sources, step.turn.span));
        if !step.printed.is_empty() {
            meta["printed"] = json!(step.printed);
        }
    }
    meta
}

fn standing(process: &ProcessState, sources: &SourceMap) -> Json {
    // After its last statement a process has no line.
    let line = process.span.map_or(0, |span| location::line(sources, span));
    json!({
        "proctype": process.process,
        "location": process.location,
        "line": line,
        "locals": record(&process.locals),
    })
}

fn record(fields: &[(String, StateValue)]) -> Map<String, Json> {
    fields.iter().map(|(name, held)| (name.clone(), value(held))).collect()
}

fn value(held: &StateValue) -> Json {
    match held {
        StateValue::Number(number) => json!(number),
        StateValue::Symbol(name) | StateValue::Channel(name) => json!(name),
        StateValue::List(elements) => elements.iter().map(value).collect(),
        StateValue::Record(fields) => Json::Object(record(fields)),
        StateValue::Messages(messages) => messages
            .iter()
            .map(|message| json!({ "#tup": message.iter().map(value).collect::<Vec<_>>() }))
            .collect(),
    }
}
