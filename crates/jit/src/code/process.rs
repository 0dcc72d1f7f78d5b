//! The code of a process type: its edges at each of its locations.

use beeline_engine::automata::{Automaton, Edge, EdgeAction, Location};
use beeline_engine::frame::{EXCLUSIVE, LAST};
use beeline_promela::hir::{ExprKind, ProcessId};
use cranelift_codegen::ir::{Block, Function as Ir, InstBuilder, Value};
use cranelift_frontend::{FunctionBuilderContext, Switch, Variable};
use cranelift_jit::JITModule;

use super::channels::Offer;
use super::function::{Function, Helper, INT, POINTER, Program, Purpose, trusted};
use super::statements::ExecutionMode;
use crate::context::at;
use crate::receivers::receives;

/// Generates the function that tries the edges of a process: all of them, or those that receive an
/// offered message.
pub(crate) fn edges(
    program: &Program<'_, '_>,
    module: &mut JITModule,
    ir: &mut Ir,
    scratch: &mut FunctionBuilderContext,
    process: ProcessId,
    purpose: Purpose,
) {
    let mut function = Function::begin(program, module, ir, scratch, process);
    let record = function.context_entry(at::PROCESSES, function.pid);
    function.record = function.wide(record);
    let exit = function.block();
    function.body(purpose, exit);
    function.enter(exit);
    function.b.ins().return_(&[]);
    function.finish_code();
}

/// Whether an edge can receive an offered message.
fn may_receive(automaton: &Automaton, edge: &Edge) -> bool {
    receives(automaton, edge).next().is_some()
}

/// Flags of earlier edges of a location that later edges need.
struct LocationFlags {
    /// Whether some edge was executed, for `else`.
    moved: Option<Variable>,
    /// Whether an escape was executed, for the edges that it excludes.
    escaped: Option<Variable>,
}

/// Exits of a chain of edges before its last one, with the number of steps.
#[derive(Default)]
struct ChainExits {
    /// The next edge is disabled.
    stuck: Vec<(Block, u32)>,
    /// The last one fails: the fault, and the label of the step.
    failed: Vec<(Block, Value, u32, u32)>,
}

impl Function<'_, '_, '_> {
    /// Tries the edges of the process, and continues at `exit`.
    pub(super) fn body(&mut self, purpose: Purpose, exit: Block) {
        let program = self.program;
        let automaton = program.machine.automaton(self.process);
        if let Some(provided) = &program.machine.model().process(self.process).provided {
            let failed = self.block();
            let kind = self.b.append_block_param(failed, INT);
            self.failed = failed;
            let allowed = self.block();
            let own = self.own();
            self.condition(provided, own, allowed, exit);
            self.enter(failed);
            match purpose {
                // The fault is reported for the process itself.
                Purpose::Receive => self.go(exit),
                _ => self.fail_to_move(automaton, kind, exit),
            }
            self.enter(allowed);
        }
        if purpose == Purpose::Step && program.machine.has_priorities() {
            let args = [self.context, self.state, self.pid];
            let outranked = self.call(Helper::Outranked, &args).expect("outranked answers");
            self.leave_if(outranked, exit);
        }
        let frame = program.machine.layout().frame;
        let location = self.written_location(self.record);
        let mut switch = Switch::new();
        let mut blocks = Vec::new();
        for location in automaton.locations() {
            let edges: Vec<&Edge> = automaton
                .edges_from(location)
                .iter()
                .filter(|edge| purpose == Purpose::Step || may_receive(automaton, edge))
                .collect();
            if !edges.is_empty() {
                let block = self.block();
                let written = frame.written_location(self.process.index(), location.0);
                switch.set_entry(u128::from(written), block);
                blocks.push((block, edges));
            }
        }
        switch.emit(&mut self.b, location, exit);
        for (block, edges) in blocks {
            self.enter(block);
            self.location_edges(automaton, &edges, purpose, exit);
        }
    }

    /// The move of a process whose `provided` clause has no value: it fails.
    fn fail_to_move(&mut self, automaton: &Automaton, kind: Value, exit: Block) {
        let frame = self.machine().layout().frame;
        let location = self.written_location(self.record);
        let mut switch = Switch::new();
        let mut blocks = Vec::new();
        for location in automaton.locations() {
            let block = self.block();
            let written = frame.written_location(self.process.index(), location.0);
            switch.set_entry(u128::from(written), block);
            blocks.push((block, automaton.edges_from(location)[0].id));
        }
        switch.emit(&mut self.b, location, exit);
        for (block, edge) in blocks {
            self.enter(block);
            let site = self.int(edge.0 as i32);
            self.report(kind, site, 1);
            self.go(exit);
        }
    }

    /// Tries the edges of a location in order.
    fn location_edges(
        &mut self,
        automaton: &Automaton,
        edges: &[&Edge],
        purpose: Purpose,
        exit: Block,
    ) {
        let has_else = edges.iter().any(|edge| is_else(edge));
        let has_escape = edges.iter().any(|edge| edge.escape.is_some());
        let memory = LocationFlags { moved: self.flag(has_else), escaped: self.flag(has_escape) };
        let mut group: Option<Option<Location>> = None;
        for edge in edges {
            if group.is_some_and(|group| group != edge.escape)
                && let Some(escaped) = memory.escaped
            {
                let escaped = self.b.use_var(escaped);
                self.leave_if(escaped, exit);
            }
            group = Some(edge.escape);
            let next = self.block();
            if is_else(edge)
                && let Some(moved) = memory.moved
            {
                let moved = self.b.use_var(moved);
                self.leave_if(moved, next);
            }
            self.edge(automaton, edge, purpose, &memory, next);
            self.enter(next);
        }
        self.go(exit);
    }

    fn flag(&mut self, needed: bool) -> Option<Variable> {
        needed.then(|| {
            let flag = self.b.declare_var(INT);
            let zero = self.int(0);
            self.b.def_var(flag, zero);
            flag
        })
    }

    fn raise(&mut self, flag: Option<Variable>) {
        if let Some(flag) = flag {
            let one = self.int(1);
            self.b.def_var(flag, one);
        }
    }

    /// Tries an edge, and continues at `next` in any case.
    fn edge(
        &mut self,
        automaton: &Automaton,
        edge: &Edge,
        purpose: Purpose,
        memory: &LocationFlags,
        next: Block,
    ) {
        let given = self.state;
        let (failed, moved) = (self.block(), self.block());
        let kind = self.b.append_block_param(failed, INT);
        self.failed = failed;
        self.noted = false;
        self.is_resized = false;
        self.reserved = None;
        let mode = match purpose {
            Purpose::Receive => ExecutionMode::Offered,
            _ => ExecutionMode::Usual(Some(Offer { to: edge.to, site: edge.id.0, taken: moved })),
        };
        let first = &edge.steps[0];
        match &first.action {
            EdgeAction::DStep => self.d_step(automaton, edge.id, mode, next),
            _ => self.statement(first, mode, next),
        }
        self.make();
        self.finish(automaton, edge, purpose, moved);
        self.enter(failed);
        let site = self.site(edge, purpose);
        self.report(kind, site, 1);
        self.go(moved);

        self.enter(moved);
        self.raise(memory.moved);
        if edge.escape.is_some() {
            self.raise(memory.escaped);
        }
        self.go(next);
        self.state = given;
        self.made = false;
    }

    /// The site of the step, for reports.
    fn site(&mut self, edge: &Edge, purpose: Purpose) -> Value {
        match purpose {
            Purpose::Receive => self.context_int(at::SENDER_SITE),
            _ => self.int(edge.id.0 as i32),
        }
    }

    /// The label of a transition that begins with this edge.
    fn label(&mut self, edge: &Edge, purpose: Purpose) -> Value {
        match purpose {
            Purpose::Receive => self.b.ins().load(POINTER, trusted(), self.context, at::SENDER),
            _ => {
                let pid = self.wide(self.pid);
                let upper = self.b.ins().ishl_imm_u(pid, 32);
                self.b.ins().bor_imm_u(upper, i64::from(edge.id.0))
            }
        }
    }

    /// Reports a fault in the last of this many steps, without a successor.
    fn report(&mut self, kind: Value, site: Value, steps: u32) {
        let (context, steps) = (self.context, self.int(steps as i32));
        self.call(Helper::Fail, &[context, kind, site, steps]);
    }

    /// Executes the statements merged with the first of an edge, and completes the successor. While
    /// the process has exclusive control and its next edge is determined, its next edges are
    /// executed at once, so that no state is created that is not stored.
    fn finish(&mut self, automaton: &Automaton, edge: &Edge, purpose: Purpose, moved: Block) {
        self.execute_rest(edge);
        let mut ends = ChainExits::default();
        self.go_on(automaton, &mut vec![edge], purpose, moved, &mut ends);
        // A blocked process loses exclusive control, and others may move.
        for (stuck, steps) in ends.stuck {
            self.enter(stuck);
            let (site, label) = (self.int(0), self.label(edge, purpose));
            self.end_successor(site, label, false, steps);
            self.go(moved);
        }
        for (failed, kind, site, steps) in ends.failed {
            self.enter(failed);
            let site = self.int(site as i32);
            self.report(kind, site, steps);
            self.go(moved);
        }
    }

    /// Executes the edges that follow a chain of edges at once, and completes the successor.
    fn go_on<'e>(
        &mut self,
        automaton: &'e Automaton,
        chain: &mut Vec<&'e Edge>,
        purpose: Purpose,
        moved: Block,
        ends: &mut ChainExits,
    ) {
        let next = self.state;
        let channels = &self.machine().layout().channels;
        let meets = channels.iter().any(|channel| channel.capacity == 0);
        // The `provided` clause and priorities are evaluated before each step.
        let is_free = self.machine().model().process(self.process).provided.is_none()
            && !self.machine().has_priorities();
        while let Some((first, otherwise)) = following(automaton, chain, meets)
            && is_free
        {
            let steps = chain.len() as u32;
            self.set_number(LAST, self.pid);
            if self.noted {
                let site = self.site_of(chain, purpose);
                self.settle_fault(site, steps);
            }
            let noted = self.noted;
            let (failed, stuck) = (self.block(), self.block());
            let kind = self.b.append_block_param(failed, INT);
            ends.failed.push((failed, kind, first.id.0, steps + 1));
            self.failed = failed;
            self.statement(&first.steps[0], ExecutionMode::Usual(None), stuck);
            self.state = next;
            self.execute_rest(first);
            chain.push(first);
            let Some(otherwise) = otherwise else {
                ends.stuck.push((stuck, steps));
                continue;
            };
            self.go_on(automaton, chain, purpose, moved, ends);
            chain.truncate(steps as usize);
            self.enter(stuck);
            (self.state, self.noted) = (next, noted);
            self.execute_rest(otherwise);
            chain.push(otherwise);
        }
        let last = chain[chain.len() - 1];
        let holds = last.hold.atomic && !matches!(last.steps[0].action, EdgeAction::End);
        let (site, label) = (self.site_of(chain, purpose), self.label(chain[0], purpose));
        self.end_successor(site, label, holds, chain.len() as u32);
        self.go(moved);
    }

    /// The site of the last step of a chain, for reports.
    fn site_of(&mut self, chain: &[&Edge], purpose: Purpose) -> Value {
        let purpose = if chain.len() == 1 { purpose } else { Purpose::Step };
        self.site(chain[chain.len() - 1], purpose)
    }

    /// The statements of an edge after the first one.
    fn execute_rest(&mut self, edge: &Edge) {
        let next = self.state;
        if matches!(edge.steps[0].action, EdgeAction::End) {
            return;
        }
        self.reset_dead(&edge.steps[0]);
        for step in &edge.steps[1..] {
            let goes_on = self.block();
            self.statement(step, ExecutionMode::Usual(None), goes_on);
            self.state = next;
            self.go(goes_on);
            self.enter(goes_on);
            self.reset_dead(step);
        }
        self.set_location(edge.to);
    }

    /// Reports the fault in the last of this many steps, after which the successor continues.
    fn settle_fault(&mut self, site: Value, steps: u32) {
        let (failed, fine) = (self.block(), self.block());
        self.b.set_cold_block(failed);
        let fault = self.context_int(at::FAULT);
        self.branch(fault, failed, fine);
        self.enter(failed);
        let one = self.int(1);
        let kind = self.b.ins().isub(fault, one);
        self.report(kind, site, steps);
        self.go(fine);
        self.enter(fine);
    }

    /// Completes the successor: sets exclusive control and `_last`.
    fn end_successor(&mut self, site: Value, label: Value, holds: bool, steps: u32) {
        let alone = if holds {
            let one = self.int(1);
            self.add(self.pid, one)
        } else {
            self.int(0)
        };
        self.set_number(EXCLUSIVE, alone);
        let pid = self.pid;
        self.set_number(LAST, pid);
        self.commit(site, label, holds, steps);
    }
}

/// The edge with which a process continues after a chain of edges, exclusively and without a
/// choice, if it can be executed at once; and its `else` alternative, if there is one. `meets` says
/// whether there are rendezvous.
fn following<'a>(
    automaton: &'a Automaton,
    chain: &[&Edge],
    meets: bool,
) -> Option<(&'a Edge, Option<&'a Edge>)> {
    /// Longer chains are split, which limits the size of the code,
    const LONGEST: usize = 16;
    /// and so are those with more branches on one of two edges.
    const FORKS: usize = 3;
    let last = chain[chain.len() - 1];
    if !last.hold.atomic || chain.len() == LONGEST {
        return None;
    }
    let (first, otherwise) = match automaton.edges_from(last.to) {
        [only] => (only, None),
        [first, otherwise] if is_else(otherwise) => (first, Some(otherwise)),
        _ => return None,
    };
    let is_fork = |edge: &&&Edge| automaton.edges_from(edge.from).len() > 1;
    let is_long = otherwise.is_some() && chain[1..].iter().filter(is_fork).count() == FORKS;
    let goes_back = chain.iter().any(|edge| edge.from == first.from);
    let can = match &first.steps[0].action {
        EdgeAction::Move(_)
        | EdgeAction::Else
        | EdgeAction::Print { .. }
        | EdgeAction::PrintM(_)
        | EdgeAction::Assert(_)
        | EdgeAction::Declare { .. } => true,
        EdgeAction::Guard(guard) => {
            !guard.any(|part| matches!(part.kind, ExprKind::Timeout | ExprKind::Run { .. }))
        }
        EdgeAction::Assign { value, .. } => !matches!(value.kind, ExprKind::Run { .. }),
        EdgeAction::Receive { .. } => true,
        // The partner of a rendezvous is a choice.
        EdgeAction::Send { .. } => !meets,
        _ => false,
    };
    let escapes = first.escape.is_some() || otherwise.is_some_and(|edge| edge.escape.is_some());
    (can && !goes_back && !is_long && !escapes).then_some((first, otherwise))
}

fn is_else(edge: &Edge) -> bool {
    matches!(edge.steps[0].action, EdgeAction::Else)
}
