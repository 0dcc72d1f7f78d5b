//! A network as text: its automata after the instantiation of templates, its factored view.

use std::fmt::Write as _;

use beeline_source::source::Span;

use super::timed_model::TimedModel;
use crate::discrete::DiscreteView;
use crate::network::TimedProcess;
use crate::semantics::symbolic::SymbolicEngine;

impl TimedModel {
    /// The automata of all processes: locations, and edges with their labels as written.
    pub fn automata(&self) -> String {
        let narrator = self.narrator();
        let mut out = String::new();
        for (pid, process) in self.network().processes.iter().enumerate() {
            let mut line = |text: String| writeln!(out, "{text}").expect("a string takes it");
            line(format!("process {} ({pid})", process.name));
            for at in 0..process.locations.len() as u32 {
                let marks = marks(process, at);
                line(format!("  {}{marks}", narrator.location(pid, at)));
                for &edge in &process.leaving[at as usize] {
                    let edge = &process.edges[edge as usize];
                    line(format!("    {}  {}", self.place(edge.span), narrator.edge(pid, edge)));
                }
            }
        }
        out
    }

    /// The same as a graph for Graphviz.
    pub fn automata_graph(&self) -> String {
        let narrator = self.narrator();
        let mut out = String::from("digraph automata {\n");
        for (pid, process) in self.network().processes.iter().enumerate() {
            let name = quoted(&process.name);
            let mut line = |text: String| writeln!(out, "{text}").expect("a string takes it");
            line(format!("  subgraph cluster_{pid} {{\n    label={name};"));
            for at in 0..process.locations.len() as u32 {
                let text = narrator.location(pid, at) + &marks(process, at);
                line(format!("    p{pid}_{at} [label={}];", quoted(&text)));
            }
            for edge in &process.edges {
                let labels = quoted(&narrator.labels(edge));
                line(format!("    p{pid}_{} -> p{pid}_{} [label={labels}];", edge.from, edge.to));
            }
            line("  }".to_owned());
        }
        out + "}\n"
    }

    /// The discrete part in factors, with the steps that can fail.
    ///
    /// # Errors
    ///
    /// When there are too many steps, in words.
    pub fn factored(&self) -> Result<String, String> {
        let engine = SymbolicEngine::new(self.network(), Vec::new());
        let view = DiscreteView::new(self.network(), &engine.layout)?;
        Ok(view.for_faults().dump())
    }

    fn place(&self, span: Span) -> String {
        use beeline_model::Model as _;
        let place = self.sources().location(span);
        format!("{}:{}", place.file, place.line)
    }
}

/// What is special about a location.
fn marks(process: &TimedProcess, at: u32) -> String {
    let location = &process.locations[at as usize];
    let all = [
        ("initial", process.initial == at),
        ("urgent", location.is_urgent),
        ("committed", location.is_committed),
        ("with an invariant", location.invariant.is_some()),
    ];
    let names: Vec<&str> = all.iter().filter(|(_, is)| *is).map(|(name, _)| *name).collect();
    if names.is_empty() { String::new() } else { format!("  [{}]", names.join(", ")) }
}

/// A string of Graphviz.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
