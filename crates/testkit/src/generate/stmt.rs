//! Statements: which ones are allowed where, and the simple ones.

use beeline_promela::ast::*;

use super::build::*;
use super::channel::Which;
use super::decl::Site;
use super::feature::Feature;
use super::generator::Generator;
use super::scope::Type;
use super::shape::{contains_loop, starts_with_d_step};

/// The allowed interleaving of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Other processes may interleave, and every state is stored: loops need not terminate.
    Free,
    /// In `atomic`: intermediate states are not stored, so loops must terminate.
    Atomic,
    /// In `d_step`, after the guard: no statement may block, jump or start a process.
    DStep,
}

/// The position of a statement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Levels of nesting left.
    pub(super) nesting: u32,
    pub(super) mode: Mode,
    /// Whether there is a loop for `break`.
    pub(super) breakable: bool,
    /// Whether it may be executed many times.
    pub(super) repeated: bool,
    /// Whether it is in an inline, where labels and counters of the process are out of scope.
    pub(super) inlined: bool,
}

impl Place {
    pub(super) fn deeper(self) -> Place {
        Place { nesting: self.nesting.saturating_sub(1), ..self }
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Assign,
    Step,
    Guard,
    Skip,
    Send,
    Receive,
    Assert,
    FailingAssert,
    Print,
    If,
    Do,
    For,
    ForIn,
    Select,
    Atomic,
    DStep,
    Block,
    Unless,
    Goto,
    Break,
    Timeout,
    Run,
    Call,
}

impl Generator<'_> {
    /// Statements of a nested sequence.
    pub(super) fn sequence(&mut self, place: Place, least: u32, most: u32) -> Sequence {
        let in_scope = self.vars.len();
        let mut body = Vec::new();
        for _ in 0..self.rng.between(least, most) {
            self.append(place, &mut body);
        }
        self.vars.truncate(in_scope);
        body
    }

    /// Appends a statement, perhaps with a label. Nothing follows a jump.
    pub(super) fn append(&mut self, place: Place, body: &mut Sequence) {
        if matches!(body.last().map(|s| &s.kind), Some(StmtKind::Goto(_) | StmtKind::Break)) {
            return;
        }
        let first = body.is_empty();
        let stmts = self.statement(place);
        let jumped_to = body.last().is_some_and(contains_loop);
        if jumped_to && stmts.first().is_some_and(starts_with_d_step) {
            body.push(skip());
        }
        let at = body.len();
        body.extend(stmts);
        // A nested sequence may not begin with a label.
        let labelling = !first && place.mode == Mode::Free && !place.inlined;
        if labelling && body.len() == at + 1 {
            self.maybe_label(&mut body[at]);
        }
    }

    /// One statement, or a few that belong together.
    pub(super) fn statement(&mut self, place: Place) -> Sequence {
        for _ in 0..8 {
            if let Some(kind) = self.rng.pick_weighted(&self.kinds(place))
                && let Some(body) = self.of_kind(kind, place)
            {
                return body;
            }
        }
        vec![skip()]
    }

    fn kinds(&self, place: Place) -> Vec<(u32, Kind)> {
        let weight = |feature| self.weight(feature);
        let when = |condition: bool, weight: u32| if condition { weight } else { 0 };
        let free = place.mode == Mode::Free;
        let blocking = place.mode != Mode::DStep;
        let nested = place.nesting > 0;
        let channels = if self.signatures.is_empty() { 0 } else { 6 };
        let jumps = blocking && !place.inlined;
        vec![
            (30, Kind::Assign),
            (weight(Feature::Step), Kind::Step),
            (when(blocking, 2), Kind::Guard),
            (2, Kind::Skip),
            (when(blocking, channels), Kind::Send),
            (when(blocking, channels), Kind::Receive),
            (weight(Feature::Assert), Kind::Assert),
            (weight(Feature::FailingAssert), Kind::FailingAssert),
            (weight(Feature::Print), Kind::Print),
            (when(nested, weight(Feature::If)), Kind::If),
            (when(nested && !place.inlined, weight(Feature::Do)), Kind::Do),
            (when(nested && !place.inlined, weight(Feature::For)), Kind::For),
            (when(nested && !place.inlined, weight(Feature::ForIn)), Kind::ForIn),
            (weight(Feature::Select), Kind::Select),
            (when(nested && free, weight(Feature::Atomic)), Kind::Atomic),
            (when(nested && blocking, weight(Feature::DStep)), Kind::DStep),
            (when(nested && blocking, weight(Feature::Block)), Kind::Block),
            (when(nested && free && !place.inlined, weight(Feature::Unless)), Kind::Unless),
            (when(jumps && place.nesting < self.config.nesting, weight(Feature::Goto)), Kind::Goto),
            (when(jumps && place.breakable, 4), Kind::Break),
            (when(free, weight(Feature::Timeout)), Kind::Timeout),
            (when(jumps && self.spawning && !place.repeated, 12), Kind::Run),
            (when(!place.inlined, weight(Feature::Inline) / 2), Kind::Call),
        ]
    }

    fn of_kind(&mut self, kind: Kind, place: Place) -> Option<Sequence> {
        let one = |stmt| Some(vec![stmt]);
        match kind {
            Kind::Assign => self.assignment().and_then(one),
            Kind::Step => self.step(place),
            Kind::Guard => one(guard(self.condition(1))),
            Kind::Skip => one(skip()),
            Kind::Send => self.send(Which::Any).and_then(one),
            Kind::Receive => self.receive(Which::Any).and_then(one),
            Kind::Assert => self.true_assertion().and_then(one),
            Kind::FailingAssert => one(node(StmtKind::Assert(self.condition(1)))),
            Kind::Print => one(self.print()),
            Kind::If => one(self.if_statement(place)),
            Kind::Do => self.do_statement(place),
            Kind::For => one(self.for_range(place)),
            Kind::ForIn => self.for_in(place).and_then(one),
            Kind::Select => self.select().and_then(one),
            Kind::Atomic => one(self.atomic(place)),
            Kind::DStep => one(self.d_step(place)),
            Kind::Block => one(self.block(place)),
            Kind::Unless => one(self.unless(place)),
            Kind::Goto => self.jump(place).and_then(one),
            Kind::Break => one(node(StmtKind::Break)),
            Kind::Timeout => one(guard(node(ExprKind::Timeout))),
            Kind::Run => self.run_statement().and_then(one),
            Kind::Call => self.call(place).and_then(one),
        }
    }

    pub(super) fn assignment(&mut self) -> Option<Stmt> {
        let path = self.find(|p| p.ty.is_scalar() && !p.frozen)?;
        let target = self.reach(&path);
        let value = match path.wraps() && self.rng.percent(15) {
            true => self.natural(self.config.operators),
            false => self.value(path.ty, path.bound),
        };
        // A second attempt, to avoid `x = x`.
        let value = match value == read(target.clone()) {
            true => self.value(path.ty, path.bound),
            false => value,
        };
        Some(assign(target, value))
    }

    /// `x++`, where its type or a guard keeps `x` within its bound. No other process may interleave
    /// between the guard of a shared variable and the increment.
    fn step(&mut self, place: Place) -> Option<Sequence> {
        let path = self.find(|p| p.ty.is_number() && !p.frozen)?;
        let target = self.reach(&path);
        let up = self.rng.percent(60);
        let step = node(StmtKind::Step { target: target.clone(), up });
        if path.wraps() && self.rng.percent(50) {
            return Some(vec![step]);
        }
        let (op, limit, other_end) = match up {
            true => (BinaryOp::Less, path.bound - 1, 0),
            false => (BinaryOp::Greater, 0, path.bound - 1),
        };
        let condition = guard(binary(op, read(target.clone()), number(limit)));
        let waits = place.mode != Mode::DStep && self.rng.percent(10);
        let choice = self.weight(Feature::If) > 0 && self.weight(Feature::Else) > 0;
        let body = match waits || !choice {
            true if place.mode == Mode::DStep => return None,
            true => vec![condition, step],
            false => {
                let wrap = assign(target, number(other_end));
                let otherwise = vec![node(StmtKind::Else), wrap];
                vec![node(StmtKind::If(vec![vec![condition, step], otherwise]))]
            }
        };
        // An index may be a shared variable, too.
        let shared = path.global || path.plain().is_none();
        Some(match place.mode == Mode::Free && shared {
            false => body,
            true if self.weight(Feature::DStep) > 0 => vec![node(StmtKind::DStep(body))],
            true if self.weight(Feature::Atomic) > 0 => vec![node(StmtKind::Atomic(body))],
            true => return None,
        })
    }

    /// An assertion that a value is within its bound.
    fn true_assertion(&mut self) -> Option<Stmt> {
        let path = self.find(|p| p.ty.is_number())?;
        let value = read(self.reach(&path));
        let within = binary(BinaryOp::Less, value, number(path.bound));
        let condition = match self.rng.below(3) {
            0 => binary(BinaryOp::Or, within, self.condition(0)),
            _ => within,
        };
        Some(node(StmtKind::Assert(condition)))
    }

    fn print(&mut self) -> Stmt {
        if let Some(path) = self.find(|p| matches!(p.ty, Type::Mtype(_))) {
            let value = read(self.reach(&path));
            return node(match self.rng.percent(50) {
                true => StmtKind::PrintM(value),
                false => StmtKind::Print { format: ident("\"at %e\\n\""), args: vec![value] },
            });
        }
        let args = vec![self.integer(1)];
        node(match self.rng.percent(70) {
            true => StmtKind::Print { format: ident("\"value %d\\n\""), args },
            false => StmtKind::Print { format: ident("\"here\\n\""), args: Vec::new() },
        })
    }

    /// `select (x : a .. b)`, of a variable without index and field.
    fn select(&mut self) -> Option<Stmt> {
        let path = self
            .find(|p| p.ty.is_number() && p.ty != Type::Bit && !p.frozen && p.plain().is_some())?;
        let most = path.bound - 1;
        let from = self.rng.below(most + 1);
        let to = self.rng.between(from, most);
        let var = self.reach(&path);
        Some(node(StmtKind::Select { var, from: number(from), to: number(to) }))
    }

    /// `{ byte x; … }`
    fn block(&mut self, place: Place) -> Stmt {
        let in_scope = self.vars.len();
        let mut body = vec![node(StmtKind::Variables(self.variable(Site::Block)))];
        for _ in 0..self.rng.between(1, 3) {
            self.append(place.deeper(), &mut body);
        }
        self.vars.truncate(in_scope);
        node(StmtKind::Block(body))
    }
}
