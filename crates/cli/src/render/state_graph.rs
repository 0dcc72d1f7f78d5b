//! The reachable states of a small model: as text, for Graphviz, or as data.

use beeline_model::{ProcessPosition, ProcessStep};
use beeline_promela::source::SourceMap;
use beeline_promela_model::{GraphStep, StateEdge, StateGraph, StateNode};
use serde::Serialize;

use crate::base::text::push;
use crate::model::location;
use crate::render::story::TurnObject;

/// The object that `dump --form states --json` prints, after its header. The keys are a contract.
#[derive(Serialize)]
pub(crate) struct GraphObject<'a> {
    form: &'static str,
    error: Option<String>,
    states: Vec<StateObject<'a>>,
    edges: Vec<EdgeObject<'a>>,
}

#[derive(Serialize)]
struct StateObject<'a> {
    state: usize,
    initial: bool,
    deadlock: bool,
    values: Vec<ValueObject<'a>>,
    processes: Vec<ProcessObject<'a>>,
}

#[derive(Serialize)]
struct ValueObject<'a> {
    name: &'a str,
    value: &'a str,
}

#[derive(Serialize)]
struct ProcessObject<'a> {
    pid: usize,
    process: &'a str,
    line: Option<u32>,
    statements: &'a [String],
}

#[derive(Serialize)]
struct EdgeObject<'a> {
    from: usize,
    to: Option<usize>,
    fault: Option<String>,
    /// More than one for an atomic sequence.
    steps: Vec<StepObject<'a>>,
}

#[derive(Serialize)]
struct StepObject<'a> {
    #[serde(flatten)]
    turn: TurnObject<'a>,
    partner: Option<TurnObject<'a>>,
}

/// The graph as data.
pub(crate) fn object<'a>(graph: &'a StateGraph, sources: &SourceMap) -> GraphObject<'a> {
    let process = |process: &'a ProcessPosition| ProcessObject {
        pid: process.pid,
        process: &process.process,
        line: process.span.map(|span| location::location(sources, span).line),
        statements: &process.statements,
    };
    let states = graph.states.iter().enumerate().map(|(state, node)| StateObject {
        state,
        initial: state == 0,
        deadlock: node.deadlock,
        values: node.values.iter().map(|(name, value)| ValueObject { name, value }).collect(),
        processes: node.processes.iter().map(process).collect(),
    });
    let turn = |turn: &'a ProcessStep| TurnObject::new(turn, sources);
    let edges = graph.edges.iter().map(|edge| EdgeObject {
        from: edge.from,
        to: edge.to,
        fault: edge.fault.map(|fault| fault.to_string()),
        steps: edge
            .steps
            .iter()
            .map(|step| StepObject {
                turn: turn(&step.turn),
                partner: step.partner.as_ref().map(turn),
            })
            .collect(),
    });
    let error = graph.initial_fault.map(|kind| kind.to_string());
    GraphObject { form: "states", error, states: states.collect(), edges: edges.collect() }
}

/// The graph as text: each state, followed by its transitions.
pub(crate) fn text(graph: &StateGraph, sources: &SourceMap) -> String {
    if let Some(kind) = graph.initial_fault {
        return format!("no states: {kind} in the initial value of a variable\n");
    }
    let mut out = String::new();
    let (states, edges) = (graph.states.len(), graph.edges.len());
    push(&mut out, format_args!("{states} states, {edges} edges\n"));
    let mut rest = graph.edges.iter().peekable();
    for (at, node) in graph.states.iter().enumerate() {
        let mark = marks(at, node);
        push(&mut out, format_args!("\nstate {at}{mark}\n"));
        let values: Vec<_> =
            node.values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        if !values.is_empty() {
            push(&mut out, format_args!("  {}\n", values.join(", ")));
        }
        let places: Vec<String> = node.processes.iter().map(|one| place(one, sources)).collect();
        if !places.is_empty() {
            push(&mut out, format_args!("  {}\n", places.join(", ")));
        }
        while let Some(edge) = rest.next_if(|edge| edge.from == at) {
            let to = edge.to.map_or_else(|| "nowhere".to_owned(), |to| to.to_string());
            let fault = edge.fault.map_or_else(String::new, |fault| format!("  !! {fault}"));
            push(&mut out, format_args!("  -> {to}  {}{fault}\n", label(edge)));
        }
    }
    out
}

fn marks(at: usize, node: &StateNode) -> String {
    let mut marks = Vec::new();
    if at == 0 {
        marks.push("initial");
    }
    if node.deadlock {
        marks.push("invalid end state");
    }
    if marks.is_empty() { String::new() } else { format!(" ({})", marks.join(", ")) }
}

/// `P(0) at m.pml:4`
fn place(process: &ProcessPosition, sources: &SourceMap) -> String {
    let at = process
        .span
        .map_or_else(String::new, |span| format!(" at {}", location::place(sources, span)));
    format!("{}({}){at}", process.process, process.pid)
}

/// `P(0) q!1 => Q(1) q?x`, for all steps of an edge.
fn label(edge: &StateEdge) -> String {
    let turn = |turn: &ProcessStep| format!("{}({}) {}", turn.process, turn.pid, turn.statement);
    let step = |step: &GraphStep| match &step.partner {
        Some(partner) => format!("{} => {}", turn(&step.turn), turn(partner)),
        None => turn(&step.turn),
    };
    let steps: Vec<String> = edge.steps.iter().map(step).collect();
    if steps.is_empty() { "(atomic sequence interrupted)".to_owned() } else { steps.join("; ") }
}

/// The graph for Graphviz. States show values that are not 0 or empty, and the lines of processes.
pub(crate) fn dot(graph: &StateGraph, sources: &SourceMap) -> String {
    let mut out = String::from(
        "digraph states {\n  node [shape=box, style=rounded, fontname=\"monospace\", \
         fontsize=10];\n  edge [fontname=\"monospace\", fontsize=9];\n",
    );
    for (at, node) in graph.states.iter().enumerate() {
        let shown = node.values.iter().filter(|(_, value)| value != "0" && value != "[]");
        let mut lines = vec![at.to_string()];
        lines.extend(shown.map(|(name, value)| format!("{name} = {value}")));
        lines.extend(node.processes.iter().map(|process| {
            let line = process.span.map(|span| location::location(sources, span).line);
            let line = line.map_or_else(String::new, |line| format!(" :{line}"));
            format!("{}({}){line}", process.process, process.pid)
        }));
        let lines: String = lines.iter().map(|line| quoted(line) + "\\l").collect();
        let mut style = String::new();
        if at == 0 {
            style += ", penwidth=3";
        }
        if node.deadlock {
            style += ", style=\"rounded,filled\", fillcolor=\"#ffd6d3\", color=red";
        }
        push(&mut out, format_args!("  s{at} [label=\"{lines}\"{style}];\n"));
    }
    for (number, edge) in graph.edges.iter().enumerate() {
        let mut text = quoted(&label(edge));
        let mut style = "";
        if let Some(fault) = edge.fault {
            text += &format!("\\n{}", quoted(&fault.to_string()));
            style = ", color=red, fontcolor=red";
        }
        let to = match edge.to {
            Some(to) => format!("s{to}"),
            None => {
                let mark = format!("  f{number} [shape=point, color=red];\n");
                push(&mut out, format_args!("{mark}"));
                format!("f{number}")
            }
        };
        let from = edge.from;
        push(&mut out, format_args!("  s{from} -> {to} [label=\"{text}\"{style}];\n"));
    }
    out + "}\n"
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ")
}
