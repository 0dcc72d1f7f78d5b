//! Labels and the jumps to them.
//!
//! A `goto` may precede the declaration of its label, and each call of an inline declares its
//! labels again, in its own block. SPIN takes the label of the same block, else one of an enclosing
//! block, else any of that name.

use super::scope::{Local, PendingJump};
use super::{Global, Resolver};
use crate::ast::Ident;
use crate::hir::{Block, JumpId, Label, LabelId};
use beeline_source::diagnostic::{Diagnostic, did_you_mean};

impl Resolver<'_> {
    /// The block that a label's name belongs to: that of an earlier use if one
    /// is visible, else the current one.
    fn label_block(&mut self, name: &Ident) -> Block {
        match self.scope.find(&name.name) {
            Some(entry) if entry.what == Local::Label => entry.block,
            Some(_) => self.scope.block(),
            None => {
                self.scope.add(name.name.clone(), Local::Label, name.span);
                self.scope.block()
            }
        }
    }

    /// Reports a variable with the name of a label, which SPIN does not allow.
    fn label_clash(&mut self, label: &Ident) {
        let clash = match self.scope.find(&label.name) {
            Some(entry) => match entry.what {
                Local::Variable(_) => Some(("a variable", entry.span)),
                Local::Label => None,
            },
            None => self.globals.get(&label.name).map(|&(what, span)| {
                let what = match what {
                    Global::Variable(_) => "a variable",
                    Global::Proctype(_) => "a proctype",
                    Global::Mtype(..) => "an mtype constant",
                    Global::Struct(_) => "a type",
                    Global::Inline => "an inline",
                };
                (what, span)
            }),
        };
        if let Some((what, declared)) = clash {
            self.report(
                Diagnostic::error(
                    "bad-label",
                    label.span,
                    format!("`{}` is {what} and cannot be a label too", label.name),
                )
                .label("used as a label")
                .related(declared, "declared here")
                .help("choose another name for one of them"),
            );
        }
    }

    pub(super) fn declare_label(&mut self, name: &Ident) -> LabelId {
        self.label_clash(name);
        let block = self.label_block(name);
        let twin = self.scope.labels.add(&name.name, block, self.d_step);
        let process = self.process.as_mut().expect("labels stand inside a process");
        let id = LabelId(process.labels.len() as u32);
        process.labels.push(Label { name: name.clone(), block });
        if let Some(first) = twin.map(|twin| process.labels[twin.index()].name.span) {
            self.report(
                Diagnostic::error(
                    "duplicate-label",
                    name.span,
                    format!("label `{}` is declared twice", name.name),
                )
                .label("declared again")
                .related(first, "first declared here"),
            );
        }
        id
    }

    pub(super) fn jump(&mut self, name: &Ident) -> JumpId {
        self.label_clash(name);
        let block = self.label_block(name);
        let id = JumpId(self.scope.jumps.len() as u32);
        self.scope.jumps.push(PendingJump {
            name: name.name.clone(),
            span: name.span,
            block,
            d_step: self.d_step,
        });
        id
    }

    /// Finds the target of every `goto` of the process.
    pub(super) fn resolve_jumps(&mut self) {
        let jumps = std::mem::take(&mut self.scope.jumps);
        let labels =
            self.process.as_ref().map(|process| process.labels.clone()).unwrap_or_default();
        let mut targets = Vec::with_capacity(jumps.len());
        for jump in &jumps {
            let Some(target) = self.scope.labels.find(jump, &self.scope) else {
                self.unknown_label(jump, &labels);
                targets.push(LabelId(0));
                continue;
            };
            if self.scope.labels.d_step(target) != jump.d_step {
                let (message, advice) = if jump.d_step != 0 {
                    (
                        "this `goto` leaves a d_step",
                        "jump to the end of the d_step, or use `atomic`",
                    )
                } else {
                    (
                        "this `goto` jumps into a d_step",
                        "jump to the d_step itself: label it, not its inside",
                    )
                };
                let declared = labels[target.index()].name.span;
                self.report(
                    Diagnostic::error("jump-across-d_step", jump.span, message)
                        .label("the label is on the other side")
                        .related(declared, "the label")
                        .help(advice),
                );
            }
            targets.push(target);
        }
        if let Some(process) = &mut self.process {
            process.jumps = targets;
        }
    }

    fn unknown_label(&mut self, jump: &PendingJump, labels: &[Label]) {
        let diagnostic = Diagnostic::error(
            "undefined-label",
            jump.span,
            format!("there is no label `{}`", jump.name),
        )
        .label("no such label");
        let candidates = if self.diagnostics.is_full() { &[] } else { labels };
        let close = did_you_mean(&jump.name, candidates.iter().map(|label| &*label.name.name));
        let diagnostic = match close {
            Some(close) => diagnostic.fix(format!("did you mean `{close}`?"), jump.span, close),
            None => {
                diagnostic.help(format!("put `{}:` before a statement of this process", jump.name))
            }
        };
        self.report(diagnostic);
    }
}
