//! Claims: automata that watch a system and say what must not happen.
//!
//! A claim moves first: in every state it takes one move whose conditions are true there,
//! then the system takes one step; states inside of an atomic sequence do not count. A
//! claim that cannot move gives up on that run. One that comes to its end has seen what
//! must not happen, and so has one that passes an accepting place again and again. When
//! the system can do nothing any more, it stays where it is and the claim goes on.
//!
//! Where a claim comes from has a file for each: written by hand (`never.rs`), a formula
//! (`formula.rs`), or no words at all (`labels.rs`): cycles without progress, and cycles
//! through accept labels. [`Product`] is the system with its claim, as a state space.

mod components;
mod dump;
mod fair;
mod formula;
mod labels;
mod never;
mod product;
mod undefined_conditions;
mod word;

use beeline_kernel::ClaimComponent;
use beeline_promela::hir::print::Printer;
use beeline_promela::hir::{Expr, ExprKind, Model, ProcessId, UnaryOp};

use crate::automata::EdgeId;
use crate::interpreter::{DecodedState, Machine};

pub use dump::{ClaimText, dump};
pub use fair::FairSpace;
pub use formula::{AtomizedFormula, ClaimError, is_temporal};
pub(crate) use labels::Labels;
pub use product::Product;
pub use word::RunPosition;

/// Where a claim comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The never claim that is this process of the model.
    Never(ProcessId),
    /// The formula of this number.
    Formula(usize),
    /// Every cycle has to pass a progress label.
    Progress,
    /// No cycle may pass an accept label.
    Acceptance,
}

/// Something that is true or false in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClaimCondition {
    /// What the expression of this number says.
    Holds(u32),
    /// The expression of this number says nothing: it divides by zero, or reads beyond an
    /// array.
    Undefined(u32),
    /// No process is at a progress label, though something can happen: a system that has
    /// come to its end, or is stuck, is not one that makes no progress, as in SPIN.
    NoProgress,
}

/// A condition that has to be so, or not so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClaimLiteral {
    /// The condition.
    pub condition: ClaimCondition,
    /// Whether it has to be true.
    pub is: bool,
}

/// What a claim can do at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimMove {
    /// When all of this is so.
    pub when: Vec<ClaimLiteral>,
    /// It is then there.
    pub to: u32,
    /// It came to its end, or an assertion of its own failed: it has seen enough.
    pub violated: bool,
    /// The edges of the claim, where it is written by hand: several that belong together.
    pub edges: Vec<EdgeId>,
}

/// A place where a claim can be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClaimState {
    /// To pass it again and again is what must not happen.
    pub accepting: bool,
    /// What is known about cycles through it.
    pub component: ClaimComponent,
    /// What it can do here, in order.
    pub moves: Vec<ClaimMove>,
}

/// A claim.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Where it comes from.
    pub origin: Origin,
    /// The expressions that it looks at, each once.
    pub conditions: Vec<Expr>,
    /// By number. Those of a claim that is written by hand are its locations.
    pub states: Vec<ClaimState>,
    /// Where it begins.
    pub start: u32,
    /// Accept labels of processes count as its own do.
    pub counts_labels: bool,
}

impl Claim {
    /// A claim with these places. A condition whose value is known is not one.
    fn new(origin: Origin, conditions: Vec<Expr>, states: Vec<ClaimState>, start: u32) -> Claim {
        let mut claim = Claim { origin, conditions, states, start, counts_labels: false };
        claim.find_components();
        claim
    }

    /// Whether it can be violated by going round for ever, and not only by its end.
    pub fn is_about_cycles(&self) -> bool {
        use beeline_kernel::CycleKind::Never;
        self.states.iter().any(|place| place.component.cycles != Never)
    }

    /// Whether a condition is what it has to be in a state of a machine. One without a value
    /// is false.
    fn is_so(&self, literal: ClaimLiteral, machine: &Machine<'_>, now: &DecodedState) -> bool {
        let value = match literal.condition {
            ClaimCondition::Holds(number) => {
                let value = machine.value(&self.conditions[number as usize], now, 0);
                value.is_some_and(|value| value != 0)
            }
            ClaimCondition::Undefined(number) => self.is_undefined(number, machine, now),
            ClaimCondition::NoProgress => machine.lacks_progress(now),
        };
        value == literal.is
    }

    /// What it can do at a place in a state of a machine, in order.
    fn possible_moves<'c>(
        &'c self,
        place: usize,
        machine: &'c Machine<'_>,
        now: &'c DecodedState,
    ) -> impl Iterator<Item = &'c ClaimMove> + 'c {
        let is_so = |literal: &ClaimLiteral| self.is_so(*literal, machine, now);
        self.states[place].moves.iter().filter(move |step| step.when.iter().all(is_so))
    }

    /// The never claim that it is, if it is written by hand.
    pub fn written(&self) -> Option<ProcessId> {
        match self.origin {
            Origin::Never(process) => Some(process),
            _ => None,
        }
    }
}

/// Expressions, each once.
struct DistinctExprs<'m> {
    model: &'m Model,
    exprs: Vec<Expr>,
    /// As text, to know them again wherever they stand.
    known: Vec<String>,
}

/// What is known of a condition beforehand.
enum LiteralTruth {
    Always,
    Never,
    When(ClaimLiteral),
}

impl<'m> DistinctExprs<'m> {
    fn new(model: &'m Model) -> Self {
        DistinctExprs { model, exprs: Vec::new(), known: Vec::new() }
    }

    /// The number of an expression, which is added if it is new.
    fn number(&mut self, expr: &Expr) -> u32 {
        let text = Printer::new(self.model, None).expr(expr);
        let known = self.known.iter().position(|known| *known == text);
        let at = known.unwrap_or_else(|| {
            self.known.push(text);
            self.exprs.push(expr.clone());
            self.exprs.len() - 1
        });
        at as u32
    }

    /// What has to be so for an expression to be true, or false.
    fn literal(&mut self, expr: &Expr, is: bool) -> LiteralTruth {
        match &expr.kind {
            ExprKind::Const(value) if (*value != 0) == is => LiteralTruth::Always,
            ExprKind::Const(_) => LiteralTruth::Never,
            ExprKind::NonProgress => {
                LiteralTruth::When(ClaimLiteral { condition: ClaimCondition::NoProgress, is })
            }
            ExprKind::Unary(UnaryOp::Not, negated) => self.literal(negated, !is),
            _ => {
                let condition = ClaimCondition::Holds(self.number(expr));
                LiteralTruth::When(ClaimLiteral { condition, is })
            }
        }
    }
}

impl Machine<'_> {
    /// The never claim with this number among the processes.
    pub fn never(&self, number: usize) -> Option<ProcessId> {
        use beeline_promela::hir::ProcessKind;
        let process = self.model().processes.get(number)?;
        (process.kind == ProcessKind::Never).then_some(ProcessId(number as u32))
    }

    /// What the claim that watches can do in a state, in order.
    pub fn claim_moves<'c>(
        &'c self,
        now: &'c DecodedState,
    ) -> impl Iterator<Item = &'c ClaimMove> + 'c {
        let claim = self.claim().into_iter();
        claim.flat_map(|claim| claim.possible_moves(now.claim() as usize, self, now))
    }

    /// Whether nothing can happen in a state.
    pub fn is_stuck(&self, now: &DecodedState) -> bool {
        self.moves(now).is_ok_and(|found| found.moves.is_empty())
    }
}
