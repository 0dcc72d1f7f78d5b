//! Enabledness tests: whether a process can move, compiled per process type and location and
//! specialised per process.
//!
//! Results agree with [`Machine::is_active`], which decides what is not compiled here (rendezvous).

mod byte_guard;
pub(crate) mod compiled_expr;
mod move_test;
mod specialize;

use beeline_engine::frame::PROCESSES;
use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_promela::hir::ProcessId;

use crate::enabledness::compiled_expr::{CompiledExpr, EvalProcess};

use byte_guard::{ByteGuard, ByteGuards};
use move_test::{Channel, ChannelNeed, Condition, MoveTest, move_tests};
use specialize::Specializer;

/// The tests of all processes.
#[derive(Clone, Debug)]
pub(crate) struct EnablednessTest {
    /// By process type and location.
    by_type: Vec<Vec<MoveTest>>,
    by_process: Vec<ProcessTests>,
    /// By number: the channels of the current layout.
    channels: Vec<Channel>,
    byte_guard: Option<ByteGuards>,
}

/// The tests of one process.
#[derive(Clone, Debug, Default)]
struct ProcessTests {
    /// Process type from 1; 0 if there was none yet.
    process: usize,
    /// By location.
    questions: Vec<MoveTest>,
    /// Tests of other types that this process number had before.
    before: Vec<(usize, Vec<MoveTest>)>,
}

impl ProcessTests {
    /// Switches to a process type.
    fn become_of(&mut self, process: usize, questions: impl FnOnce() -> Vec<MoveTest>) {
        let known = self.before.iter().position(|&(other, _)| other == process);
        let next = match known {
            Some(at) => self.before.swap_remove(at).1,
            None => questions(),
        };
        let last = std::mem::replace(&mut self.questions, next);
        self.before.push((std::mem::replace(&mut self.process, process), last));
    }
}

impl EnablednessTest {
    /// Compiles tests for the selected process types. Processes of other types are never enabled.
    pub(crate) fn new(
        machine: &Machine<'_>,
        matters: impl Fn(ProcessId) -> bool,
    ) -> EnablednessTest {
        let types = (0..machine.model().processes.len() as u32).map(ProcessId);
        let of_type = |process| {
            let mut all = move_tests(machine, process);
            if !matters(process) {
                all.fill(MoveTest::Never);
            }
            all
        };
        EnablednessTest {
            by_type: types.map(of_type).collect(),
            by_process: Vec::new(),
            channels: Vec::new(),
            byte_guard: ByteGuards::new(machine),
        }
    }

    /// Whether the test of a process type at a location is constant.
    pub(crate) fn is_fixed(&self, process: usize, location: usize) -> bool {
        matches!(self.by_type[process][location], MoveTest::Always | MoveTest::Never)
    }

    /// Announces the record layout of the following states.
    pub(crate) fn expect(&mut self, machine: &Machine<'_>, now: &DecodedState) {
        let layout = machine.layout();
        self.channels.clear();
        self.channels.extend(now.channel_records().iter().map(|channel| Channel {
            declaration: channel.declaration,
            capacity: channel.capacity,
            length_at: channel.at + layout.frame.length_at(),
            first_at: channel.at + layout.frame.channel_header(),
        }));
        if let Some(byte_guard) = &mut self.byte_guard {
            byte_guard.expect(now, self.channels.iter().map(Channel::place));
        }
        let count = now.process_count();
        self.by_process.resize_with(count.max(self.by_process.len()), ProcessTests::default);
        for (pid, prepared) in self.by_process[..count].iter_mut().enumerate() {
            let process = now.process(pid).index();
            if prepared.process != process + 1 {
                let all = self.by_type[process].iter();
                let all = all.map(|question| question.for_process(pid));
                prepared.become_of(process + 1, || all.collect());
            }
        }
    }

    /// Whether a process can move.
    pub(crate) fn is_active(&self, machine: &Machine<'_>, now: &DecodedState, pid: usize) -> bool {
        let owner = EvalProcess { bytes: &now.bytes, pid, record: now.process_records()[pid] };
        let answer = self.answer(machine, owner, &self.by_process[pid].questions);
        answer.unwrap_or_else(|| machine.is_enabled(now, pid, false))
    }

    /// The number of processes that can move in a state with the announced layout; `None` if the
    /// interpreter has to decide, or a guard is missing.
    #[inline]
    pub(crate) fn count_from_bytes(&mut self, machine: &Machine<'_>, state: &[u8]) -> Option<u64> {
        let (mut active, longer) = self.byte_guard.as_mut()?.count(state)?;
        for (pid, record) in self.byte_guard.as_ref()?.processes(longer) {
            let owner = EvalProcess { bytes: state, pid, record };
            active += u64::from(self.answer(machine, owner, &self.by_process[pid].questions)?);
        }
        Some(active)
    }

    /// The number of processes that can move; derives missing guards.
    pub(crate) fn count(&mut self, machine: &Machine<'_>, now: &DecodedState) -> u64 {
        self.learn(machine, now);
        (0..now.process_count()).map(|pid| u64::from(self.is_active(machine, now, pid))).sum()
    }

    /// Derives the missing byte guard.
    fn learn(&mut self, machine: &Machine<'_>, now: &DecodedState) {
        let EnablednessTest { by_process, channels, byte_guard: Some(byte_guard), .. } = self
        else {
            return;
        };
        byte_guard.learn(now, |owner, location, is_kept| {
            let (channels_used, bytes) = (0, now.bytes.to_vec());
            let mut specializer =
                Specializer { machine, owner, channels, is_kept, channels_used, bytes };
            let look = specializer.look(&by_process[owner.pid].questions[location]);
            (look.unwrap_or(ByteGuard::Undecided), specializer.channels_used)
        });
    }

    /// Evaluates the test of a process; `None` if the interpreter has to decide. Inlined with its
    /// callees: a search may spend a quarter of its time here.
    #[inline(always)]
    fn answer(
        &self,
        machine: &Machine<'_>,
        owner: EvalProcess<'_>,
        questions: &[MoveTest],
    ) -> Option<bool> {
        let location = machine.layout().frame.location(owner.bytes, owner.record);
        match &questions[location as usize] {
            MoveTest::Never => Some(false),
            MoveTest::Always => Some(true),
            MoveTest::Any { conditions, is_all } => {
                let asked = TestContext { machine, owner, channels: &self.channels };
                for condition in conditions {
                    if asked.is_true(condition)? {
                        return Some(true);
                    }
                }
                is_all.then_some(false)
            }
        }
    }
}

/// Evaluation context of a test.
struct TestContext<'a> {
    machine: &'a Machine<'a>,
    owner: EvalProcess<'a>,
    channels: &'a [Channel],
}

impl TestContext<'_> {
    /// Evaluates a condition; `None` if the interpreter has to decide.
    #[inline(always)]
    fn is_true(&self, condition: &Condition) -> Option<bool> {
        match condition {
            Condition::Channel(channel, needed) => self.has_needed(channel, needed),
            Condition::True(value) => Some(!matches!(self.owner.value(value), Ok(0))),
            Condition::Youngest => {
                let count = self.machine.layout().frame.number(self.owner.bytes, PROCESSES);
                Some(self.owner.pid + 1 == count)
            }
        }
    }

    #[inline(always)]
    fn has_needed(&self, channel: &CompiledExpr, needed: &ChannelNeed) -> Option<bool> {
        let number = self.owner.value(channel).ok().map(|number| number.wrapping_sub(1));
        let Some(channel) = number.and_then(|at| self.channels.get(at as usize)) else {
            // No such channel: the step fails, so it is executable.
            return Some(true);
        };
        // Rendezvous: depends on the partner.
        if channel.capacity == 0 {
            return None;
        }
        let length = usize::from(self.owner.bytes[channel.length_at]);
        Some(match needed {
            ChannelNeed::Room => length < channel.capacity || self.machine.loses_messages(),
            ChannelNeed::Message(_) if length == 0 => false,
            ChannelNeed::Message(wanted) => wanted.is_empty() || self.has_values(channel, wanted),
        })
    }

    /// Whether the first message of a channel has these values.
    fn has_values(&self, channel: &Channel, wanted: &[Option<CompiledExpr>]) -> bool {
        let mut at = channel.first_at;
        let mut fields = self.machine.layout().channels[channel.declaration].fields.iter();
        wanted.iter().all(|wanted| {
            let value = fields.next().map(|field| {
                at += field.size();
                field.read(self.owner.bytes, at - field.size())
            });
            let wanted = wanted.as_ref().map(|wanted| self.owner.value(wanted));
            wanted.is_none_or(|wanted| wanted.map_or(true, |wanted| value == Some(wanted)))
        })
    }
}

#[cfg(test)]
mod tests {
    use beeline_engine::automata::AutomataOptions;
    use beeline_kernel::{Expansion, Space};
    use beeline_promela::preprocess::NoIncludes;

    use super::*;
    use crate::incremental::current_state::CurrentState;

    /// Compares with the interpreter in up to 3000 reachable states. Returns how many states were
    /// decided by byte guards.
    fn check(text: &str) -> usize {
        let mut all_glances = 0;
        let options = beeline_promela::preprocess::PreprocessOptions::default();
        let front = beeline_promela::read("model.pml", text, &mut NoIncludes, &options);
        assert!(!front.diagnostics.has_errors(), "{text}");
        for processes in [255, 2000] {
            let machine =
                Machine::with_process_limit(&front.hir, AutomataOptions::PLAIN, processes);
            let mut ready = EnablednessTest::new(&machine, |_| true);
            let (mut eager, mut opened) = (ready.clone(), CurrentState::new(&machine));
            let mut expansion = Expansion::default();
            let mut waiting = vec![Vec::new()];
            Space::initial(&machine, &mut waiting[0]).unwrap();
            let mut known = waiting.clone();
            let mut glances = 0;
            while let Some(state) = waiting.pop() {
                let now = machine.decode(&state);
                ready.expect(&machine, &now);
                let mut active = 0;
                for pid in 0..now.process_count() {
                    let expected = machine.is_enabled(&now, pid, false);
                    active += u64::from(expected);
                    assert_eq!(ready.is_active(&machine, &now, pid), expected, "{text}: {pid}");
                }
                // Again, with byte guards.
                if !opened.open(&state) {
                    eager.expect(&machine, &opened.now);
                }
                let counts = [(); 2].map(|()| {
                    let byte_guard = eager.count_from_bytes(&machine, &state);
                    glances += usize::from(byte_guard.is_some());
                    byte_guard.unwrap_or_else(|| eager.count(&machine, &opened.now))
                });
                assert_eq!(counts, [active; 2], "{text}: {state:?}");
                machine.expand(&state, &mut expansion);
                for next in expansion.states() {
                    if known.len() < 3000 && !known.iter().any(|state| state == next) {
                        known.push(next.to_vec());
                        waiting.push(next.to_vec());
                    }
                }
            }
            assert!(known.len() > 5, "{text}");
            all_glances += glances;
        }
        all_glances
    }

    #[test]
    fn prepared_answers_are_those_of_the_machine() {
        let mut glances = 0;
        glances += check(
            "chan q[2] = [1] of { byte, bit }; byte n; \
             active [2] proctype p() { byte x; \
               do :: q[_pid]!n, 1; n++ :: q[1 - _pid]?x, 1 :: q[_pid]?eval(x), 0 -> break \
                  :: n > 4 && !(n % 2 == x) -> n = 0 od }",
        );
        glances += check(
            "byte a[3]; short i; \
             active [2] proctype p() { do :: i < 5 -> i++ :: a[i] == 0 -> i = i - 2 od } \
             active proctype q() { if :: i > 3 && 7 / (i - 4) > 0 :: timeout fi; i = 0 }",
        );
        glances += check(
            "chan r = [0] of { byte }; chan s = [2] of { byte }; \
             proctype p(chan c; byte k) { do :: c!k :: s??k -> break od } \
             active proctype q() { byte x; run p(r, 1); run p(s, 2); \
               do :: r?x; s!x :: d_step { s?2 -> x = 0 } :: x == 3 -> break od }",
        );
        glances += check(
            "mtype = { a, b, c }; chan q[3] = [2] of { mtype, byte }; byte n, m; \
             proctype p(chan in, out; byte k) { byte x; \
               do :: in?a, x -> out!b, x :: in?b, x -> x = 0 :: in?c, _ -> break \
                  :: n < 2 && (m != k || n == 1) -> out!a, k; n++ :: m == 255 - k od } \
             init { byte i; do :: i < 3 -> run p(q[i], q[(i + 1) % 3], i); i++ :: else -> break od; \
               m = 254; do :: n > 0 -> n--; q[0]!c, 1; run p(q[1], q[2], 7) :: m = m + 1 od }",
        );
        glances += check(
            "chan q[3] = [1] of { bit, byte }; chan r[2] = [1] of { int }; byte n; \
             active [2] proctype p() { byte to, x; int y; \
               do :: q[to]!n, to; to = (to + 1) % 5 :: q[_pid]?1, x :: q[to]?eval(1), _ -> to = x \
                  :: n = 1 - n :: r[n]!x - 300 :: r[n]?-300 :: r[n]?y -> x = y od }",
        );
        glances += check(
            "byte n; proctype p() provided (n < 2) { n++; n++ } \
             init { run p(); run p(); do :: n == 4 -> break :: n < 4 -> n++ unless n > 2 od }",
        );
        // The record of the first process has address 0.
        glances += check(
            "active proctype p() { byte x; do :: x < 2 -> x++ :: x == 2 -> x = 0 od } \
             active proctype q() { byte x; do :: x == 1 -> x = 2 :: x != 1 -> x++ od }",
        );
        assert!(glances > 5_000, "only {glances} glances");
    }
}
