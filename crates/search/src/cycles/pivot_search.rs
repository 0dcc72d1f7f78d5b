//! The shortest lasso whose cycle leads through a given state, the pivot.
//!
//! The search follows the cycle, from the pivot back to it. At some state of the cycle the lasso
//! enters it, and the cost of the stem to that state is added; and marks are collected. So a node
//! of the search is a state, whether the lasso has entered, and the marks.
//!
//! Source: A\* with landmarks; the estimate is consistent, so no node is expanded twice. Promises:
//! among the lassos through the pivot that stay within the remaining states of the survey and cost
//! less than the limit, the result is a cheapest one.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use beeline_kernel::{AcceptanceMarks, StateId};

use super::number_hash::NumberHash;
use super::pivots::{Entry, Pivot, PivotSurvey};
use super::reached_graph::ReachedGraph;
use crate::open_list::{BucketOpenList, QueueOrder, Rank};

/// A node of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct CycleNode {
    state: u32,
    entered: bool,
    marks: AcceptanceMarks,
}

/// The search data of a node.
#[derive(Clone, Copy, Debug)]
struct Visit {
    place: CycleNode,
    cost: u32,
    /// The previous visit. The first one is its own parent.
    parent: u32,
    left: bool,
}

/// The status of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PivotProgress {
    /// The search is not over.
    Paused,
    /// There is no lasso below the limit.
    Nothing,
    /// A lasso of this cost: the states of its cycle from the entry on.
    Found(u32, Vec<u32>),
}

/// The search. Its memory is reused for all pivots.
#[derive(Default)]
pub(super) struct PivotSearch {
    visits: Vec<Visit>,
    numbers: HashMap<CycleNode, u32, BuildHasherDefault<NumberHash>>,
    open: Option<BucketOpenList>,
    pivot: Option<Pivot>,
}

impl PivotSearch {
    /// Begins with another pivot.
    pub(super) fn begin(&mut self, pivot: Pivot, graph: &ReachedGraph<'_>, survey: &PivotSurvey) {
        // Clearing a large table takes as long as filling it.
        if self.visits.len() < self.numbers.capacity() / 16 {
            for visit in &self.visits {
                self.numbers.remove(&visit.place);
            }
        } else {
            self.numbers.clear();
        }
        self.visits.clear();
        self.open = Some(BucketOpenList::new(QueueOrder::Lifo, false));
        self.pivot = Some(pivot);
        let entered = pivot.entry == Entry::Pivot;
        let cost = if entered { graph.distance(pivot.state) } else { 0 };
        let place = CycleNode { state: pivot.state, entered, marks: AcceptanceMarks::NONE };
        self.reach(place, cost, 0, graph, survey, u32::MAX);
    }

    /// Continues until a lasso below the limit is found, or the allowance of nodes is used up.
    pub(super) fn advance(
        &mut self,
        graph: &ReachedGraph<'_>,
        survey: &PivotSurvey,
        limit: u32,
        allowance: &mut u64,
    ) -> PivotProgress {
        while let Some((rank, number)) = self.open.as_mut().and_then(BucketOpenList::pop) {
            if rank.f >= u64::from(limit) {
                return PivotProgress::Nothing;
            }
            let visit = self.visits[number.index()];
            if visit.left {
                continue;
            }
            if self.is_goal(visit.place) {
                return PivotProgress::Found(visit.cost, self.cycle(number.index() as u32));
            }
            self.visits[number.index()].left = true;
            self.leave(number.index() as u32, visit, graph, survey, limit);
            *allowance = allowance.saturating_sub(1);
            if *allowance == 0 {
                return PivotProgress::Paused;
            }
        }
        PivotProgress::Nothing
    }

    fn is_goal(&self, place: CycleNode) -> bool {
        let there = self.pivot.is_some_and(|pivot| pivot.state == place.state);
        there && place.entered && place.marks.is_all()
    }

    fn leave(
        &mut self,
        from: u32,
        visit: Visit,
        graph: &ReachedGraph<'_>,
        survey: &PivotSurvey,
        limit: u32,
    ) {
        let Visit { place, cost, .. } = visit;
        if !place.entered {
            let there = CycleNode { entered: true, ..place };
            let cost = cost.saturating_add(graph.distance(place.state));
            self.reach(there, cost, from, graph, survey, limit);
        }
        for edge in graph.edges(place.state) {
            if survey.is_inner(place.state, edge.to) {
                let there = CycleNode { state: edge.to, marks: place.marks | edge.marks, ..place };
                let cost = cost.saturating_add(edge.steps);
                self.reach(there, cost, from, graph, survey, limit);
            }
        }
    }

    /// Opens a node, unless all lassos through it are above the limit.
    fn reach(
        &mut self,
        place: CycleNode,
        cost: u32,
        parent: u32,
        graph: &ReachedGraph<'_>,
        survey: &PivotSurvey,
        limit: u32,
    ) {
        let f = u64::from(cost) + u64::from(self.left_to_pay(place, graph, survey));
        if f >= u64::from(limit) {
            return;
        }
        let next = self.visits.len() as u32;
        let number = *self.numbers.entry(place).or_insert(next);
        let visit = Visit { place, cost, parent, left: false };
        if number == next {
            self.visits.push(visit);
        } else if cost < self.visits[number as usize].cost {
            self.visits[number as usize] = visit;
        } else {
            return;
        }
        let id = StateId::new(number as usize).expect("a number of 32 bits");
        self.open.as_mut().expect("it has begun").push(Rank { f, tie: 0 }, id);
    }

    /// A lower bound on the remaining cost of a lasso.
    fn left_to_pay(&self, place: CycleNode, graph: &ReachedGraph<'_>, survey: &PivotSurvey) -> u32 {
        let pivot = self.pivot.expect("it has begun").state;
        let (there, here) = (graph.distance(pivot), graph.distance(place.state));
        let back = survey.between(place.state, pivot).max(there.saturating_sub(here));
        if place.entered {
            back
        } else {
            // A later entry adds the cost of the stem, which then continues to the pivot.
            there.max(survey.least(pivot).saturating_add(back))
        }
    }

    /// The states of the cycle, from the entry on.
    fn cycle(&self, last: u32) -> Vec<u32> {
        let mut path = vec![last];
        let mut at = last;
        while self.visits[at as usize].parent != at {
            at = self.visits[at as usize].parent;
            path.push(at);
        }
        path.reverse();
        let places: Vec<CycleNode> =
            path.iter().map(|&at| self.visits[at as usize].place).collect();
        let enters = places.iter().position(|place| place.entered);
        let enters = enters.expect("the goal has entered");
        // The last node is the pivot again, and the entry repeats its state.
        let behind = places[enters..places.len() - 1].iter();
        let before = places[..enters.saturating_sub(1)].iter();
        behind.chain(before).map(|place| place.state).collect()
    }

    /// Memory held.
    pub(super) fn bytes(&self) -> usize {
        let table = self.numbers.capacity() * (size_of::<(CycleNode, u32)>() + 1);
        let open = self.open.as_ref().map_or(0, BucketOpenList::bytes);
        self.visits.capacity() * size_of::<Visit>() + table + open
    }
}
