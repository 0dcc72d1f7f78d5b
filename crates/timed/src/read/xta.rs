//! UPPAAL's textual formats: XTA, and the older TA, in which parameters are references unless they
//! are constant.

use beeline_source::diagnostic::Diagnostics;
use beeline_source::source::FileId;

use crate::read::labels::is_trivial;
use crate::syntax::cursor::{Cursor, Failed, Parsed};
use crate::syntax::fragment::Fragment;
use crate::syntax::lexer::TokenKind;
use crate::syntax::tree::{Document, EdgeDecl, Ident, LocationDecl, Template};

/// Reads a file.
pub(crate) fn read_xta(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Document {
    let mut document = Document::default();
    let fragment = Fragment::plain(file, 0, text);
    let mut cursor = Cursor::new(&fragment, diagnostics);
    loop {
        let decls = cursor.declarations(|cursor| {
            cursor.is("process")
                || cursor.is("system")
                || cursor.is_instantiation()
                || cursor.is("IO")
                || cursor.is("progress") && cursor.is_at(1, "{")
        });
        document.decls.extend(decls);
        if !cursor.is("process") {
            break;
        }
        if let Ok(template) = cursor.process() {
            document.templates.push(template);
        } else {
            cursor.skip_to_process();
        }
    }
    cursor.system_section(&mut document);
    if document.system.is_empty() && !cursor.diagnostics.has_errors() {
        let _ = cursor.fail::<()>("the model has no processes: a `system` line is missing");
    }
    document
}

impl Cursor<'_> {
    fn skip_to_process(&mut self) {
        self.advance();
        while !self.is_at_end() && !self.is("process") && !self.is("system") {
            self.advance();
        }
    }

    fn process(&mut self) -> Parsed<Template> {
        self.advance();
        let name = self.name("the name of a process")?;
        let mut parameters = Vec::new();
        if self.accept("(") {
            // Old models separate parameters by semicolons.
            let mut at = 0;
            while !self.is_at(at, ")") && *self.peek_at(at) != TokenKind::End {
                at += 1;
            }
            let are_old = (0..at).any(|further| self.is_at(further, ";"));
            parameters = self.parameters(")", are_old)?;
        }
        self.expect("{", "at the beginning of a process")?;
        let decls = self.declarations(|cursor| cursor.is("state"));
        let mut template = Template {
            name,
            parameters,
            decls,
            locations: Vec::new(),
            initial: None,
            edges: Vec::new(),
        };
        while !self.accept("}") {
            if self.is_at_end() {
                return self.fail("`}` is missing at the end of a process");
            }
            self.process_part(&mut template)?;
        }
        Ok(template)
    }

    fn process_part(&mut self, template: &mut Template) -> Parsed<()> {
        if self.accept("state") {
            self.listed(|cursor| {
                let location = cursor.state()?;
                template.locations.push(location);
                Ok(())
            })
        } else if self.is("commit") || self.is("urgent") {
            let is_commit = self.is("commit");
            self.advance();
            self.listed(|cursor| {
                let name = cursor.name("the name of a location")?;
                let found = template.locations.iter_mut().find(|one| one.id == name.text);
                let Some(location) = found else { return cursor.unknown_location(&name) };
                if is_commit {
                    location.is_committed = true;
                } else {
                    location.is_urgent = true;
                }
                Ok(())
            })
        } else if self.is("branchpoint") {
            let span = self.span();
            self.refuse(span, "branch points");
            self.advance();
            self.listed(|cursor| cursor.name("the name of a branch point").map(|_| ()))
        } else if self.accept("init") {
            template.initial = Some(self.name("the initial location")?);
            self.expect(";", "behind the initial location")
        } else if self.accept("trans") {
            let mut from = None;
            self.listed(|cursor| {
                let edge = cursor.edge(&mut from)?;
                template.edges.push(edge);
                Ok(())
            })
        } else {
            self.fail("`state`, `commit`, `urgent`, `init` or `trans` is missing")
        }
    }

    fn unknown_location(&mut self, name: &Ident) -> Parsed<()> {
        let message = format!("there is no location `{}`", name.text);
        let error = beeline_source::diagnostic::Diagnostic::error("timed-name", name.span, message);
        self.diagnostics.push(error);
        Err(Failed)
    }

    /// Parts between commas, with a semicolon behind the last one.
    fn listed(&mut self, mut part: impl FnMut(&mut Self) -> Parsed<()>) -> Parsed<()> {
        if self.accept(";") {
            return Ok(());
        }
        loop {
            part(self)?;
            if self.accept(";") {
                return Ok(());
            }
            self.expect(",", "in a list")?;
        }
    }

    fn state(&mut self) -> Parsed<LocationDecl> {
        let name = self.name("the name of a location")?;
        let mut invariant = None;
        if self.accept("{") {
            if !self.is("}") && !self.is(";") {
                invariant = Some(self.condition_list()?);
            }
            // Behind a semicolon stands the rate of delays, which only statistics need.
            if self.accept(";") && !self.is("}") {
                self.expression()?;
            }
            self.expect("}", "behind an invariant")?;
        }
        Ok(LocationDecl {
            id: name.text.clone(),
            span: name.span,
            name: Some(name),
            invariant: invariant.filter(|one| !is_trivial(one)),
            is_urgent: false,
            is_committed: false,
            labels: Vec::new(),
        })
    }

    /// An edge; one without a source has that of the edge before it.
    fn edge(&mut self, last: &mut Option<Ident>) -> Parsed<EdgeDecl> {
        let start = self.span();
        let from = match last {
            Some(last) if !self.is_name() => last.clone(),
            _ => self.name("the source of an edge")?,
        };
        *last = Some(from.clone());
        if self.is("-") && self.is_at(1, "u") {
            // Edges of the environment in a game: for reachability they are edges.
            self.advance();
            self.advance();
        }
        self.expect("->", "between the ends of an edge")?;
        let to = self.name("the target of an edge")?;
        let span = self.since(start);
        let (mut selects, mut guard, mut sync, mut updates) = (Vec::new(), None, None, Vec::new());
        self.expect("{", "behind the ends of an edge")?;
        while !self.accept("}") {
            let at = self.span();
            if self.accept("select") {
                selects = self.selects()?;
            } else if self.accept("guard") {
                guard = Some(self.condition_list()?);
            } else if self.accept("sync") {
                sync = Some(self.synchronisation_or_event()?);
            } else if self.accept("assign") {
                updates = self.updates()?;
            } else if self.accept("probability") {
                self.refuse(at, "probabilities of edges");
                self.expression()?;
            } else {
                return self.fail("`select`, `guard`, `sync` or `assign` is missing");
            }
            self.expect(";", "behind a label of an edge")?;
        }
        let guard = guard.filter(|one| !is_trivial(one));
        Ok(EdgeDecl { from, to, selects, guard, sync, updates, span })
    }

    /// A synchronisation, or a channel alone, which other tools write for an event.
    fn synchronisation_or_event(&mut self) -> Parsed<crate::syntax::tree::SyncExpr> {
        if self.is_name() && self.is_at(1, ";") {
            let name = self.name("an event")?;
            return Ok(crate::syntax::tree::SyncExpr::Event(name));
        }
        self.synchronisation()
    }
}
