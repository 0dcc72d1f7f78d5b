//! Statements as they are written in the source: `n++`, `true`, `skip`.
//!
//! A statement of an inline has the calls that lead to it before it: `lock(me): owner = me`. A call
//! of a macro is shown as it is written; where the macro makes several statements, the statement
//! follows the call, as lowered. Elements that a `for` or a `select` is lowered to have no text of
//! their own in the source, and are shown as lowered, too.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, OnceLock};

use beeline_engine::automata::{EdgeAction, EdgeStep, JumpKind, Location};
use beeline_promela::Frontend;
use beeline_promela::hir::{Model, Process, Stmt, StmtKind};
use beeline_source::source::{ExpansionKind, SourceMap, Span};

use crate::one_line::{one_line, shorten};

/// The texts of the statements of a model.
#[derive(Debug)]
pub(crate) struct StatementTexts<'m> {
    front: &'m Frontend,
    /// Made when the first text is asked for.
    spans: OnceLock<StatementSpans>,
    /// The texts that were made, by process, location and position: a trail can repeat a step a million
    /// times.
    made: Mutex<HashMap<(Span, Location, Span), String>>,
}

/// Used for lookup only, so that the order does not matter.
#[derive(Debug, Default)]
struct StatementSpans {
    /// Statements whose elements have no text of their own.
    compound: HashSet<Span>,
    /// The number of statements that the call of a macro makes.
    made: HashMap<Span, usize>,
}

impl<'m> StatementTexts<'m> {
    pub(crate) fn new(front: &'m Frontend) -> StatementTexts<'m> {
        StatementTexts { front, spans: OnceLock::new(), made: Mutex::default() }
    }

    pub(crate) fn sources(&self) -> &'m SourceMap {
        &self.front.sources
    }

    fn model(&self) -> &'m Model {
        &self.front.hir
    }

    /// The statement as it is written.
    pub(crate) fn text(&self, step: &EdgeStep, process: &Process) -> String {
        let mut made = self.made.lock().expect("nothing panics while it has the lock");
        let text = made.entry((process.name.span, step.location, step.span));
        text.or_insert_with(|| self.make(step, process)).clone()
    }

    fn make(&self, step: &EdgeStep, process: &Process) -> String {
        let lowered = || lowered(step, self.model(), process);
        let text = match step.written() {
            // Where a declaration has several variables, this is about one.
            EdgeAction::Else
            | EdgeAction::End
            | EdgeAction::Move(_)
            | EdgeAction::Declare { .. } => lowered(),
            _ => self.written(step.span, &lowered),
        };
        let calls = self.calls(step.span);
        if calls.is_empty() { text } else { shorten(&format!("{calls}{text}")) }
    }

    fn written(&self, span: Span, lowered: &dyn Fn() -> String) -> String {
        let sources = self.sources();
        let spans = self.spans.get_or_init(|| StatementSpans::of(self.front));
        if spans.compound.contains(&span) {
            return shorten(&lowered());
        }
        let seen = outside_macros(sources, span);
        match one_line(with_arguments(sources, seen)) {
            None => shorten(&lowered()),
            Some(call) if spans.made.get(&seen).is_some_and(|&made| made > 1) => {
                shorten(&format!("{call}: {}", lowered()))
            }
            Some(text) => text,
        }
    }

    /// `lock(me): `: the calls of inlines that a statement comes from, the outermost first.
    fn calls(&self, span: Span) -> String {
        let sources = self.sources();
        let is_call = |kind: &ExpansionKind| matches!(kind, ExpansionKind::Inline(_));
        let calls = sources.chain(span).filter(|step| is_call(&step.kind));
        let sites = calls.map(|step| outside_macros(sources, step.call_site));
        let mut texts: Vec<String> =
            sites.filter_map(|site| one_line(with_arguments(sources, site))).collect();
        texts.reverse();
        texts.into_iter().map(|text| text + ": ").collect()
    }
}

impl StatementSpans {
    fn of(front: &Frontend) -> StatementSpans {
        let mut spans = StatementSpans::default();
        for stmt in front.hir.processes.iter().flat_map(|process| &process.body) {
            stmt.visit(&mut |stmt| spans.add(stmt, &front.sources));
        }
        spans
    }

    fn add(&mut self, stmt: &Stmt, sources: &SourceMap) {
        match stmt.kind {
            StmtKind::Labelled { .. } | StmtKind::Block(_) => return,
            StmtKind::For { .. } | StmtKind::Select { .. } => {
                self.compound.insert(stmt.span);
            }
            // A jump with a special label gets a `skip` before it.
            StmtKind::Goto(_) | StmtKind::Break => {
                self.compound.insert(stmt.span);
            }
            _ => {}
        }
        let seen = outside_macros(sources, stmt.span);
        if seen != stmt.span {
            *self.made.entry(seen).or_default() += 1;
        }
    }
}

/// The statement after lowering.
fn lowered(step: &EdgeStep, model: &Model, process: &Process) -> String {
    match step.written() {
        EdgeAction::Guard(condition) if condition.kind.constant() == Some(1) => "skip".to_owned(),
        EdgeAction::Move(JumpKind::KnownAssignment) => "skip".to_owned(),
        action => action.text(model, process),
    }
}

/// The call of the outermost macro that a text comes from, or the text itself.
fn outside_macros(sources: &SourceMap, span: Span) -> Span {
    let mut span = span;
    while let Some(id) = span.expansion
        && let ExpansionKind::Macro(_) = sources.expansion(id).kind
    {
        span = sources.expansion(id).call_site;
    }
    span
}

/// A text with the arguments that follow it on its line: the call of a macro is its name alone.
fn with_arguments(sources: &SourceMap, span: Span) -> &str {
    let (start, end) = (span.start as usize, span.end as usize);
    let text = &sources.file(span.file).text[start..];
    let after = &text[end - start..];
    let arguments = after.trim_start_matches([' ', '\t']);
    let blanks = after.len() - arguments.len();
    match parenthesised(arguments) {
        Some(length) => &text[..end - start + blanks + length],
        None => &text[..end - start],
    }
}

/// The length of the parentheses at the beginning of a text.
fn parenthesised(text: &str) -> Option<usize> {
    if !text.starts_with('(') {
        return None;
    }
    let mut depth = 0;
    let mut letters = text.bytes().enumerate();
    letters.find_map(|(at, letter)| {
        depth += i32::from(letter == b'(') - i32::from(letter == b')');
        (depth == 0).then_some(at + 1)
    })
}
