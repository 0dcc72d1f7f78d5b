//! The strongly connected components of a claim, and the kind of their cycles.
//!
//! Source: [EMJ05], Automata-Based Model Checking: a component is non-accepting, partially or fully
//! accepting, and the product of a system with the claim has cycles only within. Claims are small,
//! so a quadratic algorithm is enough.

use beeline_kernel::{ClaimComponent, CycleKind};

use super::Claim;

impl Claim {
    /// Computes the component of each state.
    pub(super) fn find_components(&mut self) {
        let count = self.states.len();
        let reaches: Vec<Vec<bool>> = (0..count).map(|from| self.reached(from, |_| true)).collect();
        for place in 0..count {
            let members: Vec<usize> = (0..count)
                .filter(|&other| reaches[place][other] && reaches[other][place] || other == place)
                .collect();
            let number = members[0] as u32;
            let cycles = self.cycles(&members, &reaches);
            self.states[place].component = ClaimComponent { number, cycles };
        }
    }

    /// The states reachable from a state through allowed states; itself only if it is on a cycle.
    fn reached(&self, from: usize, is_allowed: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut reached = vec![false; self.states.len()];
        let mut waiting = vec![from];
        while let Some(place) = waiting.pop() {
            for step in self.states[place].moves.iter().filter(|step| !step.violated) {
                let to = step.to as usize;
                if is_allowed(to) && !reached[to] {
                    reached[to] = true;
                    waiting.push(to);
                }
            }
        }
        reached
    }

    fn cycles(&self, members: &[usize], reaches: &[Vec<bool>]) -> CycleKind {
        let goes_round = members.iter().any(|&place| reaches[place][place]);
        let accepts = members.iter().any(|&place| self.states[place].accepting);
        if !goes_round || !accepts && !self.counts_labels {
            return CycleKind::Never;
        }
        let is_plain = |place| members.contains(&place) && !self.states[place].accepting;
        let avoids =
            members.iter().any(|&place| is_plain(place) && self.reached(place, is_plain)[place]);
        if avoids { CycleKind::Sometimes } else { CycleKind::Always }
    }
}
