//! Expansion of states with compiled code.

use beeline_analysis::reduction::{ActiveProcesses, Commutativity};
use beeline_engine::claim::fairness_mark;
use beeline_engine::frame::{EXCLUSIVE, PROCESSES, RecordKind};
use beeline_engine::interpreter::Machine;
use beeline_engine::layout::StateLayout;
use beeline_engine::layout_signature::LayoutSignature;
use beeline_engine::loop_detector::LoopDetector;
use beeline_kernel::{
    AcceptanceMarks, Expander, Expansion, ExpansionEnd, SleepSet, StepLabel, Successors,
};
use beeline_promela::hir::ProcessId;

use crate::code::StateShape;
use crate::context::{BLOCK, Context, StepCode, StructureCode, movers_in};
use crate::module::Code;

/// Expands states with compiled code.
pub(crate) struct NativeExpander<'a> {
    machine: &'a Machine<'a>,
    code: &'a Code,
    layout: StateLayout,
    /// By process type and location: whether it is a valid end.
    rests: Vec<Vec<bool>>,
    /// Whether processes may start, not only end. They end in reverse order.
    starts: bool,
    /// Whether all channels must be empty at a valid end.
    ends_empty: bool,
    context: Box<Context>,
    structures: Vec<Structure>,
    /// The structure of the state that was opened last.
    current: usize,
    /// A copy of the state that is being expanded, padded to whole blocks.
    source: Vec<u8>,
    /// Successors inside atomic sequences, one level per edge.
    levels: Vec<Level>,
    loop_detector: LoopDetector,
    /// The processes that moved on the way to each successor after an atomic sequence, if that is
    /// asked for.
    pub(crate) followed: Vec<AcceptanceMarks>,
    /// Independence facts for sleep sets: created on the first query, and `None` if there are none.
    commutativity: Option<Option<Commutativity<'a>>>,
}

// SAFETY: the context points to the tables of the code, which is `Sync` and
// outlives the expander, and to memory of its own.
unsafe impl Send for NativeExpander<'_> {}

/// The record structure of a state. Most states have the structure of the previous one or of a few
/// others: comparing signatures is faster than decoding.
#[derive(Default)]
struct Structure {
    length: usize,
    /// The signature of all states with this structure.
    signature: LayoutSignature,
    /// The offset and kind of each record.
    records: Vec<(usize, RecordKind)>,
    /// The offset of each process and each channel, and the declaration of each channel.
    processes: Vec<u32>,
    channels: Vec<u32>,
    kinds: Vec<u32>,
    /// The type and the code of each process.
    types: Vec<u32>,
    steps: Vec<StepCode>,
    /// The code for all processes at once, if this structure has such code.
    expand: Option<StructureCode>,
    /// The states that are expanded before it is compiled; `None` if it is compiled, or never will.
    patience: Option<u32>,
    /// The processes, for independence queries.
    active: Option<ActiveProcesses>,
}

/// The number of cached structures: a power of two.
const KEPT: usize = 32;

impl Structure {
    /// Whether a state has these records. If no process starts, its length determines them.
    #[inline(always)]
    fn fits(&self, state: &[u8], starts: bool) -> bool {
        self.length == state.len() && (!starts || self.signature.matches(state))
    }

    fn shape(&self) -> StateShape {
        let (types, records) = (self.types.clone(), self.processes.clone());
        StateShape { length: self.length, types, records }
    }
}

/// Successors of one state of an atomic sequence.
#[derive(Default)]
struct Level {
    successors: Successors,
    /// Successors after which the process keeps exclusive control.
    held: Vec<u32>,
    next: usize,
    next_held: usize,
    /// The number of steps to their predecessor.
    before: u32,
}

impl Level {
    /// Starts over with the last ones of these successors, from number `first` on.
    fn take(&mut self, successors: &mut Successors, first: usize, held: &[u32]) {
        self.successors.truncate(0);
        for at in first..successors.len() {
            let way = successors.transitions()[at];
            self.successors.push(way.steps, way.label, successors.state(at));
        }
        successors.truncate(first);
        self.held.clear();
        self.held.extend(held.iter().map(|&number| number - first as u32));
        (self.next, self.next_held, self.before) = (0, 0, 0);
    }

    /// The label of the step to the state whose successors are on the next level.
    fn begun_by(&self) -> StepLabel {
        self.successors.transitions()[self.next - 1].label
    }

    /// The state whose successors are on the next level.
    fn current(&self) -> &[u8] {
        self.successors.state(self.next - 1)
    }
}

/// The marks of the processes that a label tells.
pub(crate) fn movers(label: StepLabel) -> AcceptanceMarks {
    let (process, receiver) = movers_in(label.process);
    let of = |pid: u32| AcceptanceMarks(1 << fairness_mark(pid as usize));
    of(process) | receiver.map_or(AcceptanceMarks::NONE, of)
}

/// Copies a state with padding, so that whole blocks of it can be read.
#[inline(always)]
fn load(source: &mut Vec<u8>, state: &[u8]) {
    if source.len() < state.len() + BLOCK {
        lengthen(source, state.len());
    }
    copy(&mut source[..state.len()], state);
}

/// Makes room for a state of this length, with padding.
#[cold]
fn lengthen(source: &mut Vec<u8>, length: usize) {
    source.resize(length.next_multiple_of(BLOCK) + BLOCK, 0);
}

/// Copies a state. Most states are short, so that a few inlined moves are faster than a call.
#[inline(always)]
fn copy(target: &mut [u8], state: &[u8]) {
    const HALF: usize = BLOCK / 2;
    if (HALF..=BLOCK).contains(&state.len())
        && let (Some(first), Some(last)) = (state.first_chunk::<HALF>(), state.last_chunk::<HALF>())
    {
        // Both halves overlap in a state that is shorter than a block.
        let behind = state.len() - HALF;
        target[..HALF].copy_from_slice(first);
        target[behind..behind + HALF].copy_from_slice(last);
        return;
    }
    target.copy_from_slice(state);
}

impl<'a> NativeExpander<'a> {
    pub(crate) fn new(machine: &'a Machine<'a>, code: &'a Code, slack: usize) -> Self {
        let layout = machine.layout().clone();
        let rests = (0..machine.model().processes.len() as u32)
            .map(|id| machine.automaton(ProcessId(id)).marks.iter().map(|mark| mark.end).collect())
            .collect();
        NativeExpander {
            machine,
            code,
            rests,
            starts: slack > 0,
            ends_empty: machine.ends_empty(),
            context: Box::new(Context::new(layout.fixed, slack, KEPT, &raw const code.tables)),
            structures: (0..KEPT).map(|_| Structure::default()).collect(),
            current: 0,
            layout,
            source: Vec::new(),
            levels: Vec::new(),
            loop_detector: LoopDetector::default(),
            followed: Vec::new(),
            commutativity: None,
        }
    }

    /// Lets labels and atomic sequences tell all processes that move.
    pub(crate) fn tell_movers(&mut self) {
        self.context.tells_receivers = true;
    }

    /// Keeps the processes that moved on the current path through an atomic sequence.
    fn keep_movers(&mut self, depth: usize) {
        if self.context.tells_receivers {
            let labels = self.levels[..depth].iter().map(Level::begun_by);
            self.followed
                .push(labels.fold(AcceptanceMarks::NONE, |marks, step| marks | movers(step)));
        }
    }

    /// Locates the records of a state, and loads it.
    #[inline(always)]
    fn open(&mut self, state: &[u8]) {
        self.find_structure(state);
        load(&mut self.source, state);
    }

    /// Locates the records of a state.
    #[inline(always)]
    fn find_structure(&mut self, state: &[u8]) {
        if !self.structures[self.current].fits(state, self.starts) {
            self.change_structure(state);
        }
    }

    #[inline(never)]
    fn change_structure(&mut self, state: &[u8]) {
        let slot = (state.len() / 2 + self.layout.frame.number(state, PROCESSES)) % KEPT;
        self.current = slot;
        if !self.structures[slot].fits(state, self.starts) {
            self.build_structure(slot, state);
        }
        self.context.structure = slot;
        self.context.length = state.len() as u32;
        let Structure { processes, channels, kinds, types, .. } = &self.structures[slot];
        self.context.processes[..processes.len()].copy_from_slice(processes);
        self.context.types[..types.len()].copy_from_slice(types);
        // Channels are numbered from 1.
        self.context.channels[1..=channels.len()].copy_from_slice(channels);
        self.context.kinds[1..=kinds.len()].copy_from_slice(kinds);
    }

    fn build_structure(&mut self, slot: usize, state: &[u8]) {
        let structure = &mut self.structures[slot];
        structure.length = state.len();
        structure.records.clear();
        structure.processes.clear();
        structure.channels.clear();
        structure.kinds.clear();
        structure.types.clear();
        structure.steps.clear();
        structure.active = None;
        self.context.receivers[slot].clear();
        for (at, record) in self.layout.records(state) {
            structure.records.push((at, record));
            match record {
                RecordKind::Process(process) => {
                    structure.processes.push(at as u32);
                    structure.types.push(process as u32);
                    structure.steps.push(self.code.steps[process].expect("every type has code"));
                }
                RecordKind::Channel(declaration) => {
                    structure.channels.push(at as u32);
                    structure.kinds.push(declaration as u32);
                }
            }
        }
        structure.signature = LayoutSignature::of(state, &self.layout.tags(state));
        structure.expand = self.code.known_shape(&structure.shape());
        structure.patience = match structure.expand {
            Some(_) => None,
            None => self.code.shape_tier.threshold(self.machine, &structure.types),
        };
    }

    /// Counts down to the code for the current structure, and compiles it when it is time.
    #[cold]
    #[inline(never)]
    fn wait_for_code(&mut self) {
        let structure = &mut self.structures[self.current];
        structure.patience = match structure.patience {
            Some(0) => {
                structure.expand = self.code.of_shape(self.machine, structure.shape());
                None
            }
            patience => patience.map(|patience| patience - 1),
        };
    }

    /// The violated invariants of a state whose structure is the current one.
    #[inline(always)]
    fn broken(&mut self, state: &[u8]) -> u64 {
        let Some(watch) = self.code.watch else { return 0 };
        self.context.timeout = 0;
        // SAFETY: the context describes the state, which is read only.
        unsafe { watch(&raw mut *self.context, state.as_ptr()) }
    }

    /// Tries the edges of a process of the opened state.
    #[inline]
    fn step(&mut self, pid: usize) {
        let step = self.structures[self.current].steps[pid];
        // SAFETY: the state was opened, so the context describes it; its padded copy lies outside
        // of the context's buffer, and the buffer has room for a successor.
        unsafe { step(&raw mut *self.context, self.source.as_mut_ptr(), pid as u32) }
    }

    /// Tries the edges of all processes of a state but those in a sleep set, the youngest first. The
    /// structure of the state is the current one.
    #[inline(always)]
    fn step_all(&mut self, state: &[u8], asleep: SleepSet) {
        let Structure { expand, patience, .. } = &self.structures[self.current];
        if let Some(StructureCode { expand, is_in_place }) = *expand {
            let source = match is_in_place {
                true => state.as_ptr(),
                false => self.padded(state),
            };
            // SAFETY: the context describes the state, which lies outside of the context's buffer,
            // and the buffer has room for a successor; unless the code works in place, the state is
            // a padded copy.
            return unsafe { expand(&raw mut *self.context, source, asleep.0) };
        }
        if patience.is_some() {
            self.wait_for_code();
        }
        self.step_each(state, asleep);
    }

    /// A copy of a state, padded to whole blocks.
    #[inline(never)]
    fn padded(&mut self, state: &[u8]) -> *const u8 {
        load(&mut self.source, state);
        self.source.as_ptr()
    }

    /// The same as [`step_all`](NativeExpander::step_all), with the code of each process.
    #[inline(never)]
    fn step_each(&mut self, state: &[u8], asleep: SleepSet) {
        load(&mut self.source, state);
        let steps = &self.structures[self.current].steps;
        let source = self.source.as_mut_ptr();
        for (pid, step) in steps.iter().enumerate().rev() {
            if pid >= SleepSet::CAPACITY || asleep.0 >> pid & 1 == 0 {
                // SAFETY: the context describes the state; its copy lies outside of the context's
                // buffer, and the buffer has room for a successor.
                unsafe { step(&raw mut *self.context, source, pid as u32) }
            }
        }
    }

    /// The offset and kind of each record of the current state.
    fn records_now(&self) -> &[(usize, RecordKind)] {
        &self.structures[self.current].records
    }

    fn is_valid_end(&self, state: &[u8]) -> bool {
        let processes = self.records_now().iter().filter_map(|&(at, record)| match record {
            RecordKind::Process(process) => Some((at, process)),
            RecordKind::Channel(_) => None,
        });
        let frame = self.layout.frame;
        let mut rests =
            processes.map(|(at, process)| self.rests[process][frame.location(state, at) as usize]);
        rests.all(|rests| rests)
            && self.trace_may_end(state)
            && !(self.ends_empty && self.has_messages(state))
    }

    /// Whether the system may stop at the location of the trace assertion.
    fn trace_may_end(&self, state: &[u8]) -> bool {
        let Some((trace, at)) = self.machine.trace_assertion().zip(self.layout.frame.trace) else {
            return true;
        };
        let location = u16::from_le_bytes([state[at], state[at + 1]]);
        self.rests[trace.index()][usize::from(location)]
    }

    fn has_messages(&self, state: &[u8]) -> bool {
        self.records_now().iter().any(|&(at, record)| match record {
            RecordKind::Process(_) => false,
            RecordKind::Channel(declaration) => self.layout.length(state, at, declaration) > 0,
        })
    }

    /// Follows atomic sequences to their ends. Each unfinished state in `levels` is replaced by its
    /// successors.
    fn follow(&mut self, expansion: &mut Expansion) {
        let mut depth = 1;
        self.loop_detector.clear();
        while depth > 0 {
            let level = &mut self.levels[depth - 1];
            if level.next == level.successors.len() {
                depth -= 1;
                continue;
            }
            level.next += 1;
            let before = level.before;
            let label = self.levels[0].begun_by();
            let level = &mut self.levels[depth - 1];
            let steps = before + level.successors.transitions()[level.next - 1].steps;
            if level.held.get(level.next_held) != Some(&(level.next as u32 - 1)) {
                expansion.push_labelled(steps, label, level.current());
                expansion.hidden_steps += u64::from(before);
                self.keep_movers(depth);
                continue;
            }
            level.next_held += 1;
            let (earlier, level) = self.levels.split_at(depth - 1);
            let state = level[0].current();
            // An atomic sequence that repeats a state never ends.
            if self.loop_detector.returns(depth - 1, state, |at| earlier[at].current()) {
                continue;
            }
            let (length, alone) = (state.len(), self.layout.frame.number(state, EXCLUSIVE) - 1);
            let levels = std::mem::take(&mut self.levels);
            self.open(levels[depth - 1].current());
            self.levels = levels;
            if self.levels.len() == depth {
                self.levels.push(Level::default());
            }
            let faults = self.context.faults.len();
            self.levels[depth].successors.truncate(0);
            self.context.begin(&mut self.levels[depth].successors);
            self.step(alone);
            let stuck = self.context.moves() == faults;
            for failure in &mut self.context.faults[faults..] {
                failure.steps += steps;
            }
            let level = &mut self.levels[depth];
            self.context.end(&mut level.successors);
            std::mem::swap(&mut level.held, &mut self.context.held);
            (level.next, level.next_held, level.before) = (0, 0, steps);
            if stuck {
                self.layout.frame.set_number(&mut self.source, EXCLUSIVE, 0);
                expansion.push_labelled(steps, label, &self.source[..length]);
                expansion.hidden_steps += u64::from(steps - 1);
                self.keep_movers(depth);
                continue;
            }
            depth += 1;
        }
    }
}

impl NativeExpander<'_> {
    /// Completes the expansion of a state by what most states do not have: a timeout or a
    /// deadlock if no process could move, ends of atomic sequences, faults, violated invariants.
    #[inline(never)]
    fn complete(
        &mut self,
        state: &[u8],
        is_stuck: bool,
        broken: u64,
        first: usize,
        expansion: &mut Expansion,
    ) {
        let nobody = self.structures[self.current].steps.is_empty();
        if is_stuck && self.context.faults.is_empty() && !nobody {
            self.context.timeout = 1;
            self.step_all(state, SleepSet::EMPTY);
            self.context.end(&mut expansion.successors);
        }
        let is_stuck = is_stuck && expansion.len() == first && self.context.faults.is_empty();
        // A state without processes is no deadlock, unless channels must be empty at the end.
        expansion.deadlock = is_stuck && (!nobody || self.ends_empty) && !self.is_valid_end(state);
        // Successors before the first unfinished one stay where they are.
        if let Some(&unfinished) = self.context.held.first() {
            self.context.timeout = 0;
            if self.levels.is_empty() {
                self.levels.push(Level::default());
            }
            let (successors, unfinished) = (&mut expansion.successors, unfinished as usize);
            self.levels[0].take(successors, unfinished, &self.context.held);
            self.follow(expansion);
        }
        expansion.faults.extend_from_slice(&self.context.faults);
        let violated = (0..u64::BITS).filter(|bit| broken >> bit & 1 == 1);
        expansion.violated_invariants.extend(violated);
    }
}

impl Expander for NativeExpander<'_> {
    fn expand(&mut self, state: &[u8], expansion: &mut Expansion) {
        self.expand_except(state, SleepSet::EMPTY, expansion);
    }

    fn expand_except(&mut self, state: &[u8], asleep: SleepSet, expansion: &mut Expansion) {
        self.find_structure(state);
        let broken = self.broken(state);
        let first = expansion.len();
        self.context.faults.clear();
        self.context.hidden = 0;
        self.context.timeout = 0;
        self.context.begin(&mut expansion.successors);
        self.step_all(state, asleep);
        if !asleep.is_empty() {
            expansion.pruned_by_sleep += u64::from(asleep.len());
        }
        self.context.end(&mut expansion.successors);
        expansion.deadlock = false;
        // Mostly, there are successors and nothing else.
        let is_stuck = expansion.len() == first && asleep.is_empty();
        if is_stuck || self.context.has_remarks() || broken != 0 {
            self.complete(state, is_stuck, broken, first, expansion);
        }
        expansion.hidden_steps += self.context.hidden;
    }

    fn expand_batch(
        &mut self,
        states: &[(&[u8], SleepSet)],
        expansion: &mut Expansion,
        ends: &mut Vec<ExpansionEnd>,
    ) {
        self.context.faults.clear();
        self.context.hidden = 0;
        self.context.timeout = 0;
        expansion.deadlock = false;
        self.context.begin(&mut expansion.successors);
        let mut first = expansion.len();
        let is_watched = self.code.watch.is_some();
        for &(state, asleep) in states {
            if !self.structures[self.current].fits(state, self.starts) {
                self.context.end(&mut expansion.successors);
                self.change_structure(state);
                self.context.begin(&mut expansion.successors);
            }
            let broken = if is_watched { self.broken(state) } else { 0 };
            self.step_all(state, asleep);
            if !asleep.is_empty() {
                expansion.pruned_by_sleep += u64::from(asleep.len());
            }
            let begin = std::mem::replace(&mut first, self.context.count());
            // Mostly, there are successors and nothing else.
            let is_stuck = first == begin && asleep.is_empty();
            let is_plain = !is_stuck && !self.context.has_remarks() && broken == 0;
            if !is_plain {
                self.context.end(&mut expansion.successors);
                self.complete(state, is_stuck, broken, begin, expansion);
                self.context.faults.clear();
                self.context.timeout = 0;
                self.context.begin(&mut expansion.successors);
                first = expansion.len();
            }
            ends.push(ExpansionEnd {
                successors: first as u32,
                pruned_by_sleep: expansion.pruned_by_sleep as u32,
                hidden_steps: expansion.hidden_steps + self.context.hidden,
            });
            if !is_plain && expansion.has_findings() {
                break;
            }
        }
        self.context.end(&mut expansion.successors);
        expansion.hidden_steps += self.context.hidden;
    }

    fn commuting_with(
        &mut self,
        state: &[u8],
        way: StepLabel,
        others: SleepSet,
    ) -> Option<SleepSet> {
        let machine = self.machine;
        self.find_structure(state);
        let commutativity =
            self.commutativity.get_or_insert_with(|| Commutativity::of(machine)).as_mut()?;
        let Structure { active, processes, types, .. } = &mut self.structures[self.current];
        let active = active.get_or_insert_with(|| {
            let mut active = ActiveProcesses::default();
            for (&at, &process) in processes.iter().zip(&*types) {
                commutativity.add(state, ProcessId(process), at as usize, &mut active);
            }
            active
        });
        // With exclusive control, only one process can move.
        let is_alone = self.layout.frame.number(state, EXCLUSIVE) != 0;
        (!is_alone).then(|| commutativity.commuting_with(state, active, way, others))
    }
}
