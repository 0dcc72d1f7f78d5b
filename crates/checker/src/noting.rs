//! Taking note of faults behind which nothing is explored.

use std::sync::atomic::{AtomicBool, Ordering};

use beeline_kernel::{Expander, Expansion, Fault, FaultKind, Space};

/// A space that remembers the faults behind which it does not go on, though the model
/// might: where one was met, finding nothing proves nothing.
pub(crate) struct Noting<'a> {
    space: &'a dyn Space,
    index: AtomicBool,
    limit: AtomicBool,
}

impl<'a> Noting<'a> {
    pub(crate) fn new(space: &'a dyn Space) -> Noting<'a> {
        Noting { space, index: AtomicBool::new(false), limit: AtomicBool::new(false) }
    }

    fn flag(&self, kind: FaultKind) -> Option<&AtomicBool> {
        match kind {
            FaultKind::Index => Some(&self.index),
            FaultKind::Limit => Some(&self.limit),
            _ => None,
        }
    }

    pub(crate) fn met(&self, kind: FaultKind) -> bool {
        self.flag(kind).is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    fn note(&self, expansion: &Expansion) {
        for failure in &expansion.faults {
            if let Some(flag) = self.flag(failure.fault.kind) {
                flag.store(true, Ordering::Relaxed);
            }
        }
    }
}

impl Space for Noting<'_> {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        self.space.initial(state)
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        self.space.expand(state, expansion);
        self.note(expansion);
    }

    fn expander(&self) -> Box<dyn Expander + '_> {
        Box::new(NotingExpander { noting: self, expander: self.space.expander() })
    }
}

struct NotingExpander<'a> {
    noting: &'a Noting<'a>,
    expander: Box<dyn Expander + 'a>,
}

impl Expander for NotingExpander<'_> {
    fn expand(&mut self, state: &[u8], expansion: &mut Expansion) {
        self.expander.expand(state, expansion);
        self.noting.note(expansion);
    }
}
