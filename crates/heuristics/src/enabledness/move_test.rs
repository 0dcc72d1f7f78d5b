//! Tests whether a process can move at a location, by process type, with compiled expressions.

use beeline_engine::automata::EdgeAction;
use beeline_engine::interpreter::Machine;
use beeline_promela::hir::{Expr, ProcessId, RecvArg};

use super::compiled_expr::CompiledExpr;
use crate::static_facts::blocking::first_actions;
use beeline_analysis::blocking::may_wait;

/// The fixed facts of a channel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Channel {
    pub(super) declaration: usize,
    pub(super) capacity: usize,
    /// Address of the message count, and of the first message.
    pub(super) length_at: usize,
    pub(super) first_at: usize,
}

impl Channel {
    /// Position and declaration.
    pub(super) fn place(&self) -> (usize, usize) {
        (self.length_at, self.declaration)
    }
}

#[derive(Clone, Debug)]
pub(super) enum MoveTest {
    /// Not enabled, or not counted.
    Never,
    /// Always enabled.
    Always,
    /// Enabled if one of these is true; if `is_all` is false, the interpreter decides the rest.
    Any { conditions: Vec<Condition>, is_all: bool },
}

#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// A channel has room, or a message.
    Channel(CompiledExpr, ChannelNeed),
    /// An expression is not zero.
    True(CompiledExpr),
    /// The process is the youngest, so that it may end.
    Youngest,
}

#[derive(Clone, Debug)]
pub(super) enum ChannelNeed {
    /// Room for a message.
    Room,
    /// A first message with these values; `None` matches any.
    Message(Vec<Option<CompiledExpr>>),
}

impl MoveTest {
    pub(super) fn for_process(&self, pid: usize) -> MoveTest {
        let MoveTest::Any { conditions, is_all } = self else { return self.clone() };
        let value = |value: &CompiledExpr| value.for_process(pid);
        let conditions = conditions.iter().map(|condition| match condition {
            Condition::Channel(channel, ChannelNeed::Room) => {
                Condition::Channel(value(channel), ChannelNeed::Room)
            }
            Condition::Channel(channel, ChannelNeed::Message(fields)) => {
                let fields = fields.iter().map(|field| field.as_ref().map(value));
                Condition::Channel(value(channel), ChannelNeed::Message(fields.collect()))
            }
            Condition::True(expr) => Condition::True(value(expr)),
            Condition::Youngest => Condition::Youngest,
        });
        MoveTest::Any { conditions: conditions.collect(), is_all: *is_all }
    }
}

pub(super) fn move_tests(machine: &Machine<'_>, process: ProcessId) -> Vec<MoveTest> {
    let automaton = machine.automaton(process);
    let places = automaton.marks.len();
    if machine.has_priorities() || machine.model().process(process).provided.is_some() {
        return vec![MoveTest::Any { conditions: Vec::new(), is_all: false }; places];
    }
    let mut all = vec![MoveTest::Any { conditions: Vec::new(), is_all: true }; places];
    for edge in &automaton.edges {
        let question = &mut all[edge.from.0 as usize];
        for action in first_actions(automaton, edge) {
            if !may_wait(machine, action) {
                *question = MoveTest::Always;
            }
            if let MoveTest::Any { conditions, is_all } = question {
                match condition(machine, process, action) {
                    Some(condition) => conditions.push(condition),
                    None => *is_all = false,
                }
            }
        }
    }
    all
}

fn condition(machine: &Machine<'_>, process: ProcessId, action: &EdgeAction) -> Option<Condition> {
    let value = |expr: &Expr| CompiledExpr::of(machine, process, expr);
    match action {
        EdgeAction::Guard(guard) => value(guard).map(Condition::True),
        EdgeAction::Send { channel, .. } => Some(Condition::Channel(
            CompiledExpr::held(machine, process, channel)?,
            ChannelNeed::Room,
        )),
        EdgeAction::Receive { channel, random: false, args, .. } => {
            let fields = args.iter().map(|arg| match arg {
                RecvArg::Store(_) => Some(None),
                RecvArg::Match(wanted) | RecvArg::Eval(wanted) => value(wanted).map(Some),
            });
            let mut fields = fields.collect::<Option<Vec<_>>>()?;
            // Fields after the last compared one are irrelevant.
            fields.truncate(fields.iter().rposition(Option::is_some).map_or(0, |last| last + 1));
            let channel = CompiledExpr::held(machine, process, channel)?;
            Some(Condition::Channel(channel, ChannelNeed::Message(fields)))
        }
        EdgeAction::End => Some(Condition::Youngest),
        _ => None,
    }
}
