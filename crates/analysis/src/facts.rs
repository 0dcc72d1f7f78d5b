//! Static facts as text, for readers of a model: the conditions of each step, its reads and writes,
//! the constant variables, and the local variables that are eliminated from states because pid and
//! location determine them. The reduction uses finer facts (`reduction`).

use std::collections::BTreeSet;
use std::fmt::Write as _;

use beeline_promela::hir::print::Printer;
use beeline_promela::hir::{
    Access, Expr, ExprKind, Field, GlobalId, LocalId, ProcessId, ProcessKind, ProcessQuery,
    RecvArg, Root,
};

use beeline_engine::automata::{Automaton, Edge, EdgeAction, title};
use beeline_engine::interpreter::Machine;

/// The facts about a model.
pub fn dump(machine: &Machine<'_>) -> String {
    let mut out = String::new();
    let constant: BTreeSet<String> = constants(machine).into_iter().collect();
    line(&mut out, "never change", &constant);
    line(
        &mut out,
        "known anyway",
        &machine.local_constants().texts(machine.model()).into_iter().collect(),
    );
    for (number, process) in machine.model().processes.iter().enumerate() {
        let automaton = machine.automaton(ProcessId(number as u32));
        writeln!(out, "{}", title(automaton)).expect("writing to a string succeeds");
        for edge in automaton.all_edges() {
            let texts = edge.steps.iter().map(|step| step.text(machine.model(), process));
            let text = texts.collect::<Vec<_>>().join("; ");
            let (from, to, id) = (edge.from.0, edge.to.0, edge.id.0);
            writeln!(out, "  {from:>4} -> {to:<4} [id {id:>4}]  {text}")
                .expect("writing to a string succeeds");
            for (what, names) in Facts::of(machine, automaton, edge).named() {
                line(&mut out, &format!("         {what}"), names);
            }
        }
    }
    out
}

fn line(out: &mut String, what: &str, names: &BTreeSet<String>) {
    if !names.is_empty() {
        let names = names.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        writeln!(out, "{what}: {names}").expect("writing to a string succeeds");
    }
}

/// The global variables that never change, and the locals with their process.
fn constants(machine: &Machine<'_>) -> Vec<String> {
    let (model, constants) = (machine.model(), machine.constants());
    let globals = model.globals.iter().enumerate().filter(|&(number, _)| {
        let id = GlobalId(number as u32);
        constants.contains(ProcessId(0), Root::Global(id))
    });
    let mut names: Vec<String> =
        globals.map(|(_, variable)| variable.name.name.to_string()).collect();
    for (at, process) in model.processes.iter().enumerate() {
        let id = ProcessId(at as u32);
        for (number, local) in machine.locals_in_states(id) {
            if constants.contains(id, Root::Local(LocalId(number as u32))) {
                names.push(format!("{}:{}", process.name.name, local.name.name));
            }
        }
    }
    names
}

/// The facts of an edge, by name.
#[derive(Default)]
struct Facts {
    waits_for: BTreeSet<String>,
    reads: BTreeSet<String>,
    writes: BTreeSet<String>,
    sends: BTreeSet<String>,
    receives: BTreeSet<String>,
    starts: BTreeSet<String>,
}

impl Facts {
    fn of(machine: &Machine<'_>, automaton: &Automaton, edge: &Edge) -> Facts {
        let namer = Namer { machine, automaton };
        let mut facts = Facts::default();
        namer.waits_for(edge, &mut facts.waits_for);
        for step in &edge.steps {
            namer.note(step.written(), &mut facts);
        }
        facts
    }

    fn named(&self) -> [(&'static str, &BTreeSet<String>); 6] {
        [
            ("waits for", &self.waits_for),
            ("reads", &self.reads),
            ("writes", &self.writes),
            ("sends to", &self.sends),
            ("receives from", &self.receives),
            ("starts", &self.starts),
        ]
    }
}

/// Names of variables and channels in a process.
struct Namer<'a> {
    machine: &'a Machine<'a>,
    automaton: &'a Automaton,
}

impl Namer<'_> {
    /// The conditions of an edge.
    fn waits_for(&self, edge: &Edge, found: &mut BTreeSet<String>) {
        let process = self.machine.model().process(self.automaton.process);
        if let Some(provided) = &process.provided {
            self.reads(provided, found);
        }
        match edge.steps[0].written() {
            EdgeAction::Guard(Expr { kind: ExprKind::Run { .. }, .. }) => {
                found.insert("room for a process".to_owned());
            }
            EdgeAction::Guard(guard) => self.reads(guard, found),
            EdgeAction::Send { channel, .. } => {
                found.insert(format!("room in {}", self.name(channel)));
            }
            EdgeAction::Receive { channel, args, .. } => {
                found.insert(format!("a message in {}", self.name(channel)));
                for arg in args {
                    if let RecvArg::Match(value) | RecvArg::Eval(value) = arg {
                        self.reads(value, found);
                    }
                }
            }
            EdgeAction::Else => {
                found.insert("none of the others".to_owned());
            }
            EdgeAction::End if process.kind != ProcessKind::Never => {
                found.insert("the end of all younger processes".to_owned());
            }
            _ => {}
        }
    }

    fn note(&self, action: &EdgeAction, facts: &mut Facts) {
        match action {
            EdgeAction::Assign { target, .. } => {
                facts.writes.insert(self.name(target));
            }
            EdgeAction::Declare { var, .. } => {
                let process = self.machine.model().process(self.automaton.process);
                facts.writes.insert(process.locals[var.index()].name.name.to_string());
            }
            EdgeAction::Send { channel, .. } => {
                facts.sends.insert(self.name(channel));
            }
            EdgeAction::Receive { channel, args, .. } => {
                facts.receives.insert(self.name(channel));
                let stored = args.iter().filter_map(|arg| match arg {
                    RecvArg::Store(access) => Some(self.name(access)),
                    _ => None,
                });
                facts.writes.extend(stored);
            }
            _ => {}
        }
        action.visit(&mut |part| {
            self.part(part, &mut facts.reads);
            if let ExprKind::Run { process, .. } = &part.kind {
                let name = &self.machine.model().process(*process).name.name;
                facts.starts.insert(name.to_string());
            }
        });
    }

    fn reads(&self, expr: &Expr, found: &mut BTreeSet<String>) {
        expr.visit(&mut |part| self.part(part, found));
    }

    /// The reads of an expression, without those of its parts.
    fn part(&self, part: &Expr, found: &mut BTreeSet<String>) {
        match &part.kind {
            ExprKind::Read(access) => {
                found.insert(self.name(access));
            }
            ExprKind::Channel(_, channel) | ExprKind::Poll { channel, .. } => {
                found.insert(format!("contents of {}", self.name(channel)));
            }
            ExprKind::RemoteLabel { process, .. } | ExprKind::RemoteVar { process, .. } => {
                let name = &self.machine.model().process(*process).name.name;
                found.insert(format!("location or variables of {name}"));
            }
            ExprKind::Process(ProcessQuery::Enabled, _) => {
                found.insert("enabled processes".to_owned());
            }
            ExprKind::Process(..) => {
                found.insert("location or priority of a process".to_owned());
            }
            ExprKind::Timeout => {
                found.insert("whether any process can move".to_owned());
            }
            ExprKind::NonProgress => {
                found.insert("progress labels".to_owned());
            }
            _ => {}
        }
    }

    /// A variable, with its fields and without indices: an array counts as a whole.
    fn name(&self, access: &Access) -> String {
        let model = self.machine.model();
        let plain = Access {
            index: None,
            path: access.path.iter().map(|field| Field { index: None, ..field.clone() }).collect(),
            ..access.clone()
        };
        let process = model.process(self.automaton.process);
        let expr = Expr { kind: ExprKind::Read(plain), span: access.span };
        Printer::new(model, Some(process)).expr(&expr)
    }
}
