//! The red search of one thread: from a seed back to the path of the thread, within the class of the
//! seed.

use super::colours::{LocalStates, SharedColours, class};
use super::crew::Crew;
use super::kind::{CycleRule, StateKind};
use super::rounds::Pause;
use super::walk::Walk;
use crate::store::shared::{RecordId, SlotTable};

/// The result of a step.
#[derive(Clone, Copy, Debug)]
pub(super) enum RedStep {
    Done,
    /// Other threads have to finish with states that were reached.
    Wait,
    /// There is no cycle through the seed. All reached states are red.
    Over,
    /// The current path leads to this state on the path of the thread.
    Closed(RecordId),
}

/// A red search, or none.
#[derive(Debug, Default)]
pub(super) struct Red {
    seed: Option<RecordId>,
    class: u8,
    /// States reached by the search. They become red together, at its end.
    reached: LocalStates,
    waiting: Vec<RecordId>,
    /// From the seed to the current state, each with the number of open states before its
    /// successors were pushed.
    path: Vec<(RecordId, usize)>,
    is_searching: bool,
    /// Other seeds among the reached states, which have to be red before.
    seeds: Vec<RecordId>,
}

impl Red {
    /// Begins with a seed.
    pub(super) fn begin(&mut self, seed: RecordId, class: u8) {
        (self.seed, self.class, self.is_searching) = (Some(seed), class, true);
        self.reached.insert(seed);
        self.waiting.push(seed);
    }

    /// Whether a search has begun and is not over.
    #[inline]
    pub(super) fn is_active(&self) -> bool {
        self.seed.is_some()
    }

    /// The states after the seed on the current path.
    pub(super) fn path(&self) -> Vec<RecordId> {
        self.path.iter().skip(1).map(|&(id, _)| id).collect()
    }

    /// Expands a state, or waits for other threads.
    pub(super) fn step(
        &mut self,
        crew: &Crew<'_>,
        table: &SlotTable,
        walk: &mut Walk<'_>,
        rule: CycleRule,
    ) -> Result<RedStep, Pause> {
        if !self.is_searching {
            return Ok(self.end(crew));
        }
        // The path ends where no open state is left above the mark of its last state.
        while let Some(&(_, begin)) = self.path.last()
            && self.waiting.len() <= begin
        {
            self.path.pop();
        }
        let Some(&id) = self.waiting.last() else {
            self.is_searching = false;
            return Ok(RedStep::Done);
        };
        let is_seed = Some(id) == self.seed;
        if !is_seed && SharedColours::of(&crew.store, id).has(SharedColours::RED) {
            // Another thread has finished with it.
            self.waiting.pop();
            return Ok(RedStep::Done);
        }
        walk.expand(crew, table, id)?;
        walk.stats.expanded += 1;
        walk.stats.atomic_steps += walk.expansion.hidden_steps;
        self.waiting.pop();
        let kind = StateKind::of(&walk.expansion, rule);
        if kind.class != self.class {
            // No thread had entered it, so its class was not known.
            self.reached.remove(id);
            return Ok(RedStep::Done);
        }
        self.path.push((id, self.waiting.len()));
        if !is_seed && kind.is_seed {
            self.seeds.push(id);
        }
        for &next in &walk.successors {
            let colours = SharedColours::of(&crew.store, next);
            let is_entered = colours.has(SharedColours::ENTERED);
            if is_entered && walk.cyan.has(next) {
                return Ok(RedStep::Closed(next));
            }
            let may_be_near = !is_entered || class(&crew.store, next) == self.class;
            if may_be_near && !colours.has(SharedColours::RED) && self.reached.insert(next) {
                self.waiting.push(next);
            }
        }
        Ok(RedStep::Done)
    }

    /// Waits for the other seeds; then paints all reached states.
    fn end(&mut self, crew: &Crew<'_>) -> RedStep {
        while let Some(&seed) = self.seeds.last() {
            if !SharedColours::of(&crew.store, seed).has(SharedColours::RED) {
                return RedStep::Wait;
            }
            self.seeds.pop();
        }
        self.reached.drain().for_each(|id| SharedColours::RED.paint(&crew.store, id));
        self.seed = None;
        RedStep::Over
    }

    /// Memory held.
    pub(super) fn bytes(&self) -> usize {
        self.reached.bytes()
            + self.waiting.capacity() * size_of::<RecordId>()
            + self.path.capacity() * size_of::<(RecordId, usize)>()
            + self.seeds.capacity() * size_of::<RecordId>()
    }
}
