//! The shortest lasso, with a proof: no other costs less, stem and cycle together, in steps.
//!
//! States are expanded in the order of their distance, and all transitions are kept as a graph
//! ([`ReachedGraph`]). Whenever the graph has doubled, and in the end, its shortest lasso is
//! searched: a [`PivotSurvey`] finds pivots, states that hit all accepting cycles; for one pivot
//! after the other, the shortest lasso through it is found ([`PivotSearch`]), and the pivot is
//! removed from the graph. The rest falls apart by and by, and when the searches have cost as much
//! as a survey, there is another one.
//!
//! A lasso costs more than the distance of any state on it. So with a known one, only states that
//! are nearer than its cost are expanded and serve as pivots; and the bound proved in between is the
//! distance of the next pivot, or of the next open state.
//!
//! Source: ours. Assumed: each transition takes at least a step.
//! Promises: [`Outcome::Found`] when the lasso is proved to be shortest, and
//! [`Outcome::Complete`] when there is none (below the bound of the query, if it has one).
//! If the query has a target, a path to it counts as a lasso would: the result is the cheapest of
//! both, either a lasso or a hit.

use std::sync::atomic::Ordering;

use beeline_kernel::{Cost, Expander, Fault, Space, Stop};

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
    /// Only what costs less than this is of interest.
    limit: u32,
    /// No lasso costs less than this, unless it is the one that is known.
    proved: u32,
    stage: Stage,
    through: PivotSearch,
    /// How many states are expanded when the graph is looked at next.
    next_look: u64,
    /// What was done in all, as the budget counts it.
    worked: u64,
    /// Whether any lasso is as good as the shortest.
    is_content: bool,
    /// Whether the best so far is a path to the target.
    is_hit: bool,
}

/// What is being done.
enum Stage {
    /// The graph grows.
    Reaching,
    /// The graph is looked at.
    Looking(SurveyPass),
    Over(Outcome),
}

/// A look at the graph.
struct SurveyPass {
    survey: PivotSurvey,
    /// The next pivot, and whether the search through it is under way.
    at: usize,
    begun: bool,
    /// Pivots that are done.
    gone: Vec<bool>,
    /// Work since the survey, and what is left of all; `None` for the last look.
    spent: u64,
    left: Option<u64>,
    /// Why the graph cannot grow, if it should.
    why: Option<Stop>,
}

impl<'a> ShortestLasso<'a> {
    /// With a known lasso, only shorter ones are searched.
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

    /// Ends with the first lasso, whatever it costs.
    pub(super) fn accept_any(mut self) -> Self {
        self.is_content = true;
        self
    }

    /// What was done so far, as the budget counts it.
    pub(super) fn worked(&self) -> u64 {
        self.worked
    }

    /// The states that were reached.
    pub(super) fn reached(&self) -> impl Iterator<Item = Vec<u8>> {
        (0..self.reached.len() as u32).flat_map(|state| self.reached.states(&[state]))
    }

    /// What the lasso costs that [`lasso`](CycleSearch::lasso) shows.
    pub fn cost(&self) -> Option<Cost> {
        self.cost
    }

    /// Whether that is proved to be the least.
    pub fn is_least(&self) -> bool {
        self.cost.is_some_and(|cost| self.proved >= cost.0)
    }

    /// The most that the graph may hold: a survey wants room beside it.
    fn room(&self) -> usize {
        self.query.max_bytes() / 3 * 2
    }

    /// Does some work, and says how much.
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

    /// How much more than its distance anything costs at least that a state leads to: a lasso
    /// at least a step, a target perhaps nothing.
    fn beyond(&self) -> u32 {
        u32::from(self.query.target == SearchTarget::NOTHING)
    }

    /// Nothing outside of the graph costs less than this.
    fn outside(&self) -> u32 {
        self.reached.waiting().map_or(u32::MAX, |g| g.saturating_add(self.beyond()))
    }

    /// A target that is nearer than the lasso takes its place.
    fn take_hit(&mut self) {
        let cost = self.reached.nearest().and_then(|hit| hit.cost);
        if let Some(cost) = cost.filter(|cost| cost.0 < self.limit) {
            (self.lasso, self.cost, self.limit) = (None, None, cost.0);
            self.is_hit = true;
        }
    }

    /// Looks at the graph, for a while if it can still grow.
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

    /// Goes on with the search through the current pivot, or with the next one.
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
        // A pivot that is dismissed at once is work, too.
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

    /// Another survey, when the last one has paid off.
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

    /// Lets the graph grow again, if it can and it matters.
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

    /// The units are expansions, and nodes that searches through pivots close.
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

    fn path(&self, hit: usize) -> Vec<Vec<u8>> {
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

    /// No lasso costs less than this, nor a target if one is looked for.
    fn lower_bound(&self) -> Cost {
        Cost(self.proved.min(self.limit))
    }
}

impl CycleSearch for ShortestLasso<'_> {
    /// The shortest one so far.
    fn lasso(&self) -> Option<Lasso> {
        self.lasso.clone()
    }
}
