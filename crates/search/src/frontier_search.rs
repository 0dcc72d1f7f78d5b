//! Frontier search: breadth-first with two layers in memory instead of all states. The path to a
//! hit is recovered by searching again for a state in its middle, and then for both halves in the
//! same way.
//!
//! Source: [EMJ05], Directed Search, section 6; [KZ00].
//!
//! In a directed graph, a state of an older layer can be generated again, since that layer was
//! dropped. This costs time but is harmless. A state in layer d can be reached in d transitions, so
//! a state at distance d is in no earlier layer, and enters layer d from a neighbour in layer
//! d - 1: each state is expanded in the layer of its distance, and the first hit has a path with
//! the fewest transitions.
//!
//! The search terminates although states may be generated again and again: two layers, with the
//! order of their states, determine all later ones, and there are finitely many. When two layers
//! equal those at an earlier checkpoint, the search is complete. The distance between checkpoints
//! doubles [Bre80].
//!
//! It counts transitions: the depth limit is one on transitions, as in an exploration. Expansions
//! of the recovery count. `stored` is the greatest number of states held at a time.

use beeline_kernel::{Blind, Cost, Expansion, Fault, Faults, Space, StatePath, Stop};

use crate::algorithm::{Algorithm, SearchSetup, StartedSearch};
use crate::finding::FindingKind;
use crate::frontier_layers::FrontierLayers;
use crate::hit::Hit;
use crate::limits::Outcome;
use crate::query::{AfterHit, SearchQuery};
use crate::search_core::{SearchCore, StepSearch};
use crate::stats::Stats;
use crate::store::{ExactStore, StateStore};
use crate::target::Invariants;

/// The configuration of [`FrontierSearch`]: there is nothing to configure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrontierConfig;

impl Algorithm for FrontierConfig {
    fn start<'a, T: StateStore + 'a>(&self, setup: SearchSetup<'a>) -> StartedSearch<'a> {
        setup.refuse_reduction()?;
        Ok(Box::new(FrontierSearch::<T>::with_store(setup.space, setup.query)?))
    }
}

/// A frontier search, with the layers in stores of type `T`.
pub struct FrontierSearch<'a, T: StateStore = ExactStore> {
    core: SearchCore<'a>,
    initial: Vec<u8>,
    /// `None` when the search does not continue.
    layers: Option<FrontierLayers<T>>,
    /// The two layers of the last checkpoint, and the start of the second one.
    earlier: (Vec<Vec<u8>>, usize),
    /// The depth of the next checkpoint.
    next_moment: u32,
    recovery: Option<Recovery<T>>,
    /// The hits whose paths are to be recovered: error, state and depth.
    found: Vec<(FindingKind, Vec<u8>, u32)>,
    /// The depth of the first hit.
    first_found: Option<u32>,
    /// The least number of steps in a transition.
    least_steps: u32,
    most_stored: usize,
    expansion: Expansion,
}

/// The path to a hit, as far as it is known.
struct Recovery<T> {
    kind: FindingKind,
    path: StatePath,
    /// The remaining pieces, the next one last.
    pieces: Vec<Piece>,
    /// The search for the middle of the next piece, and the middle layer once reached.
    layers: Option<FrontierLayers<T>>,
    middle: Vec<Vec<u8>>,
}

/// A part of a path: this many transitions from the end of the path so far to a state.
struct Piece {
    to: Vec<u8>,
    moves: u32,
}

impl<'a> FrontierSearch<'a> {
    /// Begins with the initial state.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn new<S: Space + ?Sized>(space: &'a S, query: SearchQuery<'a>) -> Result<Self, Fault> {
        Self::with_store(space, query)
    }
}

impl<'a, T: StateStore> FrontierSearch<'a, T> {
    /// Begins with the initial state, with stores of any type.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn with_store<S: Space + ?Sized>(
        space: &'a S,
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        let mut initial = Vec::new();
        let mut core = SearchCore::new(space, Box::new(Blind), query, &mut initial)?;
        let layers = FrontierLayers::new(&initial, core.store());
        if layers.is_none() {
            core.end(Outcome::Incomplete(Stop::Memory));
        }
        Ok(FrontierSearch {
            core,
            initial,
            layers,
            earlier: (Vec::new(), 0),
            next_moment: 1,
            recovery: None,
            found: Vec::new(),
            first_found: None,
            least_steps: u32::MAX,
            most_stored: 1,
            expansion: Expansion::default(),
        })
    }

    /// One step of the search itself.
    fn search(&mut self) -> Option<Outcome> {
        let layers = self.layers.as_mut().expect("the search would be over");
        let Some(id) = layers.pop() else { return self.go_on() };
        self.core.expander.expand_only(layers.open(id), &mut self.expansion);
        self.core.count(layers.depth(), &self.expansion);
        let ways = (0..self.expansion.len()).map(|at| self.expansion.steps(at));
        let failures = self.expansion.faults.iter().map(|failure| failure.steps);
        self.least_steps = ways.chain(failures).fold(self.least_steps, u32::min);
        for kind in self.core.targets(&self.expansion) {
            self.found.push((kind, layers.open(id).to_vec(), layers.depth()));
            self.first_found = self.first_found.or(Some(layers.depth()));
        }
        let stats = &mut self.core.stats;
        let Some(known) = layers.insert(id, &self.expansion) else {
            return Some(Outcome::Incomplete(Stop::Memory));
        };
        stats.matched += known;
        stats.generated += self.expansion.len() as u64;
        let longest = self.expansion.states().map(<[u8]>::len).max().unwrap_or(0);
        stats.state_bytes = stats.state_bytes.max(longest as u64);
        self.most_stored = self.most_stored.max(layers.len());
        self.core.check_memory(self.bytes())
    }

    /// Goes to the next layer.
    fn go_on(&mut self) -> Option<Outcome> {
        let layers = self.layers.as_mut().expect("the search would be over");
        match layers.go_on(self.core.store()) {
            None => return Some(Outcome::Incomplete(Stop::Memory)),
            Some(false) => return Some(Outcome::Complete),
            Some(true) => {}
        }
        let (earlier, begin) = &self.earlier;
        let same = *begin == layers.begin() && earlier.len() == layers.len();
        if same && layers.states().eq(earlier.iter().cloned()) {
            return Some(Outcome::Complete);
        }
        if layers.depth() > self.core.query.max_cost() {
            return Some(Outcome::Incomplete(Stop::Depth));
        }
        if layers.depth() == self.next_moment {
            self.earlier = (layers.states().collect(), layers.begin());
            self.next_moment = self.next_moment.saturating_mul(2);
        }
        self.core.check_memory(self.bytes())
    }

    /// Begins to recover the path to a hit, unless the hit is known or enough are kept.
    fn begin_recovery(&mut self, kind: FindingKind, to: Vec<u8>, moves: u32) {
        let kept = self.core.hits.iter().filter(|hit| hit.kind == kind).count();
        let is_same = |(hit, path): (&Hit, &StatePath)| {
            hit.kind == kind && path.last().is_some_and(|last| *last == to)
        };
        let known = self.core.hits.iter().zip(&self.core.paths).any(is_same);
        if known || kept >= self.core.query.keep.max(1) {
            return;
        }
        if self.core.query.after_hit == AfterHit::Stop {
            // The search does not continue.
            (self.layers, self.earlier) = (None, (Vec::new(), 0));
        }
        let pieces = if moves == 0 { Vec::new() } else { vec![Piece { to, moves }] };
        let (path, middle) = ([&self.initial].into_iter().collect(), Vec::new());
        self.recovery = Some(Recovery { kind, path, pieces, layers: None, middle });
    }

    /// One step of the recovery of a path.
    fn recover(&mut self, mut recovery: Recovery<T>) -> Option<Outcome> {
        let Some(piece) = recovery.pieces.pop() else {
            let state = recovery.path.last().expect("it begins with a state").to_vec();
            return self.core.record_hit(recovery.kind, &state, || recovery.path);
        };
        if piece.moves == 1 {
            recovery.path.push(&piece.to);
            self.recovery = Some(recovery);
            return None;
        }
        let from = recovery.path.last().expect("it begins with a state");
        let layers =
            recovery.layers.take().or_else(|| FrontierLayers::new(from, self.core.store()));
        let Some(mut layers) = layers else { return Some(Outcome::Incomplete(Stop::Memory)) };
        match layers.pop() {
            Some(id) => {
                self.core.expander.expand_only(layers.open(id), &mut self.expansion);
                self.core.stats.expanded += 1;
                if layers.insert(id, &self.expansion).is_none() {
                    return Some(Outcome::Incomplete(Stop::Memory));
                }
                recovery.pieces.push(piece);
            }
            None => {
                if layers.go_on(self.core.store()).is_none() {
                    return Some(Outcome::Incomplete(Stop::Memory));
                }
                if layers.depth() == piece.moves / 2 {
                    recovery.middle = layers.mark();
                }
                if layers.depth() == piece.moves {
                    let at = layers.origin(&piece.to).expect("it was in this layer before");
                    let (first, middle) = (piece.moves / 2, recovery.middle.swap_remove(at));
                    let (to, moves) = (piece.to, piece.moves - first);
                    recovery.pieces.push(Piece { to, moves });
                    recovery.pieces.push(Piece { to: middle, moves: first });
                    recovery.middle = Vec::new();
                    self.recovery = Some(recovery);
                    return None;
                }
                recovery.pieces.push(piece);
            }
        }
        self.most_stored = self.most_stored.max(layers.len());
        recovery.layers = Some(layers);
        self.recovery = Some(recovery);
        self.core.check_memory(self.bytes())
    }
}

impl<'a, T: StateStore> StepSearch<'a> for FrontierSearch<'a, T> {
    fn name(&self) -> &'static str {
        "frontier search"
    }

    #[inline]
    fn core(&self) -> &SearchCore<'a> {
        &self.core
    }

    #[inline]
    fn core_mut(&mut self) -> &mut SearchCore<'a> {
        &mut self.core
    }

    fn step(&mut self) -> Option<Outcome> {
        if let Some(recovery) = self.recovery.take() {
            return self.recover(recovery);
        }
        if self.found.is_empty() {
            return self.search();
        }
        let (kind, state, moves) = self.found.remove(0);
        self.begin_recovery(kind, state, moves);
        None
    }

    fn stats(&self) -> Stats {
        Stats { stored: self.most_stored as u64, ..self.core.stats }
    }

    fn bytes(&self) -> usize {
        let state = size_of::<Vec<u8>>() + self.core.stats.state_bytes as usize;
        let recovery = self.recovery.as_ref();
        let recovering = recovery.map_or(0, |recovery| {
            let states = recovery.middle.len() + recovery.pieces.len();
            let layers = recovery.layers.as_ref().map_or(0, FrontierLayers::bytes);
            layers + recovery.path.bytes() + states * state
        });
        let layers = self.layers.as_ref().map_or(0, FrontierLayers::bytes);
        layers + (self.earlier.0.len() + self.found.len()) * state + recovering
    }

    /// No hit has fewer transitions than the first one or, before that, than the current layer. The
    /// steps of all transitions up to there are known, those of later ones are not. (The first hit
    /// has the fewest transitions; one with more of them may cost less.)
    fn lower_bound(&self) -> Cost {
        let depth = self.layers.as_ref().map_or(0, FrontierLayers::depth);
        let target = self.core.query.target;
        let only_faults = !target.deadlock && target.invariants == Invariants::None;
        // A fault takes another transition, of at least one step.
        let more = u32::from(only_faults && target.faults != Faults::NONE);
        let moves = self.first_found.unwrap_or(depth);
        let seen = if moves == 0 { 0 } else { moves.saturating_mul(self.least_steps) };
        let bound = seen.saturating_add(more);
        Cost(bound.min(self.core.least_hit())).max(self.core.least_possible())
    }
}
