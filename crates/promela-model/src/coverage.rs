//! Coverage: which statements no run ever reaches. Such a statement is dead, or the model
//! does not do what its author thinks.

use std::collections::{BTreeSet, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};

use beeline_engine::automata::{EdgeAction, EdgeId};
use beeline_engine::interpreter::{Machine, Successor};
use beeline_kernel::{Expansion, Fault, Space};
use beeline_model::{CoverageSpace, ProcessCoverage, UnreachedStatement};
use beeline_promela::hir::{ProcessId, ProcessKind};

use crate::statement_text::StatementTexts;

/// The process types that can run: proctypes and `init`.
fn automata<'a>(machine: &'a Machine<'_>) -> impl Iterator<Item = ProcessId> + 'a {
    let processes = machine.model().processes.iter().enumerate();
    let runs = processes
        .filter(|(_, process)| matches!(process.kind, ProcessKind::Proctype | ProcessKind::Init));
    runs.map(|(at, _)| ProcessId(at as u32))
}

/// The state space of a machine that records which edges are executed.
pub(crate) struct MachineCoverage<'a> {
    machine: &'a Machine<'a>,
    texts: StatementTexts<'a>,
    /// Executed edges, by number.
    used: Vec<AtomicBool>,
    /// Edges of `d_step`s: a move does not list the edges inside.
    d_steps: HashSet<EdgeId>,
}

impl<'a> MachineCoverage<'a> {
    /// A space with no edge executed yet.
    pub(crate) fn new(machine: &'a Machine<'a>, texts: StatementTexts<'a>) -> MachineCoverage<'a> {
        let all = automata(machine).flat_map(|id| machine.automaton(id).all_edges());
        let most = all.map(|edge| edge.id.0).max().map_or(0, |most| most as usize + 1);
        let used = (0..most).map(|_| AtomicBool::new(false)).collect();
        let d_steps = automata(machine).flat_map(|id| &machine.automaton(id).d_steps);
        let d_steps = d_steps.map(|inside| inside.edge).collect();
        MachineCoverage { machine, texts, used, d_steps }
    }

    fn note(&self, edge: EdgeId) {
        self.used[edge.0 as usize].store(true, Ordering::Relaxed);
    }

    fn covered(&self, id: ProcessId) -> ProcessCoverage {
        let model = self.machine.model();
        let process = model.process(id);
        let (mut all, mut reached) = (BTreeSet::new(), BTreeSet::new());
        let mut unreached = Vec::new();
        for edge in self.machine.automaton(id).all_edges() {
            let is_used = self.used[edge.id.0 as usize].load(Ordering::Relaxed);
            for step in edge.steps.iter().filter(|step| !is_silent(step.written())) {
                let key = (step.span.start, step.text(model, process));
                all.insert(key.clone());
                if is_used {
                    reached.insert(key);
                } else {
                    let statement = self.texts.text(step, process);
                    unreached.push((key, UnreachedStatement { span: step.span, statement }));
                }
            }
        }
        // A statement may be on several edges; it is reached if one of them is.
        unreached.retain(|(key, _)| !reached.contains(key));
        unreached.sort_by(|(one, _), (two, _)| one.cmp(two));
        unreached.dedup_by(|(one, _), (two, _)| one == two);
        ProcessCoverage {
            process: process.name.name.to_string(),
            statements: all.len(),
            unreached: unreached.into_iter().map(|(_, unreached)| unreached).collect(),
        }
    }
}

impl Space for MachineCoverage<'_> {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        Space::initial(self.machine, state)
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        let start = self.machine.decode(state);
        self.machine.successors(&start, &mut |arrival| {
            let (Successor::State(_, moves) | Successor::Fault(_, moves)) = arrival;
            let mut now = &start;
            for step in moves {
                let partner = step.partner.map(|(_, edge)| edge);
                [Some(step.edge), partner].into_iter().flatten().for_each(|edge| self.note(edge));
                let has_inside = |edge: EdgeId| self.d_steps.contains(&edge);
                if has_inside(step.edge) || partner.is_some_and(has_inside) {
                    self.machine
                        .step_log(now, step)
                        .inside
                        .into_iter()
                        .for_each(|edge| self.note(edge));
                }
                now = &step.next;
            }
        });
        Space::expand(self.machine, state, expansion);
    }
}

impl CoverageSpace for MachineCoverage<'_> {
    fn space(&self) -> &dyn Space {
        self
    }

    fn processes(&self) -> Vec<ProcessCoverage> {
        automata(self.machine).map(|id| self.covered(id)).collect()
    }
}

/// Whether an edge is no statement of its own: a jump, the end of a process, a `d_step`.
fn is_silent(action: &EdgeAction) -> bool {
    matches!(action, EdgeAction::Move(_) | EdgeAction::End | EdgeAction::DStep)
}
