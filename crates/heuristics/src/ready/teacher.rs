//! Finds out what has to be looked at, to tell at a glance whether a process could move where it
//! is: which bytes of the state, and what they may be.

use beeline_engine::frame::{Number, PROCESSES};
use beeline_engine::interpreter::Machine;
use beeline_promela::hir::BinaryOp;

use super::glance::{All, BytePlace, ByteTest, Look, Truth};
use super::{Channel, Condition, Needed, Question};
use crate::value::{Owner, Value};

/// Someone who knows the state in which a process is where it was not before.
pub(super) struct Teacher<'a> {
    pub(super) machine: &'a Machine<'a>,
    pub(super) owner: Owner<'a>,
    pub(super) channels: &'a [Channel],
    /// Whether a byte of the state keeps its value.
    pub(super) is_kept: &'a dyn Fn(usize) -> bool,
    /// So many channels have to be where they are.
    pub(super) channels_used: usize,
    /// The state, to try other values in.
    pub(super) bytes: Vec<u8>,
}

impl Teacher<'_> {
    /// `None` when it takes more than a glance.
    pub(super) fn look(&mut self, question: &Question) -> Option<Look> {
        let (conditions, is_all) = match question {
            Question::Never => return Some(Look::fixed(false)),
            Question::Always => return Some(Look::fixed(true)),
            Question::Any { conditions, is_all } => (conditions, *is_all),
        };
        let mut ways = Vec::new();
        for condition in conditions {
            match condition {
                Condition::Channel(channel, needed) => self.channel(channel, needed, &mut ways)?,
                Condition::True(value) => {
                    let value = value.where_kept(self.owner, &self.is_kept);
                    self.add_true(&value, All::NOTHING, &mut ways)?;
                }
                Condition::Youngest => {
                    if self.machine.layout().frame.number_size > 1 {
                        return None;
                    }
                    let is_last = |count: u8| usize::from(count) == self.owner.pid + 1;
                    // Where nobody ever ends, nobody asks.
                    let Number::At(at) = self.machine.layout().frame.place(PROCESSES) else {
                        return None;
                    };
                    let is_last = ByteTest::one_of(BytePlace::fixed(at)?, is_last)?;
                    add(is_last, All::NOTHING, &mut ways)?;
                }
            }
        }
        Some(Look::one_of(ways, is_all))
    }

    /// Adds that a value is not zero, beside what must be true already.
    fn add_true(&mut self, value: &Value, beside: All, ways: &mut Vec<All>) -> Option<()> {
        match value {
            Value::Binary(BinaryOp::Or, operands) if value.only_byte(self.owner).is_none() => {
                operands.iter().try_for_each(|operand| self.add_true(operand, beside, ways))
            }
            Value::Binary(BinaryOp::And, operands) if value.only_byte(self.owner).is_none() => {
                let mut first = Vec::new();
                self.add_true(&operands[0], beside, &mut first)?;
                first.into_iter().try_for_each(|way| self.add_true(&operands[1], way, ways))
            }
            _ => add(self.truth(value)?, beside, ways),
        }
    }

    /// When a value is not zero. Not where it may fail.
    fn truth(&mut self, value: &Value) -> Option<Truth> {
        if let Value::Constant(value) = value {
            return Some(if *value == 0 { Truth::Never } else { Truth::Always });
        }
        let at = value.only_byte(self.owner)?;
        let before = self.bytes[at];
        let tried: Option<Vec<bool>> = (0..=u8::MAX)
            .map(|byte| {
                self.bytes[at] = byte;
                let owner = Owner { bytes: &self.bytes, ..self.owner };
                Some(owner.value(value).ok()? != 0)
            })
            .collect();
        self.bytes[at] = before;
        let tried = tried?;
        ByteTest::one_of(BytePlace::fixed(at)?, |byte| tried[usize::from(byte)])
    }

    /// Adds that a channel has what is needed.
    fn channel(&mut self, channel: &Value, needed: &Needed, ways: &mut Vec<All>) -> Option<()> {
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
            Needed::Room if self.machine.loses_messages() => ways.push(All::NOTHING),
            Needed::Room => {
                let room = length(&|length| length < meant.first.capacity)?;
                add(room, All::NOTHING, ways)?;
            }
            Needed::Message(wanted) => {
                let Truth::If(some) = length(&|length| length > 0)? else { return None };
                let mut all = All::NOTHING.and(some)?;
                let mut at = meant.first.first_at;
                let fields = &self.machine.layout().channels[meant.first.declaration].fields;
                if wanted.len() > fields.len() {
                    return None;
                }
                for (field, wanted) in fields.iter().zip(wanted) {
                    if let Some(wanted) = wanted {
                        let wanted = wanted.where_kept(self.owner, &self.is_kept);
                        let Value::Constant(wanted) = wanted else { return None };
                        if field.size() != 1 {
                            return None;
                        }
                        let is_wanted = |value: u8| i32::from(value) == wanted;
                        match ByteTest::one_of(meant.place(at)?, is_wanted)? {
                            Truth::If(test) => all = all.and(test)?,
                            // No message has that.
                            Truth::Never => return Some(()),
                            Truth::Always => {}
                        }
                    }
                    at += field.size();
                }
                ways.push(all);
            }
        }
        Some(())
    }

    /// The channels that may be meant by a value.
    fn meant(&mut self, value: &Value) -> Option<Meant> {
        let mut channel = |number: i32| {
            let number = usize::try_from(number).ok()?;
            self.channels_used = self.channels_used.max(number);
            self.channels.get(number.checked_sub(1)?).copied()
        };
        if let Value::Constant(number) = *value {
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

/// Adds what is known of a condition, beside what must be true already.
fn add(truth: Truth, beside: All, ways: &mut Vec<All>) -> Option<()> {
    match truth {
        Truth::Never => {}
        Truth::Always => ways.push(beside),
        Truth::If(test) => ways.push(beside.and(test)?),
    }
    Some(())
}

/// Channels of which one is meant.
struct Meant {
    first: Channel,
    /// How much further on each of them is, and the byte that says which one it is.
    others: Option<(Vec<usize>, usize)>,
}

impl Meant {
    /// The place of a byte, of which it is told where it is for the first channel.
    fn place(&self, at: usize) -> Option<BytePlace> {
        match &self.others {
            None => BytePlace::fixed(at),
            Some((further, index_at)) => {
                let all: Vec<usize> = further.iter().map(|further| at + further).collect();
                BytePlace::indexed(&all, *index_at)
            }
        }
    }
}
