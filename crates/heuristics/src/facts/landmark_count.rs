//! Landmark count: the cost of the landmarks that a path to the goal has still to reach.
//!
//! Source: [RW10], section 5: landmarks that were not reached, and reached ones that are needed again,
//! since they are part of the goal or hold directly before one that was not reached.
//! Deviation: the landmarks that were reached are those of the facts of the state, not those of the
//! path to it: an estimate depends on the state alone. A landmark that leaves no trace is expected again.
//! Claims: safe, as no state is a dead end; not admissible, as one step may reach several landmarks.

use std::sync::Arc;

use beeline_factored::FactorReader;
use beeline_kernel::{Claims, Cost, Deadline, Estimate, Heuristic};

use super::fact_task::FactTask;
use super::landmarks::Landmarks;
use crate::goal::GoalKind;
use crate::request::{HeuristicBuilder, HeuristicRow};

/// The registry row.
pub(crate) const ROW: HeuristicRow = HeuristicRow {
    name: "lmcount",
    aliases: &[],
    arguments: &[],
    about: "cost of the facts that each path to an error has still to make true",
    promises: Some("safe"),
    source: Some("[RW10]"),
    build: HeuristicBuilder {
        goals: GoalKind::ALL,
        build: |of| {
            let view = of.view()?;
            let task = Arc::new(FactTask::new(&view));
            let deadline = of.resources.deadline;
            Ok(Box::new(LandmarkCount::new(task, view.reading, deadline)))
        },
    },
};

/// A set of landmarks.
type Set = Vec<u64>;

/// The landmarks as sets.
#[derive(Debug)]
struct LandmarkTable {
    /// By fact: the landmarks that were reached where it holds, and those that hold there.
    reached: Vec<Box<[(u32, u64)]>>,
    holds: Vec<Box<[(u32, u64)]>>,
    costs: Vec<u32>,
    goals: Set,
    /// By landmark: those that hold directly before it.
    before: Vec<Box<[u32]>>,
}

/// The landmark count heuristic.
#[derive(Clone)]
pub struct LandmarkCount<'a> {
    task: Arc<FactTask>,
    reading: Arc<dyn FactorReader + 'a>,
    table: Arc<LandmarkTable>,
    facts: Vec<u32>,
    reached: Set,
    holds: Set,
    needed: Set,
    /// The visited words of sets and landmarks.
    visited: u64,
}

/// The approximate time to visit a word of a set or a landmark, in nanoseconds.
const PER_VISIT: u64 = 2;

impl<'a> LandmarkCount<'a> {
    /// For the states that a reader decodes. If the deadline comes before all landmarks are known,
    /// there are none.
    pub fn new(
        task: Arc<FactTask>,
        reading: Arc<dyn FactorReader + 'a>,
        deadline: Deadline,
    ) -> Self {
        let Landmarks { list, reached, holds } = Landmarks::of(&task, deadline);
        let words = list.len().div_ceil(64);
        let sets = |lists: Vec<Vec<u32>>| {
            let each = lists.into_iter().map(|list| {
                let mut words: Vec<(u32, u64)> = Vec::new();
                for one in list {
                    match words.last_mut().filter(|last| last.0 == one / 64) {
                        Some(last) => last.1 |= 1 << (one % 64),
                        None => words.push((one / 64, 1 << (one % 64))),
                    }
                }
                words.into()
            });
            each.collect()
        };
        let mut goals = vec![0u64; words];
        for (at, _) in list.iter().enumerate().filter(|(_, landmark)| landmark.is_goal) {
            goals[at / 64] |= 1 << (at % 64);
        }
        let table = LandmarkTable {
            reached: sets(reached),
            holds: sets(holds),
            costs: list.iter().map(|landmark| landmark.cost).collect(),
            goals,
            before: list.iter().map(|landmark| landmark.before.clone().into()).collect(),
        };
        let empty = vec![0; words];
        LandmarkCount {
            task,
            reading,
            table: Arc::new(table),
            facts: Vec::new(),
            reached: empty.clone(),
            holds: empty.clone(),
            needed: empty,
            visited: 0,
        }
    }

    /// The number of landmarks.
    pub fn landmarks(&self) -> usize {
        self.table.costs.len()
    }
}

impl Heuristic for LandmarkCount<'_> {
    fn name(&self) -> &str {
        "lmcount"
    }

    fn claims(&self) -> Claims {
        Claims { safe: true, ..Claims::NONE }
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        let is_known = self.landmarks() > 0;
        if !is_known || !self.task.read(self.reading.as_ref(), state, &mut self.facts) {
            return Estimate::Finite(Cost::ZERO);
        }
        let LandmarkCount { table, reached, holds, needed, visited, .. } = self;
        // The sets are cleared, combined and read.
        *visited += 5 * reached.len() as u64;
        reached.fill(0);
        holds.fill(0);
        needed.copy_from_slice(&table.goals);
        for &fact in &self.facts {
            let (before, now) = (&table.reached[fact as usize], &table.holds[fact as usize]);
            *visited += 1 + (before.len() + now.len()) as u64;
            before.iter().for_each(|&(at, set)| reached[at as usize] |= set);
            now.iter().for_each(|&(at, set)| holds[at as usize] |= set);
        }
        for (at, &before) in reached.iter().enumerate() {
            each(!before & mask(table.costs.len(), at), |bit| {
                *visited += 1 + table.before[64 * at + bit].len() as u64;
                for &before in &table.before[64 * at + bit] {
                    needed[before as usize / 64] |= 1 << (before % 64);
                }
            });
        }
        let mut total = 0u32;
        for (at, &before) in reached.iter().enumerate() {
            let open = (!before | needed[at]) & !holds[at] & mask(table.costs.len(), at);
            *visited += u64::from(open.count_ones());
            each(open, |bit| total = total.saturating_add(table.costs[64 * at + bit]));
        }
        Estimate::Finite(Cost(total))
    }

    fn effort(&self) -> u64 {
        PER_VISIT * self.visited
    }
}

/// The landmarks of a word that exist.
fn mask(count: usize, word: usize) -> u64 {
    match count - 64 * word {
        64.. => u64::MAX,
        rest => (1 << rest) - 1,
    }
}

/// Visits the bits of a word.
fn each(mut word: u64, mut visit: impl FnMut(usize)) {
    while word != 0 {
        visit(word.trailing_zeros() as usize);
        word &= word - 1;
    }
}
