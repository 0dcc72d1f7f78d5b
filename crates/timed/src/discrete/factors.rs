//! Which locations and variables are factors.

use beeline_factored::{FactorExpr, FactorId, FactorKind, Interval, System};

use crate::network::TimedNetwork;
use crate::network::code::{Base, Place};
use crate::network::memory::CONSTANTS;

/// The factors of a network.
#[derive(Clone, Debug)]
pub(super) struct NetworkFactors {
    /// By process: the factor of its location; `None` if it has only one.
    pub(super) locations: Vec<Option<FactorId>>,
    /// By variable: its factor; all have one, so that the elements of arrays are adjacent.
    first_variable: u32,
    /// The factor that is 1 once a step has failed.
    pub(super) failed: FactorId,
}

/// An element of an array of constants is written as a choice up to this length.
const LONGEST_TABLE: usize = 64;

impl NetworkFactors {
    /// Adds the factors of a network to a system without any.
    pub(super) fn new(net: &TimedNetwork, system: &mut System) -> NetworkFactors {
        let mut locations = Vec::with_capacity(net.processes.len());
        for process in &net.processes {
            let last = process.locations.len() as i64 - 1;
            locations.push((last > 0).then(|| {
                let domain = Interval { least: 0, greatest: last };
                let initial = process.initial as i32;
                system.add(process.name.clone(), FactorKind::Location, domain, initial)
            }));
        }
        let first_variable = system.factors.len() as u32;
        for variable in &net.variables {
            let (low, high) = match variable.is_written {
                true => (variable.low, variable.high),
                false => (variable.initial, variable.initial),
            };
            let domain = Interval { least: i64::from(low), greatest: i64::from(high) };
            // An initial value outside its range is a fault of the model, told when it is read.
            let domain = domain.hull(Interval::one(variable.initial));
            let name = variable.name.clone();
            system.add(name, FactorKind::Variable, domain, variable.initial);
        }
        let failed = system.add("failed".to_owned(), FactorKind::Error, Interval::TRUTH, 0);
        system.tell_names_apart();
        NetworkFactors { locations, first_variable, failed }
    }

    /// The factor of a variable.
    pub(super) fn variable(&self, address: usize) -> FactorId {
        FactorId(self.first_variable + address as u32)
    }

    /// Whether a process is in a location.
    pub(super) fn is_at(&self, process: u32, location: u32) -> FactorExpr {
        match self.locations[process as usize] {
            Some(factor) => FactorExpr::Factor(factor).equals(location as i32),
            None => FactorExpr::Const(i32::from(location == 0)),
        }
    }

    /// The variables that a place may be, if it does not depend on a frame.
    pub(super) fn written(&self, place: &Place, size: u32) -> Vec<FactorId> {
        match place.base {
            Base::Absolute(_) => {
                let (first, last) = place.range().unwrap_or((0, 0));
                let addresses = first..=last + size.saturating_sub(1) as usize;
                addresses.take_while(|&one| one < CONSTANTS).map(|one| self.variable(one)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// One of several constants, chosen by an index from 0; any of them if there are many.
pub(super) fn table(values: &[i32], index: &FactorExpr) -> FactorExpr {
    let hull = values.iter().map(|&one| Interval::one(one)).reduce(Interval::hull);
    let Some(hull) = hull else { return FactorExpr::Any(Interval::ALL) };
    if hull.size() == 1 {
        return FactorExpr::Const(values[0]);
    }
    if values.len() > LONGEST_TABLE {
        return FactorExpr::Any(hull);
    }
    let (last, others) = values.split_last().expect("the hull is of some values");
    others.iter().enumerate().rev().fold(FactorExpr::Const(*last), |no, (at, &value)| {
        let condition = index.clone().equals(at as i32);
        FactorExpr::Conditional(
            Box::new(condition),
            Box::new(FactorExpr::Const(value)),
            Box::new(no),
        )
    })
}
