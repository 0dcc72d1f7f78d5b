//! One run of a model, step by step: at random, or as the user chooses.
//!
//! Every statement is a step of its own and every value is kept: a simulation shows the model as it
//! is written.

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::{DecodedState, Machine, Move};
use beeline_kernel::{FaultKind, SplitMix64, Trail, TrailLine};
use beeline_model::{ErrorKind, Property, Simulation, SimulationEnd, StoryEnd, StoryStep};
use beeline_promela::Frontend;
use beeline_promela::hir::Model;

use crate::describer::Describer;
use crate::explanation::Explanation;
use crate::invariant::invariant;
use crate::semantics::SemanticsOptions;

/// A state of the run, with its possible moves.
#[derive(Clone)]
struct SimulatedState {
    now: DecodedState,
    moves: Vec<Move>,
    ending: Option<SimulationEnd>,
    /// Details of the ending, in words.
    explanation: Explanation,
}

/// A simulated run.
pub(crate) struct PromelaSimulation<'m> {
    describer: Describer<'m>,
    current: SimulatedState,
    /// The previous states, for `back`; empty unless requested.
    past: Vec<SimulatedState>,
    remembers: bool,
    random: SplitMix64,
    /// The steps so far: process and edge, and those of the receiver in a rendezvous.
    executed: Vec<(TrailLine, Option<TrailLine>)>,
    /// The number of each step among the possible ones.
    taken: Vec<usize>,
    model: &'m Model,
}

impl<'m> PromelaSimulation<'m> {
    /// A run from the initial state of a model without errors.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step.
    pub(crate) fn new(
        front: &'m Frontend,
        seed: u64,
        semantics: SemanticsOptions,
    ) -> Result<PromelaSimulation<'m>, FaultKind> {
        let describer =
            Describer::new(semantics.machine(&front.hir, AutomataOptions::PLAIN), front);
        let now = describer.machine().initial()?;
        let current = arrive(describer.machine(), now);
        let (past, random) = (Vec::new(), SplitMix64::new(seed));
        Ok(PromelaSimulation {
            describer,
            current,
            past,
            remembers: false,
            random,
            executed: Vec::new(),
            taken: Vec::new(),
            model: &front.hir,
        })
    }
}

impl Simulation for PromelaSimulation<'_> {
    fn remember(&mut self) {
        self.remembers = true;
    }

    /// In the order in which SPIN tries them.
    fn choices(&self) -> Vec<StoryStep> {
        self.current.moves.iter().map(|step| self.describer.step(&self.current.now, step)).collect()
    }

    fn take(&mut self, choice: usize) -> Option<StoryStep> {
        let step = self.current.moves.get(choice)?.clone();
        let told = self.describer.step(&self.current.now, &step);
        let partner = step.partner.map(|(pid, edge)| TrailLine { pid, edge });
        self.taken.push(choice);
        self.executed.push((TrailLine { pid: step.pid, edge: step.edge }, partner));
        let next = match step.fault {
            None => arrive(self.describer.machine(), step.next),
            Some(kind) => {
                let explanation = self.describer.explanation(&self.current.now, &step);
                // After a fatal fault, the last state is the one before it.
                let survives = kind.is_survivable();
                let now = if survives { step.next } else { self.current.now.clone() };
                let ending = Some(SimulationEnd::Error(ErrorKind::Fault(kind)));
                SimulatedState { now, moves: Vec::new(), ending, explanation }
            }
        };
        let before = std::mem::replace(&mut self.current, next);
        if self.remembers {
            self.past.push(before);
        }
        Some(told)
    }

    /// First a process is drawn, then one of its steps, as SPIN does.
    fn take_any(&mut self) -> Option<StoryStep> {
        let moves = &self.current.moves;
        let mut movers: Vec<usize> = moves.iter().map(|step| step.pid).collect();
        movers.dedup();
        let mover = *movers.get(draw(&mut self.random, movers.len())?)?;
        let own = moves.iter().enumerate().filter(|(_, step)| step.pid == mover);
        let own: Vec<usize> = own.map(|(at, _)| at).collect();
        let choice = own[draw(&mut self.random, own.len())?];
        self.take(choice)
    }

    fn taken(&self) -> &[usize] {
        &self.taken
    }

    fn holds(&self, property: &Property) -> Option<bool> {
        let condition = invariant(self.model, property.formula.as_deref()?)?;
        let value = self.describer.machine().evaluate(condition, &self.current.now, 0);
        value.ok().map(|value| value != 0)
    }

    fn back(&mut self) -> bool {
        self.past.pop().is_some_and(|before| {
            self.current = before;
            self.taken.pop();
            self.executed.pop();
            true
        })
    }

    fn trail(&self) -> Trail {
        let lines = self.executed.iter().flat_map(|&(line, partner)| [Some(line), partner]);
        Trail { lines: lines.flatten().collect(), ..Trail::default() }
    }

    fn ending(&self) -> Option<SimulationEnd> {
        self.current.ending
    }

    fn state(&self) -> StoryEnd {
        let error = match self.current.ending {
            Some(SimulationEnd::Error(error)) => Some(error),
            _ => None,
        };
        self.describer.end(&self.current.now, error, self.current.explanation.clone())
    }
}

/// Computes the moves of a state. An atomic sequence that is blocked loses exclusive control.
fn arrive(machine: &Machine<'_>, mut now: DecodedState) -> SimulatedState {
    let found = loop {
        match machine.moves(&now) {
            Ok(found) => break found,
            Err(released) => now = *released,
        }
    };
    let ending = match (found.moves.is_empty(), found.deadlock) {
        (false, _) => None,
        (true, true) => Some(SimulationEnd::Error(ErrorKind::InvalidEnd)),
        (true, false) if now.process_count() == 0 => Some(SimulationEnd::AllEnded),
        (true, false) => Some(SimulationEnd::ValidEnd),
    };
    SimulatedState { now, moves: found.moves, ending, explanation: Explanation::default() }
}

/// A random number below `count`; `None` if `count` is 0.
fn draw(random: &mut SplitMix64, count: usize) -> Option<usize> {
    (count > 0).then(|| (random.next_u64() % count as u64) as usize)
}
