//! Dead variables: local variables whose value no later step of the process reads. Setting them to
//! zero merges states that differ only in them.
//!
//! As in SPIN, only plain variables count (no arrays, structures or channels), a variable that dies
//! by being read is recorded at conditions and receives only, and a variable that is set to zero
//! explicitly is not recorded.

use beeline_promela::hir::{
    Access, DeclaredValue, Expr, ExprKind, LocalId, Process, RecvArg, Root, Type,
};

use super::action::EdgeAction;
use super::elements::{El, Elements, Node};
use super::flow::{Flow, FlowEdge};

struct Uses {
    reads: Vec<LocalId>,
    writes: Vec<LocalId>,
}

/// The number of variables that are analysed at once, as the bits of a word.
const CHUNK: usize = u64::BITS as usize;

pub(super) fn find_dead(elements: &mut Elements, flow: &Flow, process: &Process) {
    let uses = |el| match &elements.get(el).node {
        Node::EdgeAction(action) => uses(action, process),
        _ => Uses { reads: Vec::new(), writes: Vec::new() },
    };
    let mut liveness = Liveness::new(flow);
    let mut used: Vec<Vec<Use>> = Vec::new();
    used.resize_with(process.locals.len().div_ceil(CHUNK), Vec::new);
    for (edge, &(_, flow_edge)) in liveness.edges.iter().enumerate() {
        let Some(uses) = flow_edge.step.map(uses) else {
            continue;
        };
        for id in uses.reads {
            used[id.index() / CHUNK].push(Use { edge, id, written: false });
        }
        for id in uses.writes {
            used[id.index() / CHUNK].push(Use { edge, id, written: true });
        }
    }
    let mut found: Vec<(El, LocalId)> = Vec::new();
    for uses in &used {
        liveness.solve(uses);
        for &Use { edge, id, written } in uses {
            let (after, flow_edge) = liveness.edges[edge];
            let Some(el) = flow_edge.step else {
                continue;
            };
            let Node::EdgeAction(action) = &elements.get(el).node else {
                continue;
            };
            let counts = match written {
                true => !sets_to_zero(action),
                false => matches!(action, EdgeAction::Guard(_) | EdgeAction::Receive { .. }),
            };
            if counts && liveness.live[after] & bit(id) == 0 {
                found.push((el, id));
            }
        }
        liveness.forget(uses);
    }
    // An element can have several edges, and a variable several uses.
    found.sort_unstable();
    found.dedup();
    for (el, id) in found {
        elements.get_mut(el).dead.push(id);
    }
}

/// A variable that an edge reads or writes.
#[derive(Clone, Copy)]
struct Use {
    edge: usize,
    id: LocalId,
    written: bool,
}

fn bit(id: LocalId) -> u64 {
    1 << (id.index() % CHUNK)
}

/// The variables of a chunk that some path reads before writing them.
struct Liveness {
    /// All edges, each with its target node.
    edges: Vec<(usize, FlowEdge)>,
    /// For each edge its source node.
    sources: Vec<usize>,
    /// For each node, the edges that lead to it.
    incoming: Vec<Vec<usize>>,
    /// By edge: the variables that it writes.
    writes: Vec<u64>,
    /// By node: the live variables.
    live: Vec<u64>,
    /// By node: the variables that became live and have not been propagated.
    news: Vec<u64>,
    /// Nodes with variables to propagate.
    work: Vec<usize>,
    /// Nodes with live variables.
    touched: Vec<usize>,
}

impl Liveness {
    fn new(flow: &Flow) -> Self {
        let mut edges = Vec::new();
        let mut sources = Vec::new();
        let mut incoming: Vec<Vec<usize>> = vec![Vec::new(); flow.nodes.len()];
        for (at, node) in flow.nodes.iter().enumerate() {
            for &edge in &node.edges {
                let to = flow.position(edge.to);
                incoming[to].push(edges.len());
                edges.push((to, edge));
                sources.push(at);
            }
        }
        Liveness {
            writes: vec![0; edges.len()],
            live: vec![0; flow.nodes.len()],
            news: vec![0; flow.nodes.len()],
            work: Vec::new(),
            touched: Vec::new(),
            edges,
            sources,
            incoming,
        }
    }

    fn solve(&mut self, uses: &[Use]) {
        for usage in uses.iter().filter(|usage| usage.written) {
            self.writes[usage.edge] |= bit(usage.id);
        }
        for usage in uses.iter().filter(|usage| !usage.written) {
            self.add(self.sources[usage.edge], bit(usage.id));
        }
        while let Some(at) = self.work.pop() {
            let news = std::mem::take(&mut self.news[at]);
            for edge in 0..self.incoming[at].len() {
                let edge = self.incoming[at][edge];
                self.add(self.sources[edge], news & !self.writes[edge]);
            }
        }
    }

    /// Makes variables live at a node.
    fn add(&mut self, at: usize, variables: u64) {
        let news = variables & !self.live[at];
        if news == 0 {
            return;
        }
        if self.live[at] == 0 {
            self.touched.push(at);
        }
        if self.news[at] == 0 {
            self.work.push(at);
        }
        self.live[at] |= news;
        self.news[at] |= news;
    }

    /// Resets the data for the next chunk.
    fn forget(&mut self, uses: &[Use]) {
        for usage in uses {
            self.writes[usage.edge] = 0;
        }
        for at in self.touched.drain(..) {
            self.live[at] = 0;
        }
    }
}

fn sets_to_zero(action: &EdgeAction) -> bool {
    match action {
        EdgeAction::Assign { value, .. } => value.kind.constant() == Some(0),
        EdgeAction::Declare { value: None, .. } => true,
        EdgeAction::Declare { value: Some(DeclaredValue::Value(value)), .. } => {
            value.kind.constant() == Some(0)
        }
        _ => false,
    }
}

fn uses(action: &EdgeAction, process: &Process) -> Uses {
    let mut uses = Collector { process, reads: Vec::new(), writes: Vec::new() };
    match action {
        EdgeAction::Move(_) | EdgeAction::Else | EdgeAction::End | EdgeAction::DStep => {}
        EdgeAction::Guard(expr) | EdgeAction::Assert(expr) | EdgeAction::PrintM(expr) => {
            uses.read(expr)
        }
        EdgeAction::Assign { target, value } => {
            uses.write(target);
            uses.read(value);
        }
        EdgeAction::Declare { var, value } => {
            if uses.counts(*var) {
                uses.writes.push(*var);
            }
            if let Some(DeclaredValue::Value(value)) = value {
                uses.read(value);
            }
        }
        EdgeAction::Send { channel, args, .. } => {
            uses.read_access(channel);
            args.iter().for_each(|arg| uses.read(arg));
        }
        EdgeAction::Receive { channel, args, .. } => {
            uses.read_access(channel);
            for arg in args {
                match arg {
                    RecvArg::Store(access) => uses.write(access),
                    RecvArg::Eval(value) => uses.read(value),
                    RecvArg::Match(_) => {}
                }
            }
        }
        EdgeAction::Print { args, .. } => args.iter().for_each(|arg| uses.read(arg)),
        EdgeAction::SetPriority(process, priority) => {
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
