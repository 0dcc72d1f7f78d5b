//! What a search through all states finds, confirmed and told at once: whatever becomes of the
//! search, nothing is lost that was known by then.

use beeline_engine::interpreter::Machine;
use beeline_search::{Search, Target};

use crate::check::{Answer, CheckError, Scene};
use crate::property::Property;
use crate::watch::{News, Watch};
use crate::witness::{Violation, witness};

/// What speaks against some properties.
pub(crate) struct Evidence<'a, B> {
    machine: &'a Machine<'a>,
    /// Who looks for it.
    by: &'a str,
    /// Whether statements are merged.
    merged: bool,
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
    /// Nothing yet, against those properties that single states and steps violate.
    pub(crate) fn new(scene: &Scene<'a>, bound: B) -> Evidence<'a, B> {
        let &Scene { properties, ref watched, machine, plan, all, .. } = scene;
        let charge = |property| {
            let target = watched.target(property)?;
            Some(Charge { property, target, violations: Vec::new() })
        };
        Evidence {
            machine,
            by: &plan.search.name,
            merged: plan.automata().allowed_by(machine.model()).merge,
            all,
            bound,
            charges: properties.iter().filter_map(charge).collect(),
            seen: 0,
            unconfirmed: None,
        }
    }

    /// Looks at what was found since it looked last. Says whether there is nothing left to look
    /// for.
    pub(crate) fn gather(
        &mut self,
        search: &(impl Search + ?Sized),
        watch: &mut dyn Watch,
    ) -> bool {
        let hits = search.hits();
        for (at, hit) in hits.iter().enumerate().skip(self.seen) {
            let concerned = self.charges.iter_mut().filter(|charge| {
                charge.target.includes(hit.kind) && (self.all || charge.violations.is_empty())
            });
            for charge in concerned {
                let path = search.path(at);
                match witness(self.machine, &path, hit.kind, self.merged, &self.bound) {
                    Ok(violation) => {
                        charge.violations.push(violation);
                        if let [violation] = &charge.violations[..] {
                            let (property, by) = (charge.property, self.by);
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

    /// The answer to each of these properties, in their order: `None` where nothing was found.
    pub(crate) fn answers(self) -> Result<impl Iterator<Item = Option<Answer>>, CheckError> {
        let answer = |Charge { violations, .. }: Charge<'_>| {
            (!violations.is_empty()).then_some(Answer::Violated(violations))
        };
        match self.unconfirmed {
            Some(error) => Err(error),
            None => Ok(self.charges.into_iter().map(answer)),
        }
    }
}
