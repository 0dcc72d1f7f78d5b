//! All queries about edges and tests of states, each with a number.

use super::access_set::{AccessSet, EnablingSet};
use super::instance_edge::InstanceEdge;
use super::local_state::EdgeQueries;
use super::necessary_enabling::{AwaitedCondition, EnablingCondition, Test, same};
use super::objects::Bits;
use super::relations::Relation;

/// All queries about edges, and all tests of states.
pub(super) struct QueryTables {
    pub(super) clash: Relation<AccessSet>,
    pub(super) help: Relation<EnablingSet>,
    pub(super) meet: Relation<Bits>,
    /// The tests of states, each for a process.
    pub(super) tests: Vec<(Test, usize)>,
}

impl QueryTables {
    pub(super) fn new() -> QueryTables {
        QueryTables {
            clash: Relation::new(),
            help: Relation::new(),
            meet: Relation::new(),
            tests: Vec::new(),
        }
    }

    /// The size of the answers, in words.
    pub(super) fn room(&self) -> usize {
        self.clash.room + self.help.room + self.meet.room
    }

    /// The number of inspected edges.
    pub(super) fn looks(&self) -> u64 {
        self.clash.looks + self.help.looks + self.meet.looks
    }

    /// The queries of an edge of a process. With `all_edges_matter`, an edge without accesses
    /// counts as well.
    pub(super) fn ask(
        &mut self,
        step: &InstanceEdge,
        pid: usize,
        all_edges_matter: bool,
    ) -> EdgeQueries {
        EdgeQueries {
            clash: (all_edges_matter || step.own.is_anything())
                .then(|| self.clash.number(&step.own)),
            help: self.help.number(&step.needs),
            conditions: self.await_all(&step.conditions, pid),
            meet: (!step.hands.is_empty()).then(|| self.meet.number(&step.hands)),
        }
    }

    /// Assigns numbers to conditions of a process.
    pub(super) fn await_all(
        &mut self,
        conditions: &[EnablingCondition],
        pid: usize,
    ) -> Vec<AwaitedCondition> {
        let number = |one: &EnablingCondition| AwaitedCondition {
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

    /// Whether a test concerns an end of a channel.
    pub(super) fn is_about_end(&self, test: u32) -> bool {
        !matches!(self.tests[test as usize].0, Test::True(_))
    }
}
