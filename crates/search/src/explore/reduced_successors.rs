//! Storing what a reduction leaves of a state.

use std::ops::Range;

use super::Exploration;
use crate::frontier::FrontierEntry;
use crate::reduction::{ExpansionPart, SuccessorStatus};
use crate::store::{Inserted, StateStore};

impl<T: StateStore> Exploration<'_, T> {
    /// Stores those successors that have to be, unless all of them have. Says whether there
    /// was room for them.
    #[inline(never)]
    pub(super) fn store_reduced(
        &mut self,
        turn: FrontierEntry,
        range: Range<usize>,
        faults: Range<usize>,
    ) -> Option<bool> {
        let Exploration { store, frontier, now, stats, reduction, passage, .. } = self;
        let expansion = &now.expansion;
        let reduction = reduction.as_mut()?;
        if frontier.leaves_early(turn) {
            return None;
        }
        let begin = range.start;
        let part =
            ExpansionPart::new(&expansion.successors, range.clone(), &expansion.faults[faults]);
        reduction.propose(store.open(turn.id), &part);
        let choice = reduction.choose(&part, |state| match store.find(state) {
            None => SuccessorStatus::New,
            Some(id) => frontier.status(id, stats.expanded),
        });
        let kept = reduction.kept(choice);
        if kept.is_none() && passage.is_none() {
            return None;
        }
        self.successors.clear();
        let mut room = true;
        for number in 0..kept.map_or(range.len(), <[u32]>::len) {
            let at = kept.map_or(number, |kept| kept[number] as usize);
            let state = expansion.state(begin + at);
            let inserted = match passage {
                None => store.insert(state),
                Some(passage) => match store.find(state) {
                    Some(known) => Inserted::Old(known),
                    None => store.insert(passage.through(state, &mut stats.passed)),
                },
            };
            match inserted {
                Inserted::New(id) => {
                    self.tree.add(turn.id);
                    self.successors.push(id);
                }
                Inserted::Old(id) => {
                    stats.matched += 1;
                    self.successors.push(id);
                }
                Inserted::Full => {
                    room = false;
                    break;
                }
            }
            stats.generated += 1;
        }
        frontier.push(turn, &self.successors);
        Some(room)
    }
}
