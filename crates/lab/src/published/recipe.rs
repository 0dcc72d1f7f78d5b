//! The published tables: the search and the measure of each column.
//!
//! Source: [ELL00] §4, [ELL01] §3.1, [EMJ05]. Their counting, and their order of successors, was
//! inferred from the numbers: see `docs/book/tables.md`.

use beeline_checker::hsf::{CountingConvention, HsfAlgorithm, HsfPlan, SuccessorOrder, Weight};
use beeline_checker::{Stats, Store};
use beeline_kernel::spec::Spec;

/// A search of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Recipe {
    search: Kind,
    weight: u16,
    heuristic: &'static str,
    year: u16,
    reversed: bool,
    /// The length of the bit array, with one bit for each state; 0 if states are kept in full.
    bits: usize,
    /// The greatest n that is worth its time.
    most: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    AStar,
    IdaStar,
    Depth,
}

impl Recipe {
    /// A\* as in 2000, with this heuristic.
    const fn a_star(heuristic: &'static str) -> Recipe {
        let (search, most) = (Kind::AStar, u32::MAX);
        Recipe { search, weight: 1, heuristic, year: 2000, reversed: false, bits: 0, most }
    }

    const fn weighted(heuristic: &'static str, weight: u16) -> Recipe {
        Recipe { weight, ..Recipe::a_star(heuristic) }
    }

    const fn reversed(self) -> Recipe {
        Recipe { reversed: true, ..self }
    }

    const fn ida_star(heuristic: &'static str) -> Recipe {
        Recipe { search: Kind::IdaStar, reversed: true, ..Recipe::a_star(heuristic) }
    }

    const fn in_bits(self, bits: usize) -> Recipe {
        Recipe { bits, ..self }
    }

    const fn in_2001(self) -> Recipe {
        Recipe { year: 2001, ..self }
    }

    const fn up_to(self, most: u32) -> Recipe {
        Recipe { most, ..self }
    }

    /// SPIN's search.
    const SPIN: Recipe =
        Recipe { search: Kind::Depth, ..Recipe::a_star("blind").in_2001().up_to(17) };

    /// Whether it is skipped for this n.
    pub fn is_beyond(self, n: u32) -> bool {
        n > self.most
    }

    /// The plan of the search.
    pub fn plan(self) -> HsfPlan {
        HsfPlan {
            algorithm: match self.search {
                Kind::AStar => HsfAlgorithm::AStar,
                Kind::IdaStar => HsfAlgorithm::IdaStar,
                Kind::Depth => HsfAlgorithm::Depth,
            },
            weight: (self.weight > 1).then_some(Weight { over: self.weight, under: 1 }),
            heuristic: Spec::parse(self.heuristic).expect("it is well formed"),
            counting: if self.year == 2000 {
                CountingConvention::Y2000
            } else {
                CountingConvention::Y2001
            },
            successors: if self.reversed {
                SuccessorOrder::Reversed
            } else {
                SuccessorOrder::Forward
            },
            store: match self.bits {
                0 => Store::Exact,
                bits => Store::Bitstate { bits: 1, bytes: Some(bits / 8), runs: 1 },
            },
            seed: SEED,
            ..HsfPlan::default()
        }
    }
}

/// The result of a search.
#[derive(Clone, Copy)]
pub struct Ran {
    pub(super) stats: Stats,
    /// The length of the trail.
    pub(super) steps: u64,
}

/// The measure of a column.
#[derive(Clone, Copy, Debug)]
pub enum Measure {
    /// States expanded.
    Expanded,
    /// The same, with the difference of the trail's length from l.
    ExpandedAndMore,
    /// The length of the trail.
    Length,
    /// The lengths of several trails.
    Lengths(&'static [(&'static str, Recipe)]),
    /// The depth reached.
    Depth,
    /// States stored.
    Stored,
    /// States matched.
    Matched,
    /// Transitions.
    Transitions,
    /// Atomic steps.
    Atomic,
    /// Transitions and atomic steps.
    TransitionsAndAtomic,
    /// Successors generated.
    Generated,
    /// The least and the greatest estimate.
    Range,
}

impl Measure {
    /// Its value for this run.
    pub fn of(self, ran: Ran) -> String {
        let stats = &ran.stats;
        let number = match self {
            Measure::Expanded => stats.expanded,
            Measure::Depth => stats.depth,
            Measure::Stored => stats.stored,
            Measure::Matched => stats.matched,
            Measure::Transitions => stats.transitions(),
            Measure::Atomic => stats.atomic_steps,
            Measure::TransitionsAndAtomic => stats.transitions() + stats.atomic_steps,
            Measure::Generated => stats.generated,
            Measure::Length => ran.steps,
            Measure::Range => {
                let (least, greatest) = (stats.h_min.unwrap_or(0), stats.h_max.unwrap_or(0));
                return format!("{least}..{greatest}");
            }
            Measure::ExpandedAndMore | Measure::Lengths(_) => {
                unreachable!("these need more than one run")
            }
        };
        number.to_string()
    }
}

/// A column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name on the page.
    pub name: &'static str,
    /// The column of the paper that it is compared with.
    pub published: &'static str,
    pub recipe: Recipe,
    pub measure: Measure,
    /// Whether it is the heuristic as defined, and not as measured.
    pub is_true: bool,
}

const fn column(name: &'static str, recipe: Recipe, measure: Measure) -> Column {
    Column { name, published: name, recipe, measure, is_true: false }
}

const fn expanded(name: &'static str, recipe: Recipe) -> Column {
    column(name, recipe, Measure::Expanded)
}

/// The heuristic as defined, compared with a column of the paper.
const fn truly(name: &'static str, published: &'static str, recipe: Recipe) -> Column {
    Column { name, published, recipe, measure: Measure::Expanded, is_true: true }
}

/// A table.
#[derive(Debug)]
pub struct Table {
    /// Its file in `bench/published`.
    pub file: &'static str,
    pub title: &'static str,
    pub about: &'static str,
    pub model: &'static str,
    /// The largest n of the small extent.
    pub small: u32,
    pub columns: &'static [Column],
}

/// The array of A\*: as many bits as its table has entries in [ELL00] §4.1.
const A_STAR_BITS: usize = 510_509;
/// The array of IDA\*: half of the ten million entries of [ELL00] §4.1. With all of them, half as
/// many states are omitted as published, with half of them as many; so half of the entries were
/// probably never used.
const IDA_STAR_BITS: usize = 5_000_000;
/// The seed of the hash functions. With some others, A\* omits a state of the shortest trails, and
/// then expands much less, or more, or finds nothing.
const SEED: u64 = 6;

const PHILOSOPHERS: &str = "philosophers_hsf.pml";
const TELEGRAPH: &str = "telegraph_hsf.pml";

const H0: Recipe = Recipe::a_star("h0");
const H1: Recipe = Recipe::a_star("h1");
const H2: Recipe = Recipe::a_star("active-2000");
const H5: Recipe = Recipe::a_star("h5");
const ACTIVE: Recipe = Recipe::a_star("active");
/// [EMJ05], [ELL01].
const HA: Recipe = ACTIVE.in_2001();

const fn phil(weight: u16) -> Recipe {
    Recipe::weighted("h1", weight)
}

const fn tele(weight: u16) -> Recipe {
    Recipe::weighted("active-2000", weight)
}

/// The tables that are compared.
pub(super) const TABLES: &[Table] = &[
    Table {
        file: "dfs",
        title: "[ELL01] §3.1: philosophers, depth-first search",
        about: "`beeline hsf models/philosophers_hsf.pml -D N=8 -Ed`",
        model: PHILOSOPHERS,
        small: 8,
        columns: STATISTICS_DFS,
    },
    Table {
        file: "astar",
        title: "[ELL01] §3.1 and [EMJ05]: philosophers, A\\* with active processes",
        about: "`beeline hsf models/philosophers_hsf.pml -D N=10 -Ed -AA -Ha`",
        model: PHILOSOPHERS,
        small: 10,
        columns: STATISTICS_A_STAR,
    },
    Table {
        file: "table05",
        title: "[ELL00] Table 5: philosophers, A\\*, states expanded",
        about: "`-AA -H0` to `-H8`, `--counting 2000`; l_spin and t_spin: `-Ad`",
        model: PHILOSOPHERS,
        small: 10,
        columns: &[
            column("l", H2, Measure::Length),
            expanded("h0", H0),
            expanded("h3", Recipe::a_star("h3")),
            expanded("h4", Recipe::a_star("h4")),
            expanded("h1", H1),
            expanded("h2", H2),
            truly("h2 true", "h2", ACTIVE),
            expanded("h5", H5),
            expanded("h6", Recipe::a_star("h6")),
            expanded("h7", Recipe::a_star("h7")),
            expanded("h8", Recipe::a_star("h8")),
            column("l_spin", Recipe::SPIN, Measure::Depth),
            column("t_spin", Recipe::SPIN, Measure::TransitionsAndAtomic),
        ],
    },
    Table {
        file: "table06",
        title: "[ELL00] Table 6: philosophers, weighted A\\* with h1, states expanded",
        about: "`-AA -H1 -W2`, `--counting 2000`",
        model: PHILOSOPHERS,
        small: 13,
        columns: &[
            column(
                "l",
                phil(1),
                Measure::Lengths(&[
                    ("w1", phil(1)),
                    ("w2", phil(2)),
                    ("w3", phil(3)),
                    ("w4", phil(4)),
                    ("w5", phil(5)),
                    ("w10", phil(10)),
                ]),
            ),
            expanded("w1", phil(1)),
            expanded("w2", phil(2)),
            expanded("w3", phil(3)),
            expanded("w4", phil(4)),
            expanded("w5", phil(5)),
            expanded("w10", phil(10)),
        ],
    },
    Table {
        file: "table07",
        title: "[ELL00] Table 7: philosophers with h1, states expanded",
        about: "`-AA -H1` and `-Ai -H1`, `--counting 2000 --successors reversed`; with bit-state \
                hashing, `--seed 6` and `--store 'bitstate(bits=1, bytes=63813)'` for A\\*, \
                `bytes=625000` for IDA\\*",
        model: PHILOSOPHERS,
        small: 12,
        columns: &[
            column("l", H2, Measure::Length),
            expanded("A*", H1.reversed()),
            expanded("IDA*", Recipe::ida_star("h1").up_to(16)),
            expanded("A*bit", H1.reversed().in_bits(A_STAR_BITS)),
            expanded("IDA*bit", Recipe::ida_star("h1").in_bits(IDA_STAR_BITS)),
        ],
    },
    Table {
        file: "table09",
        title: "[ELL00] Table 9: telegraph, A\\*, states expanded",
        about: "as Table 5, with `models/telegraph_hsf.pml`",
        model: TELEGRAPH,
        small: 4,
        columns: &[
            column("l", tele(2), Measure::Length),
            expanded("h0", H0),
            expanded("h3", Recipe::a_star("h3")),
            expanded("h4", Recipe::a_star("h4")),
            column("h1", H1, Measure::ExpandedAndMore),
            expanded("h2", H2),
            truly("h2 true", "h2", ACTIVE),
            column("h5", H5, Measure::ExpandedAndMore),
            expanded("h6", Recipe::a_star("h6")),
            expanded("h7", Recipe::a_star("h7")),
            expanded("h8", Recipe::a_star("h8")),
            column("l_spin", Recipe::SPIN, Measure::Depth),
            column("t_spin", Recipe::SPIN, Measure::TransitionsAndAtomic),
        ],
    },
    Table {
        file: "table10",
        title: "[ELL00] Table 10: telegraph, weighted A\\* with h2, states expanded",
        about: "`-AA -H2 -W2`, `--counting 2000`",
        model: TELEGRAPH,
        small: 20,
        columns: &[
            column(
                "l",
                tele(1),
                Measure::Lengths(&[
                    ("w1", tele(1)),
                    ("w2", tele(2)),
                    ("w3", tele(3)),
                    ("w4", tele(4)),
                    ("w5", tele(5)),
                    ("w10", tele(10)),
                ]),
            ),
            expanded("w1", tele(1)),
            expanded("w2", tele(2)),
            truly("w2 true", "w2", Recipe::weighted("active", 2)),
            expanded("w3", tele(3)),
            expanded("w4", tele(4)),
            expanded("w5", tele(5)),
            expanded("w10", tele(10)),
        ],
    },
    Table {
        file: "table11",
        title: "[ELL00] Table 11: telegraph with h2, states expanded",
        about: "`-AA -H2` and `-Ai -H2`, `--counting 2000 --successors reversed`; the bit-state \
                columns as in Table 7",
        model: TELEGRAPH,
        small: 6,
        columns: &[
            column("l", H2.reversed(), Measure::Length),
            expanded("A*", H2.reversed()),
            truly("A* true", "A*", ACTIVE.reversed()),
            expanded("IDA*", Recipe::ida_star("active-2000")),
            expanded("A*bit", H2.reversed().in_bits(A_STAR_BITS)),
            expanded("IDA*bit", Recipe::ida_star("active-2000").in_bits(IDA_STAR_BITS)),
        ],
    },
    Table {
        file: "text",
        title: "[ELL00] §4.1, in the text: philosophers, A\\*",
        about: "nodes generated, and distinct nodes",
        model: PHILOSOPHERS,
        small: 0,
        columns: &[
            column("h1_generated", H1, Measure::Generated),
            column("h1_distinct", H1, Measure::Stored),
            column("h2_distinct", H2, Measure::Stored),
            column("h5_distinct", H5, Measure::Stored),
        ],
    },
];

const fn statistics(recipe: Recipe) -> [Column; 8] {
    [
        column("depth", recipe, Measure::Depth),
        column("stored", recipe, Measure::Stored),
        column("matched", recipe, Measure::Matched),
        column("transitions", recipe, Measure::Transitions),
        column("atomic", recipe, Measure::Atomic),
        column("expanded", recipe, Measure::Expanded),
        column("h", recipe, Measure::Range),
        column("length", recipe, Measure::Length),
    ]
}

const STATISTICS_DFS: &[Column] = &statistics(Recipe::SPIN);
const STATISTICS_A_STAR: &[Column] = &statistics(HA);
