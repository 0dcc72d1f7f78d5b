//! The cost of searches for cycles: nanoseconds and bytes for each stored state, compared with a
//! depth-first exploration, on spaces without accepting cycles. `cargo bench -p beeline-search
//! --bench cycles`.

use std::time::Instant;

use beeline_kernel::{ClaimComponent, CycleKind, Expander, Expansion, Fault, Space};
use beeline_search::{
    Degeneralized, Exploration, ExplorationOptions, ExplorationOrder, NestedDfs, Nesting, Outcome,
    SccSearch, Search, SearchQuery, SearchTarget,
};

/// Processes that each cycle through some locations, and a claim that observes them: it waits for
/// an event and then stays in its last state.
#[derive(Clone, Copy)]
struct Ring {
    processes: usize,
    locations: u8,
    /// Whether processes cycle, or stay at their last location.
    goes_round: bool,
    accepts: Accepts,
    /// Whether the space reports the components of the claim.
    is_known: bool,
}

/// The accepting states.
#[derive(Clone, Copy, PartialEq)]
enum Accepts {
    Nothing,
    Everything,
    /// States where the claim has just seen the event, for one move only.
    Seen,
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
        self.expand_behind(state, expansion);
    }

    fn expander(&self) -> Box<dyn Expander + '_> {
        Box::new(*self)
    }
}

impl Expander for Ring {
    fn expand(&mut self, state: &[u8], expansion: &mut Expansion) {
        self.expand_behind(state, expansion);
    }
}

impl Ring {
    fn expand_behind(&self, state: &[u8], expansion: &mut Expansion) {
        let mut next = [0; 256];
        let next = &mut next[..state.len()];
        let watches = self.accepts == Accepts::Seen;
        for process in 0..self.processes {
            let at = 4 + process * RECORD;
            if !self.goes_round && state[at] + 1 == self.locations {
                continue;
            }
            next.copy_from_slice(state);
            next[at] = (state[at] + 1) % self.locations;
            // The claim: 0 waits, 1 has just seen the event, 2 is its last state.
            next[0] = if state[0] > 0 { 2 } else { 0 };
            expansion.push(next);
            if watches && state[0] == 0 && state[4] == 2 {
                next[0] = 1;
                expansion.push(next);
            }
        }
        expansion.accepting = match self.accepts {
            Accepts::Nothing => false,
            Accepts::Everything => true,
            Accepts::Seen => state[0] == 1,
        };
        if self.is_known {
            let number = u32::from(state[0]);
            expansion.component = ClaimComponent { number, cycles: CycleKind::Never };
        }
    }
}

fn measure(name: &str, mut search: impl Search) {
    let begin = Instant::now();
    assert_eq!(search.finish(), Outcome::Complete);
    let nanoseconds = begin.elapsed().as_nanos() as f64;
    let stats = search.stats();
    let stored = stats.stored as f64;
    println!(
        "  {name:<24} {:>9} states {:>5.2} expansions {:>7.1} ns {:>6.1} bytes, {:>5.1} of them store",
        stats.stored,
        stats.expanded as f64 / stored,
        nanoseconds / stored,
        search.bytes() as f64 / stored,
        stats.store_bytes as f64 / stored,
    );
}

fn main() {
    let ring = Ring {
        processes: 7,
        locations: 8,
        goes_round: true,
        accepts: Accepts::Nothing,
        is_known: false,
    };
    let line = Ring { goes_round: false, ..ring };
    let seen = Ring { processes: 6, locations: 9, accepts: Accepts::Seen, ..ring };
    let spaces = [
        ("one component, nothing accepting", ring),
        ("no cycles, everything accepting", Ring { accepts: Accepts::Everything, ..line }),
        ("a claim that is seldom accepting", seen),
        ("the same, and it says so", Ring { is_known: true, ..seen }),
    ];
    for (name, space) in &spaces {
        println!("{name}");
        let query = SearchQuery::new(SearchTarget::NOTHING);
        let options =
            ExplorationOptions { order: ExplorationOrder::Depth, ..ExplorationOptions::default() };
        let fine = "the space has an initial state";
        measure("exploration", Exploration::new(space, options).expect(fine));
        measure("nested", NestedDfs::new(space, Nesting::Plain, query).expect(fine));
        measure("improved nested", NestedDfs::new(space, Nesting::Improved, query).expect(fine));
        measure("components", SccSearch::new(space, query).expect(fine));
        let unfolded = Degeneralized::new(space);
        measure(
            "unfolded, improved",
            NestedDfs::new(&unfolded, Nesting::Improved, query).expect(fine),
        );
    }
}
