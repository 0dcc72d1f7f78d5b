//! The cost of best-first order: nanoseconds for each expanded state, breadth-first and best-first,
//! on the same space with the cheapest heuristic. `cargo bench -p beeline-search --bench directed`.

use std::time::Instant;

use beeline_kernel::{Claims, Cost, Estimate, Expansion, Fault, Heuristic, Space};
use beeline_search::{
    BestFirst, BestFirstConfig, Exploration, ExplorationOptions, Outcome, Search, SearchQuery,
    SearchTarget, TieBreak, Weight,
};

/// Processes that each move through some locations, and synchronise now and then.
struct Ring {
    processes: usize,
    locations: u8,
}

const RECORD: usize = 8;

impl Space for Ring {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        state.clear();
        state.resize(4 + self.processes * RECORD, 0);
        Ok(())
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        expansion.clear();
        let mut next = [0; 256];
        let next = &mut next[..state.len()];
        for process in 0..self.processes {
            let at = 4 + process * RECORD;
            next.copy_from_slice(state);
            next[at] = (state[at] + 1) % self.locations;
            if state[at] % 4 == 3 {
                next[0] = (state[0] + 1) % 3;
            }
            expansion.push(next);
        }
    }
}

/// The number of processes that are not at their last location: a sum over a few bytes.
#[derive(Clone)]
struct Count(u8);

impl Heuristic for Count {
    fn name(&self) -> &str {
        "count"
    }

    fn claims(&self) -> Claims {
        Claims::ALL
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        let apart = state[4..].iter().step_by(RECORD).filter(|&&at| at + 1 != self.0);
        Estimate::Finite(Cost(apart.count() as u32))
    }
}

fn report(name: &str, mut search: impl Search) {
    let begin = Instant::now();
    assert_eq!(search.finish(), Outcome::Complete);
    let nanoseconds = begin.elapsed().as_nanos() as f64;
    let stats = search.stats();
    println!(
        "{name:<24} {:>10} expanded {:>7.0} ns each {:>5} bytes each",
        stats.expanded,
        nanoseconds / stats.expanded as f64,
        search.bytes() as u64 / stats.stored
    );
}

fn main() {
    let ring = Ring { processes: 7, locations: 8 };
    let query = SearchQuery::new(SearchTarget::NOTHING);
    let best_first = |method| {
        let heuristic = Box::new(Count(ring.locations));
        BestFirst::new(&ring, heuristic, method, query).expect("the ring does not fail")
    };
    for _ in 0..2 {
        let options = ExplorationOptions::default();
        report("breadth-first", Exploration::new(&ring, options).expect("it does not fail"));
        report("Dijkstra", best_first(BestFirstConfig::DIJKSTRA));
        report("A*", best_first(BestFirstConfig::A_STAR));
        report(
            "A*, low h",
            best_first(BestFirstConfig { tie_break: TieBreak::LowH, ..BestFirstConfig::A_STAR }),
        );
        report(
            "weighted A*, 3",
            best_first(BestFirstConfig::weighted(Weight { over: 3, under: 1 })),
        );
        report("greedy", best_first(BestFirstConfig::GREEDY));
    }
}
