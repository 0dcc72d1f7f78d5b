//! Which factors of a system become components: a process with its small variables, a channel
//! with its messages where they are few, and else each factor alone. What no error depends on is
//! left out, and so is what has too many values or stands for many things: it may have any value
//! at any time.

use beeline_factored::{
    Assignment, Factor, FactorId, FactorKind, Instruction, Interval, Ranges, System,
};

/// How large things may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limits {
    /// Values of a factor; of a location some times as many.
    pub(super) values: u64,
    /// States of a component that is more than one factor.
    pub(super) together: u64,
    /// Combinations of states that are told apart in one step.
    pub(super) tuples: u64,
}

/// Locations may have so many times as many values as others: they decide about more.
const MORE_LOCATIONS: u64 = 8;

/// Some factors as one component. Its states are numbers: the values, the first one counts most.
#[derive(Clone, Debug)]
pub(super) struct FactorGroup {
    pub(super) factors: Vec<(FactorId, Interval)>,
    pub(super) states: u64,
    /// It says where someone is.
    pub(super) is_place: bool,
}

impl FactorGroup {
    fn new(factor: FactorId, of: &Factor) -> FactorGroup {
        let is_place = matches!(of.kind, FactorKind::Location | FactorKind::Claim);
        FactorGroup { factors: vec![(factor, of.domain)], states: of.domain.size(), is_place }
    }

    /// Gives its factors the values of a state.
    pub(super) fn fix(&self, state: u64, ranges: &mut Ranges) {
        let mut rest = state;
        for &(factor, domain) in self.factors.iter().rev() {
            let value = domain.least + (rest % domain.size()) as i64;
            ranges.set(factor, Interval { least: value, greatest: value });
            rest /= domain.size();
        }
    }

    /// Gives its factors all their values again.
    pub(super) fn release(&self, ranges: &mut Ranges) {
        self.factors.iter().for_each(|&(factor, domain)| ranges.set(factor, domain));
    }

    /// The states with values in intervals, one for each factor.
    pub(super) fn states_in(&self, of: impl Fn(FactorId) -> Interval, tell: &mut impl FnMut(u32)) {
        fn go(
            left: &[(FactorId, Interval)],
            state: u64,
            of: &impl Fn(FactorId) -> Interval,
            tell: &mut impl FnMut(u32),
        ) {
            let Some((&(factor, domain), left)) = left.split_first() else {
                tell(state as u32);
                return;
            };
            let values = of(factor).meet(domain).unwrap_or(domain);
            for value in values.least..=values.greatest {
                go(left, state * domain.size() + (value - domain.least) as u64, of, tell);
            }
        }
        go(&self.factors, 0, &of, tell);
    }
}

/// The components of a system.
pub(super) fn parts(system: &System, limits: Limits) -> Vec<FactorGroup> {
    let relevant = relevant(system);
    let mut parts: Vec<FactorGroup> = Vec::new();
    // The last process or channel, and what belongs to it.
    let mut owner: Option<(usize, FactorKind)> = None;
    for (at, factor) in system.factors.iter().enumerate() {
        let joins = match factor.kind {
            FactorKind::Location => Some(FactorKind::Variable),
            FactorKind::Length => Some(FactorKind::Slot),
            _ => None,
        };
        owner = owner.filter(|_| joins.is_none());
        let most = match factor.kind {
            FactorKind::Location | FactorKind::Claim => limits.values * MORE_LOCATIONS,
            _ => limits.values,
        };
        let size = factor.domain.size();
        // What has but one value is known anyway.
        if factor.is_summary || !relevant[at] || size > most || size == 1 {
            continue;
        }
        let id = FactorId(at as u32);
        match owner {
            Some((part, kind))
                if kind == factor.kind && parts[part].states * size <= limits.together =>
            {
                parts[part].factors.push((id, factor.domain));
                parts[part].states *= size;
            }
            _ => {
                owner = joins.map(|kind| (parts.len(), kind)).or(owner);
                parts.push(FactorGroup::new(id, factor));
            }
        }
    }
    parts
}

/// Which factors an error may depend on.
fn relevant(system: &System) -> Vec<bool> {
    let mut relevant = vec![false; system.factors.len()];
    for condition in system.goals.iter().flat_map(|goal| &goal.conditions) {
        condition.factors(&mut |factor| relevant[factor.index()] = true);
    }
    let mut is_known = vec![false; system.steps.len()];
    loop {
        let mut has_more = false;
        for (step, is_known) in system.steps.iter().zip(&mut is_known).filter(|one| !*one.1) {
            let matters =
                |one: &Assignment| one.place.factors().any(|factor| relevant[factor.index()]);
            let sets = |action: &Instruction| match action {
                Instruction::Set(all) => all.iter().any(matters),
                Instruction::Require(_) => false,
            };
            if step.actions.iter().any(sets) {
                *is_known = true;
                has_more = true;
                step.exprs(|expr| expr.factors(&mut |factor| relevant[factor.index()] = true));
            }
        }
        if !has_more {
            return relevant;
        }
    }
}
