//! Storing the successors that a reduction keeps.

use super::{Exploration, Group};
use crate::frontier::FrontierEntry;
use crate::reduction::{ExpansionPart, SuccessorStatus};
use crate::store::{Inserted, StateStore};

impl<T: StateStore> Exploration<'_, T> {
    /// Stores the successors of a state that the reduction keeps, and returns whether there was room for them.
    /// `None`, and nothing is stored, if all successors are to be stored as without a reduction.
    #[inline(never)]
    pub(super) fn store_reduced(&mut self, from: FrontierEntry, group: &Group) -> Option<bool> {
        let Exploration { store, frontier, work, stats, reduction, path_compression, .. } = self;
        let expansion = &work.current.expansion;
        let reduction = reduction.as_mut()?;
        if frontier.leaves_early(from) {
            return None;
        }
        let range = group.successors();
        let faults = if group.has_findings { &expansion.faults[..] } else { &[] };
        let part = ExpansionPart::new(&expansion.successors, range.clone(), faults);
        reduction.propose(store.open(from.id), &part);
        let choice = reduction.choose(&part, |state| match store.find(state) {
            None => SuccessorStatus::New,
            Some(id) => frontier.status(id, stats.expanded),
        });
        let kept = reduction.kept(choice);
        if kept.is_none() && path_compression.is_none() {
            return None;
        }
        work.successors.clear();
        let mut has_room = true;
        for number in 0..kept.map_or(range.len(), <[u32]>::len) {
            let at = kept.map_or(number, |kept| kept[number] as usize);
            let state = expansion.state(range.start + at);
            let inserted = match path_compression {
                None => store.insert(state),
                Some(compression) => match store.find(state) {
                    Some(known) => Inserted::Old(known),
                    None => store.insert(compression.through(state, &mut stats.passed)),
                },
            };
            match inserted {
                Inserted::New(id) => {
                    self.tree.add(from.id);
                    work.successors.push(id);
                }
                Inserted::Old(id) => {
                    stats.matched += 1;
                    work.successors.push(id);
                }
                Inserted::Covered => {
                    stats.matched += 1;
                    work.successors.push(from.id);
                }
                Inserted::Full => {
                    has_room = false;
                    break;
                }
            }
        }
        frontier.push(from, &work.successors);
        Some(has_room)
    }
}
