//! A model in native code, as a state space.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use beeline_analysis::reduction::Exclusivity;
use beeline_engine::automata::Edge;
use beeline_engine::claim::FairSpace;
use beeline_engine::frame::Frame;
use beeline_engine::interpreter::Machine;
use beeline_kernel::{
    Expander, Expansion, ExpansionEnd, Fault, SleepSet, Space, StepLabel, expand_each,
};
use beeline_promela::hir::{Init, ProcessId, Type};

use crate::expander::NativeExpander;
use crate::module::{self, Code};
use crate::process_starts::starts_process;
use crate::support::{self, NotCompiled};
use crate::tier_up::{self, ShapeTier};

/// A model in native code.
pub struct NativeSpace<'a, 'm> {
    machine: &'a Machine<'m>,
    code: OnceLock<Result<Code, NotCompiled>>,
    /// Remaining work of the interpreter, over all expanders, before the model is compiled.
    left: AtomicUsize,
    /// The interpreted space with marks of fairness, if transitions have marks.
    fair: Option<FairSpace<'a>>,
}

impl<'a, 'm> NativeSpace<'a, 'm> {
    /// Compiles a model now.
    ///
    /// # Errors
    ///
    /// When some part of it cannot be compiled.
    pub fn compile(machine: &'a Machine<'m>) -> Result<Self, NotCompiled> {
        support::check(machine)?;
        let code = module::compile(machine, ShapeTier::Soon)?;
        let left = AtomicUsize::new(0);
        Ok(NativeSpace { machine, code: OnceLock::from(Ok(code)), left, fair: None })
    }

    /// Interprets a model at first, and compiles it when many states were expanded.
    ///
    /// # Errors
    ///
    /// When some part of it cannot be compiled.
    pub fn lazily(machine: &'a Machine<'m>) -> Result<Self, NotCompiled> {
        support::check(machine)?;
        let left = AtomicUsize::new(tier_up::tier_up_threshold(machine));
        Ok(NativeSpace { machine, code: OnceLock::new(), left, fair: None })
    }

    /// Lets interpreted states have marks of fairness, and native code tell both processes of a
    /// rendezvous.
    pub(crate) fn telling_movers(mut self) -> Self {
        self.fair = Some(FairSpace(self.machine));
        self
    }

    /// Whether it is compiled by now.
    pub fn is_compiled(&self) -> bool {
        matches!(self.code.get(), Some(Ok(_)))
    }

    /// The structure bytes of its states.
    pub(crate) fn frame(&self) -> Frame {
        self.machine.layout().frame
    }

    fn code(&self) -> Result<&Code, &NotCompiled> {
        self.code.get_or_init(|| module::compile(self.machine, ShapeTier::WhenItPays)).as_ref()
    }

    /// Bytes by which a state can grow within one move.
    fn slack(&self) -> usize {
        let model = self.machine.model();
        let growth = (0..model.processes.len() as u32).map(|id| self.growth(ProcessId(id)));
        let runs = (0..model.processes.len() as u32).map(|id| {
            let automaton = self.machine.automaton(ProcessId(id));
            let inside = automaton.d_steps.iter().flat_map(|inside| &inside.edges);
            // A loop in a d_step can start processes up to the limit.
            let in_d_step = inside.flat_map(|edge| &edge.steps).any(starts_process);
            let in_edge =
                |edge: &Edge| edge.steps.iter().filter(|step| starts_process(step)).count();
            let at_once = automaton.edges.iter().map(in_edge).max().unwrap_or(0);
            if in_d_step { self.machine.layout().frame.most_processes } else { at_once }
        });
        runs.max().unwrap_or(0) * growth.max().unwrap_or(0)
    }

    /// The size of a new process, with its channels, in bytes.
    fn growth(&self, process: ProcessId) -> usize {
        let layout = self.machine.layout();
        let has_channels = self.machine.model().process(process).locals.iter().any(|local| {
            matches!(local.init, Init::Channel(_)) || matches!(local.ty, Type::Struct(_))
        });
        let sizes = (0..layout.channels.len()).map(|channel| layout.channel_size(channel));
        let channels = sizes.max().unwrap_or(0);
        let most = if has_channels { layout.frame.most_channels() } else { 0 };
        layout.processes[process.index()].size + most * channels
    }
}

impl Space for NativeSpace<'_, '_> {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        Space::initial(self.machine, state)
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        expansion.clear();
        self.expander().expand(state, expansion);
    }

    fn expander(&self) -> Box<dyn Expander + '_> {
        Box::new(TieredExpander::new(self))
    }
}

/// Interprets until compilation pays off.
pub(crate) struct TieredExpander<'a, 'm> {
    native: &'a NativeSpace<'a, 'm>,
    pub(crate) slow: Box<dyn Expander + 'a>,
    pub(crate) fast: Option<NativeExpander<'a>>,
    /// Decides whether `xr` and `xs` may be violated; then each step is checked by the interpreter.
    exclusivity: Option<Exclusivity<'a>>,
}

impl<'a, 'm> TieredExpander<'a, 'm> {
    pub(crate) fn new(native: &'a NativeSpace<'a, 'm>) -> Self {
        let slow = match &native.fair {
            Some(fair) => fair.expander(),
            None => native.machine.expander(),
        };
        TieredExpander { native, slow, fast: None, exclusivity: Exclusivity::of(native.machine) }
    }

    /// Expands a state before there is code, or with its first call. A separate function, so that
    /// the common path does not pay for its large stack frame.
    #[cold]
    #[inline(never)]
    fn expand_early(&mut self, state: &[u8], expansion: &mut Expansion) {
        let is_watched =
            self.exclusivity.as_mut().is_some_and(|exclusivity| !exclusivity.is_safe(state));
        let left = self.native.left.load(Ordering::Relaxed);
        if left == 0
            && !is_watched
            && let Ok(code) = self.native.code()
        {
            let mut fast = NativeExpander::new(self.native.machine, code, self.native.slack());
            if self.native.fair.is_some() {
                fast.tell_movers();
            }
            return self.fast.insert(fast).expand(state, expansion);
        }
        let before = expansion.successors.used();
        self.slow.expand(state, expansion);
        let made = expansion.successors.used() - before;
        let left = left.saturating_sub(tier_up::work(state.len(), made));
        self.native.left.store(left, Ordering::Relaxed);
    }
}

impl Expander for TieredExpander<'_, '_> {
    fn expand(&mut self, state: &[u8], expansion: &mut Expansion) {
        match &mut self.fast {
            Some(_)
                if self
                    .exclusivity
                    .as_mut()
                    .is_some_and(|exclusivity| !exclusivity.is_safe(state)) =>
            {
                self.slow.expand(state, expansion);
            }
            Some(fast) => fast.expand(state, expansion),
            None => self.expand_early(state, expansion),
        }
    }

    fn expand_except(&mut self, state: &[u8], asleep: SleepSet, expansion: &mut Expansion) {
        match &mut self.fast {
            Some(fast)
                if self
                    .exclusivity
                    .as_mut()
                    .is_none_or(|exclusivity| exclusivity.is_safe(state)) =>
            {
                fast.expand_except(state, asleep, expansion);
            }
            _ => self.expand(state, expansion),
        }
    }

    fn expand_batch(
        &mut self,
        states: &[(&[u8], SleepSet)],
        expansion: &mut Expansion,
        ends: &mut Vec<ExpansionEnd>,
    ) {
        if let (Some(fast), None) = (&mut self.fast, &self.exclusivity) {
            return fast.expand_batch(states, expansion, ends);
        }
        expand_each(self, states, expansion, ends);
    }

    fn commuting_with(
        &mut self,
        state: &[u8],
        way: StepLabel,
        others: SleepSet,
    ) -> Option<SleepSet> {
        self.fast.as_mut()?.commuting_with(state, way, others)
    }
}
