//! Control: which process may move, and which process may move next.
//!
//! The states of a model are those in which no process holds control. Between them, a process may
//! hold it, as in an atomic sequence: then only its own operators are executed, and if none of them
//! is applicable, it loses control. So there is one set of states per holder.

use std::collections::BTreeSet;

use beeline_factored::{Operator, ShutOutId, System};

use crate::ldd::Set;
use crate::relation::Purpose;
use crate::variant::ShutOut;

/// The processes that may hold control, in ascending order.
#[derive(Clone, Debug)]
pub(crate) struct Holders {
    processes: Vec<u32>,
}

/// The control behaviour of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rule {
    /// The process that executes it, by its position among the holders, if it is one.
    pub(crate) actor: Option<usize>,
    /// The process that has control afterwards, by its position among the holders.
    pub(crate) target: Option<usize>,
    /// A shut-out set to consider on sets of states.
    pub(crate) shut_out: Option<ShutOutId>,
    /// Whether it leads to no state.
    pub(crate) is_fatal: bool,
    /// Its own cost, in addition to that of the step.
    pub(crate) cost: u32,
}

impl Rule {
    /// A test: nothing happens.
    pub(crate) const TEST: Rule =
        Rule { actor: None, target: None, shut_out: None, is_fatal: true, cost: 0 };

    /// A step from a state of the model to a state of the model.
    pub(crate) const FREE: Rule =
        Rule { actor: None, target: None, shut_out: None, is_fatal: false, cost: 0 };

    /// Whether it leads from states of the model to states of the model, and nothing but its own
    /// values decides whether it is applicable.
    pub(crate) fn is_free(self) -> bool {
        self.target.is_none() && self.shut_out.is_none() && !self.is_fatal
    }

    pub(crate) fn purpose(self) -> Purpose {
        if self.is_fatal { Purpose::Applicability } else { Purpose::Outcomes }
    }
}

impl Holders {
    pub(crate) fn new(system: &System) -> Holders {
        let all: BTreeSet<u32> = system.steps.iter().filter_map(|step| step.holds).collect();
        Holders { processes: all.into_iter().collect() }
    }

    pub(crate) fn processes(&self) -> &[u32] {
        &self.processes
    }

    /// The position of a process among the holders.
    pub(crate) fn position(&self, process: u32) -> Option<usize> {
        self.processes.binary_search(&process).ok()
    }

    pub(crate) fn rule(&self, operator: &Operator, shut_out: ShutOut, cost: u32) -> Rule {
        Rule {
            actor: self.position(operator.label.process),
            target: operator.holds.and_then(|process| self.position(process)),
            shut_out: operator.shut_out_by.filter(|_| shut_out == ShutOut::Outside),
            is_fatal: operator.fails.is_some(),
            cost,
        }
    }
}

/// Sets of states by the process that holds control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlSets {
    /// The states of the model: no process holds control.
    pub free: Set,
    /// The states between two steps of a process that holds control, for each process of
    /// [`SymbolicSystem::holders`](crate::SymbolicSystem::holders).
    pub held: Vec<Set>,
}
