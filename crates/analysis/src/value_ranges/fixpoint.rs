//! The fixpoint: each automaton is followed until no range changes any more.

use std::collections::BTreeMap;

use beeline_engine::automata::{Automaton, Edge, EdgeStep, Location};
use beeline_engine::interpreter::Machine;
use beeline_promela::hir::{ProcessId, ProcessKind};

use super::environment::{Environment, Slots, writers};
use super::instance_bounds::InstanceBounds;
use super::ranges::{Place, Reached, Scope, ValueRanges};
use super::shared::SharedRanges;
use super::thresholds::{EXACT_CHANGES, Thresholds};

impl<'a> ValueRanges<'a> {
    /// Computes the ranges; `None` if the initial state has an error.
    pub fn of(machine: &'a Machine<'a>) -> Option<ValueRanges<'a>> {
        let model = machine.model();
        let start = machine.initial().ok()?;
        let instances = InstanceBounds::of(machine, &start);
        let writers = writers(machine);
        let slots: Vec<Slots> = (0..model.processes.len() as u32)
            .map(|id| Slots::of(machine, ProcessId(id), &instances, &writers))
            .collect();
        let mut ranges = ValueRanges {
            machine,
            instances,
            shared: SharedRanges::new(machine),
            slots,
            reached: model.processes.iter().map(|_| BTreeMap::new()).collect(),
            anywhere: vec![None; model.processes.len()],
            thresholds: Thresholds::of(machine),
        };
        ranges.share_initial_values();
        loop {
            ranges.shared.is_changed = false;
            for id in (0..model.processes.len() as u32).map(ProcessId) {
                ranges.follow(id);
            }
            if !ranges.shared.is_changed {
                return Some(ranges);
            }
        }
    }

    /// Calls `visit` on each step of an edge that can be executed, with the ranges before it; for
    /// a `d_step`, on those inside it.
    pub fn each_step(
        &self,
        id: ProcessId,
        edge: &Edge,
        mut visit: impl FnMut(Scope<'_>, &EdgeStep),
    ) {
        let automaton = self.machine.automaton(id);
        let own = [(None, edge)];
        let inside = automaton.d_steps.iter().enumerate().filter(|(_, one)| one.edge == edge.id);
        let inside =
            inside.flat_map(|(at, one)| one.edges.iter().map(move |edge| (Some(at), edge)));
        for (d_step, edge) in own.into_iter().chain(inside) {
            let Some(reached) = self.reached[id.index()].get(&(d_step, edge.from)) else {
                continue;
            };
            let mut now = reached.environment.clone();
            for step in &edge.steps {
                visit(self.scope(id, &now), step);
                let siblings = siblings(automaton, d_step, edge);
                let Some(next) = self.after(id, step, &siblings, now) else { break };
                now = next;
            }
        }
    }

    /// Follows the automaton of a process type until nothing changes.
    fn follow(&mut self, id: ProcessId) {
        let machine = self.machine;
        let process = machine.model().process(id);
        let is_observer = matches!(process.kind, ProcessKind::Trace | ProcessKind::Notrace);
        let is_started = process.active > 0
            || matches!(process.kind, ProcessKind::Init | ProcessKind::Never)
            || self.shared.is_started(id);
        if is_observer || !is_started {
            return;
        }
        let automaton = machine.automaton(id);
        let start = self.start(id);
        let mut left: Vec<Place> = self.reached[id.index()].keys().copied().collect();
        self.reach(id, (None, automaton.start), start, &mut left);
        while let Some((d_step, location)) = left.pop() {
            for edge in edges_from(automaton, d_step, location) {
                self.take(id, d_step, edge, &mut left);
            }
        }
    }

    /// Executes an edge, and reaches the place after it.
    fn take(&mut self, id: ProcessId, d_step: Option<usize>, edge: &Edge, left: &mut Vec<Place>) {
        let automaton = self.machine.automaton(id);
        let mut now = self.reached[id.index()][&(d_step, edge.from)].environment.clone();
        if let (None, Some(inside)) =
            (d_step, automaton.d_steps.iter().position(|one| one.edge == edge.id))
        {
            let entry = automaton.d_steps[inside].entry;
            return self.reach(id, (Some(inside), entry), now, left);
        }
        let siblings = siblings(automaton, d_step, edge);
        for step in &edge.steps {
            self.share(id, step, &now);
            let Some(next) = self.after(id, step, &siblings, now) else { return };
            now = next;
        }
        let Some(number) = d_step else { return self.reach(id, (None, edge.to), now, left) };
        let inside = &automaton.d_steps[number];
        if inside.edges_from(edge.to).next().is_some() {
            return self.reach(id, (Some(number), edge.to), now, left);
        }
        let outer = automaton.edges.iter().filter(|outer| outer.id == inside.edge);
        for to in outer.map(|outer| outer.to).collect::<Vec<_>>() {
            self.reach(id, (None, to), now.clone(), left);
        }
    }

    /// Adds an environment to a place, which is processed again if it changes.
    fn reach(&mut self, id: ProcessId, place: Place, new: Environment, left: &mut Vec<Place>) {
        let slots = &self.slots[id.index()];
        let all = self.anywhere[id.index()].get_or_insert_with(|| new.clone());
        let reached = self.reached[id.index()].get_mut(&place);
        let added = match reached {
            None => {
                let reached = Reached { environment: new.clone(), changes: 0 };
                self.reached[id.index()].insert(place, reached);
                new
            }
            Some(reached) => {
                let joined = reached.environment.hull(&new);
                if joined == reached.environment {
                    return;
                }
                reached.changes += 1;
                reached.environment = if reached.changes > EXACT_CHANGES {
                    let (thresholds, changes) = (&self.thresholds, reached.changes);
                    reached.environment.widen(&joined, slots, thresholds, changes)
                } else {
                    joined
                };
                reached.environment.clone()
            }
        };
        let joined = all.hull(&added);
        if joined != *all {
            // Other processes may read the variable.
            self.shared.is_changed = true;
            *all = joined;
        }
        if !left.contains(&place) {
            left.push(place);
        }
    }
}

/// The edges that leave a location, outside of `d_step`s or inside one.
fn edges_from(automaton: &Automaton, d_step: Option<usize>, location: Location) -> Vec<&Edge> {
    match d_step {
        None => automaton.edges_from(location).iter().collect(),
        Some(number) => automaton.d_steps[number].edges_from(location).collect(),
    }
}

/// The other edges of the same location.
fn siblings<'a>(automaton: &'a Automaton, d_step: Option<usize>, edge: &Edge) -> Vec<&'a Edge> {
    let mut all = edges_from(automaton, d_step, edge.from);
    all.retain(|other| !std::ptr::eq(*other, edge));
    all
}
