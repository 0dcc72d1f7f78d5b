//! What an exploration meets that should not be there.

use beeline_kernel::{Fault, StateId};

/// Something wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Where: the state that is stuck, or from which a transition failed.
    pub state: StateId,
    /// What.
    pub kind: FindingKind,
}

/// What can be wrong. Faults of different kinds or places are different.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FindingKind {
    /// A transition that fails.
    Fault(Fault),
    /// A state where nothing can happen, although something should.
    Deadlock,
    /// A state where this invariant does not hold.
    Invariant(u32),
}

/// What ends an exploration early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StopCondition {
    /// Nothing: it continues after errors, as far as the model does.
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
    fn is_met_by(self, kind: FindingKind) -> bool {
        match self {
            StopCondition::Exhausted => false,
            StopCondition::FirstFinding => true,
            StopCondition::FirstFault => matches!(kind, FindingKind::Fault(_)),
            StopCondition::FirstDeadlock => kind == FindingKind::Deadlock,
        }
    }
}

/// The findings that are kept: of each kind the first few. One assertion can
/// fail in millions of states, and must not keep us from showing the other.
#[derive(Clone, Debug)]
pub(crate) struct Findings {
    kept: Vec<Finding>,
    /// How many of each kind are kept. As short as the model has errors, so
    /// looking through it is fast.
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

    /// What was kept, in the order found.
    pub(crate) fn kept(&self) -> &[Finding] {
        &self.kept
    }
}
