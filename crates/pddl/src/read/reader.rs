//! What was read so far, with the mistakes. The parts of a text are read by the other modules.

use std::collections::HashSet;
use std::sync::Arc;

use beeline_source::diagnostic::{Diagnostic, Diagnostics};
use beeline_source::source::Span;

use super::feature::Feature;
use super::name_table::Names;
use crate::task::{Metric, NumberRange, ObjectId, ObjectType, PlanningTask, SchemaFormula};

/// What was read so far.
pub(super) struct Reader<'d> {
    pub(super) diagnostics: &'d mut Diagnostics,
    pub(super) task: PlanningTask,
    pub(super) names: Names,
    /// By type: the objects of it, in order.
    pub(super) members: Vec<Arc<[ObjectId]>>,
    pub(super) declared: HashSet<&'static str>,
    /// Features that were used without a declaration, and reported.
    pub(super) reported: HashSet<Feature>,
}

impl<'d> Reader<'d> {
    pub(super) fn new(
        diagnostics: &'d mut Diagnostics,
        domain: &Arc<str>,
        problem: &Arc<str>,
    ) -> Self {
        let task = PlanningTask {
            name: problem.clone(),
            domain: domain.clone(),
            types: vec![ObjectType { name: "object".into(), parents: Vec::new() }],
            objects: Vec::new(),
            predicates: Vec::new(),
            functions: Vec::new(),
            actions: Vec::new(),
            axioms: Vec::new(),
            initial: Vec::new(),
            numbers: Vec::new(),
            range: NumberRange::ALL,
            goal_variables: Vec::new(),
            goal: SchemaFormula::TRUE,
            metric: Metric::Steps,
        };
        Reader {
            diagnostics,
            task,
            names: Names::default(),
            members: Vec::new(),
            declared: HashSet::new(),
            reported: HashSet::new(),
        }
    }

    pub(super) fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(code, span, message));
    }
}
