//! UPPAAL's XML.
//!
//! Nothing outside the file is read. A file that defines entities is refused, so that none can
//! expand without limit.

use std::sync::Arc;

use beeline_source::diagnostic::{Diagnostic, Diagnostics};
use beeline_source::source::{FileId, Span};
use roxmltree::{Node, ParsingOptions};

use crate::read::labels::{add_with_place, is_trivial, read_label};
use crate::read::queries::query;
use crate::syntax::cursor::{Cursor, refusal};
use crate::syntax::fragment::Fragment;
use crate::syntax::tree::{Document, EdgeDecl, Ident, LocationDecl, QueryText, Template};

/// Elements of a file: more of them are a mistake or an attack.
const MOST_NODES: u32 = 4_000_000;

/// Reads a file.
pub(crate) fn read_xml(
    file: FileId,
    text: &str,
    diagnostics: &mut Diagnostics,
) -> (Document, Vec<QueryText>) {
    let mut document = Document::default();
    let mut queries = Vec::new();
    if let Some(at) = text.find("<!ENTITY") {
        let span = Span::new(file, at as u32, at as u32 + 8);
        let message = "definitions of entities are not supported";
        diagnostics
            .push(Diagnostic::error("timed-xml", span, message).help("write the text itself"));
        return (document, queries);
    }
    let options = ParsingOptions { allow_dtd: true, nodes_limit: MOST_NODES, ..Default::default() };
    let parsed = match roxmltree::Document::parse_with_options(text, options) {
        Ok(parsed) => parsed,
        Err(error) => {
            let at = position(text, error.pos());
            let span = Span::new(file, at, at);
            let message = format!("the XML is malformed: {error}");
            diagnostics.push(Diagnostic::error("timed-xml", span, message));
            return (document, queries);
        }
    };
    let root = parsed.root_element();
    let mut reader = XmlReader { file, text, diagnostics };
    if !matches!(root.tag_name().name(), "nta" | "project") {
        let message = format!("`<{}>` is not a model: the root is `<nta>`", root.tag_name().name());
        let span = reader.tag(root);
        reader.diagnostics.push(Diagnostic::error("timed-xml", span, message));
        return (document, queries);
    }
    for node in root.children().filter(Node::is_element) {
        match node.tag_name().name() {
            "imports" if reader.fragment(node).text.trim().is_empty() => {}
            "imports" => reader.refuse(node, "imports"),
            "declaration" => {
                let decls = reader.declarations(node, "the declarations of the system");
                document.decls.extend(decls);
            }
            "template" => {
                let number = document.templates.len();
                let template = reader.template(node, number);
                document.templates.push(template);
            }
            "instantiation" | "system" => {
                let fragment = reader.fragment(node);
                let mut own = Diagnostics::default();
                Cursor::new(&fragment, &mut own).system_section(&mut document);
                add_with_place(own, "the system declarations", reader.diagnostics);
            }
            "lsc" | "lscTemplate" => reader.refuse(node, "live sequence charts"),
            "queries" => {
                let formulas = node.descendants().filter(|one| one.has_tag_name("formula"));
                for formula in formulas {
                    let fragment = reader.fragment(formula);
                    if !fragment.text.trim().is_empty() {
                        queries.push(query(&fragment, queries.len() + 1));
                    }
                }
            }
            _ => {}
        }
    }
    if document.system.is_empty() && !reader.diagnostics.has_errors() {
        let message = "the model has no processes";
        let span = reader.tag(root);
        reader.diagnostics.push(
            Diagnostic::error("timed-system", span, message)
                .help("name them in a `system` line of the element `<system>`"),
        );
    }
    (document, queries)
}

/// The byte of a position in lines and columns.
fn position(text: &str, at: roxmltree::TextPos) -> u32 {
    let before = text.split_inclusive('\n').take((at.row as usize).saturating_sub(1));
    let start: usize = before.map(str::len).sum();
    let line = text[start..].lines().next().unwrap_or_default();
    let column = (at.col as usize).saturating_sub(1);
    let column = line.char_indices().nth(column).map_or(line.len(), |(byte, _)| byte);
    (start + column) as u32
}

struct XmlReader<'a> {
    file: FileId,
    text: &'a str,
    diagnostics: &'a mut Diagnostics,
}

impl XmlReader<'_> {
    /// The name of an element, as a place.
    fn tag(&self, node: Node<'_, '_>) -> Span {
        let start = node.range().start;
        let rest = &self.text[start..node.range().end];
        let end = rest.find(['>', '\n', '/']).unwrap_or(rest.len());
        Span::new(self.file, start as u32, (start + end) as u32)
    }

    /// The text of an element.
    fn fragment(&self, node: Node<'_, '_>) -> Fragment {
        let (Some(first), Some(last)) = (node.first_child(), node.last_child()) else {
            return Fragment::plain(self.file, node.range().start, "");
        };
        let (start, end) = (first.range().start, last.range().end);
        Fragment::of_xml(self.file, start, &self.text[start..end])
    }

    fn refuse(&mut self, node: Node<'_, '_>, feature: &str) {
        let span = self.tag(node);
        self.diagnostics.push(refusal(span, feature));
    }

    fn declarations(&mut self, node: Node<'_, '_>, place: &str) -> Vec<crate::syntax::tree::Decl> {
        let fragment = self.fragment(node);
        let mut own = Diagnostics::default();
        let mut cursor = Cursor::new(&fragment, &mut own);
        let decls = cursor.declarations(|_| false);
        cursor.expect_end("declarations");
        add_with_place(own, place, self.diagnostics);
        decls
    }

    fn template(&mut self, node: Node<'_, '_>, number: usize) -> Template {
        let tag = self.tag(node);
        let mut template = Template {
            name: Ident { text: format!("template {}", number + 1).into(), span: tag },
            parameters: Vec::new(),
            decls: Vec::new(),
            locations: Vec::new(),
            initial: None,
            edges: Vec::new(),
        };
        for child in node.children().filter(Node::is_element) {
            let place = |what: &str, template: &Template| {
                format!("{what} of template `{}`", template.name.text)
            };
            match child.tag_name().name() {
                "name" => {
                    let fragment = self.fragment(child);
                    let place = place("the name", &template);
                    let name = read_label(&fragment, &place, self.diagnostics, |cursor| {
                        cursor.name("the name of a template")
                    });
                    template.name = name.unwrap_or(template.name);
                }
                "parameter" => {
                    let fragment = self.fragment(child);
                    let place = place("the parameters", &template);
                    let parameters = read_label(&fragment, &place, self.diagnostics, |cursor| {
                        cursor.parameters("", false)
                    });
                    template.parameters = parameters.unwrap_or_default();
                }
                "declaration" => {
                    let place = place("the declarations", &template);
                    template.decls = self.declarations(child, &place);
                }
                "location" => {
                    let location = self.location(child, &template);
                    template.locations.push(location);
                }
                "branchpoint" => self.refuse(child, "branch points"),
                "init" => template.initial = Some(self.reference(child)),
                "transition" => {
                    if let Some(edge) = self.edge(child, &template) {
                        template.edges.push(edge);
                    }
                }
                _ => {}
            }
        }
        template
    }

    /// The identity that an element refers to.
    fn reference(&mut self, node: Node<'_, '_>) -> Ident {
        let text: Arc<str> = node.attribute("ref").unwrap_or_default().into();
        Ident { text, span: self.tag(node) }
    }

    fn location(&mut self, node: Node<'_, '_>, template: &Template) -> LocationDecl {
        let number = template.locations.len();
        let id: Arc<str> = match node.attribute("id") {
            Some(id) => id.into(),
            None => format!("location {number}").into(),
        };
        let mut location = LocationDecl {
            id,
            name: None,
            invariant: None,
            is_urgent: false,
            is_committed: false,
            labels: Vec::new(),
            span: self.tag(node),
        };
        for child in node.children().filter(Node::is_element) {
            let named = |location: &LocationDecl| {
                let name = location.name.as_ref().map_or(&location.id, |name| &name.text);
                format!("location `{name}` of template `{}`", template.name.text)
            };
            match (child.tag_name().name(), child.attribute("kind")) {
                ("name", _) => {
                    let fragment = self.fragment(child);
                    let place = format!("the name of {}", named(&location));
                    location.name = read_label(&fragment, &place, self.diagnostics, |cursor| {
                        cursor.name("the name of a location")
                    });
                }
                ("urgent", _) => location.is_urgent = true,
                ("committed", _) => location.is_committed = true,
                ("label", Some("invariant")) => {
                    let fragment = self.fragment(child);
                    let place = format!("the invariant of {}", named(&location));
                    let read = read_label(&fragment, &place, self.diagnostics, |cursor| {
                        cursor.condition_list()
                    });
                    location.invariant = read.filter(|invariant| !is_trivial(invariant));
                }
                _ => {}
            }
        }
        location
    }

    fn edge(&mut self, node: Node<'_, '_>, template: &Template) -> Option<EdgeDecl> {
        let end = |tag: &str| node.children().find(|child| child.has_tag_name(tag));
        let (Some(source), Some(target)) = (end("source"), end("target")) else {
            let message = format!("an edge of template `{}` lacks an end", template.name.text);
            let span = self.tag(node);
            self.diagnostics.push(Diagnostic::error("timed-xml", span, message));
            return None;
        };
        let (from, to) = (self.reference(source), self.reference(target));
        let mut edge = EdgeDecl {
            from,
            to,
            selects: Vec::new(),
            guard: None,
            sync: None,
            updates: Vec::new(),
            span: self.tag(node),
        };
        let named = edge_name(template, &edge);
        for child in node.children().filter(|child| child.has_tag_name("label")) {
            let fragment = self.fragment(child);
            let kind = child.attribute("kind").unwrap_or_default();
            let place = format!("the {kind} of {named}");
            match kind {
                "select" => {
                    let read =
                        read_label(&fragment, &place, self.diagnostics, |cursor| cursor.selects());
                    edge.selects = read.unwrap_or_default();
                }
                "guard" => {
                    let read = read_label(&fragment, &place, self.diagnostics, |cursor| {
                        cursor.condition_list()
                    });
                    edge.guard = read.filter(|guard| !is_trivial(guard));
                }
                "synchronisation" => {
                    edge.sync = read_label(&fragment, &place, self.diagnostics, |cursor| {
                        cursor.synchronisation()
                    });
                }
                "assignment" => {
                    let read =
                        read_label(&fragment, &place, self.diagnostics, |cursor| cursor.updates());
                    edge.updates = read.unwrap_or_default();
                }
                "probability" if !fragment.text.trim().is_empty() => {
                    let span = fragment.span(0, fragment.text.len());
                    self.diagnostics.push(refusal(span, "probabilities of edges"));
                }
                _ => {}
            }
        }
        Some(edge)
    }
}

/// An edge by its ends.
pub(crate) fn edge_name(template: &Template, edge: &EdgeDecl) -> String {
    let name = |id: &Ident| {
        let location = template.locations.iter().find(|one| one.id == id.text);
        let named = location.and_then(|one| one.name.as_ref());
        named.map_or_else(|| id.text.clone(), |name| name.text.clone())
    };
    let (from, to) = (name(&edge.from), name(&edge.to));
    format!("edge `{from}` → `{to}` of template `{}`", template.name.text)
}
