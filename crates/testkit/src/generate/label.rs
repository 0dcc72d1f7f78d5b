//! Labels and jumps.
//!
//! Targets are planned before the body of a process is generated. A jump takes any of them; targets
//! without a statement label a `skip` at the end of the body, outside all blocks.

use std::sync::Arc;

use beeline_promela::ast::*;

use super::build::*;
use super::feature::Feature;
use super::generator::Generator;
use super::parts::Target;
use super::shape::{is_idle, starts_with_d_step};
use super::stmt::{Mode, Place};

impl Generator<'_> {
    pub(super) fn plan_labels(&mut self) {
        let count = if self.weight(Feature::Goto) > 0 { self.rng.below(3) } else { 0 };
        self.labels = (0..count)
            .map(|n| Target { name: format!("L{n}").into(), placed: false, wanted: false })
            .collect();
    }

    /// Puts a label before a statement, if it may have one.
    ///
    /// Loops with counters have no labels from outside: a jump into such a loop would count past
    /// its bound.
    pub(super) fn maybe_label(&mut self, stmt: &mut Stmt) {
        let bears = !matches!(
            stmt.kind,
            StmtKind::Variables(_)
                | StmtKind::Goto(_)
                | StmtKind::Break
                | StmtKind::Unless { .. }
                | StmtKind::Labelled { .. }
        );
        if !bears || self.counters_in_use > 0 {
            return;
        }
        let waits = matches!(
            stmt.kind,
            StmtKind::Do(_) | StmtKind::Receive { .. } | StmtKind::Send { .. } | StmtKind::Expr(_)
        );
        let specials = [
            (Feature::EndLabel, "end", waits),
            (Feature::AcceptLabel, "accept", true),
            (Feature::ProgressLabel, "progress", true),
        ];
        for (feature, prefix, fits) in specials {
            if fits && self.chosen(feature) {
                let name: Arc<str> = match self.labels_of_process {
                    0 => prefix.into(),
                    n => format!("{prefix}_{n}").into(),
                };
                self.labels_of_process += 1;
                wrap(stmt, name);
                return;
            }
        }
        // A jump back to a step without effect would make a loop that SPIN rejects.
        if !is_idle(stmt)
            && !starts_with_d_step(stmt)
            && self.rng.percent(35)
            && let Some(target) = self.labels.iter_mut().find(|target| !target.placed)
        {
            target.placed = true;
            let name = target.name.clone();
            wrap(stmt, name);
        }
    }

    /// A jump; out of `atomic` only forwards, since a loop inside would never be interrupted. A
    /// process that starts others does not jump.
    pub(super) fn jump(&mut self, place: Place) -> Option<Stmt> {
        if self.spawning {
            return None;
        }
        let reachable: Vec<usize> = (0..self.labels.len())
            .filter(|&n| place.mode == Mode::Free || !self.labels[n].placed)
            .collect();
        let number = *self.rng.pick(&reachable)?;
        self.labels[number].wanted = true;
        Some(goto(self.labels[number].name.clone()))
    }

    pub(super) fn place_missing_labels(&mut self, body: &mut Sequence) {
        for target in &mut self.labels {
            if target.wanted && !target.placed {
                target.placed = true;
                body.push(labelled(target.name.clone(), skip()));
            }
        }
    }
}

fn wrap(stmt: &mut Stmt, name: Arc<str>) {
    let inner = std::mem::replace(stmt, skip());
    *stmt = labelled(name, inner);
}
