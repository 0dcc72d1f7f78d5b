//! The Kripke structure of a system: its reachable states, with the states that satisfy each atom.

use beeline_model::{BranchingProblem, StateAtom};
use beeline_symbolic::{
    ControlSets, DiagramLimits, Set, StepSet, SymbolicError, SymbolicStrategy, SymbolicSystem,
};

/// The reachable states of a system, with its steps.
#[derive(Debug)]
pub struct KripkeStructure<'p> {
    pub(crate) system: SymbolicSystem<'p>,
    pub(crate) reached: ControlSets,
    /// States without steps.
    pub(crate) dead: Set,
    /// The atoms, and the states of those that were needed so far.
    atoms: Vec<(&'p StateAtom, Option<Set>)>,
    /// The steps of each kind.
    pub(crate) kinds: Vec<StepSet>,
}

impl<'p> KripkeStructure<'p> {
    /// Computes the reachable states of a problem.
    ///
    /// # Errors
    ///
    /// When a limit is reached, or an operator has too many outcomes.
    pub fn new(
        problem: &'p BranchingProblem,
        limits: DiagramLimits,
    ) -> Result<KripkeStructure<'p>, SymbolicError> {
        let view = &problem.view;
        let mut system = SymbolicSystem::new(&view.system, &view.ranges, limits);
        let reached = system.reachable(SymbolicStrategy::Auto)?.states;
        let dead = system.deadlocks(&reached.free)?;
        let kinds = problem.step_kinds.iter().map(|operators| system.step_set(operators)).collect();
        let atoms = problem.atoms.iter().map(|atom| (atom, None)).collect();
        Ok(KripkeStructure { system, reached, dead, atoms, kinds })
    }

    /// The system.
    pub fn system(&mut self) -> &mut SymbolicSystem<'p> {
        &mut self.system
    }

    /// All reachable states.
    pub fn all(&self) -> &Set {
        &self.reached.free
    }

    /// The states that satisfy an atom.
    pub(crate) fn atom(&mut self, number: u32) -> Result<Set, SymbolicError> {
        let (atom, known) = &self.atoms[number as usize];
        if let Some(states) = known {
            return Ok(states.clone());
        }
        let states = self.states_of(atom)?;
        self.atoms[number as usize].1 = Some(states.clone());
        Ok(states)
    }

    fn states_of(&mut self, atom: &StateAtom) -> Result<Set, SymbolicError> {
        let all = self.reached.free.clone();
        match atom {
            StateAtom::Holds(expr) => self.system.states_where(expr, &all),
            StateAtom::Deadlock => Ok(self.dead.clone()),
            StateAtom::Enabled(operators) => self.system.enabled(operators, &all),
        }
    }

    pub(crate) fn none(&mut self) -> Set {
        self.system.forest().empty()
    }

    pub(crate) fn not(&mut self, set: &Set) -> Result<Set, SymbolicError> {
        let all = self.reached.free.clone();
        self.minus(&all, set)
    }

    pub(crate) fn minus(&mut self, a: &Set, b: &Set) -> Result<Set, SymbolicError> {
        Ok(self.system.forest().difference(a, b)?)
    }

    pub(crate) fn and(&mut self, a: &Set, b: &Set) -> Result<Set, SymbolicError> {
        Ok(self.system.forest().intersection(a, b)?)
    }

    pub(crate) fn or(&mut self, a: &Set, b: &Set) -> Result<Set, SymbolicError> {
        Ok(self.system.forest().union(a, b)?)
    }

    /// The states with a step into a set.
    pub(crate) fn before(&mut self, set: &Set) -> Result<Set, SymbolicError> {
        self.system.preimage(set, &self.reached)
    }

    /// The states with a step into a set, where states without steps loop.
    pub(crate) fn before_or_dead(&mut self, set: &Set) -> Result<Set, SymbolicError> {
        let before = self.before(set)?;
        let rests = self.and(set, &self.dead.clone())?;
        self.or(&before, &rests)
    }

    /// The states with a step of a kind into a set.
    pub(crate) fn before_by(
        &mut self,
        steps: &mut StepSet,
        set: &Set,
    ) -> Result<Set, SymbolicError> {
        self.system.preimage_by(steps, set, &self.reached)
    }
}
