//! The text format of TChecker: a line for each declaration, synchronisation by vectors of events.
//!
//! Each process becomes a template of its own. Variables are global.

use std::sync::Arc;

use beeline_source::diagnostic::{Diagnostic, Diagnostics, did_you_mean};
use beeline_source::source::{FileId, Span};

use crate::read::labels::{is_trivial, read_label};
use crate::syntax::cursor::{Cursor, Parsed, refusal};
use crate::syntax::fragment::Fragment;
use crate::syntax::tree::{
    ArraySize, Decl, Declarator, Document, EdgeDecl, Expr, ExprKind, Ident, Initialiser,
    LocationDecl, SyncExpr, SyncVector, Template, TypeBase, TypeExpr, VariableDecl,
};

/// Words with which lines begin.
const KEYWORDS: &[&str] =
    &["system", "event", "process", "clock", "int", "location", "edge", "sync"];

/// Whether a text is in this format: its first line with content declares the system.
pub(crate) fn is_tck(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    lines.find(|line| !line.is_empty() && !line.starts_with('#')).is_some_and(|line| {
        line.strip_prefix("system").is_some_and(|rest| rest.trim_start().starts_with(':'))
    })
}

/// Reads a file.
pub(crate) fn read_tck(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Document {
    let document = Document { has_vectors: true, ..Document::default() };
    let mut reader = TckReader { file, diagnostics, document, events: Vec::new() };
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let content = line.split('#').next().unwrap_or_default();
        if !content.trim().is_empty() {
            reader.line(content, at);
        }
        at += line.len();
    }
    reader.check_events();
    if reader.document.system.is_empty() && !reader.diagnostics.has_errors() {
        let message = "the model has no processes";
        let span = Span::new(file, 0, text.lines().next().unwrap_or_default().len() as u32);
        reader.diagnostics.push(Diagnostic::error("timed-system", span, message));
    }
    reader.document
}

struct TckReader<'a> {
    file: FileId,
    diagnostics: &'a mut Diagnostics,
    document: Document,
    events: Vec<Arc<str>>,
}

/// A part of a line with its position.
#[derive(Clone, Copy)]
struct Part<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Part<'t> {
    fn trimmed(self) -> Part<'t> {
        let at = self.at + (self.text.len() - self.text.trim_start().len());
        Part { text: self.text.trim(), at }
    }
}

impl TckReader<'_> {
    fn span(&self, part: Part<'_>) -> Span {
        Span::new(self.file, part.at as u32, (part.at + part.text.len()) as u32)
    }

    fn ident(&self, part: Part<'_>) -> Ident {
        Ident { text: part.text.into(), span: self.span(part) }
    }

    fn error(&mut self, part: Part<'_>, message: impl Into<String>) {
        let span = self.span(part);
        self.diagnostics.push(Diagnostic::error("timed-syntax", span, message));
    }

    fn line(&mut self, line: &str, at: usize) {
        let whole = Part { text: line, at }.trimmed();
        let (head, attributes) = match whole.text.find('{') {
            Some(brace) => {
                let inner = whole.text[brace + 1..].trim_end();
                let Some(inner) = inner.strip_suffix('}') else {
                    return self.error(whole, "`}` is missing at the end of attributes");
                };
                let attributes = Part { text: inner, at: whole.at + brace + 1 };
                (Part { text: &whole.text[..brace], at: whole.at }, attributes)
            }
            None => (whole, Part { text: "", at: whole.at + whole.text.len() }),
        };
        let parts = split(head, ':');
        match (parts[0].text, &parts[1..]) {
            ("system", [_]) => {}
            ("event", [name]) => self.events.push(name.text.into()),
            ("process", [name]) => self.process(*name),
            ("clock", [size, name]) => self.clock(*size, *name),
            ("int", [size, low, high, initial, name]) => {
                self.int([*size, *low, *high, *initial], *name);
            }
            ("location", [process, name]) => self.location([*process, *name], attributes),
            ("edge", [process, from, to, event]) => {
                self.edge([*process, *from, *to, *event], attributes);
            }
            ("sync", vector) if !vector.is_empty() => self.vector(vector, whole),
            (word, _) if KEYWORDS.contains(&word) => {
                self.error(head, format!("`{word}` has another number of parts"));
            }
            (word, _) => {
                let similar = did_you_mean(word, KEYWORDS.iter().copied());
                let advice = similar.map_or_else(
                    || format!("a line begins with one of {}", KEYWORDS.join(", ")),
                    |similar| format!("did you mean `{similar}`?"),
                );
                let span = self.span(parts[0]);
                let message = format!("no line begins with `{word}`");
                self.diagnostics
                    .push(Diagnostic::error("timed-syntax", span, message).help(advice));
            }
        }
    }

    fn process(&mut self, name: Part<'_>) {
        let name = self.ident(name);
        self.document.system.push(name.clone());
        self.document.templates.push(Template {
            name,
            parameters: Vec::new(),
            decls: Vec::new(),
            locations: Vec::new(),
            initial: None,
            edges: Vec::new(),
        });
    }

    fn number(&mut self, part: Part<'_>) -> Expr {
        let span = self.span(part);
        let number = part.text.parse::<i32>().unwrap_or_else(|_| {
            self.error(part, format!("`{}` is not a number of 32 bits", part.text));
            0
        });
        Expr { kind: ExprKind::Int(i64::from(number)), span }
    }

    fn clock(&mut self, size: Part<'_>, name: Part<'_>) {
        let ty = type_expr(TypeBase::Clock, self.span(name));
        self.variable(ty, size, name, None);
    }

    fn int(&mut self, [size, low, high, initial]: [Part<'_>; 4], name: Part<'_>) {
        let bounds = (self.number(low), self.number(high));
        let initial_value = self.number(initial);
        let ty = type_expr(TypeBase::Int(Some(Box::new(bounds))), self.span(name));
        self.variable(ty, size, name, Some(initial_value));
    }

    fn variable(&mut self, ty: TypeExpr, size: Part<'_>, name: Part<'_>, initial: Option<Expr>) {
        let length = self.number(size);
        let mut sizes = Vec::new();
        let mut value = initial.clone().map(Initialiser::Expr);
        if let ExprKind::Int(count) = length.kind
            && count != 1
        {
            let span = length.span;
            value = initial.map(|one| {
                let each = (None, Initialiser::Expr(one));
                Initialiser::List(
                    vec![each; usize::try_from(count.min(1 << 20)).unwrap_or(0)],
                    span,
                )
            });
            sizes.push(ArraySize::Expr(length));
        }
        let declarator = Declarator { name: self.ident(name), sizes, is_reference: false };
        self.document.decls.push(Decl::Variable(VariableDecl { ty, declarator, initial: value }));
    }

    fn template(&mut self, name: Part<'_>) -> Option<usize> {
        let templates = &self.document.templates;
        let found = templates.iter().position(|one| *one.name.text == *name.text);
        if found.is_none() {
            let known: Vec<Arc<str>> = templates.iter().map(|one| one.name.text.clone()).collect();
            let similar = did_you_mean(name.text, known.iter().map(|one| &**one));
            let help = similar.map(|one| format!("did you mean `{one}`?"));
            let span = self.span(name);
            let message = format!("there is no process `{}`", name.text);
            let error = Diagnostic::error("timed-name", span, message);
            self.diagnostics.push(match help {
                Some(help) => error.help(help),
                None => error,
            });
        }
        found
    }

    fn location(&mut self, [process, name]: [Part<'_>; 2], attributes: Part<'_>) {
        let Some(template) = self.template(process) else { return };
        let name = self.ident(name);
        let mut location = LocationDecl {
            id: name.text.clone(),
            span: name.span,
            name: Some(name.clone()),
            invariant: None,
            is_urgent: false,
            is_committed: false,
            labels: Vec::new(),
        };
        let place = format!("location `{}` of process `{}`", name.text, process.text);
        for (key, value) in pairs(attributes) {
            match key.text {
                "initial" => {
                    if self.document.templates[template].initial.is_some() {
                        let span = self.span(key);
                        self.diagnostics.push(refusal(span, "several initial locations"));
                    }
                    self.document.templates[template].initial = Some(name.clone());
                }
                "urgent" => location.is_urgent = true,
                "committed" => location.is_committed = true,
                "labels" => {
                    let labels = value.text.split(',').map(str::trim);
                    location.labels =
                        labels.filter(|label| !label.is_empty()).map(Into::into).collect();
                }
                "invariant" => {
                    let read = self.label(value, &place, |cursor| cursor.condition_list());
                    location.invariant = read.filter(|one| !is_trivial(one));
                }
                "" => {}
                other => self.error(key, format!("`{other}` is no attribute of locations")),
            }
        }
        self.document.templates[template].locations.push(location);
    }

    fn label<T>(
        &mut self,
        part: Part<'_>,
        place: &str,
        parse: impl FnOnce(&mut Cursor<'_>) -> Parsed<T>,
    ) -> Option<T> {
        let fragment = Fragment::plain(self.file, part.at, part.text);
        read_label(&fragment, place, self.diagnostics, parse)
    }

    fn edge(&mut self, [process, from, to, event]: [Part<'_>; 4], attributes: Part<'_>) {
        let Some(template) = self.template(process) else { return };
        let mut edge = EdgeDecl {
            from: self.ident(from),
            to: self.ident(to),
            selects: Vec::new(),
            guard: None,
            sync: Some(SyncExpr::Event(self.ident(event))),
            updates: Vec::new(),
            span: self.span(from).to(self.span(to)),
        };
        let place = format!("edge `{}` → `{}` of process `{}`", from.text, to.text, process.text);
        for (key, value) in pairs(attributes) {
            match key.text {
                "provided" => {
                    let read = self.label(value, &place, |cursor| cursor.condition_list());
                    edge.guard = read.filter(|one| !is_trivial(one));
                }
                "do" if value.text == "nop" => {}
                "do" => {
                    let read = self.label(value, &place, |cursor| {
                        let mut updates = Vec::new();
                        while !cursor.is_at_end() {
                            updates.push(cursor.expression()?);
                            if !cursor.accept(";") && !cursor.is_at_end() {
                                return cursor.fail("`;` is missing between statements");
                            }
                        }
                        Ok(updates)
                    });
                    edge.updates = read.unwrap_or_default();
                }
                "" => {}
                other => self.error(key, format!("`{other}` is no attribute of edges")),
            }
        }
        self.document.templates[template].edges.push(edge);
    }

    fn vector(&mut self, parts: &[Part<'_>], whole: Part<'_>) {
        let mut vector = SyncVector { parts: Vec::new(), span: self.span(whole) };
        for part in parts {
            let (text, is_weak) = match part.text.strip_suffix('?') {
                Some(text) => (text.trim_end(), true),
                None => (part.text, false),
            };
            let Some(at) = text.find('@') else {
                return self.error(*part, "a synchronisation is `process@event`");
            };
            let process = Part { text: &text[..at], at: part.at }.trimmed();
            let event = Part { text: &text[at + 1..], at: part.at + at + 1 }.trimmed();
            if self.template(process).is_none() {
                return;
            }
            vector.parts.push((self.ident(process), self.ident(event), is_weak));
        }
        self.document.vectors.push(vector);
    }

    /// Tells events that are not declared.
    fn check_events(&mut self) {
        let edges = self.document.templates.iter().flat_map(|one| &one.edges);
        let of_edges = edges.filter_map(|edge| match &edge.sync {
            Some(SyncExpr::Event(event)) => Some(event),
            _ => None,
        });
        let of_vectors = self.document.vectors.iter().flat_map(|one| &one.parts);
        let used = of_edges.chain(of_vectors.map(|(_, event, _)| event));
        for event in used.filter(|event| !self.events.contains(&event.text)) {
            let message = format!("the event `{}` is not declared", event.text);
            let error = Diagnostic::error("timed-name", event.span, message);
            let similar = did_you_mean(&event.text, self.events.iter().map(|one| &**one));
            self.diagnostics.push(match similar {
                Some(similar) => error.help(format!("did you mean `{similar}`?")),
                None => error,
            });
        }
    }
}

fn split(part: Part<'_>, at: char) -> Vec<Part<'_>> {
    let mut start = part.at;
    part.text
        .split(at)
        .map(|text| {
            let found = Part { text, at: start }.trimmed();
            start += text.len() + 1;
            found
        })
        .collect()
}

/// Keys and values: `key: value : key: value`.
fn pairs(attributes: Part<'_>) -> Vec<(Part<'_>, Part<'_>)> {
    let parts = split(attributes, ':');
    let end = Part { text: "", at: attributes.at + attributes.text.len() };
    parts.chunks(2).map(|pair| (pair[0], pair.get(1).copied().unwrap_or(end))).collect()
}

fn type_expr(base: TypeBase, span: Span) -> TypeExpr {
    TypeExpr {
        base,
        is_const: false,
        is_meta: false,
        is_urgent: false,
        is_broadcast: false,
        is_hybrid: false,
        span,
    }
}
