//! One thread of a parallel nested depth-first search. The [module](super) has the algorithm and the
//! reasons why it is correct.

use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use beeline_kernel::{CycleKind, Expansion};

use super::colours::{SharedColours, class};
use super::crew::{Crew, FoundStates, Taken};
use super::kind::{CycleRule, StateKind};
use super::red::{Red, RedStep};
use super::rounds::{Pause, lock};
use super::walk::{Entering, Walk};
use crate::store::shared::{RecordId, SlotTable};

/// Steps between two publications of the counters.
const PUBLISH: u32 = 64;
/// A thread keeps at least this many waiting states to itself.
const KEEP: usize = 2;

/// A thread that waits for others yields this often before it sleeps.
const YIELDS: u32 = 50;
const NAP: Duration = Duration::from_micros(100);

/// Why a worker returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Returned {
    /// The budget is used up.
    Budget,
    /// Another thread has to go on first.
    Blocked,
    /// Nothing is left to do, or all threads pause.
    Waiting,
}

/// The result of a step.
enum Step {
    Done,
    /// Another thread has to go on first.
    Wait,
    /// No thread has anything left to do.
    Over,
    Pause(Pause),
    Found(FoundStates),
}

/// One thread's part of the search.
pub(super) struct Worker<'a> {
    index: usize,
    rule: CycleRule,
    walk: Walk<'a>,
    /// For each state on the path, whether all successors so far are red.
    all_red: Vec<bool>,
    red: Red,
    /// States that this thread begins with, when its path is empty.
    waiting: Vec<RecordId>,
    is_idle: bool,
    until_publication: u32,
    /// Waits since the last work.
    waits: u32,
}

impl<'a> Worker<'a> {
    /// A thread, which begins with the initial state.
    pub(super) fn new(crew: &Crew<'a>, index: usize, rule: CycleRule) -> Worker<'a> {
        crew.pool.join();
        let walk = Walk::new(crew, index);
        let root = crew.root.map_or(0, RecordId::number);
        crew.reports[index].begin.store(root, Ordering::Relaxed);
        Worker {
            index,
            rule,
            walk,
            all_red: Vec::new(),
            red: Red::default(),
            waiting: Vec::new(),
            is_idle: false,
            until_publication: 0,
            waits: 0,
        }
    }

    /// Expanded states.
    pub(super) fn expanded(&self) -> u64 {
        self.walk.stats.expanded
    }

    /// Searches until about this many states are expanded, nothing is left, or all threads pause.
    pub(super) fn search(&mut self, crew: &Crew<'_>, budget: u64) -> Returned {
        let table = crew.store.table();
        let end = self.walk.stats.expanded.saturating_add(budget);
        let is_leader = budget != u64::MAX;
        loop {
            if crew.rounds.is_pausing() {
                return Returned::Waiting;
            }
            if self.until_publication == 0 {
                self.until_publication = PUBLISH;
                self.publish(crew);
            }
            self.until_publication -= 1;
            match self.step(crew, &table) {
                Step::Done if self.walk.stats.expanded < end => self.waits = 0,
                Step::Done => return Returned::Budget,
                Step::Wait if is_leader => return Returned::Blocked,
                Step::Wait => self.wait(),
                Step::Over => return Returned::Waiting,
                Step::Pause(why) => {
                    crew.rounds.pause(why);
                    return Returned::Waiting;
                }
                Step::Found(found) => {
                    crew.end_with(found);
                    return Returned::Waiting;
                }
            }
        }
    }

    /// Waits for other threads: first for a moment, then longer.
    fn wait(&mut self) {
        self.waits += 1;
        if self.waits < YIELDS { thread::yield_now() } else { thread::sleep(NAP) }
    }

    /// Publishes counters and memory.
    fn publish(&self, crew: &Crew<'_>) {
        let bytes = self.walk.bytes()
            + self.red.bytes()
            + self.all_red.capacity()
            + self.waiting.capacity() * size_of::<RecordId>();
        *lock(&crew.reports[self.index].counters) = (self.walk.counters(), bytes);
    }

    /// Returns from a round: gives back what belongs to the table, and publishes everything.
    pub(super) fn release(&mut self, crew: &Crew<'_>) {
        let written = self.walk.release();
        lock(&crew.written).extend(written);
        self.publish(crew);
    }

    #[inline]
    fn step(&mut self, crew: &Crew<'_>, table: &SlotTable) -> Step {
        if self.red.is_active() {
            return self.go_on_red(crew, table);
        }
        let Some(&top) = self.walk.stack.last() else { return self.begin(crew) };
        let id = top.id();
        if top.is_entered() {
            self.leave(crew, id);
            return Step::Done;
        }
        let colours = SharedColours::of(&crew.store, id);
        if colours.has(SharedColours::BLUE) {
            self.walk.stack.pop();
            if !colours.has(SharedColours::RED) {
                self.note_blue();
            }
            return Step::Done;
        }
        self.enter(crew, table, id).unwrap_or_else(|why| {
            // Before the state is expanded again, another thread may leave it.
            self.waiting.append(&mut self.walk.new_successors);
            Step::Pause(why)
        })
    }

    /// Begins another path.
    fn begin(&mut self, crew: &Crew<'_>) -> Step {
        while let Some(id) = self.waiting.pop() {
            if self.begin_with(crew, id) {
                return Step::Done;
            }
        }
        if !std::mem::replace(&mut self.is_idle, true) {
            crew.reports[self.index].begin.store(0, Ordering::Relaxed);
            crew.pool.rest();
        }
        match crew.pool.take() {
            Taken::States(states) => {
                self.is_idle = false;
                self.waiting = states;
                Step::Done
            }
            Taken::Over => Step::Over,
            Taken::Nothing => self.help(crew),
        }
    }

    /// Begins a path with a state, unless some thread has left it.
    fn begin_with(&mut self, crew: &Crew<'_>, id: RecordId) -> bool {
        let is_open = !SharedColours::of(&crew.store, id).has(SharedColours::BLUE);
        if is_open {
            crew.reports[self.index].begin.store(id.number(), Ordering::Relaxed);
            self.walk.push(id);
        }
        is_open
    }

    /// Begins a path with the state that another thread's path begins with, in another order.
    fn help(&mut self, crew: &Crew<'_>) -> Step {
        let count = crew.reports.len();
        for other in 1..count {
            let report = &crew.reports[(self.index + other) % count];
            let begin = RecordId::of_number(report.begin.load(Ordering::Relaxed));
            let is_open =
                |&id: &RecordId| !SharedColours::of(&crew.store, id).has(SharedColours::BLUE);
            if let Some(id) = begin.filter(is_open)
                && crew.pool.help()
            {
                self.is_idle = false;
                self.begin_with(crew, id);
                return Step::Done;
            }
        }
        Step::Wait
    }

    /// Enters the state on top of the stack.
    fn enter(&mut self, crew: &Crew<'_>, table: &SlotTable, id: RecordId) -> Result<Step, Pause> {
        self.walk.expand(crew, table, id)?;
        let Expansion { faults, violated_invariants, deadlock, .. } = &self.walk.expansion;
        if *deadlock || !faults.is_empty() || !violated_invariants.is_empty() {
            let target = crew.query.target;
            if let Some(&kind) = target.all_errors(&self.walk.expansion).first() {
                return Ok(Step::Found(FoundStates::Hit(kind, id)));
            }
        }
        let StateKind { cycles, is_seed, class } = StateKind::of(&self.walk.expansion, self.rule);
        let colours = if is_seed { SharedColours::SEED } else { SharedColours::default() };
        self.walk.enter(&crew.store, id, Entering { colours, class });
        if cycles == CycleKind::Never {
            self.pass(crew, id);
            return Ok(Step::Done);
        }
        Ok(self.push_successors(crew, cycles, is_seed))
    }

    /// Leaves a state that lies on no accepting cycle at once. Its successors begin paths.
    fn pass(&mut self, crew: &Crew<'_>, id: RecordId) {
        SharedColours::BLUE.paint(&crew.store, id);
        self.walk.leave();
        self.note_blue();
        // The thread that has stored another successor searches it.
        self.waiting.append(&mut self.walk.new_successors);
        if self.waiting.len() > KEEP && crew.pool.has_idle() {
            let half = self.waiting.len() / 2;
            crew.pool.give(self.waiting.drain(..half));
        }
    }

    /// Pushes the successors that no thread has left.
    #[inline]
    fn push_successors(&mut self, crew: &Crew<'_>, cycles: CycleKind, is_seed: bool) -> Step {
        let begin = self.walk.stack.len();
        let mut all_red = true;
        for at in 0..self.walk.successors.len() {
            let next = self.walk.successors[at];
            let colours = SharedColours::of(&crew.store, next);
            if colours.has(SharedColours::BLUE) {
                all_red &= colours.has(SharedColours::RED);
            } else if colours.has(SharedColours::ENTERED) && self.walk.cyan.has(next) {
                all_red = false;
                let accepts = match cycles {
                    CycleKind::Never => false,
                    CycleKind::Sometimes => is_seed || colours.has(SharedColours::SEED),
                    CycleKind::Always => true,
                };
                if accepts {
                    return Step::Found(self.cycle(next, &[]));
                }
            } else {
                self.walk.push(next);
            }
        }
        self.walk.order(&crew.store, begin);
        self.all_red.push(all_red);
        Step::Done
    }

    /// Leaves the state on top of the stack, or begins a red search from it.
    #[inline]
    fn leave(&mut self, crew: &Crew<'_>, id: RecordId) {
        let all_red = self.all_red.pop().unwrap_or(false);
        let is_seed = SharedColours::of(&crew.store, id).has(SharedColours::SEED);
        if all_red {
            SharedColours::BLUE.and(SharedColours::RED).paint(&crew.store, id);
            self.walk.leave();
        } else {
            SharedColours::BLUE.paint(&crew.store, id);
            if is_seed {
                self.red.begin(id, class(&crew.store, id));
            } else {
                self.walk.leave();
                self.note_blue();
            }
        }
    }

    /// Records that a successor of the last state on the path is not red.
    #[inline]
    fn note_blue(&mut self) {
        if let Some(all_red) = self.all_red.last_mut() {
            *all_red = false;
        }
    }

    /// Continues the red search. At its end the seed is left.
    fn go_on_red(&mut self, crew: &Crew<'_>, table: &SlotTable) -> Step {
        let step = self.red.step(crew, table, &mut self.walk, self.rule);
        // Another thread may leave its states before it sees them.
        self.waiting.append(&mut self.walk.new_successors);
        match step {
            Ok(RedStep::Done) => Step::Done,
            Ok(RedStep::Wait) => Step::Wait,
            Ok(RedStep::Over) => {
                self.walk.leave();
                Step::Done
            }
            Ok(RedStep::Closed(begin)) => {
                let back = self.red.path();
                Step::Found(self.cycle(begin, &back))
            }
            Err(why) => Step::Pause(why),
        }
    }

    /// A cycle that begins with a state on the path and ends with some more states.
    #[cold]
    fn cycle(&self, begin: RecordId, back: &[RecordId]) -> FoundStates {
        let path = self.walk.path();
        let at = path.iter().position(|&id| id == begin).expect("a cycle begins on the path");
        FoundStates::Cycle(path[at..].iter().chain(back).copied().collect())
    }
}
