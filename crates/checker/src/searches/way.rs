//! What a search that was asked for is: how it goes about it, with all its options.

use beeline_engine::interpreter::Price;
use beeline_kernel::spec::Spec;
use beeline_search::{Climb, Deepening, Dive, Method, Order};

use super::SEARCHES;
use crate::auto::Course;
use crate::claims::Rounds;

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

impl Way {
    /// The same at another price.
    pub(super) fn at(self, price: Option<Price>) -> Way {
        match self {
            Way::Directed(directed) => Way::Directed(Directed { price, ..directed }),
            blind => blind,
        }
    }
}

/// A directed search at the usual price.
pub(super) fn directed(algorithm: Algorithm, heuristic: Option<Spec>) -> Way {
    Way::Directed(Directed { algorithm, heuristic, others: Vec::new(), second: None, price: None })
}
