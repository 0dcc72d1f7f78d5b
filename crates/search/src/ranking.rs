//! The evaluation function `f`: the only difference between Dijkstra's algorithm [Dij59],
//! A\* [HNR68], weighted A\* and greedy best-first search.
//!
//! `f` is a weighted sum of `g`, the cost so far, and `h`, the estimate of the remaining cost. Only
//! the ratio of the weights matters, so a rational weight needs no fractions.
//!
//! Source: [EMJ05], Directed Search, sections 4 and 6; [ELL00] §4 for g + w·h.

/// A weight: `over / under`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight {
    /// The numerator.
    pub over: u16,
    /// The denominator, which is not 0.
    pub under: u16,
}

/// `f` as a sum of `g` and `h` with these factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranking {
    g: u32,
    h: u32,
}

impl Ranking {
    /// f = g: Dijkstra.
    pub const COST: Ranking = Ranking { g: 1, h: 0 };
    /// f = g + h: A\*.
    pub const SUM: Ranking = Ranking { g: 1, h: 1 };
    /// f = h: greedy.
    pub const ESTIMATE: Ranking = Ranking { g: 0, h: 1 };

    /// f = g + w·h. With an admissible heuristic, reopening and w of at least 1, the first hit
    /// costs at most w times the optimum.
    pub fn weighted(w: Weight) -> Ranking {
        Ranking { g: u32::from(w.under), h: u32::from(w.over) }
    }

    /// f = (1 - w)·g + w·h, for w from 0 (Dijkstra) over 1/2 (A\*) to 1 (greedy). A greater w
    /// counts as 1.
    pub fn mixed(w: Weight) -> Ranking {
        let g = u32::from(w.under.saturating_sub(w.over));
        Ranking { g, h: u32::from(w.over) }
    }

    /// The rank of a state: less is better.
    #[inline]
    pub(crate) fn rank(self, g: u32, h: u32) -> u64 {
        u64::from(self.g) * u64::from(g) + u64::from(self.h) * u64::from(h)
    }

    /// Whether the estimate weighs more than the cost so far, so that the first hit need not be
    /// cheapest.
    pub fn is_greedy(self) -> bool {
        self.h > self.g
    }

    /// Whether with a consistent heuristic every state has its least cost when it is expanded.
    pub(crate) fn is_monotone(self) -> bool {
        self.g >= self.h && self.g > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_ratio_matters() {
        let order = |ranking: Ranking| ranking.rank(3, 5).cmp(&ranking.rank(6, 3));
        assert_eq!(
            order(Ranking::weighted(Weight { over: 3, under: 2 })),
            std::cmp::Ordering::Equal
        );
        assert_eq!(order(Ranking::mixed(Weight { over: 3, under: 5 })), std::cmp::Ordering::Equal);
        assert_eq!(order(Ranking::SUM), std::cmp::Ordering::Less);
        assert_eq!(order(Ranking::ESTIMATE), std::cmp::Ordering::Greater);
        assert_eq!(Ranking::mixed(Weight { over: 1, under: 2 }), Ranking::SUM);
        assert_eq!(Ranking::mixed(Weight { over: 0, under: 1 }), Ranking::COST);
        assert_eq!(Ranking::mixed(Weight { over: 4, under: 1 }).rank(9, 1), 4);
    }
}
