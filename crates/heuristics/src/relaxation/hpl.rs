//! h_P^L: the number of the first layer of relaxed states that satisfies a goal; each layer adds
//! the effects of all operators applicable in the previous one.
//!
//! Source: [AWW15] Algorithm 1.
//! Deviations: a condition on a factor narrows its values for the rest of the operator; unreachable
//! values are left out; operators of cost 0 (claims) belong to the layer; after 1000 layers the
//! estimate is 1000. The interval abstraction of §3 is an option.
//! Claims: all, since a relaxed state contains all states reachable in as many steps.

use beeline_kernel::{Claims, Estimate, Heuristic};

use super::compiled_relaxation::{ARGUMENTS, Relaxation};
use super::layers::Layers;
use crate::goal::GoalKind;
use crate::request::{HeuristicBuilder, HeuristicRow};

/// The registry row.
pub(crate) const ROW: HeuristicRow = HeuristicRow {
    name: "hpl",
    aliases: &["layers"],
    arguments: ARGUMENTS,
    about: "number of layers of the relaxed state space before an error is reached; each layer \
            applies all enabled steps",
    promises: Some("admissible, consistent, safe"),
    source: Some("[AWW15] §2, Algorithm 1"),
    build: HeuristicBuilder {
        goals: GoalKind::ALL,
        build: |of| Ok(Box::new(Hpl::new(&Relaxation::requested(of)?))),
    },
};

/// The number of layers until a goal.
#[derive(Clone)]
pub struct Hpl<'a> {
    relaxation: Relaxation<'a>,
    layers: Layers,
}

impl<'a> Hpl<'a> {
    /// For the states of a relaxation.
    pub fn new(relaxation: &Relaxation<'a>) -> Self {
        Hpl { relaxation: relaxation.clone(), layers: relaxation.layers() }
    }
}

impl Heuristic for Hpl<'_> {
    fn name(&self) -> &str {
        "hpl"
    }

    fn claims(&self) -> Claims {
        Claims::ALL
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        self.layers.explore(self.relaxation.reading.as_ref(), state).estimate()
    }

    fn effort(&self) -> u64 {
        self.layers.effort()
    }
}
