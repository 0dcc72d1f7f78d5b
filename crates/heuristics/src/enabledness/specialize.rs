//! Derives byte guards: the bytes of the state, and their ranges, that decide the enabledness of a
//! process at its location.

use beeline_engine::frame::{HeaderNumber, PROCESSES};
use beeline_engine::interpreter::Machine;
use beeline_promela::hir::BinaryOp;

use super::byte_guard::{ByteAddress, ByteGuard, ByteTest, ByteTruth, Conjunction};
use super::move_test::{Channel, ChannelNeed, Condition, MoveTest};
use crate::enabledness::compiled_expr::{CompiledExpr, EvalProcess};

/// Derives the guard of a process from a state in which it is at the location.
pub(super) struct Specializer<'a> {
    pub(super) machine: &'a Machine<'a>,
    pub(super) owner: EvalProcess<'a>,
    pub(super) channels: &'a [Channel],
    /// Whether a byte is constant.
    pub(super) is_kept: &'a dyn Fn(usize) -> bool,
    /// Number of channels that must keep their positions.
    pub(super) channels_used: usize,
    /// A copy of the state for trying other values.
    pub(super) bytes: Vec<u8>,
}

impl Specializer<'_> {
    /// The guard of a test; `None` if byte tests do not suffice.
    pub(super) fn look(&mut self, question: &MoveTest) -> Option<ByteGuard> {
        let (conditions, is_all) = match question {
            MoveTest::Never => return Some(ByteGuard::fixed(false)),
            MoveTest::Always => return Some(ByteGuard::fixed(true)),
            MoveTest::Any { conditions, is_all } => (conditions, *is_all),
        };
        let mut ways = Vec::new();
        for condition in conditions {
            match condition {
                Condition::Channel(channel, needed) => self.channel(channel, needed, &mut ways)?,
                Condition::True(value) => {
                    let value = value.where_kept(self.owner, &self.is_kept);
                    self.add_true(&value, Conjunction::NOTHING, &mut ways)?;
                }
                Condition::Youngest => {
                    if self.machine.layout().frame.number_size > 1 {
                        return None;
                    }
                    let is_last = |count: u8| usize::from(count) == self.owner.pid + 1;
                    // Without a process count in the state, processes never end.
                    let HeaderNumber::At(at) = self.machine.layout().frame.place(PROCESSES) else {
                        return None;
                    };
                    let is_last = ByteTest::one_of(ByteAddress::fixed(at)?, is_last)?;
                    add(is_last, Conjunction::NOTHING, &mut ways)?;
                }
            }
        }
        Some(ByteGuard::one_of(ways, is_all))
    }

    /// Adds the conjunctions of `beside` with "value ≠ 0".
    fn add_true(
        &mut self,
        value: &CompiledExpr,
        beside: Conjunction,
        ways: &mut Vec<Conjunction>,
    ) -> Option<()> {
        match value {
            CompiledExpr::Binary(BinaryOp::Or, operands)
                if value.only_byte(self.owner).is_none() =>
            {
                operands.iter().try_for_each(|operand| self.add_true(operand, beside, ways))
            }
            CompiledExpr::Binary(BinaryOp::And, operands)
                if value.only_byte(self.owner).is_none() =>
            {
                let mut first = Vec::new();
                self.add_true(&operands[0], beside, &mut first)?;
                first.into_iter().try_for_each(|way| self.add_true(&operands[1], way, ways))
            }
            _ => add(self.truth(value)?, beside, ways),
        }
    }

    /// The test for "value ≠ 0"; `None` if evaluation may fail.
    fn truth(&mut self, value: &CompiledExpr) -> Option<ByteTruth> {
        if let CompiledExpr::Constant(value) = value {
            return Some(if *value == 0 { ByteTruth::Never } else { ByteTruth::Always });
        }
        let at = value.only_byte(self.owner)?;
        let before = self.bytes[at];
        let tried: Option<Vec<bool>> = (0..=u8::MAX)
            .map(|byte| {
                self.bytes[at] = byte;
                let owner = EvalProcess { bytes: &self.bytes, ..self.owner };
                Some(owner.value(value).ok()? != 0)
            })
            .collect();
        self.bytes[at] = before;
        let tried = tried?;
        ByteTest::one_of(ByteAddress::fixed(at)?, |byte| tried[usize::from(byte)])
    }

    /// Adds the conjunctions for a channel's room or message.
    fn channel(
        &mut self,
        channel: &CompiledExpr,
        needed: &ChannelNeed,
        ways: &mut Vec<Conjunction>,
    ) -> Option<()> {
        let channel = channel.where_kept(self.owner, &self.is_kept);
        let meant = self.meant(&channel)?;
        if meant.first.capacity == 0 {
            return None;
        }
        let length_at = meant.place(meant.first.length_at)?;
        let length = |is_in: &dyn Fn(usize) -> bool| {
            ByteTest::one_of(length_at, |length| is_in(usize::from(length)))
        };
        match needed {
            ChannelNeed::Room if self.machine.loses_messages() => ways.push(Conjunction::NOTHING),
            ChannelNeed::Room => {
                let room = length(&|length| length < meant.first.capacity)?;
                add(room, Conjunction::NOTHING, ways)?;
            }
            ChannelNeed::Message(wanted) => {
                let ByteTruth::If(some) = length(&|length| length > 0)? else { return None };
                let mut all = Conjunction::NOTHING.and(some)?;
                let mut at = meant.first.first_at;
                let fields = &self.machine.layout().channels[meant.first.declaration].fields;
                if wanted.len() > fields.len() {
                    return None;
                }
                for (field, wanted) in fields.iter().zip(wanted) {
                    if let Some(wanted) = wanted {
                        let wanted = wanted.where_kept(self.owner, &self.is_kept);
                        let CompiledExpr::Constant(wanted) = wanted else { return None };
                        if field.size() != 1 {
                            return None;
                        }
                        let is_wanted = |value: u8| i32::from(value) == wanted;
                        match ByteTest::one_of(meant.place(at)?, is_wanted)? {
                            ByteTruth::If(test) => all = all.and(test)?,
                            // No message matches.
                            ByteTruth::Never => return Some(()),
                            ByteTruth::Always => {}
                        }
                    }
                    at += field.size();
                }
                ways.push(all);
            }
        }
        Some(())
    }

    /// The channels that a value may denote.
    fn meant(&mut self, value: &CompiledExpr) -> Option<Meant> {
        let mut channel = |number: i32| {
            let number = usize::try_from(number).ok()?;
            self.channels_used = self.channels_used.max(number);
            self.channels.get(number.checked_sub(1)?).copied()
        };
        if let CompiledExpr::Constant(number) = *value {
            return Some(Meant { first: channel(number)?, others: None });
        }
        let (numbers, index_at) = value.elements(self.owner, &self.is_kept)?;
        let channels: Vec<Channel> = numbers.into_iter().map(channel).collect::<Option<_>>()?;
        let first = *channels.first()?;
        let is_alike = |other: &Channel| other.declaration == first.declaration;
        let further = |other: &Channel| other.length_at.checked_sub(first.length_at);
        let further = channels.iter().filter(|other| is_alike(other)).map(further);
        let further: Vec<usize> = further.collect::<Option<_>>()?;
        let all = further.len() == channels.len();
        all.then_some(Meant { first, others: Some((further, index_at)) })
    }
}

/// Adds the conjunction of a condition with `beside`.
fn add(truth: ByteTruth, beside: Conjunction, ways: &mut Vec<Conjunction>) -> Option<()> {
    match truth {
        ByteTruth::Never => {}
        ByteTruth::Always => ways.push(beside),
        ByteTruth::If(test) => ways.push(beside.and(test)?),
    }
    Some(())
}

/// A channel, or several that an index byte selects from.
struct Meant {
    first: Channel,
    /// Offsets of the others, and the address of the index byte.
    others: Option<(Vec<usize>, usize)>,
}

impl Meant {
    /// The address of a byte whose address in the first channel is given.
    fn place(&self, at: usize) -> Option<ByteAddress> {
        match &self.others {
            None => ByteAddress::fixed(at),
            Some((further, index_at)) => {
                let all: Vec<usize> = further.iter().map(|further| at + further).collect();
                ByteAddress::indexed(&all, *index_at)
            }
        }
    }
}
