//! The shortest lasso, with a proof: no other costs less, stem and cycle together, in steps.
//!
//! States are expanded in the order of their distance, and all transitions are kept as a graph
//! ([`ReachedGraph`]). Whenever the graph has doubled, and in the end, its shortest lasso is
//! searched: a [`PivotSurvey`] finds pivots, states that hit all accepting cycles; for one pivot
//! after the other, the shortest lasso through it is found ([`PivotSearch`]), and the pivot is
//! removed from the graph. The components of the rest become smaller; when the searches have cost
//! as much as a survey, there is another one.
//!
//! A lasso costs more than the distance of any state on it. So with a known lasso, only states that
//! are nearer than its cost are expanded and serve as pivots; and the bound proved so far is the
//! distance of the next pivot, or of the next open state.
//!
//! Source: ours. Assumed: each transition takes at least a step.
//! Promises: [`Outcome::Found`] when the lasso is proved to be shortest, and
//! [`Outcome::Complete`] when there is none (below the bound of the query, if it has one).
//! If the query has a target, a path to it counts as a lasso would: the result is the cheapest of
//! both, either a lasso or a hit.

use std::sync::atomic::Ordering;

use beeline_kernel::{Cost, Expander, Fault, Space, StatePath, Stop};

use super::CycleSearch;
use super::lasso::Lasso;
use super::pivot_search::{PivotProgress, PivotSearch};
use super::pivots::PivotSurvey;
use super::reached_graph::{Next, ReachedGraph};
use crate::hit::Hit;
use crate::limits::Outcome;
use crate::query::SearchQuery;
use crate::search::Search;
use crate::stats::Stats;
use crate::store::StoreLimits;
use crate::target::SearchTarget;

/// The first survey of the graph comes after this many expansions.
const FIRST_LOOK: u64 = 16;
/// Surveys before the last one close at most this many nodes for each state and transition.
const PATIENCE: u64 = 4;
/// The most work of one step.
const POLL: u64 = 1024;

/// A search for the shortest lasso.
pub struct ShortestLasso<'a> {
    query: SearchQuery<'a>,
    reached: ReachedGraph<'a>,
    lasso: Option<Lasso>,
    cost: Option<Cost>,
    /// Only lassos and hits that cost less than this are searched.
    limit: u32,
    /// The proved lower bound, except for the known lasso.
    proved: u32,
    stage: Stage,
    through: PivotSearch,
    /// The number of expanded states at which the next survey begins.
    next_look: u64,
    /// All work so far, in units of the budget.
    worked: u64,
    /// Whether any lasso suffices.
    is_content: bool,
    /// Whether the best result so far is a path to the target.
    is_hit: bool,
}

/// The current activity.
enum Stage {
    /// Expansion of the graph.
    Reaching,
    /// Search for the shortest lasso of the graph.
    Looking(SurveyPass),
    Over(Outcome),
}

/// The search of the graph.
struct SurveyPass {
    survey: PivotSurvey,
    /// The next pivot, and whether its search has begun.
    at: usize,
    begun: bool,
    /// The pivots that are done.
    gone: Vec<bool>,
    /// Work since the survey, and the remaining work of the pass; `None` in the last pass.
    spent: u64,
    left: Option<u64>,
    /// Why the graph cannot grow although it should.
    why: Option<Stop>,
}

impl<'a> ShortestLasso<'a> {
    /// A search; with a known lasso, only for shorter ones.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn new<S: Space + ?Sized>(
        space: &'a S,
        known: Option<Lasso>,
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        let mut initial = Vec::new();
        space.initial(&mut initial)?;
        let mut search = ShortestLasso::from_state(space.expander(), &initial, query);
        let known = known.filter(|lasso| lasso.is_valid(space));
        let length = known.as_ref().and_then(|lasso| lasso.length(&mut *space.expander()));
        if let Some(length) = length {
            let cost = length.total();
            (search.lasso, search.cost) = (known, Some(cost));
            search.limit = search.limit.min(cost.0);
        }
        Ok(search)
    }

    /// Starts from a state, with an expander for it and its descendants.
    pub(super) fn from_state(
        expander: Box<dyn Expander + 'a>,
        state: &[u8],
        query: SearchQuery<'a>,
    ) -> Self {
        let limit = query.most().saturating_add(1);
        let ceiling = StoreLimits { bytes: query.max_bytes(), states: query.max_states() };
        let reached = ReachedGraph::new(expander, state, query.target, ceiling);
        let no_room = Stage::Over(Outcome::Incomplete(Stop::Memory));
        let stage = if reached.len() == 0 { no_room } else { Stage::Reaching };
        ShortestLasso {
            query,
            reached,
            lasso: None,
            cost: None,
            limit,
            proved: 0,
            stage,
            through: PivotSearch::default(),
            next_look: FIRST_LOOK,
            worked: 0,
            is_content: false,
            is_hit: false,
        }
    }

    /// Ends with the first lasso, of any cost.
    pub(super) fn accept_any(mut self) -> Self {
        self.is_content = true;
        self
    }

    /// The work so far, in units of the budget.
    pub(super) fn worked(&self) -> u64 {
        self.worked
    }

    /// The states that were reached, in the order of storing.
    pub(super) fn reached(&self) -> StatePath {
        self.reached.states(&(0..self.reached.len() as u32).collect::<Vec<_>>())
    }

    /// The cost of the [`lasso`](CycleSearch::lasso).
    pub fn cost(&self) -> Option<Cost> {
        self.cost
    }

    /// Whether this cost is proved to be least.
    pub fn is_least(&self) -> bool {
        self.cost.is_some_and(|cost| self.proved >= cost.0)
    }

    /// Memory limit of the graph; the rest is for surveys.
    fn room(&self) -> usize {
        self.query.max_bytes() / 3 * 2
    }

    /// Executes some work, and returns its amount.
    fn work(&mut self, most: u64) -> u64 {
        match &self.stage {
            Stage::Reaching => self.reach(),
            Stage::Looking(_) => self.look(most),
            Stage::Over(_) => 0,
        }
    }

    /// Expands the nearest state.
    fn reach(&mut self) -> u64 {
        let interest = self.limit.saturating_sub(1 + self.beyond());
        let most = self.query.max_cost().min(interest);
        let next = self.reached.expand_next(most);
        self.take_hit();
        match next {
            Next::Expanded if self.reached.bytes() > self.room() => {
                self.begin_look(Some(Stop::Memory));
            }
            Next::Expanded if self.reached.stats().expanded < self.next_look => {}
            Next::Expanded => self.begin_look(None),
            Next::Full => self.begin_look(Some(Stop::Memory)),
            Next::Nobody => {
                let is_cut = most < interest && self.reached.waiting().is_some();
                self.begin_look(is_cut.then_some(Stop::Depth));
            }
        }
        1
    }

    /// A lower bound on the cost of a result beyond the distance of a state on it: one step for a
    /// lasso, zero for a target.
    fn beyond(&self) -> u32 {
        u32::from(self.query.target == SearchTarget::NOTHING)
    }

    /// A lower bound on the cost of results outside the graph.
    fn outside(&self) -> u32 {
        self.reached.waiting().map_or(u32::MAX, |g| g.saturating_add(self.beyond()))
    }

    /// A hit that costs less than the lasso replaces it.
    fn take_hit(&mut self) {
        let cost = self.reached.nearest().and_then(|hit| hit.cost);
        if let Some(cost) = cost.filter(|cost| cost.0 < self.limit) {
            (self.lasso, self.cost, self.limit) = (None, None, cost.0);
            self.is_hit = true;
        }
    }

    /// Begins a search of the graph, with limited work if the graph can still grow.
    fn begin_look(&mut self, why: Option<Stop>) {
        self.next_look = 2 * self.reached.stats().expanded;
        let gone = vec![false; self.reached.len()];
        let survey = self.survey(&gone);
        let is_last = why.is_some() || self.outside() >= self.limit;
        let left = (!is_last).then_some(PATIENCE * survey.size);
        self.stage =
            Stage::Looking(SurveyPass { survey, at: 0, begun: false, gone, spent: 0, left, why });
    }

    fn survey(&self, gone: &[bool]) -> PivotSurvey {
        let (graph, limit) = (&self.reached, self.limit);
        PivotSurvey::new(graph, |state| {
            let near = graph.distance(state).saturating_add(1) < limit;
            near && !gone[state as usize] && graph.is_expanded(state)
        })
    }

    /// Continues the search through the current pivot, or begins the next one.
    fn look(&mut self, most: u64) -> u64 {
        let outside = self.outside();
        let Stage::Looking(look) = &mut self.stage else { return 0 };
        let near = |state| self.reached.distance(state).saturating_add(1);
        let next = look.survey.pivots.get(look.at);
        let Some(&pivot) = next.filter(|pivot| near(pivot.state) < self.limit) else {
            self.proved = self.proved.max(outside.min(self.limit));
            self.end_look();
            return 0;
        };
        self.proved = self.proved.max(near(pivot.state).min(outside));
        if look.left == Some(0) {
            self.end_look();
            return 0;
        }
        if !look.begun {
            look.begun = true;
            self.through.begin(pivot, &self.reached, &look.survey);
        }
        let granted = most.min(POLL).min(look.left.unwrap_or(u64::MAX));
        let mut allowance = granted;
        let passage = self.through.advance(&self.reached, &look.survey, self.limit, &mut allowance);
        // A pivot that is rejected at once counts as work, too.
        let spent = (granted - allowance).max(1);
        look.spent += spent;
        look.left = look.left.map(|left| left.saturating_sub(spent));
        if passage == PivotProgress::Paused {
            return spent;
        }
        look.at += 1;
        look.begun = false;
        look.gone[pivot.state as usize] = true;
        look.survey.remove(pivot.state);
        if let PivotProgress::Found(cost, cycle) = passage {
            let stem = self.reached.path_before(cycle[0]);
            self.lasso = Some(Lasso { stem, cycle: self.reached.states(&cycle) });
            (self.cost, self.limit) = (Some(Cost(cost)), cost);
            self.is_hit = false;
            if self.is_content {
                self.stage = Stage::Over(Outcome::Found);
            }
        }
        self.look_again();
        spent
    }

    /// Begins another survey when the searches since the last one have cost as much as it.
    fn look_again(&mut self) {
        let Stage::Looking(look) = &mut self.stage else { return };
        if look.spent <= PATIENCE * look.survey.size {
            return;
        }
        let gone = std::mem::take(&mut look.gone);
        let survey = self.survey(&gone);
        if let Stage::Looking(look) = &mut self.stage {
            (look.survey, look.gone) = (survey, gone);
            (look.at, look.spent) = (0, 0);
        }
    }

    /// Continues to expand the graph, if that is possible and can improve the result.
    fn end_look(&mut self) {
        let Stage::Looking(look) = &self.stage else { return };
        let why = look.why;
        self.stage = if self.proved >= self.limit {
            let found = self.lasso.is_some() || self.is_hit;
            Stage::Over(if found { Outcome::Found } else { Outcome::Complete })
        } else if let Some(stop) = why {
            Stage::Over(Outcome::Incomplete(stop))
        } else {
            Stage::Reaching
        };
    }
}

impl Search for ShortestLasso<'_> {
    fn name(&self) -> &'static str {
        "shortest lasso"
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.stage {
            Stage::Over(outcome) => Some(outcome),
            Stage::Reaching | Stage::Looking(_) => None,
        }
    }

    fn poll(&mut self) {
        let raised = self.query.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        let why = if raised {
            Stop::Interrupted
        } else if Search::bytes(self) > self.query.max_bytes() {
            Stop::Memory
        } else {
            return;
        };
        if !matches!(self.stage, Stage::Over(_)) {
            self.stage = Stage::Over(Outcome::Incomplete(why));
        }
    }

    /// The units are expansions, and nodes closed by searches through pivots.
    fn step(&mut self, most: u64) -> u64 {
        let work = self.work(most);
        self.worked += work;
        work
    }

    fn stats(&self) -> Stats {
        self.reached.stats()
    }

    /// The cheapest path to the target, if no lasso is cheaper.
    fn hits(&self) -> Vec<Hit> {
        self.reached.nearest().filter(|_| self.is_hit).into_iter().collect()
    }

    fn path(&self, hit: usize) -> StatePath {
        assert!(self.is_hit && hit == 0, "there is no hit {hit}");
        self.reached.path_to_nearest()
    }

    fn bytes(&self) -> usize {
        let look = match &self.stage {
            Stage::Looking(look) => look.survey.bytes() + look.gone.capacity(),
            _ => 0,
        };
        self.reached.bytes() + self.through.bytes() + look
    }

    /// No lasso costs less than this, and no hit if there is a target.
    fn lower_bound(&self) -> Cost {
        Cost(self.proved.min(self.limit))
    }
}

impl CycleSearch for ShortestLasso<'_> {
    /// The shortest lasso so far.
    fn lasso(&self) -> Option<Lasso> {
        self.lasso.clone()
    }
}
