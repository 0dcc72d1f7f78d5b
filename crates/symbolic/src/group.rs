//! Groups of operators: those with the same control behaviour over the same levels share a relation.
//!
//! An operator also joins a group over more levels if that multiplies its part of the relation by
//! little: each relation costs a part of the set per image.

use std::collections::{BTreeMap, BTreeSet};

use beeline_factored::{Ranges, System};

use crate::control::{Holders, Rule};
use crate::costs::StepCosts;
use crate::ldd::Forest;
use crate::order::LevelOrder;
use crate::partition::Partition;
use crate::relation::{Purpose, Relation};
use crate::variant::Variant;

/// Upper bound on the copies of an operator for the values of levels that it does not read.
const MOST_COPIES: u64 = 8;

/// The levels that a group reads and writes, in ascending order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Levels {
    reads: Vec<u32>,
    writes: Vec<u32>,
}

impl Levels {
    fn of(variant: &Variant, order: &LevelOrder, purpose: Purpose) -> Levels {
        let sorted = |factors: &BTreeSet<_>| {
            let levels = factors.iter().map(|&factor| order.level(factor).expect("it varies"));
            let mut levels: Vec<u32> = levels.collect();
            levels.sort_unstable();
            levels
        };
        let reads = sorted(&variant.reads);
        let writes = match purpose {
            Purpose::Outcomes => sorted(&variant.writes),
            Purpose::Applicability => Vec::new(),
        };
        Levels { reads, writes }
    }

    fn top(&self) -> Option<u32> {
        self.reads.first().into_iter().chain(self.writes.first()).min().copied()
    }

    fn size(&self) -> usize {
        self.reads.len() + self.writes.len()
    }

    /// Whether operators over these levels can be executed over those of another group: what the
    /// group may write but they do not must be read, so that it keeps its value.
    fn fit_into(&self, other: &Levels) -> bool {
        let has = |all: &[u32], level: &u32| all.binary_search(level).is_ok();
        self.reads.iter().all(|level| has(&other.reads, level))
            && self.writes.iter().all(|level| has(&other.writes, level))
            && (other.writes.iter())
                .all(|level| has(&self.writes, level) || has(&other.reads, level))
    }
}

/// The partitions of operators with their rules: one for each rule.
pub(crate) fn partitions(
    forest: &mut Forest,
    system: &System,
    (order, ranges): (&LevelOrder, &Ranges),
    variants: Vec<(Rule, Variant)>,
) -> Vec<Partition> {
    let mut drafts: BTreeMap<(Rule, Levels), Vec<Variant>> = BTreeMap::new();
    for (rule, variant) in variants {
        let levels = Levels::of(&variant, order, rule.purpose());
        drafts.entry((rule, levels)).or_default().push(variant);
    }
    let mut relations: BTreeMap<Rule, Vec<Relation>> = BTreeMap::new();
    for ((rule, levels), variants) in merged(drafts, order, ranges) {
        let supports = (&*levels.reads, &*levels.writes);
        let initial = &system.initial;
        let relation = Relation::new(forest, order, initial, supports, &variants, rule.purpose());
        relations.entry(rule).or_default().push(relation);
    }
    let made = relations.into_iter().map(|(rule, all)| Partition::new(forest, rule, all));
    made.collect()
}

/// The operators of a system, each with its rule.
pub(crate) fn ruled(
    system: &System,
    ranges: &Ranges,
    holders: &Holders,
    costs: &StepCosts,
) -> Vec<(Rule, Variant)> {
    let all: Vec<u32> = (0..system.steps.len() as u32).collect();
    ruled_among(system, ranges, holders, costs, &all)
}

/// Some operators of a system, each with its rule.
pub(crate) fn ruled_among(
    system: &System,
    ranges: &Ranges,
    holders: &Holders,
    costs: &StepCosts,
    operators: &[u32],
) -> Vec<(Rule, Variant)> {
    let mut all = Vec::new();
    // Operators that only report a fault lead to no state and decide about no step.
    let is_step = |at: &&u32| !system.steps[**at as usize].only_reports();
    for &at in operators.iter().filter(is_step) {
        let (variants, shut_out) = crate::variant::variants_with_shut_out(system, at, ranges);
        let rule = holders.rule(&system.steps[at as usize], shut_out, costs.operator(at));
        all.extend(variants.into_iter().map(|variant| (rule, variant)));
    }
    all
}

type Draft = ((Rule, Levels), Vec<Variant>);

/// Moves operators into groups over more levels with the same first level.
fn merged(
    drafts: BTreeMap<(Rule, Levels), Vec<Variant>>,
    order: &LevelOrder,
    ranges: &Ranges,
) -> Vec<Draft> {
    let mut waiting: Vec<Draft> = drafts.into_iter().collect();
    // The largest first; the sort is stable.
    waiting.sort_by_key(|((_, levels), _)| std::cmp::Reverse(levels.size()));
    let mut done: Vec<Draft> = Vec::new();
    let mut by_top: BTreeMap<(Rule, Option<u32>), Vec<usize>> = BTreeMap::new();
    for ((rule, levels), variants) in waiting {
        let same_top = by_top.entry((rule, levels.top())).or_default();
        let copies = |other: &Levels| {
            let more =
                other.reads.iter().filter(|level| levels.reads.binary_search(level).is_err());
            let size = |level: &u32| ranges.get(order.factors()[*level as usize]).size();
            more.map(size).fold(1, u64::saturating_mul)
        };
        let home = same_top.iter().copied().find(|&at| {
            let other = &done[at].0.1;
            levels.fit_into(other) && copies(other) <= MOST_COPIES
        });
        match home {
            Some(at) => done[at].1.extend(variants),
            None => {
                same_top.push(done.len());
                done.push(((rule, levels), variants));
            }
        }
    }
    done
}
