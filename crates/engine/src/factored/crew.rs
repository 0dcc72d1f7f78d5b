//! Who may be there: the processes and channels that factors stand for.
//!
//! Processes that run from the start have known numbers. Those that one of them starts have,
//! too, as far as what it does on the way depends on nobody else ([`Plan`]). All others are
//! *crowds*: one set of factors stands for all processes of a type, or channels of a
//! declaration, that have no known number.
//!
//! A process that has ended leaves its number to the next one that is started. If that is of the
//! same type, no state tells that it is another one: so whoever comes to be beyond the plan is
//! one of a crowd, or someone with a known number who is *reborn*.

use std::collections::BTreeSet;

use beeline_factored::FactorId;
use beeline_kernel::FaultKind;
use beeline_promela::hir::{Expr, ExprKind, Init, Model, ProcessId, Type, Variable};

use super::plan::Plan;
use crate::automata::{Action, Automaton, Edge, EdgeId, Location};
use crate::interpreter::{Machine, Now};
use crate::layout::Declaration;
use crate::layout::{ChannelLayout, Scalar};

/// Where numbers of crowds of channels begin, beyond all that variables can hold.
pub(super) const CROWDS: i32 = 1 << 20;

/// A process, or a crowd of them.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) process: ProcessId,
    /// Its number; none for a crowd.
    pub(super) pid: Option<usize>,
    /// Whether it is there from the start.
    pub(super) is_first: bool,
    /// The values of its variables when it comes to be, where they are known.
    pub(super) born: Option<Vec<i32>>,
    /// Those of its parameters are the same in every run.
    pub(super) knows_params: bool,
    pub(super) location: FactorId,
    /// The first of its variables.
    pub(super) locals: FactorId,
}

/// A channel, or a crowd of them.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    pub(super) declaration: usize,
    /// What variables hold that hold it.
    pub(super) value: i32,
    /// The member that it comes with, if it is not there for all.
    pub(super) owner: Option<usize>,
    pub(super) capacity: usize,
    pub(super) fields: Vec<Scalar>,
    pub(super) length: FactorId,
    /// The first field of the first message.
    pub(super) slots: FactorId,
}

impl Queue {
    pub(super) fn is_crowd(&self) -> bool {
        self.value >= CROWDS
    }

    /// A field of one of its messages.
    pub(super) fn slot(&self, slot: usize, field: usize) -> FactorId {
        FactorId(self.slots.0 + (slot * self.fields.len() + field) as u32)
    }
}

/// A process that is started as planned.
#[derive(Clone, Debug)]
pub(super) struct Birth {
    pub(super) edge: EdgeId,
    /// The statement of the edge that starts it.
    pub(super) place: Location,
    /// Which members it may be: where others may die or start others meanwhile, any of its type.
    pub(super) children: Vec<usize>,
    /// The variables of the one who starts it, at that time, if they tell starts apart.
    pub(super) when: Option<Vec<i32>>,
}

/// All who may be there.
#[derive(Clone, Debug)]
pub(super) struct Crew {
    pub(super) members: Vec<Member>,
    pub(super) queues: Vec<Queue>,
    /// Who starts others as planned, and whom.
    pub(super) spawner: usize,
    pub(super) births: Vec<Birth>,
    /// The edges of the spawner that may start processes beyond the plan.
    beyond: BTreeSet<EdgeId>,
    /// Someone may die, or start others, while the plan is carried out, so that numbers differ.
    shifts: bool,
    /// By process type: the member that is its crowd.
    crowds: Vec<Option<usize>>,
    /// By member.
    is_reborn: Vec<bool>,
}

impl Crew {
    /// Finds out who may be there. Factors are given to them later.
    pub(super) fn of(machine: &Machine<'_>) -> Result<Crew, FaultKind> {
        let start = machine.initial()?;
        let plan = Plan::of(machine, &start);
        let mut crew = Crew {
            members: Vec::new(),
            queues: Vec::new(),
            spawner: plan.spawner,
            births: Vec::new(),
            beyond: plan.beyond.clone(),
            shifts: false,
            crowds: vec![None; machine.model().processes.len()],
            is_reborn: Vec::new(),
        };
        let layouts = &machine.layout().channels;
        let mut reached = start.clone();
        for pid in 0..start.process_count() {
            crew.add_exact(machine, &start, pid, true, true);
        }
        for channel in 0..start.channel_count() {
            let owner = (0..start.process_count())
                .find(|&pid| machine.channels_of(&start, pid).contains(&channel));
            let declaration = machine.channel(&start, channel).declaration;
            crew.add_queue(declaration, channel as i32 + 1, owner, &layouts[declaration]);
        }
        let firsts = crew.members.len();
        for birth in &plan.births {
            let settled = birth.is_settled && birth.when.is_some();
            crew.add_exact(machine, &birth.after, birth.pid, false, settled);
            reached = birth.after.clone();
        }
        crew.shifts = plan.is_exposed
            && crew.members.iter().enumerate().any(|(at, member)| {
                let automaton = machine.automaton(member.process);
                at != plan.spawner && (may_end(automaton) || runs(automaton).next().is_some())
            });
        if !crew.shifts {
            for channel in start.channel_count()..reached.channel_count() {
                let owner = (0..reached.process_count())
                    .find(|&pid| machine.channels_of(&reached, pid).contains(&channel));
                let declaration = machine.channel(&reached, channel).declaration;
                crew.add_queue(declaration, channel as i32 + 1, owner, &layouts[declaration]);
            }
        }
        for (at, birth) in plan.births.iter().enumerate() {
            let own = firsts + at;
            let process = crew.members[own].process;
            let alike = |other: &usize| {
                *other == own || crew.shifts && crew.members[*other].process == process
            };
            let children: Vec<usize> = (0..crew.members.len()).filter(alike).collect();
            let (edge, place, when) = (birth.edge, birth.place, birth.when.clone());
            crew.births.push(Birth { edge, place, children, when });
        }
        crew.add_crowds(machine);
        let may_leave = |member: &Member| {
            let leaves = crew.shifts || may_end(machine.automaton(member.process));
            leaves && member.pid.is_some() && crew.crowd(member.process).is_some()
        };
        crew.is_reborn = crew.members.iter().map(may_leave).collect();
        // Their channels come again with other numbers, and are those of the crowd.
        let Crew { queues, members, is_reborn, .. } = &mut crew;
        queues.retain(|queue| {
            let comes_again = |owner: usize| is_reborn[owner] && !members[owner].is_first;
            queue.is_crowd() || !queue.owner.is_some_and(comes_again)
        });
        Ok(crew)
    }

    fn add_exact(
        &mut self,
        machine: &Machine<'_>,
        now: &Now,
        pid: usize,
        is_first: bool,
        knows_params: bool,
    ) {
        let process = now.process(pid);
        let names = &machine.names().locals[process.index()];
        self.members.push(Member {
            process,
            pid: Some(pid),
            is_first,
            born: Some(names.iter().map(|slot| slot.kept(now, pid)).collect()),
            knows_params,
            location: FactorId(0),
            locals: FactorId(0),
        });
    }

    fn add_queue(
        &mut self,
        declaration: usize,
        value: i32,
        owner: Option<usize>,
        layout: &ChannelLayout,
    ) {
        self.queues.push(Queue {
            declaration,
            value,
            owner,
            capacity: layout.capacity,
            fields: layout.fields.clone(),
            length: FactorId(0),
            slots: FactorId(0),
        });
    }

    /// Adds crowds for all that may come to be beyond the plan.
    fn add_crowds(&mut self, machine: &Machine<'_>) {
        let mut wanted: Vec<ProcessId> = Vec::new();
        if self.shifts {
            let planned = self.births.iter().flat_map(|birth| &birth.children);
            wanted.extend(planned.map(|&child| self.members[child].process));
        }
        for at in 0..self.members.len() {
            for (edge, started) in runs(machine.automaton(self.members[at].process)) {
                if self.is_beyond_plan(at, edge) {
                    wanted.push(started);
                }
            }
        }
        while let Some(process) = wanted.pop() {
            if self.crowds[process.index()].is_some() {
                continue;
            }
            self.crowds[process.index()] = Some(self.members.len());
            self.members.push(Member {
                process,
                pid: None,
                is_first: false,
                born: None,
                knows_params: false,
                location: FactorId(0),
                locals: FactorId(0),
            });
            wanted.extend(runs(machine.automaton(process)).map(|(_, started)| started));
        }
        for member in 0..self.members.len() {
            if self.members[member].pid.is_some() {
                continue;
            }
            for declaration in declared(machine, self.members[member].process) {
                let layout = &machine.layout().channels[declaration];
                let value = CROWDS + declaration as i32;
                if self.queues.iter().all(|queue| queue.value != value) {
                    self.add_queue(declaration, value, Some(member), layout);
                }
            }
        }
    }

    /// Whether an edge of a member may start processes that are not planned.
    pub(super) fn is_beyond_plan(&self, member: usize, edge: EdgeId) -> bool {
        member != self.spawner || self.beyond.contains(&edge)
    }

    /// The crowd of a process type.
    pub(super) fn crowd(&self, process: ProcessId) -> Option<usize> {
        self.crowds[process.index()]
    }

    /// Those with a known number of a type that may come to be once more, beyond the plan.
    pub(super) fn reborn(&self, process: ProcessId) -> Vec<usize> {
        let all = (0..self.members.len()).filter(|&at| self.is_reborn[at]);
        all.filter(|&at| self.members[at].process == process).collect()
    }

    /// Whether a member may be there again after its end, and not as it was planned.
    pub(super) fn is_reborn(&self, member: usize) -> bool {
        self.is_reborn[member]
    }

    /// Whether nobody comes again with channels that had known numbers from the start.
    pub(super) fn keeps_channels(&self) -> bool {
        let exact = self.queues.iter().filter(|queue| !queue.is_crowd());
        !exact.filter_map(|queue| queue.owner).any(|owner| self.is_reborn[owner])
    }

    /// Whether someone may be there who has no known number.
    pub(super) fn has_crowds(&self) -> bool {
        self.crowds.iter().any(Option::is_some)
    }

    /// Whether a process may come to be with another number than planned.
    pub(super) fn shifts(&self) -> bool {
        self.shifts
    }
}

/// The edges that start processes, and what they start.
fn runs(automaton: &Automaton) -> impl Iterator<Item = (EdgeId, ProcessId)> + '_ {
    let inside = automaton.d_steps.iter().flat_map(|inside| {
        let number = inside.edge;
        inside.edges.iter().map(move |edge| (number, edge))
    });
    let own = automaton.edges.iter().map(|edge| (edge.id, edge));
    own.chain(inside).flat_map(|(number, edge)| {
        started(edge).into_iter().map(move |start| (number, start.process))
    })
}

/// A process that a statement starts.
pub(super) struct Start {
    /// The statement.
    pub(super) place: Location,
    pub(super) process: ProcessId,
    /// What is passed to it.
    pub(super) args: Vec<Expr>,
}

/// What an edge starts, in order.
pub(super) fn started(edge: &Edge) -> Vec<Start> {
    let mut found = Vec::new();
    for step in &edge.steps {
        step.action.visit(&mut |part| {
            if let ExprKind::Run { process, args, .. } = &part.kind {
                let (place, args) = (step.location, args.clone());
                found.push(Start { place, process: *process, args });
            }
        });
    }
    found
}

/// Whether a process can come to its end.
pub(super) fn may_end(automaton: &Automaton) -> bool {
    automaton.edges.iter().any(|edge| matches!(edge.steps[0].action, Action::End))
}

/// The declarations of the channels that come with a process.
fn declared(machine: &Machine<'_>, process: ProcessId) -> Vec<usize> {
    fn add(
        machine: &Machine<'_>,
        model: &Model,
        variable: &Variable,
        declaration: Declaration,
        found: &mut Vec<usize>,
    ) {
        if let Init::Channel(_) = variable.init {
            found.push(machine.channel_declared(declaration));
        }
        if let Type::Struct(id) = variable.ty {
            for (at, field) in model.structs[id.index()].fields.iter().enumerate() {
                add(machine, model, field, Declaration::Field(id.index(), at), found);
            }
        }
    }
    let model = machine.model();
    let mut found = Vec::new();
    let locals = &model.process(process).locals;
    for (at, local) in locals.iter().enumerate().skip(model.process(process).params as usize) {
        add(machine, model, local, Declaration::Local(process.index(), at), &mut found);
    }
    found
}
