//! Differences of zones, which are unions of zones.

use super::bound::UNBOUNDED;
use super::dbm::{Constraint, Dbm};

/// Zones: those that are in none of some others.
pub fn subtract(zones: Vec<Dbm>, other: &Dbm) -> Vec<Dbm> {
    zones.into_iter().flat_map(|zone| subtract_one(zone, other)).collect()
}

/// The valuations of a zone that are not in another one, as disjoint zones.
fn subtract_one(mut zone: Dbm, other: &Dbm) -> Vec<Dbm> {
    let size = zone.size();
    let mut parts = Vec::new();
    for plus in 0..size {
        for minus in 0..size {
            let bound = other.at(plus, minus);
            if plus == minus || bound == UNBOUNDED || zone.at(plus, minus) <= bound {
                continue;
            }
            let constraint = Constraint { plus, minus, bound };
            let mut outside = zone.clone();
            if outside.constrain(constraint.negated()) {
                parts.push(outside);
            }
            if !zone.constrain(constraint) {
                return parts;
            }
        }
    }
    parts
}
