//! The system of a product whose claim waits for a condition to hold for ever.
//!
//! Source: the persistence properties of [MP90].

use beeline_kernel::{Expander, Expansion, Fault, Space, StatePath};

use super::product::{Product, ProductExpander};
use crate::claim_automaton::PersistenceClaim;

/// The system of a product whose claim waits for a condition to hold for ever: states without the
/// states of the claim. A state accepts where the condition holds, and a cycle is a violation if all
/// its states accept.
pub struct PersistenceProduct<'a> {
    product: &'a Product<'a>,
    claim: PersistenceClaim,
}

impl<'a> PersistenceProduct<'a> {
    /// The system of this product; `None` if its claim has another form, or its transitions have
    /// marks.
    pub fn new(product: &'a Product<'a>) -> Option<Self> {
        let claim = product.claim.persistence().filter(|_| !product.is_marked)?;
        Some(PersistenceProduct { product, claim })
    }

    /// The lasso of the product that belongs to one of the system: the claim enters its accepting
    /// state in the first state of the cycle.
    pub fn product_lasso(&self, stem: &StatePath, cycle: &StatePath) -> (StatePath, StatePath) {
        let first = cycle.part(0, cycle.len().min(1));
        let (mut before, mut within) = (stem.clone(), cycle.part(first.len(), cycle.len()));
        before.append(&first);
        within.append(&first);
        (self.observed(&before, self.claim.before), self.observed(&within, self.claim.within))
    }

    /// States of the system with this state of the claim.
    fn observed(&self, path: &StatePath, claim: u32) -> StatePath {
        let frame = self.product.machine.layout().frame;
        let observe = |mut state: Vec<u8>| {
            frame.set_claim(&mut state, claim);
            state
        };
        path.iter().map(observe).collect()
    }
}

impl Space for PersistenceProduct<'_> {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        self.product.initial(state)
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        expansion.clear();
        self.expander().expand(state, expansion);
    }

    fn expander(&self) -> Box<dyn Expander + '_> {
        Box::new(ProductExpander::new(self.product, Some(self.claim)))
    }
}
