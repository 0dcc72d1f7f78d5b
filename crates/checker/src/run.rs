//! Running an exploration in slices, with someone watching in between.

use std::ops::ControlFlow;

use beeline_engine::automata;
use beeline_heuristics::Resources;
use beeline_search::{
    ExplorationOptions, ExplorationOrder, Limits, Outcome, Progress, SliceBudget, StopCondition,
};

use crate::auto::AutoOptions;
use crate::claims::Fairness;
use crate::engine::Engine;
use crate::files::FileAccess;
use crate::observer::{Observer, SLICE};
use crate::reduction::ReductionChoice;
use crate::searches::{SearchConfig, Strategy};
use crate::semantics::SemanticsOptions;
use crate::stores::Store;

/// What part of the memory heuristics may take to be built.
const SHARE_OF_HEURISTICS: usize = 4;

/// How to go through a state space.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Every statement on its own and every value kept, as the language is written.
    pub plain: bool,
    /// How the model is understood.
    pub semantics: SemanticsOptions,
    /// Who computes successors.
    pub engine: Engine,
    /// Which state comes next.
    pub search: SearchConfig,
    /// What states are kept in.
    pub store: Store,
    /// Whether ways are left out that others stand for.
    pub reduce: ReductionChoice,
    /// Moves between stored states to go at most.
    pub depth: Option<u32>,
    /// Memory to use at most.
    pub bytes: Option<usize>,
    /// What the automatic strategy leaves open.
    pub auto: AutoOptions,
    /// Which cycles count.
    pub fairness: Fairness,
    /// Files that heuristics name.
    pub files: FileAccess,
}

impl Plan {
    /// How the automata are built.
    pub(crate) fn automata(&self) -> automata::AutomataOptions {
        if self.plain {
            automata::AutomataOptions::PLAIN
        } else {
            automata::AutomataOptions::OPTIMISED
        }
    }

    /// The order of a blind search; that of any other is of no importance.
    pub(crate) fn order(&self) -> ExplorationOrder {
        match self.search.strategy {
            Strategy::Blind(order) => order,
            Strategy::Cycles(_) => ExplorationOrder::Depth,
            Strategy::Directed(_) | Strategy::Auto(_) => ExplorationOrder::Breadth,
        }
    }

    /// What may be used up.
    pub(crate) fn limits(&self) -> Limits {
        Limits { depth: self.depth, states: None, bytes: self.bytes }
    }

    /// What there is to build heuristics with, while someone looks on. Most memory is for states.
    pub(crate) fn resources(&self, observer: &dyn Observer) -> Resources<'_> {
        let bytes = self.bytes.map_or(usize::MAX, |bytes| bytes / SHARE_OF_HEURISTICS);
        let (files, deadline) = (self.files.files(), observer.deadline());
        Resources { files, bytes, deadline, ..Resources::default() }
    }

    /// How the states are explored: to the end, with one finding of each kind.
    pub(crate) fn exploration(&self) -> ExplorationOptions<'static> {
        ExplorationOptions {
            order: self.order(),
            until: StopCondition::Exhausted,
            limits: self.limits(),
            keep: 1,
            stop: None,
        }
    }
}

/// How a run ended.
pub(crate) struct RunEnd {
    pub(crate) outcome: Outcome,
    pub(crate) peak_bytes: u64,
}

/// Goes on until the search is over, `settled` says that there is nothing left to find
/// out, or the watch has had enough. It is asked at the same moments in every run.
pub(crate) fn drive<S: beeline_search::Search + ?Sized>(
    search: &mut S,
    observer: &mut dyn Observer,
    settled: impl FnMut(&S, &mut dyn Observer) -> bool,
) -> RunEnd {
    drive_in_slices(search, observer, |_| SLICE, settled)
}

/// Goes on until the search is over, or the watch has had enough, which it can say at any moment.
pub(crate) fn drive_to_completion<S: beeline_search::Search + ?Sized>(
    search: &mut S,
    observer: &mut dyn Observer,
) -> RunEnd {
    drive_in_slices(search, observer, |observer| observer.slice(), |_, _| false)
}

fn drive_in_slices<S: beeline_search::Search + ?Sized>(
    search: &mut S,
    observer: &mut dyn Observer,
    slice: impl Fn(&mut dyn Observer) -> u64,
    mut settled: impl FnMut(&S, &mut dyn Observer) -> bool,
) -> RunEnd {
    let mut peak_bytes = 0;
    let outcome = loop {
        let progress = search.advance(SliceBudget::expansions(slice(observer)));
        peak_bytes = peak_bytes.max(search.bytes() as u64);
        let is_settled = settled(search, observer);
        if let Progress::Done(outcome) = progress {
            break outcome;
        }
        if is_settled {
            break Outcome::Found;
        }
        if let ControlFlow::Break(stop) = observer.poll(&search.stats()) {
            break Outcome::Incomplete(stop);
        }
    };
    RunEnd { outcome, peak_bytes }
}
