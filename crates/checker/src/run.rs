//! Running an exploration in slices, with someone watching in between.

use std::ops::ControlFlow;

use beeline_engine::automata;
use beeline_heuristics::Resources;
use beeline_search::{Budget, Limits, Options, Order, Outcome, Progress, Until};

use crate::auto::AutoOptions;
use crate::claims::Fairness;
use crate::engine::Engine;
use crate::files::FileAccess;
use crate::reduction::Reduce;
use crate::rules::Rules;
use crate::searches::{Search, Way};
use crate::stores::Store;
use crate::watch::{SLICE, Watch};

/// What part of the memory heuristics may take to be built.
const SHARE_OF_HEURISTICS: usize = 4;

/// How to go through a state space.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Every statement on its own and every value kept, as the language is written.
    pub plain: bool,
    /// How the model is understood.
    pub rules: Rules,
    /// Who computes successors.
    pub engine: Engine,
    /// Which state comes next.
    pub search: Search,
    /// What states are kept in.
    pub store: Store,
    /// Whether ways are left out that others stand for.
    pub reduce: Reduce,
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
    pub(crate) fn automata(&self) -> automata::Options {
        if self.plain { automata::Options::PLAIN } else { automata::Options::OPTIMISED }
    }

    /// The order of a blind search; that of any other is of no importance.
    pub(crate) fn order(&self) -> Order {
        match self.search.way {
            Way::Blind(order) => order,
            Way::Cycles(_) => Order::Depth,
            Way::Directed(_) | Way::Auto(_) => Order::Breadth,
        }
    }

    /// What may be used up.
    pub(crate) fn limits(&self) -> Limits {
        Limits { depth: self.depth, states: None, bytes: self.bytes }
    }

    /// What there is to build heuristics with, while someone looks on. Most memory is for states.
    pub(crate) fn resources(&self, watch: &dyn Watch) -> Resources<'_> {
        let bytes = self.bytes.map_or(usize::MAX, |bytes| bytes / SHARE_OF_HEURISTICS);
        let (files, deadline) = (self.files.files(), watch.deadline());
        Resources { files, bytes, deadline, ..Resources::default() }
    }

    /// How the states are explored: to the end, with one finding of each kind.
    pub(crate) fn exploration(&self) -> Options<'static> {
        Options {
            order: self.order(),
            until: Until::Exhausted,
            limits: self.limits(),
            keep: 1,
            stop: None,
        }
    }
}

/// How a run ended.
pub(crate) struct Ending {
    pub(crate) outcome: Outcome,
    pub(crate) peak_bytes: u64,
}

/// Goes on until the search is over, `settled` says that there is nothing left to find
/// out, or the watch has had enough. It is asked at the same moments in every run.
pub(crate) fn drive<S: beeline_search::Search + ?Sized>(
    search: &mut S,
    watch: &mut dyn Watch,
    settled: impl FnMut(&S, &mut dyn Watch) -> bool,
) -> Ending {
    drive_in_slices(search, watch, |_| SLICE, settled)
}

/// Goes on until the search is over, or the watch has had enough, which it can say at any moment.
pub(crate) fn drive_to_the_end<S: beeline_search::Search + ?Sized>(
    search: &mut S,
    watch: &mut dyn Watch,
) -> Ending {
    drive_in_slices(search, watch, |watch| watch.slice(), |_, _| false)
}

fn drive_in_slices<S: beeline_search::Search + ?Sized>(
    search: &mut S,
    watch: &mut dyn Watch,
    slice: impl Fn(&mut dyn Watch) -> u64,
    mut settled: impl FnMut(&S, &mut dyn Watch) -> bool,
) -> Ending {
    let mut peak_bytes = 0;
    let outcome = loop {
        let progress = search.advance(Budget::expansions(slice(watch)));
        peak_bytes = peak_bytes.max(search.bytes() as u64);
        let is_settled = settled(search, watch);
        if let Progress::Done(outcome) = progress {
            break outcome;
        }
        if is_settled {
            break Outcome::Found;
        }
        if let ControlFlow::Break(stop) = watch.look(&search.stats()) {
            break Outcome::Incomplete(stop);
        }
    };
    Ending { outcome, peak_bytes }
}
