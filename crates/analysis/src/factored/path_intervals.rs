//! The intervals of factors along a path that begins with any values.

use std::borrow::Borrow;
use std::cell::RefCell;

use beeline_factored::{FactorId, Instruction, RangeScratch, Ranges, System};

/// The domains of all factors.
#[derive(Default)]
pub(super) struct PathIntervals {
    domains: Option<Ranges>,
    scratch: RefCell<RangeScratch>,
}

impl PathIntervals {
    /// Paths of a system with all of its factors.
    pub(super) fn of(system: &System) -> PathIntervals {
        let factors = (0..system.factors.len() as u32).map(FactorId);
        let domains = factors.map(|factor| system.factor(factor).domain).collect();
        let domains = Some(Ranges::given(system, domains));
        PathIntervals { domains, scratch: RefCell::default() }
    }

    /// Whether all conditions of a path may hold.
    pub(super) fn allow(&self, path: &[impl Borrow<Instruction>]) -> bool {
        let mut scratch = self.scratch.borrow_mut();
        self.domains.as_ref().is_none_or(|domains| domains.allow(path, &mut scratch))
    }
}
