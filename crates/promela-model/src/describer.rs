//! Descriptions of moves and states in the words of the model.

use beeline_engine::automata::{Edge, EdgeAction, EdgeId};
use beeline_engine::claim::Claim;
use beeline_engine::interpreter::{
    DecodedState, ExclusivityBreach, ExclusivityViolation, FailedStatement, Machine, Move, StepLog,
};
use beeline_kernel::FaultKind;
use beeline_model::{
    Cause, ErrorKind, OverflowRemark, ProcessPosition, ProcessStep, StatementKind, StoryEnd,
    StoryStep, WholeState,
};
use beeline_promela::Frontend;
use beeline_promela::hir::print::Printer;
use beeline_promela::hir::{Expr, ExprKind};

use crate::blocked_sequence::blocked_sequence;
use crate::explanation::{Explainer, Explanation};
use crate::names::StateScope;
use crate::obstacle::obstacle;
use crate::statement_text::StatementTexts;
use crate::trace_violation::trace_violation;
use crate::view::View;

/// Describes moves and states, with a machine of the model and the names of its variables.
pub(crate) struct Describer<'m> {
    view: View<'m>,
    texts: StatementTexts<'m>,
    /// The same machine, which logs overflow, too.
    logging: Machine<'m>,
}

impl<'m> Describer<'m> {
    pub(crate) fn new(machine: Machine<'m>, front: &'m Frontend) -> Describer<'m> {
        let logging = machine.clone().checking_overflow(true);
        Describer { view: View::new(machine), texts: StatementTexts::new(front), logging }
    }

    pub(crate) fn machine(&self) -> &Machine<'m> {
        self.view.machine()
    }

    pub(crate) fn view(&self) -> &View<'m> {
        &self.view
    }

    /// A state with all its values.
    pub(crate) fn state(&self, now: &DecodedState) -> WholeState {
        self.view.state(now)
    }

    /// Description of a move.
    pub(crate) fn step(&self, now: &DecodedState, step: &Move) -> StoryStep {
        let dead = step.fault.is_some_and(|fault| !fault.is_survivable());
        let (turn, partner) = self.turns(now, step);
        let log = self.logging.step_log(now, step);
        StoryStep {
            turn,
            partner,
            changes: if dead { Vec::new() } else { self.view.changes(now, &step.next) },
            printed: log.printed,
            time: None,
            fault: step.fault,
            overflow: log.failed.as_ref().and_then(|failed| self.overflow(failed)),
        }
    }

    fn overflow(&self, failed: &FailedStatement) -> Option<OverflowRemark> {
        if failed.fault != FaultKind::Overflow {
            return None;
        }
        let text = self.explainer(&failed.state, failed.pid).failed(failed).detail?;
        Some(OverflowRemark { span: failed.step.span, text })
    }

    /// Description of a last state.
    pub(crate) fn end(
        &self,
        now: &DecodedState,
        error: Option<ErrorKind>,
        explanation: Explanation,
    ) -> StoryEnd {
        let Explanation { detail, causes } = explanation;
        StoryEnd {
            stuck: error == Some(ErrorKind::InvalidEnd),
            error,
            detail,
            causes,
            processes: (0..now.process_count()).map(|pid| self.position(now, pid)).collect(),
            values: self.view.all(now),
        }
    }

    /// The process that moves, and the receiver of a rendezvous.
    pub(crate) fn turns(
        &self,
        now: &DecodedState,
        step: &Move,
    ) -> (ProcessStep, Option<ProcessStep>) {
        let partner = step.partner.map(|(pid, edge)| self.turn(now, pid, edge));
        (self.turn(now, step.pid, step.edge), partner)
    }

    /// The statement of an edge and those merged with it.
    pub(crate) fn statements(
        &self,
        now: &DecodedState,
        pid: usize,
        id: EdgeId,
    ) -> Vec<(StatementKind, String)> {
        let edge = self.edge(now, pid, id);
        let kinds = edge.steps.iter().map(|step| kind(step.written()));
        kinds.zip(self.edge_texts(edge, now, pid)).collect()
    }

    fn edge(&self, now: &DecodedState, pid: usize, id: EdgeId) -> &Edge {
        let edges = self.machine().automaton(now.process(pid)).edges_from(now.location(pid));
        edges.iter().find(|edge| edge.id == id).expect("the move was made with this edge")
    }

    fn turn(&self, now: &DecodedState, pid: usize, id: EdgeId) -> ProcessStep {
        let process = self.machine().model().process(now.process(pid));
        let edge = self.edge(now, pid, id);
        ProcessStep {
            pid,
            process: process.name.name.to_string(),
            span: edge.steps[0].span,
            statement: self.text(edge, now, pid),
        }
    }

    fn edge_texts(&self, edge: &Edge, now: &DecodedState, pid: usize) -> Vec<String> {
        let process = self.machine().model().process(now.process(pid));
        self.texts.all(&edge.steps, process)
    }

    fn text(&self, edge: &Edge, now: &DecodedState, pid: usize) -> String {
        self.edge_texts(edge, now, pid).join("; ")
    }

    /// The statement that fails in a move, with the values that it read.
    pub(crate) fn explanation(&self, now: &DecodedState, step: &Move) -> Explanation {
        if step.fault == Some(FaultKind::Exclusive) {
            return self.intrusion(now, step).map(Explanation::from).unwrap_or_default();
        }
        let StepLog { failed, blocked, trace, .. } = self.machine().step_log(now, step);
        match (step.fault, failed, blocked, trace) {
            (Some(FaultKind::Blocked), _, Some(sequence), _) => {
                let explainer = self.explainer(&sequence.state, sequence.pid);
                blocked_sequence(&explainer, &self.view, &sequence.reason)
            }
            (Some(FaultKind::Trace), _, _, Some(event)) => {
                trace_violation(&self.view, now, &event).unwrap_or_default()
            }
            (fault, Some(failed), ..) if fault == Some(failed.fault) => {
                self.explainer(&failed.state, failed.pid).failed(&failed)
            }
            _ => Explanation::default(),
        }
    }

    /// The conditions by which a claim reaches its end in a state.
    pub(crate) fn claim_end(&self, claim: &Claim, end: &DecodedState) -> Vec<Cause> {
        let conditions = claim.ending_conditions(self.machine(), end);
        self.explainer(end, 0).unwanted(&conditions)
    }

    /// Why a condition about the whole state does not hold.
    pub(crate) fn falsity(&self, condition: &Expr, now: &DecodedState) -> Explanation {
        let causes = self.explainer(now, 0).false_parts(condition);
        let printed = Printer::new(self.machine().model(), None).expr(condition);
        let detail = match &causes[..] {
            [cause] if cause.is_whole => cause.text.clone(),
            _ => format!("{printed} is false"),
        };
        Explanation { detail: Some(detail), causes }
    }

    /// Explains conditions in a state, in the scope of a process.
    pub(crate) fn explainer<'a>(&'a self, now: &'a DecodedState, pid: usize) -> Explainer<'a, 'm> {
        let scope = StateScope { machine: self.machine(), now, pid };
        Explainer { scope, texts: &self.texts }
    }

    /// The use of a channel that another process has exclusively (`xr`, `xs`).
    fn intrusion(&self, now: &DecodedState, step: &Move) -> Option<String> {
        let machine = self.machine();
        let edges = std::iter::once((step.pid, step.edge)).chain(step.partner);
        let broken = edges.into_iter().find_map(|(pid, id)| {
            let edge = self.edge(now, pid, id);
            let d_steps = &machine.automaton(now.process(pid)).d_steps;
            let inside = d_steps.iter().filter(|inside| inside.edge == id);
            let edges = std::iter::once(edge).chain(inside.flat_map(|inside| &inside.edges));
            let mut actions = edges.flat_map(|edge| &edge.steps).map(|part| &part.action);
            actions.find_map(|action| machine.exclusivity_violation(action, now, pid))
        })?;
        let ExclusivityViolation { promise, owner, intruder, breach } = broken;
        let name = |pid: usize| {
            let process = machine.model().process(now.process(pid));
            format!("{}({pid})", process.name.name)
        };
        let scope = machine.model().process(promise.process);
        let kind = ExprKind::Read(promise.channel.clone());
        let channel = Printer::new(machine.model(), Some(scope))
            .expr(&Expr { kind, span: promise.channel.span });
        let word = if promise.sends { "xs" } else { "xr" };
        let by = match breach {
            ExclusivityBreach::Other => format!("{} uses it", name(intruder)),
            ExclusivityBreach::Rendezvous => "a rendezvous has two sides".to_owned(),
            ExclusivityBreach::Sorted => format!("{} sends with `!!`", name(intruder)),
        };
        Some(format!("{} declares `{word} {channel}`, but {by}", name(owner)))
    }

    pub(crate) fn position(&self, now: &DecodedState, pid: usize) -> ProcessPosition {
        let process = now.process(pid);
        let automaton = self.machine().automaton(process);
        let location = now.location(pid);
        let edges = automaton.edges_from(location);
        let blocks = |edge: &Edge| obstacle(&self.view, now, pid, edge.steps[0].written());
        ProcessPosition {
            pid,
            process: self.machine().model().process(process).name.name.to_string(),
            span: edges.first().map(|edge| edge.steps[0].span),
            statements: edges.iter().map(|edge| self.text(edge, now, pid)).collect(),
            obstacles: edges.iter().map(blocks).collect(),
            at_end: automaton.marks[location.0 as usize].end,
        }
    }
}

/// What a statement does, for charts.
fn kind(action: &EdgeAction) -> StatementKind {
    match action {
        EdgeAction::Move(_) => StatementKind::Jump,
        EdgeAction::Guard(condition) if condition.kind.constant() == Some(1) => StatementKind::Jump,
        EdgeAction::Print { .. } | EdgeAction::PrintM(_) => StatementKind::Print,
        EdgeAction::DStep => StatementKind::Block,
        _ => StatementKind::Other,
    }
}
