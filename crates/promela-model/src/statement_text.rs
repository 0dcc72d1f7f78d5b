//! Statements as they are written in the source: `n++`, `true`, `skip`.
//!
//! A statement of an inline has the calls that lead to it before it: `lock(me): owner = me`. A call
//! of a macro is shown as it is written; where the macro makes several statements, the statement
//! follows the call, as lowered. A `for` or a `select` is several statements after lowering: the
//! first one is shown as the head, and the others follow it: `for (i : 1 .. 3): i <= 3`. Of a
//! declaration with several variables, each is shown with the type: `byte a = 1`, `byte b = 2`.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, OnceLock};

use beeline_engine::automata::{EdgeAction, EdgeStep, JumpKind, Location};
use beeline_promela::Frontend;
use beeline_promela::hir::{
    BinaryOp, Expr, ExprKind, LocalId, Model, Process, SelectForm, Stmt, StmtKind,
};
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
    made: Mutex<HashMap<(Span, Location, Span), StatementText>>,
}

/// The text of a statement.
#[derive(Clone, Debug)]
struct StatementText {
    text: String,
    /// Without the head, if it is a part of a loop.
    part: Option<String>,
}

/// Used for lookup only, so that the order does not matter.
#[derive(Debug, Default)]
struct StatementSpans {
    /// Jumps: one with a special label gets a `skip` before it.
    jumps: HashSet<Span>,
    /// `for` and `select`, of which the elements have no text of their own.
    loops: HashMap<Span, LoopForm>,
    /// The names of the variables of a declaration, in order.
    declared: HashMap<Span, Vec<Span>>,
    /// The number of statements that the call of a macro makes.
    made: HashMap<Span, usize>,
}

/// The elements that a `for` or a `select` is lowered to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LoopForm {
    /// An assignment, and a loop.
    Counting,
    /// A choice between assignments.
    Choice,
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
        self.texts(step, process).text
    }

    /// The statements of an edge as they are written. The head of a loop is shown once.
    pub(crate) fn all(&self, steps: &[EdgeStep], process: &Process) -> Vec<String> {
        let text = |(at, step): (usize, &EdgeStep)| {
            let StatementText { text, part } = self.texts(step, process);
            let is_shown = steps[..at].iter().any(|before| before.span == step.span);
            part.filter(|_| is_shown).unwrap_or(text)
        };
        steps.iter().enumerate().map(text).collect()
    }

    fn texts(&self, step: &EdgeStep, process: &Process) -> StatementText {
        let mut made = self.made.lock().expect("nothing panics while it has the lock");
        let text = made.entry((process.name.span, step.location, step.span));
        text.or_insert_with(|| self.make(step, process)).clone()
    }

    fn make(&self, step: &EdgeStep, process: &Process) -> StatementText {
        let lowered = || lowered(step, self.model(), process);
        let spans = self.spans.get_or_init(|| StatementSpans::of(self.front));
        let form = spans.loops.get(&step.span).copied();
        let text = match (form, step.written()) {
            (Some(form), _) => self.part_of_loop(step, form, &lowered),
            (None, EdgeAction::Else | EdgeAction::End | EdgeAction::Move(_)) => lowered(),
            (None, EdgeAction::Declare { var, .. }) => {
                self.declaration(step.span, *var, process, &lowered)
            }
            (None, _) => self.written(step.span, &lowered),
        };
        let calls = self.calls(step.span);
        let text = if calls.is_empty() { text } else { shorten(&format!("{calls}{text}")) };
        StatementText { text, part: form.map(|_| shorten(&lowered())) }
    }

    fn written(&self, span: Span, lowered: &dyn Fn() -> String) -> String {
        let sources = self.sources();
        let spans = self.spans.get_or_init(|| StatementSpans::of(self.front));
        if spans.jumps.contains(&span) {
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

    /// The head of a `for` or a `select`, and unless it is the first element, this element.
    fn part_of_loop(
        &self,
        step: &EdgeStep,
        form: LoopForm,
        lowered: &dyn Fn() -> String,
    ) -> String {
        let sources = self.sources();
        let spans = self.spans.get_or_init(|| StatementSpans::of(self.front));
        let seen = outside_macros(sources, step.span);
        let is_written = seen == step.span;
        let head =
            if is_written { head(sources.text(seen)) } else { with_arguments(sources, seen) };
        let is_alone = is_written || spans.made.get(&seen) == Some(&1);
        let begins = match step.written() {
            EdgeAction::Assign { value, .. } => !is_increment(value, step.span),
            _ => false,
        };
        match one_line(head) {
            Some(head) if begins && is_alone && form == LoopForm::Counting => head,
            Some(head) => shorten(&format!("{head}: {}", lowered())),
            None => shorten(&lowered()),
        }
    }

    /// The declaration of one variable: the type, and the name with its value.
    fn declaration(
        &self,
        span: Span,
        var: LocalId,
        process: &Process,
        lowered: &dyn Fn() -> String,
    ) -> String {
        let sources = self.sources();
        if outside_macros(sources, span) != span {
            return self.written(span, lowered);
        }
        let spans = self.spans.get_or_init(|| StatementSpans::of(self.front));
        let names = spans.declared.get(&span).map_or(&[][..], Vec::as_slice);
        let name = process.locals[var.index()].name.span;
        let is_inside = |name: &Span| {
            name.file == span.file && name.expansion == span.expansion && name.start >= span.start
        };
        let at = names.iter().position(|one| *one == name);
        let Some(at) = at.filter(|_| names.iter().all(is_inside)) else { return lowered() };
        let ty = Span { end: names[0].start, ..span };
        let end = names.get(at + 1).map_or(span.end, |next| next.start);
        let own = Span { start: name.start, end: end.max(name.start), ..span };
        let (ty, own) = (one_line(sources.text(ty)), one_line(sources.text(own)));
        match (ty, own) {
            (Some(ty), Some(own)) => shorten(&format!("{ty} {}", own.trim_end_matches([',', ' ']))),
            _ => lowered(),
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
        for process in &front.hir.processes {
            for stmt in &process.body {
                stmt.visit(&mut |stmt| spans.add(stmt, process, &front.sources));
            }
        }
        spans
    }

    fn add(&mut self, stmt: &Stmt, process: &Process, sources: &SourceMap) {
        match stmt.kind {
            StmtKind::Labelled { .. } | StmtKind::Block(_) => return,
            StmtKind::Select { form: SelectForm::Options, .. } => {
                self.loops.insert(stmt.span, LoopForm::Choice);
            }
            StmtKind::For { .. } | StmtKind::Select { .. } => {
                self.loops.insert(stmt.span, LoopForm::Counting);
            }
            StmtKind::Goto(_) | StmtKind::Break => {
                self.jumps.insert(stmt.span);
            }
            StmtKind::Declare { var, .. } => {
                let name = process.locals[var.index()].name.span;
                let names = self.declared.entry(stmt.span).or_default();
                // An inline that is called twice declares its variables twice.
                if !names.contains(&name) {
                    names.push(name);
                }
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

/// Whether a value is the sum that lowering made of the counter and 1: its 1 is not in the source.
fn is_increment(value: &Expr, span: Span) -> bool {
    matches!(&value.kind, ExprKind::Binary(BinaryOp::Add, _, one) if one.span == span)
}

/// The text up to the first closing parenthesis that belongs to the first one.
fn head(text: &str) -> &str {
    let open = text.find('(').unwrap_or(text.len());
    &text[..open + parenthesised(&text[open..]).unwrap_or(0)]
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
