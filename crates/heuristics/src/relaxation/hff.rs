//! h^FF: the steps of a relaxed path to a goal, which is found backwards through the layers.
//! Each value that is needed came with the step that added it first; that step needs values,
//! and so on until all are there from the beginning.
//!
//! Source: h^U of Kupferschmid et al., which [AWW15] §1 names, is the same on the layers of
//! Algorithm 1; for planning, Hoffmann and Nebel's FF.
//! Claims: safe. Never less than the number of layers.
//!
//! Steps of the path that can be taken at once are worth being tried first ([`Hff::preferred`]).

use beeline_factored::ANYONE;
use beeline_kernel::{Advice, Claims, Cost, Estimate, Expansion, Heuristic, Mover};

use super::Relaxation;
use super::layers::{End, Layers};
use super::path::Path;

/// The length of a relaxed path.
#[derive(Clone)]
pub struct Hff<'a> {
    relaxation: Relaxation<'a>,
    layers: Layers,
    path: Path,
    preferred: Vec<Mover>,
}

impl<'a> Hff<'a> {
    /// For the states that a relaxation can read.
    pub fn new(relaxation: &Relaxation<'a>) -> Self {
        let layers = relaxation.layers();
        let path = Path::new(&layers);
        Hff { relaxation: relaxation.clone(), layers, path, preferred: Vec::new() }
    }

    /// Who takes a step of the relaxed path that can be taken in the state that was estimated
    /// last.
    pub fn preferred(&self) -> &[Mover] {
        &self.preferred
    }

    fn length(&mut self, layer: u32) -> u32 {
        self.path.find(&mut self.layers);
        for &step in &self.path.taken {
            let code = &self.layers.compiled.codes[step as usize];
            if code.cost > 0 && self.layers.agenda.was_first(step) {
                self.preferred.push(code.mover);
            }
        }
        self.path.cost.max(layer)
    }
}

impl Heuristic for Hff<'_> {
    fn name(&self) -> &str {
        "hff"
    }

    fn claims(&self) -> Claims {
        Claims { safe: true, ..Claims::NONE }
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        self.preferred.clear();
        match self.layers.explore(self.relaxation.reading.as_ref(), state) {
            End::Reached(layer) => Estimate::Finite(Cost(self.length(layer))),
            end => end.estimate(),
        }
    }

    fn advise(&mut self, state: &[u8], ways: &Expansion, advice: &mut Vec<Advice>) {
        self.estimate(state);
        advice.clear();
        advice.extend(ways.successors.ways().iter().map(|way| {
            let Mover { edge, process } = way.mover;
            let is_meant =
                |one: &Mover| one.edge == edge && (one.process == process || one.process == ANYONE);
            if self.preferred.iter().any(is_meant) { Advice::Preferred } else { Advice::Plain }
        }));
    }

    fn effort(&self) -> u64 {
        self.layers.effort()
    }

    fn fork(&self) -> Box<dyn Heuristic + '_> {
        Box::new(self.clone())
    }
}
