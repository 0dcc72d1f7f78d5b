//! The rules of independence. Each can be omitted, so that a test can show that it detects the
//! unsound reduction.

use super::access_set::{AccessSet, EnablingSet};
use super::instance_edge::InstanceEdge;
use super::objects::{Bits, Objects};

/// A rule of independence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A write of a variable depends on all other uses of it.
    Variables,
    /// Setting a variable to a value depends on tests for another value.
    Values,
    /// A send depends on other sends, and on tests of sent messages.
    Tails,
    /// A receive depends on other receives, and on tests of the content.
    Heads,
    /// Starting a process depends on other starts and ends.
    Births,
    /// Later steps of a process count.
    Later,
    /// A disabled edge adds an enabling set for its conditions,
    EnablingSet,
    /// restricted to the objects that make one of its conditions true,
    Conditions,
    /// or edges that lead to it, if its process is at another location.
    Into,
    /// or edges of its own process, which may return with other values of its variables.
    Around,
    /// The reads of an assertion count, if its failure is observable.
    Assertions,
    /// The guard that decides whether a `d_step` begins has to stay true.
    Entry,
    /// Reaching a location to receive depends on a sequence that sends.
    Arrivals,
    /// An edge to which its process may return may access other objects then.
    Again,
    /// Another message enables a receive whose wanted first value depends on the number of
    /// messages.
    Counts,
    /// An edge that may read anything depends even on steps without access.
    Wild,
    /// A step in the middle of a transition may change what a property observes.
    Visibility,
    /// Every cycle of a process has a step that is never in a proper subset.
    Back,
}

impl Rule {
    /// All rules.
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

    /// Omits the rule for some edges.
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
                // The users of these rules omit them.
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
