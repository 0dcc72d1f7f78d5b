//! Where a process is, with all that is known about it there: found once, and looked up for every
//! process of every state.

use super::conditions::{Condition, Test, same};
use super::instance::Move;
use super::numbered::Numbered;
use super::objects::Bits;
use super::relations::{Edges, Relation};
use super::touch::{Needs, Touch};

/// A process of an `Instance` at a location, with what its own variables decide there.
pub(super) struct Place {
    pub(super) instance: usize,
    /// What it can try there, and the number of the first of it among all edges.
    pub(super) moves: Vec<Move>,
    pub(super) start: usize,
    /// The same, as questions.
    pub(super) asked: Vec<Asked>,
    /// By edge there: the others there, behind which it may come back to this one.
    pub(super) around: Vec<Edges>,
    /// These edges, and all others to which it may come from there.
    pub(super) later: Edges,
    /// What it may look at, there and later: ends of channels, and anything else.
    pub(super) ends: Vec<u32>,
    pub(super) values: Vec<u32>,
}

/// The places of a process at a location.
pub(super) struct Spot {
    /// By what its variables decide.
    pub(super) places: Numbered,
    /// Whatever they decide.
    pub(super) general: Option<u32>,
}

/// What an edge means for others, as numbers of questions.
pub(super) struct Asked {
    /// Who gets in its way? `None` if nobody does.
    pub(super) clash: Option<u32>,
    /// Who helps it, if all its conditions are true?
    pub(super) help: u32,
    /// Its conditions.
    pub(super) conditions: Vec<Awaited>,
    /// Who takes what it hands over?
    pub(super) meet: Option<u32>,
}

/// A condition: the number of the test, and of the question who may make it true.
#[derive(Clone, Copy, Debug)]
pub(super) struct Awaited {
    pub(super) test: u32,
    pub(super) help: u32,
    /// The process may make it true itself, with its own variables.
    pub(super) is_own: bool,
}

/// Everything that is asked about edges, and about states.
pub(super) struct Questions {
    pub(super) clash: Relation<Touch>,
    pub(super) help: Relation<Needs>,
    pub(super) meet: Relation<Bits>,
    /// What is looked at in states, and for which process.
    pub(super) tests: Vec<(Test, usize)>,
}

impl Questions {
    pub(super) fn new() -> Questions {
        Questions {
            clash: Relation::new(),
            help: Relation::new(),
            meet: Relation::new(),
            tests: Vec::new(),
        }
    }

    /// How many words the answers take.
    pub(super) fn room(&self) -> usize {
        self.clash.room + self.help.room + self.meet.room
    }

    /// How many edges were looked at for them.
    pub(super) fn looks(&self) -> u64 {
        self.clash.looks + self.help.looks + self.meet.looks
    }

    /// Asks about an edge of a process. Someone may heed everything, even what touches nothing.
    pub(super) fn ask(&mut self, step: &Move, pid: usize, heeds_all: bool) -> Asked {
        Asked {
            clash: (heeds_all || step.own.is_anything()).then(|| self.clash.number(&step.own)),
            help: self.help.number(&step.needs),
            conditions: self.await_all(&step.conditions, pid),
            meet: (!step.hands.is_empty()).then(|| self.meet.number(&step.hands)),
        }
    }

    /// Numbers conditions for a process.
    pub(super) fn await_all(&mut self, conditions: &[Condition], pid: usize) -> Vec<Awaited> {
        let number = |one: &Condition| Awaited {
            test: self.test(&one.test, pid),
            help: self.help.number(&one.needs),
            is_own: one.is_own,
        };
        conditions.iter().map(number).collect()
    }

    fn test(&mut self, test: &Test, pid: usize) -> u32 {
        let is_same = |(known, owner): &(Test, usize)| match (known, test) {
            (Test::Message(known), Test::Message(channel)) => known == channel,
            (Test::Room(known), Test::Room(channel)) => known == channel,
            (Test::True(known), Test::True(expr)) => *owner == pid && same(known, expr),
            _ => false,
        };
        let known = self.tests.iter().position(is_same);
        known.unwrap_or_else(|| {
            self.tests.push((test.clone(), pid));
            self.tests.len() - 1
        }) as u32
    }

    /// Whether a test is about an end of a channel.
    pub(super) fn is_about_end(&self, test: u32) -> bool {
        !matches!(self.tests[test as usize].0, Test::True(_))
    }
}
