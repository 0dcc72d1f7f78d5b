//! Independence: the accesses of the edges of a model, as far as they are the same for all
//! processes of a type.

use std::sync::Arc;

use beeline_engine::automata::{Edge, EdgeAction};
use beeline_engine::constants::ConstantVariables;
use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_promela::hir::{ExprKind, Predefined, ProcessId, Root};

use super::access_set::AccessSet;
use super::footprint_context::{EdgePosition, FootprintContext};
use super::objects::Objects;
use super::options::{Obstacle, Preserve};
use super::rule::Rule;
use super::visible::{Visibility, started};
use crate::stability::has_stable_channel;

/// The greatest number of bytes of globals.
const MOST_BYTES: usize = 1 << 14;

/// The access sets of a model's edges, as far as they are the same for all processes of a type.
pub struct Independence<'a> {
    pub(super) machine: &'a Machine<'a>,
    pub(super) constants: &'a ConstantVariables,
    pub(super) objects: Objects,
    pub(super) counts_processes: bool,
    pub(super) relays: bool,
    /// Whether some edge may read anything: locations of processes, or `_last`.
    pub(super) has_wild: bool,
    pub(super) visible: Visibility,
    /// By process type: the accesses of a process, together with those of the processes that it
    /// starts.
    pub(super) types: Vec<Arc<AccessSet>>,
    pub(super) keep: Preserve,
    /// The omitted rule.
    pub(super) without: Option<Rule>,
}

impl<'a> Independence<'a> {
    /// Analyses a model.
    ///
    /// # Errors
    ///
    /// When no steps are known to be independent.
    pub fn of(machine: &'a Machine<'a>, keep: Preserve) -> Result<Self, Obstacle> {
        if machine.has_priorities() {
            return Err(Obstacle::Priorities);
        }
        if machine.has_trace() {
            return Err(Obstacle::Trace);
        }
        if machine.forbids_choice() {
            return Err(Obstacle::Choice);
        }
        if machine.layout().variables > MOST_BYTES {
            return Err(Obstacle::Size);
        }
        let initial = machine.initial().map_err(|_| Obstacle::InitialFault)?;
        let objects = Objects::of(machine);
        let types = machine.model().processes.len();
        let mut facts = Independence {
            machine,
            constants: machine.constants(),
            objects,
            counts_processes: false,
            relays: false,
            has_wild: false,
            visible: Visibility::nothing(machine, objects),
            types: (0..types).map(|_| Arc::new(AccessSet::nothing(objects))).collect(),
            keep,
            without: None,
        };
        if !facts.exclusive_channels_are_stable() {
            return Err(Obstacle::Promise);
        }
        facts.counts_processes = facts.reads_process_count();
        facts.relays = facts.may_relay(&initial);
        if keep.property {
            facts.visible = Visibility::of(&facts.footprint_context(&initial, ProcessId(0), None))?;
        }
        facts.find_type_accesses(&initial);
        facts.has_wild = facts.types.iter().any(|access_set| access_set.is_wild);
        Ok(facts)
    }

    /// Omits a rule, which makes the reduction unsound: for tests that must detect this.
    #[must_use]
    pub fn without(mut self, rule: Rule) -> Self {
        self.without = Some(rule);
        self
    }

    pub(super) fn footprint_context<'w>(
        &'w self,
        now: &'w DecodedState,
        process: ProcessId,
        pid: Option<usize>,
    ) -> FootprintContext<'w> {
        FootprintContext {
            machine: self.machine,
            constants: self.constants,
            objects: self.objects,
            counts_processes: self.counts_processes,
            assertions_matter: self.keep.faults && self.without != Some(Rule::Assertions),
            entries_matter: self.without != Some(Rule::Entry),
            counts_matter: self.without != Some(Rule::Counts),
            now,
            process,
            pid,
            is_there: false,
        }
    }

    pub(super) fn edges(&self) -> impl Iterator<Item = (ProcessId, &Edge)> {
        (0..self.types.len()).map(|at| ProcessId(at as u32)).flat_map(|process| {
            self.machine.automaton(process).all_edges().map(move |edge| (process, edge))
        })
    }

    /// Whether no other process can change the channels that a process has exclusively.
    fn exclusive_channels_are_stable(&self) -> bool {
        let mut exclusivity = self.machine.model().exclusives.iter();
        exclusivity
            .all(|promise| has_stable_channel(self.constants, promise.process, &promise.channel))
    }

    fn reads_process_count(&self) -> bool {
        let asks = |expr: &beeline_promela::hir::Expr| {
            expr.any(|part| {
                matches!(&part.kind, ExprKind::Read(access)
                    if access.root == Root::Predefined(Predefined::NrPr))
            })
        };
        let in_edges = self.edges().flat_map(|(_, edge)| &edge.steps).any(|step| {
            let mut found = false;
            step.action.visit(&mut |expr| found |= asks(expr));
            found
        });
        in_edges || self.machine.invariants().iter().any(asks)
    }

    /// Whether the receiver of a rendezvous may continue exclusively and send in another
    /// rendezvous.
    fn may_relay(&self, now: &DecodedState) -> bool {
        let mut edges = self.edges();
        edges.any(|(process, edge)| {
            let takes =
                matches!(edge.steps[0].action, EdgeAction::Receive { .. } | EdgeAction::DStep);
            let automaton = self.machine.automaton(process);
            takes && edge.hold.atomic && {
                let footprint_context = self.footprint_context(now, process, None);
                !footprint_context.footprint(automaton, edge, EdgePosition::First).takes.is_empty()
            }
        })
    }

    /// Computes the accesses of processes of each type, with those of the processes that they
    /// start.
    fn find_type_accesses(&mut self, now: &DecodedState) {
        let mut types: Vec<AccessSet> = Vec::new();
        for process in (0..self.types.len()).map(|at| ProcessId(at as u32)) {
            let (footprint_context, automaton) =
                (self.footprint_context(now, process, None), self.machine.automaton(process));
            let mut access_set = AccessSet::nothing(self.objects);
            for edge in &automaton.edges {
                let first = footprint_context.footprint(automaton, edge, EdgePosition::First);
                access_set.add(&first.access_set);
                access_set.add(
                    &footprint_context.footprint(automaton, edge, EdgePosition::Later).access_set,
                );
                access_set.reads.add(&self.objects.arrivals(&first.hands));
                access_set.writes.add(&self.objects.arrivals(&first.takes));
            }
            types.push(access_set);
        }
        let mut grows = true;
        while grows {
            grows = false;
            for process in 0..types.len() {
                let automaton = self.machine.automaton(ProcessId(process as u32));
                for child in automaton.edges.iter().flat_map(|edge| started(automaton, edge)) {
                    let child = types[child.index()].clone();
                    grows |= types[process].add(&child);
                }
            }
        }
        self.types = types.into_iter().map(Arc::new).collect();
    }

    /// The accesses of the processes that an edge starts.
    pub(super) fn children(&self, process: ProcessId, edge: &Edge) -> Option<Arc<AccessSet>> {
        let mut all: Option<AccessSet> = None;
        for child in started(self.machine.automaton(process), edge) {
            let access_set = &self.types[child.index()];
            match &mut all {
                Some(all) => {
                    all.add(access_set);
                }
                None => all = Some(AccessSet::clone(access_set)),
            }
        }
        all.map(Arc::new)
    }
}
