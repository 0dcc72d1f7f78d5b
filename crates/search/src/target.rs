//! The target of a directed search. Other errors are counted and ignored: a search for a deadlock
//! continues after a failed assertion.

use beeline_kernel::{Expansion, Fault, Faults, SiteId};

use crate::finding::FindingKind;

/// A set of invariants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invariants {
    /// None.
    None,
    /// The invariant with this number.
    Only(u32),
    /// All.
    All,
}

/// The errors that a search looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchTarget {
    /// Whether deadlocks count.
    pub deadlock: bool,
    /// The faults that count.
    pub faults: Faults,
    /// Only faults at this site count.
    pub site: Option<SiteId>,
    /// The invariants whose violations count.
    pub invariants: Invariants,
}

impl SearchTarget {
    /// Nothing: such a search visits all states.
    pub const NOTHING: SearchTarget = SearchTarget {
        deadlock: false,
        faults: Faults::NONE,
        site: None,
        invariants: Invariants::None,
    };

    /// Any error.
    pub const ANYTHING: SearchTarget = SearchTarget {
        deadlock: true,
        faults: Faults::ALL,
        site: None,
        invariants: Invariants::All,
    };

    /// A deadlock.
    pub const DEADLOCK: SearchTarget = SearchTarget { deadlock: true, ..SearchTarget::NOTHING };

    /// Any fault.
    pub const FAULT: SearchTarget = SearchTarget { faults: Faults::ALL, ..SearchTarget::NOTHING };

    /// This fault at its site.
    pub fn fault(fault: Fault) -> SearchTarget {
        SearchTarget {
            faults: Faults::of(&[fault.kind]),
            site: Some(fault.site),
            ..SearchTarget::NOTHING
        }
    }

    /// Violations of the invariant with this number.
    pub fn invariant(invariant: u32) -> SearchTarget {
        SearchTarget { invariants: Invariants::Only(invariant), ..SearchTarget::NOTHING }
    }

    /// The errors of an expansion that are in the target: of the state, then of its transitions.
    pub fn all_errors(&self, expansion: &Expansion) -> Vec<FindingKind> {
        let behind = self.transition_errors(expansion).map(|(kind, _)| kind);
        self.state_errors(expansion).chain(behind).collect()
    }

    /// Whether an error is in the target.
    pub fn includes(&self, kind: FindingKind) -> bool {
        match kind {
            FindingKind::Deadlock => self.deadlock,
            FindingKind::Fault(fault) => {
                let is_there = self.site.is_none_or(|site| site == fault.site);
                is_there && self.faults.contains(fault.kind)
            }
            FindingKind::Invariant(number) => match self.invariants {
                Invariants::None => false,
                Invariants::Only(wanted) => wanted == number,
                Invariants::All => true,
            },
        }
    }

    /// The errors of the expanded state that are in the target: all but faults.
    pub(crate) fn state_errors(self, expansion: &Expansion) -> impl Iterator<Item = FindingKind> {
        let broken =
            expansion.violated_invariants.iter().map(|&number| FindingKind::Invariant(number));
        let stuck = expansion.deadlock.then_some(FindingKind::Deadlock);
        broken.chain(stuck).filter(move |&kind| self.includes(kind))
    }

    /// The faults of its transitions that are in the target, with their costs in steps.
    pub(crate) fn transition_errors(
        self,
        expansion: &Expansion,
    ) -> impl Iterator<Item = (FindingKind, u32)> {
        let faults = expansion.faults.iter();
        faults
            .map(|failure| (FindingKind::Fault(failure.fault), failure.steps))
            .filter(move |&(kind, _)| self.includes(kind))
    }
}

#[cfg(test)]
mod tests {
    use beeline_kernel::FaultKind;

    use super::*;

    #[test]
    fn a_target_is_what_it_is_called() {
        let fault = FindingKind::Fault(Fault { kind: FaultKind::Division, site: SiteId(1) });
        let kinds = [FindingKind::Deadlock, fault, FindingKind::Invariant(3)];
        let included = |target: SearchTarget| kinds.map(|kind| target.includes(kind));
        assert_eq!(included(SearchTarget::NOTHING), [false; 3]);
        assert_eq!(included(SearchTarget::ANYTHING), [true; 3]);
        assert_eq!(included(SearchTarget::DEADLOCK), [true, false, false]);
        assert_eq!(included(SearchTarget::FAULT), [false, true, false]);
        assert_eq!(included(SearchTarget::invariant(3)), [false, false, true]);
        assert_eq!(included(SearchTarget::invariant(4)), [false; 3]);
        let at =
            |site| SearchTarget::fault(Fault { kind: FaultKind::Division, site: SiteId(site) });
        assert_eq!(included(at(1)), [false, true, false]);
        assert_eq!(included(at(2)), [false; 3]);
    }
}
