//! What the search does with a state, by its component of the claim.

use beeline_kernel::{CycleKind, Expansion};

/// Which cycles accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CycleRule {
    /// Those with an accepting state.
    Accepting,
    /// The same; the components of the claim spare some of the work.
    Components,
    /// Those all of whose states accept.
    Persistent,
}

/// The class of states that lie on no accepting cycle. No red search enters it.
const NO_CYCLES: u8 = 0;

/// The kind of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StateKind {
    /// Which cycles of its component accept.
    pub(super) cycles: CycleKind,
    /// Whether a red search begins with it.
    pub(super) is_seed: bool,
    /// The class of its component.
    pub(super) class: u8,
}

impl StateKind {
    /// The kind of an expanded state.
    #[inline]
    pub(super) fn of(expansion: &Expansion, rule: CycleRule) -> StateKind {
        let &Expansion { accepting, component, .. } = expansion;
        let cycles = match rule {
            CycleRule::Accepting => CycleKind::Sometimes,
            CycleRule::Components => component.cycles,
            CycleRule::Persistent if accepting => CycleKind::Always,
            CycleRule::Persistent => CycleKind::Never,
        };
        let class = match (cycles, rule) {
            (CycleKind::Never, _) => NO_CYCLES,
            (_, CycleRule::Components) => 1 + (component.number % 255) as u8,
            _ => 1,
        };
        StateKind { cycles, is_seed: accepting && cycles == CycleKind::Sometimes, class }
    }
}
