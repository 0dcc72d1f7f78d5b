//! Labels and the jumps to them.
//!
//! A label may be jumped to before it is declared, and inlines may bring the
//! same label several times, each in its block. SPIN takes the label of the same
//! block, else one of an enclosing block, else any of that name.

use super::scope::{Local, PendingJump};
use super::{Global, Resolver};
use crate::ast::Ident;
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::hir::{JumpId, Label, LabelId};

impl Resolver<'_> {
    /// The block that a label's name belongs to: that of an earlier use if one
    /// is visible, else the current one.
    fn label_path(&mut self, name: &Ident) -> Vec<u32> {
        match self.scope.find(&name.name) {
            Some(entry) if entry.what == Local::Label => entry.path.clone(),
            Some(_) => self.scope.path().to_vec(),
            None => {
                self.scope.add(name.name.clone(), Local::Label, name.span);
                self.scope.path().to_vec()
            }
        }
    }

    /// A variable of the same name, which SPIN does not allow.
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
        let path = self.label_path(name);
        let d_step = self.d_step;
        let process = self.process.as_mut().expect("labels stand inside a process");
        let id = LabelId(process.labels.len() as u32);
        let twin = process.labels.iter().find(|label| label.name == *name && label.scope == path);
        let twin = twin.map(|label| label.name.span);
        process.labels.push(Label { name: name.clone(), scope: path });
        self.scope.label_places.push((id, d_step));
        if let Some(first) = twin {
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
        let path = self.label_path(name);
        let id = JumpId(self.scope.jumps.len() as u32);
        self.scope.jumps.push(PendingJump {
            name: name.name.clone(),
            span: name.span,
            path,
            d_step: self.d_step,
        });
        id
    }

    /// Finds the target of every `goto` of the process.
    pub(super) fn resolve_jumps(&mut self) {
        let jumps = std::mem::take(&mut self.scope.jumps);
        let places = std::mem::take(&mut self.scope.label_places);
        let labels =
            self.process.as_ref().map(|process| process.labels.clone()).unwrap_or_default();
        let mut targets = Vec::with_capacity(jumps.len());
        for jump in &jumps {
            let Some(target) = find_label(&labels, jump) else {
                self.unknown_label(jump, &labels);
                targets.push(LabelId(0));
                continue;
            };
            let label_d_step = places[target.index()].1;
            if label_d_step != jump.d_step {
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
        .label("nowhere to go to");
        let close = did_you_mean(&jump.name, labels.iter().map(|label| &*label.name.name));
        let diagnostic = match close {
            Some(close) => diagnostic.fix(format!("did you mean `{close}`?"), jump.span, close),
            None => {
                diagnostic.help(format!("put `{}:` before a statement of this process", jump.name))
            }
        };
        self.report(diagnostic);
    }
}

fn find_label(labels: &[Label], jump: &PendingJump) -> Option<LabelId> {
    let mut best: Option<usize> = None;
    // Newest first, as SPIN looks them up.
    for (at, label) in labels.iter().enumerate().rev() {
        if label.name.name != jump.name {
            continue;
        }
        if label.scope == jump.path {
            return Some(LabelId(at as u32));
        }
        if best.is_none() || jump.path.starts_with(&label.scope) {
            best = Some(at);
        }
    }
    best.map(|at| LabelId(at as u32))
}
