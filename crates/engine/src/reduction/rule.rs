//! The rules of independence, each of which can be left out: a test that compares reduced with
//! full spaces is worth something if it notices.

use super::instance::Move;
use super::objects::{Bits, Objects};
use super::touch::{Needs, Touch};
use std::sync::Arc;

/// A rule of independence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Who changes a variable gets in the way of others who use it.
    Variables,
    /// Who sends gets in the way of others who send, or see that something was sent.
    Tails,
    /// Who receives gets in the way of others who receive, or see what is there.
    Heads,
    /// Who starts a process gets in the way of who starts one or ends.
    Births,
    /// What a process does later counts.
    Later,
    /// What an edge waits for comes first.
    Needs,
    /// What an assertion looks at counts, where it matters whether it fails.
    Assertions,
    /// What a property looks at is not changed in passing.
    Visible,
    /// Every cycle stops once.
    Back,
}

impl Rule {
    /// All of them.
    pub const ALL: [Rule; 9] = [
        Rule::Variables,
        Rule::Tails,
        Rule::Heads,
        Rule::Births,
        Rule::Later,
        Rule::Needs,
        Rule::Assertions,
        Rule::Visible,
        Rule::Back,
    ];

    /// Leaves the rule out for some moves.
    pub(super) fn leave_out(self, objects: Objects, moves: &mut [Move]) {
        let things = match self {
            Rule::Variables => objects.variables().collect(),
            Rule::Tails => objects.channels().step_by(2).collect(),
            Rule::Heads => objects.channels().skip(1).step_by(2).collect(),
            Rule::Births => vec![objects.births()],
            Rule::Later | Rule::Needs | Rule::Assertions | Rule::Visible | Rule::Back => Vec::new(),
        };
        let forget = |found: &mut Bits| things.iter().for_each(|&thing| found.remove(thing));
        for step in moves {
            let beyond = Arc::make_mut(&mut step.beyond);
            for touch in [&mut step.own, beyond] {
                let Touch { reads, writes, adds, gives, .. } = touch;
                [reads, writes, adds, gives].into_iter().for_each(&forget);
            }
            let beyond = Arc::make_mut(&mut step.beyond);
            match self {
                Rule::Later => *beyond = Touch::nothing(objects),
                Rule::Needs => {
                    step.needs = Needs::nothing(objects);
                    step.picks = None;
                }
                Rule::Visible => step.is_visible = false,
                Rule::Back => step.goes_back = false,
                Rule::Variables | Rule::Tails | Rule::Heads | Rule::Births => {}
                // The footprints are without them.
                Rule::Assertions => {}
            }
        }
    }
}
