//! Layers of relaxed states: each adds the effects of all operators to the previous one. Operators
//! of cost 0 are applied within a layer until they add nothing.

use std::sync::Arc;

use beeline_factored::FactorReader;
use beeline_kernel::{Cost, Estimate};

use super::code::Application;
use super::compiled::Compiled;
use super::relaxed_apply::RelaxedApply;
use super::relaxed_state::RelaxedState;
use super::worklist::{FlowMode, Worklist};

/// Upper bound on layers: farther goals get this estimate.
const MOST: u32 = 1000;

/// Effort for adding a value and waking the operators that wait for it, in nanoseconds.
const VALUE: u64 = 40;

/// Why the layers end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LayersEnd {
    /// A goal is reached, in this layer.
    Reached(u32),
    /// A fixpoint without a goal.
    Never,
    /// The bound on layers is reached.
    Far,
    /// The state cannot be read.
    Unread,
}

impl LayersEnd {
    /// The estimate.
    pub(super) fn estimate(self) -> Estimate {
        match self {
            LayersEnd::Reached(layer) => Estimate::Finite(Cost(layer)),
            LayersEnd::Never => Estimate::DeadEnd,
            LayersEnd::Far => Estimate::Finite(Cost(MOST)),
            LayersEnd::Unread => Estimate::Finite(Cost::ZERO),
        }
    }
}

/// Computes the layers of states.
#[derive(Clone, Debug)]
pub(super) struct Layers {
    pub(super) compiled: Arc<Compiled>,
    pub(super) relaxed: RelaxedState,
    pub(super) apply: RelaxedApply,
    pub(super) agenda: Worklist,
    /// By flow: the operator that started it.
    owners: Vec<Option<u32>>,
    /// Reused buffer: the operators of one layer.
    current: Vec<u32>,
    /// Number of values of the state itself.
    pub(super) first: u32,
    /// The goal that was reached.
    pub(super) goal: u32,
    layer: u32,
}

impl Layers {
    pub(super) fn new(compiled: Arc<Compiled>) -> Layers {
        Layers {
            relaxed: RelaxedState::new(compiled.cells.clone()),
            apply: RelaxedApply::new(&compiled.codes),
            agenda: Worklist::new(&compiled, FlowMode::Followed),
            owners: vec![None; compiled.flows.len()],
            current: Vec::new(),
            first: 0,
            goal: 0,
            layer: 0,
            compiled,
        }
    }

    /// The layers of a state, until a goal is reached.
    pub(super) fn explore(&mut self, reading: &dyn FactorReader, state: &[u8]) -> LayersEnd {
        if !self.begin(reading, state) {
            return LayersEnd::Unread;
        }
        loop {
            if let Some(end) = self.grow() {
                self.apply.scratch.effort += VALUE * u64::from(self.relaxed.count);
                return end;
            }
        }
    }

    /// Effort so far, in about nanoseconds.
    pub(super) fn effort(&self) -> u64 {
        self.apply.scratch.effort
    }

    /// The first layer; false if the state cannot be read.
    pub(super) fn begin(&mut self, reading: &dyn FactorReader, state: &[u8]) -> bool {
        self.layer = 0;
        self.owners.fill(None);
        self.agenda.begin(&self.compiled);
        self.apply.begin();
        if !self.relaxed.read(reading, state) {
            return false;
        }
        self.agenda.commit(&self.compiled, &mut self.relaxed);
        self.first = self.relaxed.count;
        true
    }

    /// Completes a layer and builds the next one; returns the end if there is none.
    pub(super) fn grow(&mut self) -> Option<LayersEnd> {
        while let Some(step) = self.agenda.free.pop() {
            self.take(step);
            self.agenda.commit(&self.compiled, &mut self.relaxed);
        }
        while let Some(goal) = self.agenda.goals.pop() {
            self.agenda.looked_at(goal);
            if self.apply.look(
                &self.compiled.codes[goal as usize],
                Application::First,
                &self.relaxed,
            ) {
                self.goal = goal;
                return Some(LayersEnd::Reached(self.layer));
            }
        }
        if self.layer == MOST {
            return Some(LayersEnd::Far);
        }
        while let Some(cell) = self.agenda.grown.pop() {
            for at in 0..self.compiled.flowing.of(cell).len() {
                self.follow(self.compiled.flowing.of(cell)[at]);
            }
        }
        std::mem::swap(&mut self.current, &mut self.agenda.others);
        while let Some(step) = self.current.pop() {
            self.take(step);
        }
        if self.relaxed.touched.is_empty() {
            return Some(LayersEnd::Never);
        }
        self.layer += 1;
        self.agenda.commit(&self.compiled, &mut self.relaxed);
        None
    }

    /// Examines an operator and applies it if possible.
    #[inline]
    fn take(&mut self, step: u32) {
        let code = &self.compiled.codes[step as usize];
        let look = self.agenda.looked_at(step);
        if self.apply.look(code, look, &self.relaxed) {
            self.agenda.taken(step, self.layer == 0);
            self.relaxed.adding = step;
            self.apply.apply(code, look, &mut self.relaxed);
            while let Some(flow) = self.apply.flows.pop() {
                if self.owners[flow as usize].is_none() {
                    self.owners[flow as usize] = Some(step);
                    self.follow(flow);
                }
            }
        }
    }

    /// Follows a flow that has started.
    fn follow(&mut self, flow: u32) {
        if let Some(step) = self.owners[flow as usize] {
            self.relaxed.adding = step;
            self.compiled.flows[flow as usize].follow(&mut self.relaxed);
        }
    }
}
