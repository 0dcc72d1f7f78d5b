//! What a story keeps of a replay: the steps that are told, in words, and little of all others.
//!
//! A trail can have millions of steps. Of a step that is not told, nothing is kept, and no text is
//! made; where only the last steps are told, their moves wait until the end is known.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use beeline_engine::interpreter::{DecodedState, Move};
use beeline_engine::trail::{ReplayEnd, ReplayObserver};
use beeline_kernel::{FaultKind, Trail};
use beeline_model::{StoryRequest, StoryStates, StoryStep, ToldSteps, WholeState};
use beeline_promela::hir::ProcessId;

use crate::claims::{LassoRecorder, LassoRun};
use crate::describer::Describer;
use crate::ended_channels::EndedChannels;
use crate::explanation::Explanation;

/// Steps between two looks at the deadline.
const SLICE: usize = 64;

/// Keeps what a story needs of a replay.
pub(crate) struct StoryRecorder<'t, 'm> {
    describer: &'t Describer<'m>,
    request: StoryRequest<'t>,
    /// The number of moves so far.
    moves: usize,
    /// The steps that are told as they happen.
    told: Vec<StoryStep>,
    tail: MoveTail,
    /// What there is to say about the fault of the last step.
    explanation: Explanation,
    movers: Vec<(usize, ProcessId)>,
    states: Vec<WholeState>,
    /// A fault that nothing survives has happened: there are no states behind it.
    is_dead: bool,
    lasso: LassoRecorder,
    ended: EndedChannels,
}

/// What a story keeps of a replay that is over.
pub(crate) struct StoryRecord {
    /// The steps that are told.
    pub(crate) steps: Vec<StoryStep>,
    /// What there is to say about the fault of the last step.
    pub(crate) explanation: Explanation,
    /// The processes that move, by number and proctype.
    pub(crate) movers: Vec<(usize, String)>,
    pub(crate) states: Vec<WholeState>,
    /// The run that goes round for ever, if the trail has a cycle that closes.
    pub(crate) lasso: Option<LassoRun>,
}

/// The last moves of a replay.
#[derive(Default)]
struct MoveTail {
    /// How many are kept.
    longest: usize,
    /// The state before the first one.
    before: Option<DecodedState>,
    moves: VecDeque<Move>,
}

impl MoveTail {
    fn push(&mut self, before: &DecodedState, step: &Move) {
        if self.longest == 0 {
            return;
        }
        if self.before.is_none() {
            self.before = Some(before.clone());
        }
        if self.moves.len() == self.longest {
            self.before = self.moves.pop_front().map(|first| first.next);
        }
        self.moves.push_back(step.clone());
    }

    /// The last ones, told.
    fn tell(&self, last: usize, describer: &Describer<'_>) -> Vec<StoryStep> {
        let Some(mut now) = self.before.as_ref() else { return Vec::new() };
        let untold = self.moves.len().saturating_sub(last);
        let mut steps = Vec::new();
        for (at, step) in self.moves.iter().enumerate() {
            if at >= untold {
                steps.push(describer.step(now, step));
            }
            now = &step.next;
        }
        steps
    }
}

impl<'t, 'm> StoryRecorder<'t, 'm> {
    pub(crate) fn new(
        describer: &'t Describer<'m>,
        trail: &Trail,
        request: &StoryRequest<'t>,
    ) -> StoryRecorder<'t, 'm> {
        let longest = match request.steps {
            ToldSteps::Tail { longest, last } => longest.max(last),
            ToldSteps::None | ToldSteps::All => 0,
        };
        StoryRecorder {
            describer,
            request: *request,
            moves: 0,
            told: Vec::new(),
            tail: MoveTail { longest, ..MoveTail::default() },
            explanation: Explanation::default(),
            movers: Vec::new(),
            states: Vec::new(),
            is_dead: false,
            lasso: LassoRecorder::new(trail),
            ended: EndedChannels::default(),
        }
    }

    /// What is left when the replay is over.
    pub(crate) fn finish(self, end: &ReplayEnd) -> StoryRecord {
        let StoryRecorder { describer, request, .. } = self;
        let machine = describer.machine();
        let steps = match request.steps {
            ToldSteps::None | ToldSteps::All => self.told,
            tail @ ToldSteps::Tail { .. } => self.tail.tell(tail.number(end.moves), describer),
        };
        let name = |process: ProcessId| machine.model().process(process).name.name.to_string();
        let movers = self.movers.into_iter().map(|(pid, process)| (pid, name(process))).collect();
        let lasso = self.lasso.run(machine, end);
        StoryRecord { steps, explanation: self.explanation, movers, states: self.states, lasso }
    }

    fn keep_state(&mut self, state: &DecodedState) {
        if self.request.states == StoryStates::Whole && !self.is_dead {
            self.states.push(self.describer.state(state));
        }
    }
}

impl ReplayObserver for StoryRecorder<'_, '_> {
    fn on_move(&mut self, before: &DecodedState, step: &Move) -> ControlFlow<()> {
        if self.moves.is_multiple_of(SLICE) && self.request.deadline.is_over() {
            return ControlFlow::Break(());
        }
        self.moves += 1;
        let mover = (step.pid, before.process(step.pid));
        if !self.movers.contains(&mover) {
            self.movers.push(mover);
        }
        self.explanation = match step.fault {
            Some(FaultKind::NoChannel) => {
                let ended = self.ended.detail(self.describer.view(), before, step);
                ended.map_or_else(|| self.describer.explanation(before, step), Explanation::from)
            }
            Some(_) => self.describer.explanation(before, step),
            None => Explanation::default(),
        };
        self.ended.on_move(self.describer.view(), before, &step.next, self.moves);
        match self.request.steps {
            ToldSteps::None => {}
            ToldSteps::All => self.told.push(self.describer.step(before, step)),
            ToldSteps::Tail { .. } => self.tail.push(before, step),
        }
        self.is_dead |= step.fault.is_some_and(|fault: FaultKind| !fault.is_survivable());
        self.keep_state(&step.next);
        self.lasso.on_move(before, step)
    }

    fn on_stored(&mut self, state: &DecodedState, moves: usize) {
        // The initial state is the first one, and no other is stored before a move but a released one.
        if moves == 0 && self.states.is_empty() {
            self.keep_state(state);
        }
        self.lasso.on_stored(state, moves);
    }

    fn on_cycle(&mut self) {
        self.lasso.on_cycle();
    }
}
