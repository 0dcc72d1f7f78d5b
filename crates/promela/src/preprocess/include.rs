//! `#include`.

use crate::token::{Punct, TokenKind};
use beeline_source::diagnostic::Diagnostic;
use beeline_source::source::Span;

use super::input::Frame;
use super::lexeme::Lexeme;
use super::loader::LoadedFile;
use super::preprocessor::Preprocessor;

/// Upper bound on nested includes.
const MOST_DEPTH: usize = 100;

/// Upper bound on included files.
const MOST_FILES: usize = 10_000;

/// Upper bound on included bytes.
const MOST_BYTES: usize = 64 << 20;

/// The file an `#include` names.
struct Wanted {
    name: String,
    angled: bool,
    span: Span,
}

impl Preprocessor<'_> {
    pub(super) fn include(&mut self, directive: Span) {
        let wanted = match self.frame().lexer.angled_name() {
            Some((name, span)) => {
                let line = self.rest_of_line(span);
                self.warn_of_extra(&line.lexemes, "include");
                Wanted { name, angled: true, span }
            }
            None => match self.quoted_name(directive) {
                Ok(wanted) => wanted,
                Err(error) => return self.diagnostics.push(*error),
            },
        };
        if self.includes.stopped {
            return;
        }
        let includer = self.frame().file;
        let from = self.sources.file(includer).name.clone();
        match self.loader.load(&wanted.name, &from, wanted.angled) {
            Some(loaded) if self.includes.once.contains(&*loaded.name) => {}
            Some(loaded) => self.enter_file(&wanted, &loaded),
            None => {
                let message = format!("cannot find `{}`, which is included here", wanted.name);
                let error = Diagnostic::error("include-not-found", wanted.span, message)
                    .label("no such file")
                    .note(if wanted.angled {
                        "`<...>` names a file of the system; a file of the model is named \"...\""
                            .to_owned()
                    } else {
                        format!("the name is taken relative to the directory of `{from}`")
                    });
                self.diagnostics.push(error);
            }
        }
    }

    /// A name in quotes, or the name that the line's macros expand to.
    fn quoted_name(&mut self, directive: Span) -> Result<Wanted, Box<Diagnostic>> {
        let line = self.rest_of_line(directive);
        let mut lexemes = line.lexemes;
        let is_string = |lexeme: &Lexeme| lexeme.token.kind == TokenKind::String;
        if !lexemes.first().is_some_and(is_string) {
            lexemes = self.in_directive(directive, |this| this.expand_list(lexemes, directive));
        }
        match lexemes.first() {
            Some(first) if is_string(first) => {
                let name = self.text(first.token).trim_matches('"').to_owned();
                self.warn_of_extra(&lexemes[1..], "include");
                Ok(Wanted { name, angled: false, span: first.span() })
            }
            Some(first)
                if first.is(Punct::Less) && lexemes.iter().any(|l| l.is(Punct::Greater)) =>
            {
                let inside = lexemes[1..].iter().take_while(|lexeme| !lexeme.is(Punct::Greater));
                let name = inside.map(|lexeme| self.text(lexeme.token)).collect();
                Ok(Wanted { name, angled: true, span: first.span() })
            }
            other => {
                let span = other.map_or(line.end, Lexeme::span);
                let message = "`#include` lacks the name of a file";
                let error = Diagnostic::error("include-name", span, message)
                    .label("expected a name in quotation marks")
                    .help("write `#include \"file\"`");
                Err(error.into())
            }
        }
    }

    fn enter_file(&mut self, wanted: &Wanted, loaded: &LoadedFile) {
        self.includes.files += 1;
        self.includes.bytes += loaded.text.len();
        if self.frames.len() > MOST_DEPTH {
            return self.stop_including(self.too_deep(wanted, loaded));
        }
        if self.includes.files > MOST_FILES || self.includes.bytes > MOST_BYTES {
            let message =
                format!("more than {MOST_FILES} files or {} MB are included", MOST_BYTES >> 20);
            let error = Diagnostic::error("include-limit", wanted.span, message)
                .label("this is one too many")
                .note("nothing is included from here on");
            return self.stop_including(error);
        }
        let file = self.sources.add_file(&loaded.name, &loaded.text, Some(wanted.span));
        self.frames.push(Frame::new(file, self.sources));
    }

    fn stop_including(&mut self, error: Diagnostic) {
        self.includes.stopped = true;
        self.diagnostics.push(error);
    }

    /// The error for includes nested too deeply; it shows the cycle of includes if there is one,
    /// else the whole chain.
    fn too_deep(&self, wanted: &Wanted, loaded: &LoadedFile) -> Diagnostic {
        let names: Vec<&str> =
            self.frames.iter().map(|frame| &*self.sources.file(frame.file).name).collect();
        let again = names.iter().rposition(|&name| name == loaded.name);
        let mut chain = names[again.unwrap_or(0)..].join(" → ");
        chain = format!("{chain} → {}", loaded.name);
        let (code, message) = match again {
            Some(_) => ("include-cycle", format!("`{}` includes itself recursively", loaded.name)),
            None => {
                ("include-too-deep", format!("includes are nested more than {MOST_DEPTH} deep"))
            }
        };
        Diagnostic::error(code, wanted.span, message)
            .label("this include exceeds the limit")
            .note(format!("the chain of includes is {chain}"))
            .note("nothing is included from here on")
            .help("wrap the file in `#ifndef NAME`, `#define NAME` and `#endif`")
    }
}
