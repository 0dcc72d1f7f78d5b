//! Weak fairness in native code: the marks of a [`FairSpace`](beeline_engine::claim::FairSpace).
//!
//! A transition has the marks of the processes that move on it, and of those that cannot move in its
//! first state. Native code tells the processes that move by the labels of transitions: a label names
//! the receiver of a rendezvous, too, and is restored afterwards. A process can move if some
//! transition begins with it. States with a fault are interpreted: not all faults tell their process.

use beeline_engine::claim::{MOST_FAIR_PROCESSES, fairness_mark};
use beeline_engine::frame::{Frame, PROCESSES};
use beeline_engine::interpreter::Machine;
use beeline_kernel::{AcceptanceMarks, Expander, Expansion, Fault, Space};

use crate::context::movers_in;
use crate::expander::movers;
use crate::native::{NativeSpace, TieredExpander};
use crate::support::NotCompiled;

/// A model in native code, with fairness marks on each transition.
pub struct NativeFairSpace<'a, 'm>(NativeSpace<'a, 'm>);

impl<'a, 'm> NativeFairSpace<'a, 'm> {
    /// Compiles a model now.
    ///
    /// # Errors
    ///
    /// When some part of it cannot be compiled.
    pub fn compile(machine: &'a Machine<'m>) -> Result<Self, NotCompiled> {
        Ok(NativeFairSpace(NativeSpace::compile(machine)?.telling_movers()))
    }

    /// Interprets a model at first, and compiles it when many states were expanded.
    ///
    /// # Errors
    ///
    /// When some part of it cannot be compiled.
    pub fn lazily(machine: &'a Machine<'m>) -> Result<Self, NotCompiled> {
        Ok(NativeFairSpace(NativeSpace::lazily(machine)?.telling_movers()))
    }
}

impl Space for NativeFairSpace<'_, '_> {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        self.0.initial(state)
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        expansion.clear();
        self.expander().expand(state, expansion);
    }

    fn expander(&self) -> Box<dyn Expander + '_> {
        let frame = self.0.frame();
        Box::new(FairExpander { tiered: TieredExpander::new(&self.0), frame })
    }
}

struct FairExpander<'a, 'm> {
    tiered: TieredExpander<'a, 'm>,
    frame: Frame,
}

impl Expander for FairExpander<'_, '_> {
    fn expand(&mut self, state: &[u8], expansion: &mut Expansion) {
        if self.frame.number(state, PROCESSES) > MOST_FAIR_PROCESSES {
            return self.tiered.slow.expand(state, expansion);
        }
        let (first, marked) = (expansion.len(), expansion.marks.len());
        let (faults, hidden) = (expansion.faults.len(), expansion.hidden_steps);
        let broken = expansion.violated_invariants.len();
        if let Some(fast) = &mut self.tiered.fast {
            fast.followed.clear();
        }
        self.tiered.expand(state, expansion);
        let is_interpreted = expansion.marks.len() > marked;
        if is_interpreted || expansion.len() == first {
            return;
        }
        if expansion.faults.len() > faults {
            expansion.successors.truncate(first);
            expansion.faults.truncate(faults);
            expansion.violated_invariants.truncate(broken);
            expansion.hidden_steps = hidden;
            return self.tiered.slow.expand(state, expansion);
        }
        let followed = self.tiered.fast.as_ref().map_or(&[][..], |fast| fast.followed.as_slice());
        add_marks(first, followed, expansion);
    }
}

/// Adds the marks of the successors from this one on, and restores their labels. The last ones are
/// after atomic sequences, on which these processes moved.
fn add_marks(first: usize, followed: &[AcceptanceMarks], expansion: &mut Expansion) {
    let Expansion { successors, marks, .. } = expansion;
    let (count, begun) = (successors.len(), marks.len());
    let transitions = &mut successors.parts().1[first..count];
    let mut idle = AcceptanceMarks::ALL;
    for transition in transitions.iter_mut() {
        marks.push(movers(transition.label));
        let (process, _) = movers_in(transition.label.process);
        transition.label.process = process;
        idle = idle.without(fairness_mark(process as usize));
    }
    let behind = marks.len() - followed.len();
    marks[behind..].copy_from_slice(followed);
    marks[begun..].iter_mut().for_each(|marks| *marks = *marks | idle);
}
