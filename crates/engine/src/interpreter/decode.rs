//! Decoding of states into a reused buffer.
//!
//! Code that inspects millions of states has no time to allocate for each of them, nor to locate
//! the records again: most states have the layout of the previous one.

use beeline_kernel::FaultKind;
use beeline_promela::hir::{Access, Expr};

use super::eval::EvalContext;
use super::machine::{ChannelRecord, DecodedState, Machine};

impl Machine<'_> {
    /// An empty state, to be decoded into.
    pub fn blank_state(&self) -> DecodedState {
        DecodedState::new(Vec::new(), self.layout.frame)
    }

    /// Decodes another state into the same buffer. Returns whether its records have the kinds and
    /// offsets of the previous ones.
    pub fn decode_into(&self, now: &mut DecodedState, bytes: &[u8]) -> bool {
        let known = &now.bytes[..];
        let same = known.len() == bytes.len() && {
            let channels = now.records.channels.iter().map(|channel| channel.at);
            let frame = &self.layout.frame;
            now.records.processes.iter().copied().chain(channels).all(|at| {
                !self.layout.has_tag(at) || frame.record(bytes, at) == frame.record(known, at)
            })
        };
        if same {
            now.bytes.copy_from_slice(bytes);
            return true;
        }
        now.bytes.clear();
        now.bytes.extend_from_slice(bytes);
        now.find_records(&self.layout);
        false
    }

    /// The value of an expression without `run` for a process.
    ///
    /// # Errors
    ///
    /// When it has no value: a division by zero, or an index out of bounds.
    pub fn evaluate(&self, expr: &Expr, now: &DecodedState, pid: usize) -> Result<i32, FaultKind> {
        self.eval(expr, now, EvalContext::of(pid))
    }

    /// The channel that a variable of a process holds, from 0; `None` when it holds none.
    pub fn channel_held(&self, access: &Access, now: &DecodedState, pid: usize) -> Option<usize> {
        self.channel_of(access, now, EvalContext::of(pid)).ok().flatten()
    }

    /// The capacity of a channel of a state; 0 for a rendezvous.
    #[inline]
    pub fn capacity(&self, now: &DecodedState, channel: usize) -> usize {
        now.records.channels[channel].capacity
    }
}

impl DecodedState {
    /// Replaces the state by another one with the same record layout.
    ///
    /// # Panics
    ///
    /// When it has another length.
    pub fn replace_bytes(&mut self, bytes: &[u8]) {
        self.bytes.copy_from_slice(bytes);
    }

    /// The offset of the record of each process.
    #[inline]
    pub fn process_records(&self) -> &[usize] {
        &self.records.processes
    }

    /// The records of the channels.
    #[inline]
    pub fn channel_records(&self) -> &[ChannelRecord] {
        &self.records.channels
    }
}

#[cfg(test)]
mod tests {
    use beeline_kernel::{Expansion, Space};
    use beeline_promela::preprocess::{NoIncludes, PreprocessOptions};

    use super::*;

    #[test]
    fn a_state_opened_again_is_the_same_as_one_opened_anew() {
        let text = "chan q = [2] of { byte }; \
            proctype p(byte n) { chan own = [1] of { byte }; own!n; q!n } \
            init { byte i; do :: i < 2 -> run p(i); i++ :: q?i -> break od }";
        let front = beeline_promela::read(
            "model.pml",
            text,
            &mut NoIncludes,
            &PreprocessOptions::default(),
        );
        let machine = Machine::new(&front.hir, crate::automata::AutomataOptions::PLAIN);
        let mut waiting = vec![machine.initial().expect("it begins").bytes];
        let (mut now, mut expansion) = (machine.blank_state(), Expansion::default());
        let mut same = [0; 2];
        while let Some(state) = waiting.pop().filter(|_| same[0] + same[1] < 500) {
            same[usize::from(machine.decode_into(&mut now, &state))] += 1;
            let anew = machine.decode(&state);
            assert_eq!(
                (&now.bytes, &now.records.processes),
                (&anew.bytes, &anew.records.processes)
            );
            assert_eq!(now.records.channels, anew.records.channels);
            machine.expand(&state, &mut expansion);
            waiting.extend(expansion.states().map(<[u8]>::to_vec));
        }
        assert!(same[0] > 10 && same[1] > 10, "both ways were taken: {same:?}");
    }
}
