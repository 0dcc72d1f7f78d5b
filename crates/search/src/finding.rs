//! Findings of an exploration: errors with their states.

use beeline_kernel::{Expansion, Fault, StateId};

/// An error that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The state with the error, or from which a transition failed.
    pub state: StateId,
    /// The error.
    pub kind: FindingKind,
}

/// Kinds of errors. Faults of different kinds or at different sites are different.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FindingKind {
    /// A transition that fails.
    Fault(Fault),
    /// A deadlock: no process can move, and some process is not at a valid end.
    Deadlock,
    /// A state where this invariant does not hold.
    Invariant(u32),
}

impl FindingKind {
    /// The findings of an expansion: faults, violated invariants, a deadlock.
    pub(crate) fn of(expansion: &Expansion) -> impl Iterator<Item = FindingKind> {
        let faults = expansion.faults.iter().map(|failure| FindingKind::Fault(failure.fault));
        let violated = expansion.violated_invariants.iter();
        let violated = violated.map(|&invariant| FindingKind::Invariant(invariant));
        faults.chain(violated).chain(expansion.deadlock.then_some(FindingKind::Deadlock))
    }
}

/// The condition that ends an exploration early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StopCondition {
    /// None: it continues after errors, as far as the model does.
    #[default]
    Exhausted,
    /// Any finding.
    FirstFinding,
    /// A fault. Deadlocks are recorded, too.
    FirstFault,
    /// A deadlock. Faults are recorded, too.
    FirstDeadlock,
}

impl StopCondition {
    pub(crate) fn is_met_by(self, kind: FindingKind) -> bool {
        match self {
            StopCondition::Exhausted => false,
            StopCondition::FirstFinding => true,
            StopCondition::FirstFault => matches!(kind, FindingKind::Fault(_)),
            StopCondition::FirstDeadlock => kind == FindingKind::Deadlock,
        }
    }
}

/// The findings that are kept: the first few of each kind. One assertion can fail in millions of
/// states and must not crowd out the others.
#[derive(Clone, Debug)]
pub(crate) struct Findings {
    kept: Vec<Finding>,
    /// The number kept of each kind. At most as long as the model has errors, so that a linear
    /// search is fast.
    kinds: Vec<(FindingKind, usize)>,
    keep: usize,
    until: StopCondition,
}

impl Findings {
    /// Keeps at most `keep` of each kind.
    pub(crate) fn new(keep: usize, until: StopCondition) -> Findings {
        Findings { kept: Vec::new(), kinds: Vec::new(), keep: keep.max(1), until }
    }

    /// Records a finding, and returns whether it ends the exploration.
    pub(crate) fn record(&mut self, finding: Finding) -> bool {
        let at = match self.kinds.iter().position(|&(kind, _)| kind == finding.kind) {
            Some(at) => at,
            None => {
                self.kinds.push((finding.kind, 0));
                self.kinds.len() - 1
            }
        };
        let kept = &mut self.kinds[at].1;
        if *kept < self.keep {
            *kept += 1;
            self.kept.push(finding);
        }
        self.until.is_met_by(finding.kind)
    }

    /// The findings that were kept, in the order found.
    pub(crate) fn kept(&self) -> &[Finding] {
        &self.kept
    }
}
