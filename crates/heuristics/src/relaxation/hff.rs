//! h^FF: the steps of a relaxed path to a goal, which is found backwards through the layers.
//! Each value that is needed came with the step that added it first; that step needs values,
//! and so on until all are there from the beginning.
//!
//! Source: h^U of Kupferschmid et al., which [AWW15] §1 names, is the same on the layers of
//! Algorithm 1; for planning, Hoffmann and Nebel's FF.
//! Claims: safe. Never less than the number of layers.
//!
//! Steps of the path that can be taken at once are worth being tried first ([`Hff::preferred`]).

use beeline_kernel::{Claims, Cost, Estimate, Heuristic, Mover};

use super::Relaxation;
use super::code::{Code, Effect, NOTHING};
use super::layers::{End, Layers};
use super::program::{Choice, Of};
use super::relaxed::Relaxed;

/// The length of a relaxed path.
#[derive(Clone)]
pub struct Hff<'a> {
    relaxation: Relaxation<'a>,
    layers: Layers,
    path: Path,
    preferred: Vec<Mover>,
}

/// What a relaxed path consists of.
#[derive(Clone, Debug)]
struct Path {
    /// By value and by step: the state for which it is needed.
    values: Vec<u32>,
    steps: Vec<u32>,
    state: u32,
    /// Values whose steps are to be found.
    open: Vec<u32>,
    /// The steps, and what they cost together.
    taken: Vec<u32>,
    cost: u32,
    /// The best values for an expression so far, and those that are tried.
    best: Vec<u32>,
    tried: Vec<u32>,
    /// Variables of the step that have their value.
    settled: Vec<bool>,
}

impl<'a> Hff<'a> {
    /// For the states that a relaxation can read.
    pub fn new(relaxation: &Relaxation<'a>) -> Self {
        let layers = relaxation.layers();
        let codes = &relaxation.compiled.codes;
        let path = Path {
            values: vec![0; layers.relaxed.rank.len()],
            steps: vec![0; codes.len()],
            state: 0,
            open: Vec::new(),
            taken: Vec::new(),
            cost: 0,
            best: Vec::new(),
            tried: Vec::new(),
            settled: Vec::new(),
        };
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

    fn fork(&self) -> Box<dyn Heuristic + '_> {
        Box::new(self.clone())
    }
}

impl Path {
    /// Finds the steps to the goal that was reached.
    fn find(&mut self, layers: &mut Layers) {
        self.state = self.state.wrapping_add(1);
        if self.state == 0 {
            self.values.fill(0);
            self.steps.fill(0);
            self.state = 1;
        }
        self.open.clear();
        self.taken.clear();
        self.cost = 0;
        self.explain(layers, layers.goal, None);
        while let Some(value) = self.open.pop() {
            let step = layers.relaxed.support[value as usize];
            self.explain(layers, step, Some(value));
        }
    }

    /// Asks for what a step needs, and for what it needs to add a value.
    fn explain(&mut self, layers: &mut Layers, step: u32, added: Option<u32>) {
        let is_new = std::mem::replace(&mut self.steps[step as usize], self.state) != self.state;
        let Layers { compiled, relaxed, looker, first, .. } = layers;
        let code = &compiled.codes[step as usize];
        if is_new && added.is_some() {
            self.taken.push(step);
            self.cost += code.cost;
        }
        // The values that are left now have all that were left when it was taken first.
        looker.look(code, relaxed);
        self.settled.clear();
        self.settled.resize(code.vars.all.len(), false);
        let scratch = &mut looker.scratch;
        let bound = added.map_or(u32::MAX, |value| relaxed.rank[value as usize]);
        if let Some(value) = added {
            for effect in &code.effects {
                let is_found = match effect {
                    Effect::Const { .. } | Effect::All { .. } => continue,
                    Effect::Map(map) => {
                        let cell = relaxed.cells.get(map.cell);
                        let Some(bit) = value.checked_sub(cell.first * 64) else { continue };
                        let of = &code.vars.all[map.var as usize];
                        let from = relaxed.cells.get(of.cell);
                        let words = scratch.words_of(map.var, of, from, relaxed);
                        let leads = |&at: &u32| {
                            map.table[at as usize] != NOTHING
                                && u32::from(map.table[at as usize]) == bit
                                && words[(at / 64) as usize] & 1 << (at % 64) != 0
                        };
                        let all = (0..map.table.len() as u32).filter(leads);
                        let ranked = all.map(|at| from.first * 64 + at);
                        match ranked.min_by_key(|&at| relaxed.rank[at as usize]) {
                            Some(at) if bit < cell.words * 64 => {
                                self.settled[map.var as usize] = true;
                                self.need(at, relaxed, *first);
                                true
                            }
                            _ => false,
                        }
                    }
                    Effect::Value { cell, program, .. } => {
                        self.best.clear();
                        let mut best = bound;
                        let _ = scratch.each(program, &code.vars, relaxed, |stack, choices| {
                            if relaxed.place(*cell, stack[0]) == Some(value) {
                                self.offer(choices, code, relaxed, &mut best);
                            }
                            false
                        });
                        self.settle(code, relaxed, *first)
                    }
                    Effect::Element { cells, program, .. } => {
                        self.best.clear();
                        let mut best = bound;
                        let _ = scratch.each(program, &code.vars, relaxed, |stack, choices| {
                            let cell = usize::try_from(stack[0]).ok().and_then(|at| cells.get(at));
                            if cell.and_then(|&cell| relaxed.place(cell, stack[1])) == Some(value) {
                                self.offer(choices, code, relaxed, &mut best);
                            }
                            false
                        });
                        self.settle(code, relaxed, *first)
                    }
                };
                if is_found {
                    break;
                }
            }
        }
        if !is_new {
            return;
        }
        for condition in &code.conditions {
            self.best.clear();
            let mut best = bound;
            let _ = scratch.each(&condition.program, &code.vars, relaxed, |stack, choices| {
                if stack[0] != 0 {
                    self.offer(choices, code, relaxed, &mut best);
                }
                false
            });
            self.settle(code, relaxed, *first);
        }
        for (var, _) in &code.masks {
            if self.settled[*var as usize] {
                continue;
            }
            let of = &code.vars.all[*var as usize];
            let cell = relaxed.cells.get(of.cell);
            let words = scratch.words_of(*var, of, cell, relaxed);
            let all = (0..cell.words * 64)
                .filter(|at| words[(at / 64) as usize] & 1 << (at % 64) != 0)
                .map(|at| cell.first * 64 + at);
            if let Some(at) = all.min_by_key(|&at| relaxed.rank[at as usize]) {
                self.need(at, relaxed, *first);
            }
        }
    }

    /// Keeps the values that were chosen if all of them were there earlier than those so far.
    fn offer(&mut self, choices: &[Choice], code: &Code, relaxed: &Relaxed, best: &mut u32) {
        self.tried.clear();
        let mut latest = 0;
        for choice in choices {
            let cell = match choice.of {
                Of::Var(var) => code.vars.all[var as usize].cell,
                Of::Cell(cell) => cell,
                Of::Any(..) => continue,
            };
            if let Some(at) = relaxed.place(cell, choice.value) {
                latest = latest.max(relaxed.rank[at as usize] + 1);
                self.tried.push(at);
            }
        }
        if latest <= *best && (latest < *best || self.best.is_empty()) {
            *best = latest;
            std::mem::swap(&mut self.best, &mut self.tried);
        }
    }

    /// Asks for the best values; whether there are any.
    fn settle(&mut self, code: &Code, relaxed: &Relaxed, first: u32) -> bool {
        let best = std::mem::take(&mut self.best);
        for &value in &best {
            let cell = |var: &super::program::Var| {
                let cell = relaxed.cells.get(var.cell);
                (cell.first * 64..(cell.first + cell.words) * 64).contains(&value)
            };
            for (settled, var) in self.settled.iter_mut().zip(&code.vars.all) {
                *settled |= cell(var);
            }
            self.need(value, relaxed, first);
        }
        let is_found = !best.is_empty();
        self.best = best;
        is_found
    }

    /// Asks for a value, unless it is there from the beginning or was asked for before.
    fn need(&mut self, value: u32, relaxed: &Relaxed, first: u32) {
        let is_known = relaxed.rank[value as usize] < first;
        if !is_known
            && std::mem::replace(&mut self.values[value as usize], self.state) != self.state
        {
            self.open.push(value);
        }
    }
}
