//! Dead variables: local variables whose value no later step of the process
//! reads. Setting them to zero makes states equal that differ in nothing that
//! matters.
//!
//! As in SPIN, only plain variables count (no arrays, structures or channels),
//! a variable that dies by being read is noted at conditions and receives only,
//! and a variable that is set to zero anyway is not noted.

use beeline_promela::hir::{
    Access, DeclaredValue, Expr, ExprKind, LocalId, Process, RecvArg, Root, Type,
};

use super::action::Action;
use super::elements::{Elements, Node};
use super::flow::Flow;

/// Local variables as bits.
type Set = Vec<u64>;

struct Uses {
    reads: Vec<LocalId>,
    writes: Vec<LocalId>,
}

pub(super) fn find_dead(elements: &mut Elements, flow: &Flow, process: &Process) {
    let uses = |el| match &elements.get(el).node {
        Node::Action(action) => uses(action, process),
        _ => Uses { reads: Vec::new(), writes: Vec::new() },
    };
    // Uses per node and edge, in the flow's own order.
    let table: Vec<Vec<Uses>> = flow
        .nodes
        .iter()
        .map(|node| {
            let uses_of =
                |step: Option<_>| step.map_or(Uses { reads: Vec::new(), writes: Vec::new() }, uses);
            node.edges.iter().map(|edge| uses_of(edge.step)).collect()
        })
        .collect();
    let live = liveness(flow, &table, process.locals.len());
    let index_of = |location: u32| flow.position(location);
    let mut found = Vec::new();
    for (node, uses) in flow.nodes.iter().zip(&table) {
        for (edge, uses) in node.edges.iter().zip(uses) {
            let Some(el) = edge.step else {
                continue;
            };
            let Node::Action(action) = &elements.get(el).node else {
                continue;
            };
            let after = &live[index_of(edge.to)];
            let dead = |id: &LocalId| !contains(after, *id);
            let read_counts = matches!(action, Action::Guard(_) | Action::Receive { .. });
            let mut list: Vec<LocalId> = Vec::new();
            if read_counts {
                list.extend(uses.reads.iter().copied().filter(|id| dead(id)));
            }
            if !sets_to_zero(action) {
                list.extend(uses.writes.iter().copied().filter(|id| dead(id)));
            }
            list.sort_unstable();
            list.dedup();
            if !list.is_empty() {
                found.push((el, list));
            }
        }
    }
    for (el, dead) in found {
        elements.get_mut(el).dead = dead;
    }
}

fn sets_to_zero(action: &Action) -> bool {
    match action {
        Action::Assign { value, .. } => value.kind.constant() == Some(0),
        Action::Declare { value: None, .. } => true,
        Action::Declare { value: Some(DeclaredValue::Value(value)), .. } => {
            value.kind.constant() == Some(0)
        }
        _ => false,
    }
}

/// For each node: the variables that some path reads before writing them.
fn liveness(flow: &Flow, table: &[Vec<Uses>], locals: usize) -> Vec<Set> {
    let words = locals.div_ceil(64);
    let mut live: Vec<Set> = vec![vec![0; words]; flow.nodes.len()];
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); flow.nodes.len()];
    for (at, node) in flow.nodes.iter().enumerate() {
        for edge in &node.edges {
            waiting[flow.position(edge.to)].push(at);
        }
    }
    let mut work: Vec<usize> = (0..flow.nodes.len()).collect();
    let mut queued = vec![true; flow.nodes.len()];
    while let Some(at) = work.pop() {
        queued[at] = false;
        let mut set: Set = vec![0; words];
        for (edge, uses) in flow.nodes[at].edges.iter().zip(&table[at]) {
            let mut through = live[flow.position(edge.to)].clone();
            for &id in &uses.writes {
                through[id.index() / 64] &= !(1 << (id.index() % 64));
            }
            for &id in &uses.reads {
                through[id.index() / 64] |= 1 << (id.index() % 64);
            }
            set.iter_mut().zip(&through).for_each(|(word, more)| *word |= more);
        }
        if set != live[at] {
            live[at] = set;
            for &before in &waiting[at] {
                if !std::mem::replace(&mut queued[before], true) {
                    work.push(before);
                }
            }
        }
    }
    live
}

fn contains(set: &Set, id: LocalId) -> bool {
    set[id.index() / 64] & (1 << (id.index() % 64)) != 0
}

fn uses(action: &Action, process: &Process) -> Uses {
    let mut uses = Collector { process, reads: Vec::new(), writes: Vec::new() };
    match action {
        Action::Move(_) | Action::Else | Action::End | Action::DStep => {}
        Action::Guard(expr) | Action::Assert(expr) | Action::PrintM(expr) => uses.read(expr),
        Action::Assign { target, value } => {
            uses.write(target);
            uses.read(value);
        }
        Action::Declare { var, value } => {
            if uses.counts(*var) {
                uses.writes.push(*var);
            }
            if let Some(DeclaredValue::Value(value)) = value {
                uses.read(value);
            }
        }
        Action::Send { channel, args, .. } => {
            uses.read_access(channel);
            args.iter().for_each(|arg| uses.read(arg));
        }
        Action::Receive { channel, args, .. } => {
            uses.read_access(channel);
            for arg in args {
                match arg {
                    RecvArg::Store(access) => uses.write(access),
                    RecvArg::Eval(value) => uses.read(value),
                    RecvArg::Match(_) => {}
                }
            }
        }
        Action::Print { args, .. } => args.iter().for_each(|arg| uses.read(arg)),
        Action::SetPriority(process, priority) => {
            uses.read(process);
            uses.read(priority);
        }
    }
    Uses { reads: uses.reads, writes: uses.writes }
}

struct Collector<'a> {
    process: &'a Process,
    reads: Vec<LocalId>,
    writes: Vec<LocalId>,
}

impl Collector<'_> {
    /// Whether a variable can die.
    fn counts(&self, id: LocalId) -> bool {
        let variable = &self.process.locals[id.index()];
        variable.length.is_none() && !matches!(variable.ty, Type::Chan | Type::Struct(_))
    }

    fn plain(&self, access: &Access) -> Option<LocalId> {
        match access.root {
            Root::Local(id) if access.index.is_none() && access.path.is_empty() => {
                self.counts(id).then_some(id)
            }
            _ => None,
        }
    }

    fn write(&mut self, access: &Access) {
        if let Some(id) = self.plain(access) {
            self.writes.push(id);
        }
        self.read_indices(access);
    }

    fn read_access(&mut self, access: &Access) {
        if let Some(id) = self.plain(access) {
            self.reads.push(id);
        }
        self.read_indices(access);
    }

    fn read_indices(&mut self, access: &Access) {
        let mut found = Vec::new();
        access.visit(&mut |expr| self.note(expr, &mut found));
        self.reads.extend(found);
    }

    fn read(&mut self, expr: &Expr) {
        let mut found = Vec::new();
        expr.visit(&mut |expr| self.note(expr, &mut found));
        self.reads.extend(found);
    }

    fn note(&self, expr: &Expr, found: &mut Vec<LocalId>) {
        if let ExprKind::Read(access) | ExprKind::Channel(_, access) = &expr.kind {
            found.extend(self.plain(access));
        }
    }
}
