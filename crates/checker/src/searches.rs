//! The registry of searches: one row each, and how a search is asked for by name.
//!
//! `name(heuristic, key=value, ...)`: everything that makes one search different from
//! another is an argument, and every argument has a row, from which the help, the messages
//! and the book are made.

use beeline_engine::interpreter::Price;
use beeline_kernel::spec::{Spec, Value};
use beeline_search::{
    Aim, Arrival, Branching, Climb, Deepening, Dive, Evaluation, Memory, Method, Order, Ranking,
    Reopening, Revisit, Second, Successors, Test, Weight,
};

use crate::arguments::Arguments;
use crate::auto::{Course, Estimates, Hunts};
use crate::claims::Rounds;
use crate::network::is_network_heuristic;
use crate::variety::{
    BOOSTED, EPSILON, HEURISTICS, NOVELTY, PREFERRED, SEED, TYPES, USELESS, not_here,
};

/// A search that can be asked for by name.
#[derive(Clone, Copy, Debug)]
pub struct SearchRow {
    /// The name.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// What it promises about what it finds, or does not find.
    pub promises: &'static str,
    /// Where it comes from; keys are in `docs/bibliography.md`.
    pub source: &'static str,
    /// What can stand in brackets; the first one needs no name.
    pub arguments: &'static [SearchArgument],
    build: fn(&mut Arguments<'_>, u64) -> Result<Way, String>,
}

/// An argument of a search.
#[derive(Clone, Copy, Debug)]
pub struct SearchArgument {
    /// Its name.
    pub name: &'static str,
    /// What it can be, the default first.
    pub values: &'static str,
    /// What it is about.
    pub about: &'static str,
}

/// A search, ready to be run.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// As it was asked for.
    pub name: String,
    /// How it goes about it.
    pub way: Way,
}

/// How a search goes about it.
#[derive(Clone, Debug, PartialEq)]
pub enum Way {
    /// As seems best: several searches, one after the other and side by side.
    Auto(Course),
    /// In this order, without looking where it goes, for all properties at once.
    Blind(Order),
    /// Depth-first, and for cycles like this.
    Cycles(Rounds),
    /// Towards an error, for each property on its own.
    Directed(Directed),
}

/// A directed search.
#[derive(Clone, Debug, PartialEq)]
pub struct Directed {
    /// The algorithm with its options.
    pub algorithm: Algorithm,
    /// What tells it where to go: `None` for the usual one for the property.
    pub heuristic: Option<Spec>,
    /// More of them, each with a list of its own.
    pub others: Vec<Option<Spec>>,
    /// What decides between equals.
    pub second: Option<Spec>,
    /// What a trail costs, if not its steps.
    pub price: Option<Price>,
}

/// A directed search algorithm with its options.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Algorithm {
    /// [`BestFirst`](beeline_search::BestFirst)
    BestFirst(Method),
    /// [`IdaStar`](beeline_search::IdaStar)
    Ida(Deepening),
    /// [`DepthFirst`](beeline_search::DepthFirst)
    DepthFirst(Dive),
    /// [`Beam`](beeline_search::Beam), so many states wide.
    Beam(usize),
    /// [`HillClimbing`](beeline_search::HillClimbing)
    HillClimbing(Climb),
    /// [`FrontierSearch`](beeline_search::FrontierSearch)
    Frontier,
}

impl Search {
    /// The search that does everything by itself.
    pub fn auto() -> Search {
        Search { name: SEARCHES[0].name.to_owned(), way: Way::Auto(Course::USUAL) }
    }
}

impl Default for Search {
    fn default() -> Search {
        Search { name: "bfs".to_owned(), way: Way::Blind(Order::Breadth) }
    }
}

const HEURISTIC: SearchArgument = SearchArgument {
    name: "h",
    values: "auto, or any of `beeline list heuristics`",
    about: "the heuristic; auto is the usual one for the property",
};
const TIES: SearchArgument = SearchArgument {
    name: "ties",
    values: "lifo, fifo, low-h, low-g, or a heuristic",
    about: "what decides between states with equal f",
};
const EVALUATE: SearchArgument = SearchArgument {
    name: "evaluate",
    values: "eager, lazy",
    about: "when states are estimated: when generated, or when expanded",
};
const TEST: SearchArgument = SearchArgument {
    name: "test",
    values: "pop, generation",
    about: "when a state is looked at: when it is taken, or when it is generated",
};
const REOPEN: SearchArgument = SearchArgument {
    name: "reopen",
    values: "yes, no",
    about: "whether a state is expanded again when there is a shorter way to it",
};
const ORDER: SearchArgument =
    SearchArgument { name: "order", values: "forward, reversed", about: "the order of successors" };
const COST: SearchArgument = SearchArgument {
    name: "cost",
    values: "steps, switches, messages, steps-then-switches",
    about: "what a trail costs: its steps, its changes from process to process, its messages, \
            or steps first and of equally long ones, changes",
};
const WEIGHT: SearchArgument =
    SearchArgument { name: "w", values: "1, or any number", about: "f = g + w·h" };
const MIX: SearchArgument = SearchArgument {
    name: "mix",
    values: "a number from 0 to 1",
    about: "f = (1 - mix)·g + mix·h, instead of w",
};

/// All searches there are. The first is the default.
pub const SEARCHES: &[SearchRow] = &[
    SearchRow {
        name: "auto",
        about: "breadth-first at first; then a proof, greedy searches and a random one side by \
                side; trails are shortened. For cycles, the shortest lasso at first; then a proof \
                and a directed search in turns",
        promises: "complete; says whether a trail is shortest",
        source: "ours; docs/book/auto.md",
        arguments: &[
            SearchArgument {
                name: "estimates",
                values: "whole, local",
                about: "what heuristics look at: at the whole system, too (`hff`), or only at one \
                        process or one formula at a time",
            },
            SearchArgument {
                name: "hunts",
                values: "early, late",
                about: "when directed searches begin: soon, or when breadth-first search has had \
                        its third of a second",
            },
        ],
        build: |arguments, _| {
            let estimates = [("whole", Estimates::Whole), ("local", Estimates::Local)];
            let estimates = arguments.choice("estimates", &estimates)?;
            let hunts =
                arguments.choice("hunts", &[("early", Hunts::Early), ("late", Hunts::Late)])?;
            Ok(Way::Auto(Course { estimates, hunts }))
        },
    },
    SearchRow {
        name: "bfs",
        about: "breadth-first: the nearest errors first; for cycles, the shortest lasso",
        promises: "complete; fewest moves between stored states",
        source: "textbook",
        arguments: &[],
        build: |_, _| Ok(Way::Blind(Order::Breadth)),
    },
    SearchRow {
        name: "dfs",
        about: "depth-first, in SPIN's order; for cycles, as indfs",
        promises: "complete",
        source: "textbook",
        arguments: &[],
        build: |_, _| Ok(Way::Blind(Order::Depth)),
    },
    SearchRow {
        name: "random-dfs",
        about: "depth-first, successors in random order (--seed)",
        promises: "complete",
        source: "textbook",
        arguments: &[],
        build: |_, seed| Ok(Way::Blind(Order::RandomDepth { seed })),
    },
    SearchRow {
        name: "ndfs",
        about: "nested depth-first: a second search from each accepting state looks for the way \
                back; depth-first for everything but cycles",
        promises: "complete",
        source: "[EMJ05], Automata-Based Model Checking",
        arguments: &[],
        build: |_, _| Ok(Way::Cycles(Rounds::Nested)),
    },
    SearchRow {
        name: "indfs",
        about: "improved nested depth-first: the components of the claim tell where a second \
                search is needed",
        promises: "complete",
        source: "[EMJ05], Automata-Based Model Checking",
        arguments: &[],
        build: |_, _| Ok(Way::Cycles(Rounds::Improved)),
    },
    SearchRow {
        name: "scc",
        about: "depth-first by strongly connected components: for cycles that have to pass \
                several things, as fair ones do",
        promises: "complete",
        source: "[Cou99]; [Gab00]",
        arguments: &[],
        build: |_, _| Ok(Way::Cycles(Rounds::Components)),
    },
    SearchRow {
        name: "dijkstra",
        about: "the fewest steps first, without a heuristic; for cycles, the shortest lasso",
        promises: "complete; shortest trails",
        source: "[EMJ05], Directed Search, section 4",
        arguments: &[COST, ORDER],
        build: |arguments, _| {
            let price = arguments.price()?;
            let method = Method { successors: arguments.order()?, ..Method::DIJKSTRA };
            let way = directed(Algorithm::BestFirst(method), Some(Spec::named("blind")), None);
            Ok(way.at(price))
        },
    },
    SearchRow {
        name: "astar",
        about: "A*: the least sum of steps so far and estimate first",
        promises: "complete; shortest trails with an admissible heuristic and w of at most 1, \
                   at most w times as long with a larger one, unless there are several lists",
        source: "[ELL00] §3.1, Table 3; [EMJ05], Directed Search, sections 4 and 6",
        arguments: &[HEURISTICS, WEIGHT, MIX, TIES, EVALUATE, TEST, REOPEN, ORDER, COST],
        build: |arguments, seed| {
            let price = arguments.price()?;
            let ranking = match (arguments.weight("w")?, arguments.weight("mix")?) {
                (Some(_), Some(_)) => return Err("give either `w` or `mix`, not both".to_owned()),
                (Some(weight), None) => Ranking::weighted(weight),
                (None, Some(weight)) => Ranking::mixed(weight),
                (None, None) => Ranking::SUM,
            };
            Ok(best_first(arguments, Method { ranking, ..Method::A_STAR }, seed)?.at(price))
        },
    },
    SearchRow {
        name: "gbfs",
        about: "greedy best-first: the least estimate first",
        promises: "complete",
        source: "[EMJ05], Directed Search, section 6; [RW10]; [WKP08]; [VSX14]; [XMHI14]; [LG17]",
        arguments: &[
            HEURISTICS, TIES, EVALUATE, TEST, REOPEN, ORDER, PREFERRED, BOOSTED, USELESS, EPSILON,
            TYPES, NOVELTY, SEED,
        ],
        build: |arguments, seed| best_first(arguments, Method::GREEDY, seed),
    },
    SearchRow {
        name: "ida",
        about: "IDA*: depth-first up to a bound that grows",
        promises: "complete where the state space has no cycles or the error is there; shortest \
                   trails with an admissible heuristic",
        source: "[ELL00] §3.1, Table 4; [EMJ05], Directed Search, section 5",
        arguments: &[
            HEURISTIC,
            SearchArgument {
                name: "table",
                values: "0, or how many states",
                about: "how many states of an iteration are remembered beside the path",
            },
            TEST,
            ORDER,
        ],
        build: |arguments, _| {
            let heuristic = arguments.heuristic()?;
            let memory = match arguments.count("table")? {
                None | Some(0) => Memory::Path,
                Some(states) => Memory::Table(states),
            };
            let test = arguments.test(Test::Generation)?;
            let deepening = Deepening { memory, test, successors: arguments.order()? };
            Ok(directed(Algorithm::Ida(deepening), heuristic, None))
        },
    },
    SearchRow {
        name: "hill-climbing",
        about: "always on to the best successor, never back",
        promises: "none: it may miss errors, and says so",
        source: "[EMJ05], Directed Search, section 2",
        arguments: &[
            HEURISTIC,
            SearchArgument {
                name: "enforced",
                values: "no, yes",
                about: "look breadth-first for a better state where no successor is better",
            },
        ],
        build: |arguments, _| {
            let heuristic = arguments.heuristic()?;
            let enforced = arguments.choice("enforced", &[("no", false), ("yes", true)])?;
            let climb = if enforced { Climb::Enforced } else { Climb::Steepest };
            Ok(directed(Algorithm::HillClimbing(climb), heuristic, None))
        },
    },
    SearchRow {
        name: "beam",
        about: "breadth-first, keeping only the best states of each layer",
        promises: "none: it may miss errors, and says so",
        source: "[EMJ05], Directed Search, section 6",
        arguments: &[
            HEURISTIC,
            SearchArgument {
                name: "width",
                values: "1000, or any number",
                about: "how many states of a layer are kept",
            },
        ],
        build: |arguments, _| {
            let heuristic = arguments.heuristic()?;
            let width = arguments.count("width")?.unwrap_or(1000).max(1);
            Ok(directed(Algorithm::Beam(width), heuristic, None))
        },
    },
    SearchRow {
        name: "frontier",
        about: "breadth-first with two layers in memory; trails by divide and conquer",
        promises: "complete; fewest moves between stored states",
        source: "[EMJ05], Directed Search, section 7",
        arguments: &[],
        build: |_, _| Ok(directed(Algorithm::Frontier, Some(Spec::named("blind")), None)),
    },
    SearchRow {
        name: "bounded-dfs",
        about: "depth-first up to --depth steps",
        promises: "none with `revisit=never`, where a state first met too deep hides what is \
                   behind it; otherwise everything within the bound is found",
        source: "[ELL01] §2, Figure 1",
        arguments: &[
            SearchArgument {
                name: "revisit",
                values: "shorter, never",
                about: "whether a state is expanded again when there is a shorter way to it",
            },
            ORDER,
        ],
        build: |arguments, _| {
            let choices = [("shorter", Revisit::WhenCheaper), ("never", Revisit::Never)];
            let revisit = arguments.choice("revisit", &choices)?;
            let branching = arguments.order()?.into();
            let dive = Dive { revisit, aim: Aim::Any, branching };
            Ok(directed(Algorithm::DepthFirst(dive), Some(Spec::named("blind")), None))
        },
    },
    SearchRow {
        name: "branch-and-bound",
        about: "depth-first; each error found bounds the search for shorter trails",
        promises: "complete; shortest trails with an admissible heuristic",
        source: "[ELL01] §2",
        arguments: &[HEURISTIC, COST],
        build: |arguments, _| {
            let (heuristic, price) = (arguments.heuristic()?, arguments.price()?);
            let branching = Branching::MostPromising;
            let dive = Dive { revisit: Revisit::WhenCheaper, aim: Aim::Cheapest, branching };
            Ok(directed(Algorithm::DepthFirst(dive), heuristic, None).at(price))
        },
    },
];

fn directed(algorithm: Algorithm, heuristic: Option<Spec>, second: Option<Spec>) -> Way {
    Way::Directed(Directed { algorithm, heuristic, others: Vec::new(), second, price: None })
}

impl Way {
    /// The same at another price.
    fn at(self, price: Option<Price>) -> Way {
        match self {
            Way::Directed(directed) => Way::Directed(Directed { price, ..directed }),
            blind => blind,
        }
    }
}

fn best_first(arguments: &mut Arguments<'_>, usual: Method, seed: u64) -> Result<Way, String> {
    let (heuristic, others) = arguments.heuristics()?;
    if !others.is_empty() && !usual.ranking.is_greedy() {
        return Err(TOO_MANY.to_owned());
    }
    let (second, arrival, by) = match arguments.take("ties") {
        None => (Second::Nothing, Arrival::LastFirst, None),
        Some(value) => match value.text() {
            Some("lifo") => (Second::Nothing, Arrival::LastFirst, None),
            Some("fifo") => (Second::Nothing, Arrival::FirstFirst, None),
            Some("low-h") => (Second::LowH, Arrival::LastFirst, None),
            Some("low-g") => (Second::LowG, Arrival::LastFirst, None),
            _ => (Second::Heuristic, Arrival::LastFirst, Some(heuristic_of(value)?)),
        },
    };
    let evaluations = [("eager", Evaluation::Eager), ("lazy", Evaluation::Lazy)];
    let reopenings = match usual.reopening {
        Reopening::Always => [("yes", Reopening::Always), ("no", Reopening::Never)],
        Reopening::Never => [("no", Reopening::Never), ("yes", Reopening::Always)],
    };
    let method = Method {
        second,
        arrival,
        evaluation: arguments.choice("evaluate", &evaluations)?,
        test: arguments.test(Test::Expansion)?,
        reopening: arguments.choice("reopen", &reopenings)?,
        successors: arguments.order()?,
        variety: arguments.variety(seed)?,
        ..usual
    };
    if method.variety.novelty.is_some() && second != Second::Nothing {
        return Err("`novelty` comes before the estimate, and nothing after it: of `ties`, only \
                    lifo and fifo go with it"
            .to_owned());
    }
    let algorithm = Algorithm::BestFirst(method);
    Ok(Way::Directed(Directed { algorithm, heuristic, others, second: by, price: None }))
}

/// Why A\* does not follow several heuristics, and what to do about it.
const TOO_MANY: &str = "with several lists, what is found first need not be nearest: write \
                        `max(h1, h2)`, which keeps what both promise, give a `w` of more than 1 \
                        or a `mix` of more than 0.5, or take `gbfs`";

/// Why most searches do not follow several heuristics.
const ONE_LIST: &str = "it follows one heuristic: `max(h1, h2)` or `sum(h1, h2)` makes one of \
                        several; `gbfs` takes a list";

/// The heuristic that a value names.
pub(crate) fn heuristic_of(value: &Value) -> Result<Spec, String> {
    let spec = value.spec().ok_or_else(|| format!("`{value}` is not a heuristic"))?;
    match beeline_heuristics::find(&spec.name) {
        Some(_) => Ok(spec),
        None if is_network_heuristic(&spec.name) => Ok(spec),
        None => {
            let names: Vec<_> = beeline_heuristics::HEURISTICS.iter().map(|row| row.name).collect();
            Err(format!("there is no heuristic `{}`; there are: {}", spec.name, names.join(", ")))
        }
    }
}

impl Arguments<'_> {
    /// The heuristic, which needs no key; `None` for the usual one.
    fn heuristic(&mut self) -> Result<Option<Spec>, String> {
        match self.take("h") {
            None => Ok(None),
            Some(value) if value.text() == Some("auto") => Ok(None),
            Some(Value::List(_)) => Err(ONE_LIST.to_owned()),
            Some(value) => heuristic_of(value).map(Some),
        }
    }

    fn price(&mut self) -> Result<Option<Price>, String> {
        let prices = [
            ("steps", None),
            ("switches", Some(Price::Switches)),
            ("messages", Some(Price::Messages)),
            ("steps-then-switches", Some(Price::StepsThenSwitches)),
        ];
        self.choice("cost", &prices)
    }

    fn order(&mut self) -> Result<Successors, String> {
        let orders = [("forward", Successors::Forward), ("reversed", Successors::Reversed)];
        self.choice("order", &orders)
    }

    fn test(&mut self, usual: Test) -> Result<Test, String> {
        let mut tests = [("pop", Test::Expansion), ("generation", Test::Generation)];
        if usual == Test::Generation {
            tests.reverse();
        }
        self.choice("test", &tests)
    }

    /// A number as a fraction.
    fn weight(&mut self, key: &str) -> Result<Option<Weight>, String> {
        const UNDER: u16 = 100;
        let Some(value) = self.take(key) else { return Ok(None) };
        let number = value.number().map(|number| number * f64::from(UNDER));
        match number.filter(|&over| (0.0..=f64::from(u16::MAX)).contains(&over)) {
            Some(over) => {
                let over = over.round() as u16;
                // The smaller the numbers, the closer the ranks.
                let common = common_divisor(over, UNDER);
                Ok(Some(Weight { over: over / common, under: UNDER / common }))
            }
            None => Err(format!("`{key}` is a number from 0 to {}", u16::MAX / UNDER)),
        }
    }
}

/// The greatest number that divides both.
pub(crate) fn common_divisor(a: u16, b: u16) -> u16 {
    if b == 0 { a.max(1) } else { common_divisor(b, a % b) }
}

/// The search of this name.
pub fn find_search(name: &str) -> Option<&'static SearchRow> {
    SEARCHES.iter().find(|row| row.name == name)
}

/// Reads a search as it is written on the command line. Random ones take the seed.
///
/// # Errors
///
/// When there is no such search, or it has no such arguments: in words, with what there is.
pub fn parse_search(text: &str, seed: u64) -> Result<Search, String> {
    let spec = Spec::parse(text).map_err(|error| error.to_string())?;
    let Some(row) = find_search(&spec.name) else {
        let names: Vec<_> = SEARCHES.iter().map(|row| row.name).collect();
        return Err(format!("there is no search `{}`; there are: {}", spec.name, names.join(", ")));
    };
    let names: Vec<&str> = row.arguments.iter().map(|argument| argument.name).collect();
    let keys = spec.arguments.iter().filter_map(|argument| argument.key.as_deref());
    if let Some(why) =
        keys.filter(|key| !names.contains(key)).find_map(|key| not_here(row.name, key))
    {
        return Err(why);
    }
    let mut arguments = Arguments::new(&spec, &names)?;
    let way = (row.build)(&mut arguments, seed).map_err(|why| format!("`{}`: {why}", row.name))?;
    Ok(Search { name: spec.to_string(), way })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(text: &str) -> Method {
        match parse_search(text, 1).map(|search| search.way) {
            Ok(Way::Directed(Directed { algorithm: Algorithm::BestFirst(method), .. })) => method,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn every_row_can_be_asked_for_by_its_name_alone() {
        for row in SEARCHES {
            parse_search(row.name, 1).expect(row.name);
        }
    }

    #[test]
    fn arguments_make_the_difference() {
        assert_eq!(method("astar(active)"), Method::A_STAR);
        assert_eq!(method("gbfs"), Method::GREEDY);
        let two = Weight { over: 2, under: 1 };
        assert_eq!(method("astar(active, w=2)"), Method::weighted(two));
        let half = Weight { over: 1, under: 2 };
        assert_eq!(method("astar(h=active, mix=0.5)"), Method::mixed(half));
        let all = "gbfs(max(active, nonempty-queues), ties=fifo, evaluate=lazy, \
                   test=generation, reopen=yes, order=reversed)";
        assert_eq!(
            method(all),
            Method {
                arrival: Arrival::FirstFirst,
                evaluation: Evaluation::Lazy,
                test: Test::Generation,
                reopening: Reopening::Always,
                successors: Successors::Reversed,
                ..Method::GREEDY
            }
        );
        assert_eq!(method("astar(active, ties=nonempty-queues)").second, Second::Heuristic);
    }

    #[test]
    fn mistakes_are_named() {
        let wrong = |text| parse_search(text, 1).expect_err("it is wrong");
        assert!(wrong("astra").contains("there is no search `astra`; there are: auto, bfs, dfs"));
        assert!(wrong("astar(actve)").contains("there is no heuristic `actve`"));
        assert!(wrong("astar(active, wight=2)").contains("no argument `wight`"));
        assert!(wrong("astar(active, w=fast)").contains("`w` is a number"));
        assert!(wrong("astar(active, w=2, mix=0.5)").contains("not both"));
        assert!(wrong("gbfs(active, reopen=maybe)").contains("`reopen` is one of no, yes"));
        assert!(wrong("bfs(active)").contains("takes no arguments"));
        assert!(wrong("astar(active").contains("column"));
    }
}
