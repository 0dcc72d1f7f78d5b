//! Factor groups that become components: a process with its small variables, a channel with its
//! messages if they are few, otherwise single factors. Factors that no error depends on, factors
//! with too many values and summary factors are left out: they may have any value.

use beeline_factored::{
    Assignment, Factor, FactorId, FactorKind, Instruction, Interval, Ranges, System,
};

/// Size limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limits {
    /// Values of a factor; locations may have `MORE_LOCATIONS` times as many.
    pub(super) values: u64,
    /// States of a component of several factors.
    pub(super) together: u64,
    /// Combinations of states that are distinguished in one operator.
    pub(super) tuples: u64,
}

/// Locations have larger limits, since they decide more.
const MORE_LOCATIONS: u64 = 8;

/// Factors that form one component. Its states are mixed-radix numbers of the values, first factor
/// most significant.
#[derive(Clone, Debug)]
pub(super) struct FactorGroup {
    pub(super) factors: Vec<(FactorId, Interval)>,
    pub(super) states: u64,
    /// It contains a location.
    pub(super) is_place: bool,
}

impl FactorGroup {
    fn new(factor: FactorId, of: &Factor) -> FactorGroup {
        let is_place = matches!(of.kind, FactorKind::Location | FactorKind::Claim);
        FactorGroup { factors: vec![(factor, of.domain)], states: of.domain.size(), is_place }
    }

    /// Whether these values of its factors are in their domains.
    pub(super) fn has(&self, values: &[i32]) -> bool {
        self.factors.iter().zip(values).all(|((_, domain), &value)| domain.contains(value))
    }

    /// The state of these values of its factors.
    pub(super) fn state_of(&self, values: &[i32]) -> u64 {
        self.factors.iter().zip(values).fold(0, |state, ((_, domain), &value)| {
            state * domain.size() + (i64::from(value) - domain.least) as u64
        })
    }

    /// Fixes its factors to the values of a state.
    pub(super) fn fix(&self, state: u64, ranges: &mut Ranges) {
        let mut rest = state;
        for &(factor, domain) in self.factors.iter().rev() {
            let value = domain.least + (rest % domain.size()) as i64;
            ranges.set(factor, Interval { least: value, greatest: value });
            rest /= domain.size();
        }
    }

    /// Resets its factors to their domains.
    pub(super) fn release(&self, ranges: &mut Ranges) {
        self.factors.iter().for_each(|&(factor, domain)| ranges.set(factor, domain));
    }

    /// Enumerates the states with values in intervals, one for each factor.
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

/// The factors that errors may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relevance {
    /// All of them.
    All,
    /// Those that the goals of the system depend on.
    Goals,
}

/// The factor groups of a system.
pub(super) fn parts(system: &System, limits: Limits, relevance: Relevance) -> Vec<FactorGroup> {
    let relevant = match relevance {
        Relevance::All => vec![true; system.factors.len()],
        Relevance::Goals => relevant(system),
    };
    let mut parts: Vec<FactorGroup> = Vec::new();
    // The current process or channel.
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
        // Constants need no component.
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

/// The factors that an error may depend on.
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
