//! The rules of independence, each of which can be left out: a test that compares reduced with
//! full spaces is worth something if it notices.

use super::access_set::{AccessSet, EnablingSet};
use super::instance_edge::InstanceEdge;
use super::objects::{Bits, Objects};

/// A rule of independence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Who changes a variable gets in the way of others who use it.
    Variables,
    /// Who sets a variable to a value gets in the way of others who look for another one.
    Values,
    /// Who sends gets in the way of others who send, or see that something was sent.
    Tails,
    /// Who receives gets in the way of others who receive, or see what is there.
    Heads,
    /// Who starts a process gets in the way of who starts one or ends.
    Births,
    /// What a process does later counts.
    Later,
    /// What an edge waits for comes first,
    EnablingSet,
    /// if only what makes one of its conditions true,
    Conditions,
    /// or what leads to it, if its process is not there.
    Into,
    /// or its own process, which may come back with other values of its variables.
    Around,
    /// What an assertion looks at counts, where it matters whether it fails.
    Assertions,
    /// The guard that decides whether a `d_step` begins has to stay true.
    Entry,
    /// Who comes to take a message gets in the way of a sequence that hands one over.
    Arrivals,
    /// An edge to which its process may come back may touch something else then.
    Again,
    /// A message more helps who wants a first one that depends on how many there are.
    Counts,
    /// Who looks at nobody knows what heeds even steps that touch nothing.
    Wild,
    /// What a property looks at is not changed in passing.
    Visibility,
    /// Every cycle stops once.
    Back,
}

impl Rule {
    /// All of them.
    pub const ALL: [Rule; 18] = [
        Rule::Variables,
        Rule::Values,
        Rule::Tails,
        Rule::Heads,
        Rule::Births,
        Rule::Later,
        Rule::EnablingSet,
        Rule::Conditions,
        Rule::Into,
        Rule::Around,
        Rule::Assertions,
        Rule::Entry,
        Rule::Arrivals,
        Rule::Again,
        Rule::Counts,
        Rule::Wild,
        Rule::Visibility,
        Rule::Back,
    ];

    /// Leaves the rule out for some moves.
    pub(super) fn leave_out(self, objects: Objects, moves: &mut [InstanceEdge]) {
        let things = match self {
            Rule::Variables => objects.variables().collect(),
            Rule::Tails => objects.channels().step_by(2).collect(),
            Rule::Heads => objects.channels().skip(1).step_by(2).collect(),
            Rule::Births => vec![objects.births()],
            Rule::Arrivals => objects.all_arrivals().collect(),
            _ => Vec::new(),
        };
        let forget = |found: &mut Bits| things.iter().for_each(|&thing| found.remove(thing));
        for step in moves {
            for access_set in [&mut step.own, &mut step.whole] {
                let AccessSet { reads, writes, sets, adds, gives, .. } = access_set;
                [reads, writes, sets, adds, gives].into_iter().for_each(&forget);
            }
            match self {
                Rule::Values => {
                    step.own.sets = objects.none();
                    step.whole.sets = objects.none();
                }
                Rule::EnablingSet => {
                    step.needs = EnablingSet::nothing(objects);
                    step.conditions.clear();
                }
                Rule::Conditions => {
                    let conditions = step.conditions.iter_mut();
                    conditions.for_each(|one| one.needs = EnablingSet::nothing(objects));
                }
                Rule::Visibility => step.is_visible = false,
                Rule::Back => step.goes_back = false,
                Rule::Variables | Rule::Tails | Rule::Heads | Rule::Births | Rule::Arrivals => {}
                // Who looks for them does not.
                Rule::Assertions
                | Rule::Entry
                | Rule::Again
                | Rule::Counts
                | Rule::Later
                | Rule::Into
                | Rule::Around
                | Rule::Wild => {}
            }
        }
    }
}
