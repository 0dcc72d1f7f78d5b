//! Reads a domain and a problem. All mistakes of both files are reported in one run.
//!
//! The order of reading: requirements, types, constants, predicates and functions of the domain,
//! the objects of the problem, then what refers to them: actions, axioms, the initial state and the
//! goal.

mod definition;
mod effects;
mod feature;
mod formulas;
mod name_table;
mod names;
mod numbers;
mod problem;
mod reader;
mod requirements;
mod schemas;
mod strata;
mod typed_lists;
mod types;

use std::collections::HashMap;

use beeline_source::diagnostic::{Diagnostic, Diagnostics};
use beeline_source::source::{SourceMap, Span};

use crate::syntax::{self, Node};
use crate::task::PlanningTask;
use definition::Definition;
use reader::Reader;

/// A text with its name.
#[derive(Clone, Copy, Debug)]
pub struct PlanningText<'a> {
    /// The name of the file.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
}

/// A domain and a problem that were read.
#[derive(Debug)]
pub struct PlanningRead {
    /// The task, if there are no errors.
    pub task: Option<PlanningTask>,
    /// The mistakes.
    pub diagnostics: Diagnostics,
    /// The texts.
    pub sources: SourceMap,
}

/// Reads a domain and a problem.
pub fn read(domain: PlanningText<'_>, problem: PlanningText<'_>) -> PlanningRead {
    let (mut sources, mut diagnostics) = (SourceMap::default(), Diagnostics::default());
    let mut parsed = Vec::new();
    for (text, keyword) in [(domain, "domain"), (problem, "problem")] {
        let file = sources.add_file(text.name, text.text, None);
        let nodes = syntax::parse(text.text, file, &mut diagnostics);
        parsed.push(definition(nodes, keyword, Span::new(file, 0, 0), &mut diagnostics));
    }
    let problem = parsed.pop().flatten();
    let domain = parsed.pop().flatten();
    let (Some(domain), Some(problem)) = (domain, problem) else {
        return PlanningRead { task: None, diagnostics, sources };
    };
    let mut reader = Reader::new(&mut diagnostics, &domain.name, &problem.name);
    reader.everything(&domain, &problem);
    let task = reader.task;
    let task = (!diagnostics.has_errors()).then_some(task);
    PlanningRead { task, diagnostics, sources }
}

/// Finds the definition of a file.
fn definition(
    nodes: Vec<Node>,
    keyword: &str,
    start: Span,
    diagnostics: &mut Diagnostics,
) -> Option<Definition> {
    let mut found = None;
    for node in nodes {
        let is_define = node.headed().is_some_and(|(_, head, _)| head == "define");
        if !is_define || found.is_some() {
            let message = match found {
                Some(_) => "a file has one definition; this is another one".to_owned(),
                None => format!("expected `(define ({keyword} NAME) …)`"),
            };
            diagnostics.push(Diagnostic::error("pddl-syntax", node.span, message));
            if !is_define && found.is_none() {
                return None;
            }
            continue;
        }
        let Some((_, _, rest)) = node.headed() else { continue };
        let name = rest.first().and_then(Node::headed);
        let Some((head, kind, [name])) = name else {
            let message = format!("expected `({keyword} NAME)` after `define`");
            let place = rest.first().map_or(node.span, |one| one.span);
            diagnostics.push(Diagnostic::error("pddl-syntax", place, message));
            return None;
        };
        if kind != keyword {
            let message = format!("this file defines a {kind}, not a {keyword}");
            let advice = "the domain is the first argument, the problem the second one";
            diagnostics.push(Diagnostic::error("pddl-syntax", head.span, message).help(advice));
            return None;
        }
        let text = name.word().unwrap_or_default().into();
        found = Some(Definition { name: text, span: name.span, sections: rest[1..].to_vec() });
    }
    if found.is_none() && !diagnostics.has_errors() {
        let message = format!("the file is empty: expected `(define ({keyword} NAME) …)`");
        diagnostics.push(Diagnostic::error("pddl-syntax", start, message));
    }
    found
}

impl Reader<'_> {
    fn everything(&mut self, domain: &Definition, problem: &Definition) {
        let known = [
            ":requirements",
            ":types",
            ":constants",
            ":predicates",
            ":functions",
            ":action",
            ":derived",
        ];
        let of_domain = self.sections(domain, "domain", &known);
        let known = [":domain", ":requirements", ":objects", ":init", ":goal", ":metric"];
        let of_problem = self.sections(problem, "problem", &known);
        for (_, keyword, rest) in of_domain.iter().chain(&of_problem) {
            if *keyword == ":requirements" {
                self.requirements(rest);
            }
        }
        for (keyword, of) in [(":types", &of_domain), (":constants", &of_domain)] {
            for (_, _, rest) in of.iter().filter(|one| one.1 == keyword) {
                match keyword {
                    ":types" => self.types(rest),
                    _ => self.objects(rest),
                }
            }
        }
        for (_, keyword, rest) in &of_domain {
            match *keyword {
                ":predicates" => self.predicates(rest),
                ":functions" => self.functions(rest),
                _ => {}
            }
        }
        for (_, _, rest) in of_problem.iter().filter(|one| one.1 == ":objects") {
            self.objects(rest);
        }
        self.count_members();
        for (_, _, rest) in of_domain.iter().filter(|one| one.1 == ":derived") {
            self.mark_derived(rest);
        }
        for (head, keyword, rest) in &of_domain {
            match *keyword {
                ":action" => self.action(head, rest),
                ":derived" => self.axiom(head, rest),
                _ => {}
            }
        }
        self.layer_axioms();
        self.problem(problem, domain, &of_problem);
    }

    /// The sections of a definition with their keywords. Unknown ones are refused.
    fn sections<'n>(
        &mut self,
        of: &'n Definition,
        kind: &str,
        known: &[&str],
    ) -> Vec<(&'n Node, &'n str, &'n [Node])> {
        let mut found: Vec<(&Node, &str, &[Node])> = Vec::new();
        let mut places: HashMap<&str, Span> = HashMap::new();
        for node in &of.sections {
            let Some((head, keyword, rest)) = node.headed() else {
                let message = format!("expected a section of the {kind}, as `({} …)`", known[0]);
                self.error("pddl-syntax", node.span, message);
                continue;
            };
            if !known.contains(&keyword) {
                self.unknown_section(head, keyword, kind, known);
                continue;
            }
            if ![":action", ":derived", ":requirements"].contains(&keyword)
                && let Some(first) = places.insert(keyword, head.span)
            {
                let message = format!("a second section `{keyword}`");
                let diagnostic = Diagnostic::error("pddl-syntax", head.span, message)
                    .related(first, "the first one is here");
                self.diagnostics.push(diagnostic);
                continue;
            }
            found.push((head, keyword, rest));
        }
        found
    }
}
