//! The exact order in which states of a graph made by hand are expanded.

use std::sync::Mutex;

use beeline_kernel::{Expansion, Fault, Space};
use beeline_search::{
    BestFirst, BestFirstConfig, Evaluation, Outcome, QueueOrder, Ranking, Search, SearchQuery,
    SearchTarget, SuccessorOrder, TieBreak,
};

use crate::roads::{Oracle, Roads, node};

/// Records the expanded states.
struct Watched<'a>(&'a Roads, Mutex<Vec<u32>>);

impl Space for Watched<'_> {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        self.0.initial(state)
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        self.1.lock().expect("one thread").push(node(state));
        self.0.expand(state, expansion);
    }
}

/// 0 → 1, 2, 3; 1 → 4, 5; 2 → 6; 3 → 7, 8.
fn order(method: BestFirstConfig, estimates: [u32; 9], second: Option<[u32; 9]>) -> Vec<u32> {
    let roads = Roads::plain(&[&[1, 2, 3], &[4, 5], &[6], &[7, 8], &[], &[], &[], &[], &[]]);
    let watched = Watched(&roads, Mutex::default());
    let query = SearchQuery::new(SearchTarget::NOTHING);
    let heuristic = Oracle::numbers(&estimates).boxed();
    let mut search = BestFirst::new(&watched, heuristic, method, query).expect("no failure");
    if let Some(second) = second {
        search = search.with_tie_breaker(Oracle::numbers(&second).boxed());
    }
    assert_eq!(search.finish(), Outcome::Complete);
    drop(search);
    watched.1.into_inner().expect("one thread")
}

const FLAT: [u32; 9] = [0; 9];
/// All have f = 2 in A\*.
const EVEN: [u32; 9] = [2, 1, 1, 1, 0, 0, 0, 0, 0];

#[test]
fn ties_go_by_arrival() {
    let last = BestFirstConfig::A_STAR;
    let first = BestFirstConfig { queue_order: QueueOrder::Fifo, ..last };
    assert_eq!(order(last, EVEN, None), [0, 3, 8, 7, 2, 6, 1, 5, 4]);
    assert_eq!(order(first, EVEN, None), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    let reversed = |method| BestFirstConfig { successor_order: SuccessorOrder::Reversed, ..method };
    assert_eq!(order(reversed(last), EVEN, None), [0, 1, 4, 5, 2, 6, 3, 7, 8]);
    assert_eq!(order(reversed(first), EVEN, None), [0, 3, 2, 1, 8, 7, 6, 5, 4]);
}

#[test]
fn dijkstra_goes_by_layers() {
    assert_eq!(order(BestFirstConfig::DIJKSTRA, FLAT, None), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    let last = BestFirstConfig { queue_order: QueueOrder::Lifo, ..BestFirstConfig::DIJKSTRA };
    assert_eq!(order(last, FLAT, None), [0, 3, 2, 1, 5, 4, 6, 8, 7]);
}

#[test]
fn a_second_key_comes_before_arrival() {
    let base = BestFirstConfig { queue_order: QueueOrder::Fifo, ..BestFirstConfig::A_STAR };
    let low_h = BestFirstConfig { tie_break: TieBreak::LowH, ..base };
    assert_eq!(order(low_h, EVEN, None), [0, 1, 4, 5, 2, 6, 3, 7, 8]);
    let low_g =
        BestFirstConfig { tie_break: TieBreak::LowG, queue_order: QueueOrder::Lifo, ..base };
    assert_eq!(order(low_g, EVEN, None), [0, 3, 2, 1, 5, 4, 6, 8, 7]);
    let other = BestFirstConfig { tie_break: TieBreak::Heuristic, ..base };
    let second = [0, 5, 3, 4, 1, 9, 8, 2, 7];
    assert_eq!(order(other, EVEN, Some(second)), [0, 2, 3, 7, 1, 4, 8, 6, 5]);
    let lazy = BestFirstConfig { evaluation: Evaluation::Lazy, ..other };
    assert_eq!(order(lazy, FLAT, Some(second)), [0, 2, 3, 1, 4, 7, 8, 6, 5]);
}

#[test]
fn greedy_goes_by_the_estimate_alone() {
    let estimates = [9, 3, 2, 4, 1, 5, 8, 0, 6];
    assert_eq!(order(BestFirstConfig::GREEDY, estimates, None), [0, 2, 1, 4, 3, 7, 5, 8, 6]);
    // States have the estimate of the parent until they are expanded.
    let lazy = BestFirstConfig { evaluation: Evaluation::Lazy, ..BestFirstConfig::GREEDY };
    assert_eq!(order(lazy, estimates, None), [0, 3, 8, 7, 2, 6, 1, 5, 4]);
}

#[test]
fn weights_change_the_order() {
    // f = g + h prefers 1 and its successors; with threefold h, 3 comes first.
    let estimates = [3, 3, 9, 3, 3, 9, 9, 2, 9];
    let sum = BestFirstConfig { queue_order: QueueOrder::Fifo, ..BestFirstConfig::A_STAR };
    assert_eq!(order(sum, estimates, None)[..5], [0, 1, 3, 7, 4]);
    let cost = BestFirstConfig { ranking: Ranking::COST, ..sum };
    assert_eq!(order(cost, estimates, None)[..5], [0, 1, 2, 3, 4]);
}
