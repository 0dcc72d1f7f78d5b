//! The code of a process type: what it does at each of its locations.

use beeline_engine::automata::{Action, Automaton, Edge, Location};
use beeline_engine::frame::EXCLUSIVE;
use beeline_promela::hir::ProcessId;
use cranelift_codegen::ir::{Block, Function as Ir, InstBuilder};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Switch, Variable};
use cranelift_jit::JITModule;
use cranelift_module::Module;

use super::channels::Offer;
use super::statements::Setting;
use super::{Common, Function, Helper, INT, Purpose};
use crate::context::at;

/// Generates the function that tries the edges of a process.
pub(crate) fn step(
    common: &Common<'_, '_>,
    module: &mut JITModule,
    ir: &mut Ir,
    scratch: &mut FunctionBuilderContext,
    process: ProcessId,
) {
    build(common, module, ir, scratch, process, Purpose::Step);
}

/// Generates the function that tries the edges that take an offered message.
pub(crate) fn receive(
    common: &Common<'_, '_>,
    module: &mut JITModule,
    ir: &mut Ir,
    scratch: &mut FunctionBuilderContext,
    process: ProcessId,
) {
    build(common, module, ir, scratch, process, Purpose::Receive);
}

fn build(
    common: &Common<'_, '_>,
    module: &mut JITModule,
    ir: &mut Ir,
    scratch: &mut FunctionBuilderContext,
    process: ProcessId,
    purpose: Purpose,
) {
    let mut b = FunctionBuilder::new(ir, scratch);
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let (context, state, pid) =
        (b.block_params(entry)[0], b.block_params(entry)[1], b.block_params(entry)[2]);
    let config = module.target_config();
    let mut function = Function {
        common,
        module,
        b,
        context,
        process,
        pid,
        // Set at once.
        record: state,
        state,
        made: false,
        failed: entry,
    };
    let record = function.context_entry(at::PROCESSES, pid);
    function.record = function.wide(record);
    function.body(purpose);
    function.b.seal_all_blocks();
    function.b.finalize(config);
}

/// Whether an edge can take an offered message.
pub(crate) fn may_receive(automaton: &Automaton, edge: &Edge) -> bool {
    match &edge.steps[0].action {
        Action::Receive { .. } => true,
        Action::DStep => {
            let inside = automaton.d_steps.iter().find(|inside| inside.edge == edge.id);
            inside.is_some_and(|inside| {
                let mut first = inside.edges.iter().filter(|e| e.from == inside.entry);
                first.any(|e| matches!(e.steps[0].action, Action::Receive { .. }))
            })
        }
        _ => false,
    }
}

/// What has happened at a location so far, as far as anyone asks.
struct Memory {
    /// Some edge was executed; for `else`.
    moved: Option<Variable>,
    /// An escape was executed; for what it shuts out.
    escaped: Option<Variable>,
}

impl Function<'_, '_, '_> {
    fn body(&mut self, purpose: Purpose) {
        let common = self.common;
        let automaton = common.machine.automaton(self.process);
        let exit = self.block();
        if let Some(provided) = &common.machine.model().process(self.process).provided {
            // Without a value it is not true.
            let failed = self.block();
            self.b.append_block_param(failed, INT);
            self.failed = failed;
            let allowed = self.block();
            let own = self.own();
            self.condition(provided, own, allowed, exit);
            self.enter(failed);
            self.go(exit);
            self.enter(allowed);
        }
        let location = self.location(self.record);
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
                switch.set_entry(u128::from(location.0), block);
                blocks.push((block, edges));
            }
        }
        switch.emit(&mut self.b, location, exit);
        for (block, edges) in blocks {
            self.enter(block);
            self.location_edges(automaton, &edges, purpose, exit);
        }
        self.enter(exit);
        self.b.ins().return_(&[]);
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
        let memory = Memory { moved: self.flag(has_else), escaped: self.flag(has_escape) };
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

    /// Tries an edge, and goes to `next` in any case.
    fn edge(
        &mut self,
        automaton: &Automaton,
        edge: &Edge,
        purpose: Purpose,
        memory: &Memory,
        next: Block,
    ) {
        let given = self.state;
        let (failed, moved, taken) = (self.block(), self.block(), self.block());
        let kind = self.b.append_block_param(failed, INT);
        self.failed = failed;
        let setting = match purpose {
            Purpose::Receive => Setting::Offered,
            _ => Setting::Usual(Some(Offer { to: edge.to, site: edge.id.0, taken })),
        };
        let first = &edge.steps[0];
        match &first.action {
            Action::DStep => self.d_step(automaton, edge.id, setting, next),
            _ => self.statement(first, setting, next),
        }
        self.make();
        self.finish(edge, purpose);
        self.go(moved);

        self.enter(failed);
        let site = self.site(edge, purpose);
        let context = self.context;
        self.call(Helper::Fail, &[context, kind, site]);
        self.go(moved);

        self.enter(moved);
        self.raise(memory.moved);
        self.go(taken);

        self.enter(taken);
        if edge.escape.is_some() {
            self.raise(memory.escaped);
        }
        self.go(next);
        self.state = given;
        self.made = false;
    }

    /// Whose step it is, in reports.
    fn site(&mut self, edge: &Edge, purpose: Purpose) -> cranelift_codegen::ir::Value {
        match purpose {
            Purpose::Receive => self.context_int(at::SENDER_SITE),
            _ => self.int(edge.id.0 as i32),
        }
    }

    /// Executes the statements merged with the first, and ends the successor.
    fn finish(&mut self, edge: &Edge, purpose: Purpose) {
        let ends = matches!(edge.steps[0].action, Action::End);
        let next = self.state;
        if !ends {
            self.reset_dead(&edge.steps[0]);
            for step in &edge.steps[1..] {
                let goes_on = self.block();
                self.statement(step, Setting::Usual(None), goes_on);
                self.state = next;
                self.go(goes_on);
                self.enter(goes_on);
                self.reset_dead(step);
            }
            self.set_location(self.record, edge.to);
        }
        let holds = edge.hold.atomic && !ends;
        let alone = if holds {
            let one = self.int(1);
            self.add(self.pid, one)
        } else {
            self.int(0)
        };
        self.set_byte(next, EXCLUSIVE, alone);
        if let Some(last) = self.machine().layout().frame.last {
            let pid = self.pid;
            self.set_byte(next, last, pid);
        }
        let site = self.site(edge, purpose);
        self.commit(site, holds);
    }
}

fn is_else(edge: &Edge) -> bool {
    matches!(edge.steps[0].action, Action::Else)
}
