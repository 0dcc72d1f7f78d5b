//! Whether a step out of a state can violate `xr` or `xs` at all.
//!
//! The channels that a process uses mostly depend on a few variables that rarely change. While
//! these keep their values and no process starts or ends, the interpreter need not check each step.
//! If this cannot be decided, it checks each step.

use std::collections::HashMap;
use std::ops::Range;

use beeline_engine::automata::{Automaton, Edge, EdgeAction, Location, each_use};
use beeline_engine::frame::RecordKind;
use beeline_engine::interpreter::Machine;
use beeline_engine::layout_signature::LayoutSignature;
use beeline_promela::hir::{Process, ProcessId, RecvArg, Root, Type};

use super::visible::started;
use crate::stability::has_stable_channel;

/// Decides for a whole state whether a step out of it may violate exclusivity.
pub struct Exclusivity<'a> {
    machine: &'a Machine<'a>,
    /// By process type: the bytes of its variables that hold channels.
    channels: Vec<Vec<Range<usize>>>,
    /// By process type and location: whether a step may change the set of processes, or the channel
    /// of a variable, and then continue within the same transition.
    changing: Vec<Vec<bool>>,
    /// By signature of a [`ProcessConfiguration`]: whether it is safe.
    known: HashMap<LayoutSignature, bool>,
    /// The most recent configurations, newest first.
    recent: Vec<ProcessConfiguration>,
}

/// The number of recent configurations.
const RECENT: usize = 4;

/// The processes of a state with their channels.
#[derive(Debug, Default)]
struct ProcessConfiguration {
    /// The bytes that identify it.
    signature: LayoutSignature,
    /// The offsets of the processes that may change the configuration within a transition, and
    /// their types.
    changing: Vec<(usize, usize)>,
    is_safe: bool,
}

impl<'a> Exclusivity<'a> {
    /// For a machine; `None` if the model has no `xr` and no `xs`.
    pub fn of(machine: &'a Machine<'a>) -> Option<Self> {
        if !machine.has_exclusives() {
            return None;
        }
        let model = machine.model();
        let ids = (0..model.processes.len()).map(|at| ProcessId(at as u32));
        let channels = ids.clone().map(|id| {
            let locals = model.process(id).locals.iter().enumerate();
            let channels = locals.filter(|(_, local)| local.ty == Type::Chan);
            channels.map(|(local, _)| machine.layout().local(id, local)).collect()
        });
        let channels = channels.collect();
        let changing = ids.map(|id| {
            let automaton = machine.automaton(id);
            let changes = |edge: &Edge| {
                started(automaton, edge).next().is_some() || {
                    let mut actions = actions(automaton, edge);
                    actions.any(|action| sets_channel(model.process(id), action))
                }
            };
            let locations = (0..automaton.marks.len()).map(|at| Location(at as u32));
            locations.map(|from| may_change(automaton, from, changes)).collect()
        });
        let changing = changing.collect();
        let (known, recent) = (HashMap::new(), Vec::new());
        Some(Exclusivity { machine, channels, changing, known, recent })
    }

    /// Whether no step out of a state can violate exclusivity.
    pub fn is_safe(&mut self, state: &[u8]) -> bool {
        if !self.recent.first().is_some_and(|last| last.signature.matches(state)) {
            self.recall(state);
        }
        let (last, frame) = (&self.recent[0], &self.machine.layout().frame);
        last.is_safe
            && last.changing.iter().all(|&(at, process)| {
                // No process changes the configuration within a transition.
                !self.changing[process][frame.location(state, at) as usize]
            })
    }

    /// Moves the configuration of a state to the front of the recent ones.
    #[inline(never)]
    fn recall(&mut self, state: &[u8]) {
        if let Some(at) = self.recent.iter().position(|one| one.signature.matches(state)) {
            self.recent[..=at].rotate_right(1);
            return;
        }
        let mut company = self.describe(state);
        company.is_safe = match self.known.get(&company.signature) {
            Some(&is_safe) => is_safe,
            None => {
                let is_safe = self.look(state);
                self.known.insert(company.signature.clone(), is_safe);
                is_safe
            }
        };
        self.recent.truncate(RECENT - 1);
        self.recent.insert(0, company);
    }

    /// The configuration of a state; `is_safe` is not set.
    fn describe(&self, state: &[u8]) -> ProcessConfiguration {
        let layout = self.machine.layout();
        let (mut company, mut mask) = (ProcessConfiguration::default(), layout.tags(state));
        for (at, record) in layout.records(state) {
            let RecordKind::Process(process) = record else { continue };
            for bytes in &self.channels[process] {
                mask[at..][bytes.clone()].fill(u8::MAX);
            }
            if self.changing[process].contains(&true) {
                company.changing.push((at, process));
            }
        }
        company.signature = LayoutSignature::of(state, &mask);
        company
    }

    /// Checks all edges of the processes of a state.
    fn look(&self, state: &[u8]) -> bool {
        let now = self.machine.decode(state);
        let exclusivity = &self.machine.model().exclusives;
        exclusivity
            .iter()
            .all(|one| has_stable_channel(self.machine.constants(), one.process, &one.channel))
            && (0..now.process_count()).all(|pid| {
                let process = now.process(pid);
                let edges = self.machine.automaton(process).all_edges();
                let mut steps = edges.flat_map(|edge| &edge.steps);
                steps.all(|step| {
                    let mut is_safe =
                        !self.machine.may_violate_exclusivity(&step.action, &now, pid);
                    each_use(&step.action, &mut |access, _| {
                        is_safe &= has_stable_channel(self.machine.constants(), process, access);
                    });
                    is_safe
                })
            })
    }
}

/// All actions of an edge, and inside of its `d_step`.
fn actions<'a>(automaton: &'a Automaton, edge: &'a Edge) -> impl Iterator<Item = &'a EdgeAction> {
    let inside = automaton.d_steps.iter().filter(|inside| inside.edge == edge.id);
    let edges = std::iter::once(edge).chain(inside.flat_map(|inside| &inside.edges));
    edges.flat_map(|edge| &edge.steps).map(|step| &step.action)
}

/// Whether an action sets a variable of a process that holds a channel.
fn sets_channel(process: &Process, action: &EdgeAction) -> bool {
    let holds = |root: Root| match root {
        Root::Local(id) => process.locals[id.index()].ty == Type::Chan,
        _ => false,
    };
    match action {
        EdgeAction::Assign { target, .. } => holds(target.root),
        EdgeAction::Declare { var, .. } => holds(Root::Local(*var)),
        EdgeAction::Receive { args, .. } => {
            args.iter().any(|arg| matches!(arg, RecvArg::Store(target) if holds(target.root)))
        }
        _ => false,
    }
}

/// Whether, from a location, a transition may continue after such a change.
fn may_change(automaton: &Automaton, from: Location, changes: impl Fn(&Edge) -> bool) -> bool {
    let mut seen = vec![false; automaton.marks.len()];
    let mut waiting = vec![from];
    let goes_on = |edge: &Edge| {
        let is_d_step = automaton.d_steps.iter().any(|inside| inside.edge == edge.id);
        edge.hold.atomic || edge.steps.len() > 1 || is_d_step
    };
    while let Some(at) = waiting.pop() {
        if std::mem::replace(&mut seen[at.0 as usize], true) {
            continue;
        }
        for edge in automaton.edges_from(at) {
            if goes_on(edge) && changes(edge) {
                return true;
            }
            if edge.hold.atomic {
                waiting.push(edge.to);
            }
        }
    }
    false
}
