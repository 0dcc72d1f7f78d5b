//! What a search through all states finds, confirmed and told at once: whatever becomes of the
//! search, nothing is lost that was known by then.

use beeline_engine::interpreter::Machine;
use beeline_search::{Search, Target};

use crate::check::CheckError;
use crate::property::Property;
use crate::run::Plan;
use crate::watch::{News, Watch};
use crate::witness::{Violation, witness};

/// What speaks against some properties.
pub(crate) struct Evidence<'a, B> {
    machine: &'a Machine<'a>,
    plan: &'a Plan,
    /// Whether more than one violation of a property is wanted.
    all: bool,
    /// How few steps a trail can have, from how many moves there are on the way that was found.
    bound: B,
    charges: Vec<Charge<'a>>,
    /// So many hits were looked at.
    seen: usize,
    unconfirmed: Option<CheckError>,
}

/// A property, what violates it, and how that was seen to happen.
struct Charge<'a> {
    property: &'a Property,
    target: Target,
    violations: Vec<Violation>,
}

impl<'a, B: Fn(u64) -> u64> Evidence<'a, B> {
    /// Nothing yet.
    pub(crate) fn new(
        (machine, plan): (&'a Machine<'a>, &'a Plan),
        properties: impl Iterator<Item = (&'a Property, Target)>,
        all: bool,
        bound: B,
    ) -> Evidence<'a, B> {
        let charge = |(property, target)| Charge { property, target, violations: Vec::new() };
        let charges = properties.map(charge).collect();
        Evidence { machine, plan, all, bound, charges, seen: 0, unconfirmed: None }
    }

    /// Looks at what was found since it looked last. Says whether there is nothing left to look
    /// for.
    pub(crate) fn gather(
        &mut self,
        search: &(impl Search + ?Sized),
        watch: &mut dyn Watch,
    ) -> bool {
        let hits = search.hits();
        let merged = self.plan.automata().allowed_by(self.machine.model()).merge;
        for (at, hit) in hits.iter().enumerate().skip(self.seen) {
            let concerned = self.charges.iter_mut().filter(|charge| {
                charge.target.includes(hit.kind) && (self.all || charge.violations.is_empty())
            });
            for charge in concerned {
                let path = search.path(at);
                match witness(self.machine, &path, hit.kind, merged, &self.bound) {
                    Ok(violation) => {
                        charge.violations.push(violation);
                        if let [violation] = &charge.violations[..] {
                            let (property, by) = (charge.property, &*self.plan.search.name);
                            watch.hear(&News::Violated { property, violation, by });
                        }
                    }
                    Err(error) => {
                        self.unconfirmed = Some(error);
                        return true;
                    }
                }
            }
        }
        self.seen = hits.len();
        let is_known = |charge: &Charge<'_>| !charge.violations.is_empty();
        self.charges.is_empty() || !self.all && self.charges.iter().all(is_known)
    }

    /// The violations of each property, in the order in which they were asked for.
    pub(crate) fn violations(self) -> Result<impl Iterator<Item = Vec<Violation>>, CheckError> {
        match self.unconfirmed {
            Some(error) => Err(error),
            None => Ok(self.charges.into_iter().map(|charge| charge.violations)),
        }
    }
}
