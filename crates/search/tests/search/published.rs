//! The dining philosophers as in HSF-SPIN, with the published numbers: [ELL00] Tables 5, 6 and 7,
//! [ELL01] §3 and [EMJ05]. The space is written by hand, with the steps of SPIN, so that no Promela
//! is needed here.

use beeline_kernel::{Claims, Cost, Estimate, Expansion, Fault, Heuristic, Space};
use beeline_search::{
    BestFirst, BestFirstConfig, GoalTest, IdaConfig, IdaMemory, IdaStar, Outcome, Search,
    SearchQuery, SearchTarget, SuccessorOrder, Weight,
};

/// The counting of the steps of the first process, which are atomic.
#[derive(Clone, Copy, PartialEq)]
enum Counting {
    /// Each leads to a stored state, as in 2000.
    EachStep,
    /// All are one move, as later.
    OneMove,
}

/// The number of philosophers. A state consists of the number of steps of the first process, the
/// location of each philosopher, and the contents of the queue of each fork.
#[derive(Clone, Copy)]
struct Table {
    seats: usize,
    counting: Counting,
}

impl Table {
    /// Three steps for each philosopher, the guard of the loop, and a break.
    fn set_up_steps(self) -> usize {
        3 * self.seats + 2
    }

    fn location(state: &[u8], seat: usize) -> u8 {
        state[2 + seat]
    }

    fn fork(self, state: &[u8], seat: usize) -> u8 {
        state[2 + self.seats + seat % self.seats]
    }

    /// Executes the next step of the first process.
    fn set_up(self, state: &mut [u8]) {
        let step = usize::from(u16::from_le_bytes([state[0], state[1]]));
        // Guard and decrement, run, send.
        if step < 3 * self.seats && step % 3 == 2 {
            state[2 + self.seats + self.seats - 1 - step / 3] = 1;
        }
        state[..2].copy_from_slice(&(step as u16 + 1).to_le_bytes());
    }

    fn is_set(self, state: &[u8]) -> bool {
        usize::from(u16::from_le_bytes([state[0], state[1]])) == self.set_up_steps()
    }

    /// The next step of a philosopher, if enabled: take left, take right, return both.
    fn next(self, state: &[u8], seat: usize) -> Option<Vec<u8>> {
        let location = Table::location(state, seat);
        let fork = if location.is_multiple_of(2) { seat } else { (seat + 1) % self.seats };
        let is_taking = location < 2;
        if (self.fork(state, fork) == 1) != is_taking {
            return None;
        }
        let mut next = state.to_vec();
        next[2 + seat] = (location + 1) % 4;
        next[2 + self.seats + fork] = u8::from(!is_taking);
        Some(next)
    }
}

impl Space for Table {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        state.clear();
        state.resize(2 + 2 * self.seats, 0);
        Ok(())
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        expansion.clear();
        if self.is_set(state) {
            // The process that was started last comes first, and sits at seat 0.
            for next in (0..self.seats).filter_map(|seat| self.next(state, seat)) {
                expansion.push(&next);
            }
            expansion.deadlock = expansion.is_empty();
            return;
        }
        let mut next = state.to_vec();
        let mut steps = 0;
        while !self.is_set(&next) && (steps == 0 || self.counting == Counting::OneMove) {
            self.set_up(&mut next);
            steps += 1;
        }
        expansion.hidden_steps = u64::from(steps) - 1;
        expansion.push_with_cost(steps, &next);
    }
}

/// The estimate: number of nonempty queues (h1 of [ELL00]), number of enabled processes (Ha of
/// [ELL01]), or zero.
#[derive(Clone, Copy)]
enum Count {
    Nothing,
    Queues,
    Active,
}

#[derive(Clone)]
struct Counter(Table, Count);

impl Heuristic for Counter {
    fn name(&self) -> &str {
        "counter"
    }

    fn claims(&self) -> Claims {
        Claims::ALL
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        let Counter(table, count) = *self;
        let seats = 0..table.seats;
        let number = match count {
            Count::Nothing => 0,
            Count::Queues => seats.filter(|&seat| table.fork(state, seat) == 1).count(),
            Count::Active if !table.is_set(state) => 0,
            Count::Active => seats.filter(|&seat| table.next(state, seat).is_some()).count(),
        };
        Estimate::Finite(Cost(number as u32))
    }
}

/// The number of expanded states, without the deadlock itself, and the cost of the path.
fn expanded(seats: usize, count: Count, method: BestFirstConfig) -> (u64, u32) {
    let table = Table { seats, counting: Counting::EachStep };
    let heuristic = Box::new(Counter(table, count));
    let query = SearchQuery::new(SearchTarget::DEADLOCK);
    let mut search = BestFirst::new(&table, heuristic, method, query).expect("it does not fail");
    assert_eq!(search.finish(), Outcome::Found);
    let cost = search.hits()[0].cost.expect("it counts costs").0;
    (search.stats().expanded - 1, cost)
}

#[test]
fn table_5_a_star() {
    let column = |count, most: usize| {
        (2..=most).map(move |n| {
            let (expanded, cost) = expanded(n, count, BestFirstConfig::A_STAR);
            assert_eq!(cost, 4 * n as u32 + 2);
            expanded
        })
    };
    let h0 = [13, 23, 54, 124, 356, 946, 2899, 8018, 24590];
    assert_eq!(column(Count::Nothing, 10).collect::<Vec<u64>>(), h0);
    let h1 = [11, 16, 23, 34, 55, 100, 203, 446, 1027, 2424, 5791, 13914];
    assert_eq!(column(Count::Queues, 13).collect::<Vec<u64>>(), h1);
}

#[test]
fn table_6_weighted_a_star() {
    let row = |n| {
        [2, 3, 4, 5, 10].map(|over| {
            expanded(n, Count::Queues, BestFirstConfig::weighted(Weight { over, under: 1 }))
        })
    };
    assert_eq!(row(5), [(42, 22), (61, 22), (69, 22), (104, 26), (141, 26)]);
    assert_eq!(row(6), [(93, 26), (199, 30), (189, 30), (158, 30), (230, 30)]);
    assert_eq!(row(7), [(267, 30), (277, 34), (260, 34), (196, 34), (324, 34)]);
    assert_eq!(row(8), [(866, 38), (302, 38), (285, 38), (210, 38), (392, 38)]);
    assert_eq!(row(16), [(1137, 70), (336, 70), (319, 70), (243, 70), (478, 70)]);
    assert_eq!(row(100), [(1473, 406), (672, 406), (655, 406), (579, 406), (814, 406)]);
}

#[test]
fn table_7_a_star_and_ida_star() {
    let reversed =
        BestFirstConfig { successor_order: SuccessorOrder::Reversed, ..BestFirstConfig::A_STAR };
    let a_star: Vec<u64> = (2..=11).map(|n| expanded(n, Count::Queues, reversed).0).collect();
    assert_eq!(a_star, [11, 17, 26, 42, 75, 149, 322, 734, 1723, 4105]);
    let deepened = (2..=11).map(|seats| {
        let table = Table { seats, counting: Counting::EachStep };
        let deepening = IdaConfig {
            memory: IdaMemory::Table(usize::MAX),
            goal_test: GoalTest::Generation,
            successor_order: SuccessorOrder::Reversed,
        };
        let heuristic = Box::new(Counter(table, Count::Queues));
        let query = SearchQuery::new(SearchTarget::DEADLOCK);
        let mut search = IdaStar::new(&table, heuristic, deepening, query).expect("it is fine");
        assert_eq!(search.finish(), Outcome::Found);
        assert_eq!(search.hits()[0].cost, Some(Cost(4 * seats as u32 + 2)));
        search.stats().expanded
    });
    let ida_star = [47, 82, 128, 187, 265, 376, 554, 881, 1555, 3054];
    assert_eq!(deepened.collect::<Vec<u64>>(), ida_star);
}

#[test]
fn the_statistics_of_later_papers() {
    for seats in [8, 10] {
        let table = Table { seats, counting: Counting::OneMove };
        let heuristic = Box::new(Counter(table, Count::Active));
        let query = SearchQuery::new(SearchTarget::DEADLOCK);
        let mut search =
            BestFirst::new(&table, heuristic, BestFirstConfig::A_STAR, query).expect("it is fine");
        assert_eq!(search.finish(), Outcome::Found);
        let (stats, n) = (search.stats(), seats as u64);
        assert_eq!((stats.depth, stats.expanded), (4 * n + 2, 2 * n + 1));
        assert_eq!((stats.stored, stats.matched), (n * n + 3, n - 2));
        assert_eq!((stats.transitions(), stats.atomic_steps), (n * n + n + 1, 3 * n + 1));
        assert_eq!((stats.h_min, stats.h_max), (Some(0), Some(seats as u32)));
    }
}
