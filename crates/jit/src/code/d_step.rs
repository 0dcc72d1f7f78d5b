//! The inside of a `d_step`: a graph of its own that is executed on the successor until it is left.

use std::collections::HashMap;

use beeline_engine::automata::{Automaton, DStep, Edge, EdgeAction, EdgeId, Location};
use beeline_kernel::FaultKind;
use beeline_promela::hir::ExprKind;
use cranelift_codegen::ir::{Block, InstBuilder, types};

use super::function::{Function, Helper, trusted};
use super::statements::ExecutionMode;
use crate::context::at;

/// The blocks of the inside that were referred to so far.
struct Blocks {
    known: HashMap<Location, Block>,
    waiting: Vec<Location>,
    exit: Block,
}

impl Function<'_, '_, '_> {
    /// Executes the inside to its end. Jumps to `blocked` when its first statement blocks.
    pub(super) fn d_step(
        &mut self,
        automaton: &Automaton,
        edge: EdgeId,
        mode: ExecutionMode,
        blocked: Block,
    ) {
        let inside = automaton.d_steps.iter().find(|inside| inside.edge == edge);
        let inside = inside.expect("every d_step edge has its inside");
        if inside.edges.iter().any(goes_back) {
            let none = self.b.ins().iconst(types::I64, 0);
            let context = self.context;
            self.b.ins().store(trusted(), none, context, at::LAPS);
        }
        let exit = self.block();
        let mut blocks = Blocks { known: HashMap::new(), waiting: Vec::new(), exit };
        let next = self.reserve();
        self.inner_location(inside, inside.entry, mode, &mut blocks);
        self.go(blocked);
        (self.state, self.made) = (next, true);
        while let Some(location) = blocks.waiting.pop() {
            self.enter(blocks.known[&location]);
            self.inner_location(inside, location, ExecutionMode::Usual(None), &mut blocks);
            self.fail(FaultKind::Blocked);
            self.go(blocked);
        }
        self.enter(exit);
    }

    /// Executes the first executable edge of a location; falls through if there is none.
    fn inner_location(
        &mut self,
        inside: &DStep,
        location: Location,
        mode: ExecutionMode,
        blocks: &mut Blocks,
    ) {
        let edges = edges_from(inside, location);
        if edges.is_empty() {
            // A d_step without statements.
            self.make();
            self.go(blocks.exit);
            let unreachable = self.block();
            self.enter(unreachable);
        }
        for edge in edges {
            let other = self.block();
            if !is_guard(edge) {
                self.make();
            }
            let before = (self.state, self.made);
            self.statement(&edge.steps[0], mode, other);
            if before.1 {
                // All statements work on the same successor.
                self.state = before.0;
            }
            self.make();
            if edges_from(inside, edge.to).is_empty() {
                self.go(blocks.exit);
            } else {
                if goes_back(edge) {
                    self.count_lap(edge.to);
                }
                let to = self.inner_block(edge.to, blocks);
                self.go(to);
            }
            (self.state, self.made) = before;
            self.enter(other);
        }
    }

    fn inner_block(&mut self, location: Location, blocks: &mut Blocks) -> Block {
        if let Some(&block) = blocks.known.get(&location) {
            return block;
        }
        let block = self.block();
        blocks.known.insert(location, block);
        blocks.waiting.push(location);
        block
    }

    /// Fails if the location was reached with the same state before.
    fn count_lap(&mut self, location: Location) {
        let location = self.int(location.0 as i32);
        let args = [self.context, self.state, location];
        let endless = self.call(Helper::Lap, &args).expect("lap returns it");
        self.fail_if(endless, FaultKind::Blocked);
    }
}

/// Whether a loop may be closed by this edge.
fn goes_back(edge: &Edge) -> bool {
    edge.to <= edge.from
}

/// Whether an edge begins with a condition, which can be evaluated before there is a
/// successor.
fn is_guard(edge: &Edge) -> bool {
    match &edge.steps[0].action {
        EdgeAction::Guard(condition) => !matches!(condition.kind, ExprKind::Run { .. }),
        _ => false,
    }
}

fn edges_from(inside: &DStep, location: Location) -> &[Edge] {
    let start = inside.edges.partition_point(|edge| edge.from < location);
    let end = inside.edges.partition_point(|edge| edge.from <= location);
    &inside.edges[start..end]
}
