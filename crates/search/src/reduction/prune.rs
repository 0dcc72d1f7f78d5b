//! Pruning of transitions from an expansion.

use beeline_kernel::{Expansion, Transition};

/// Keeps these transitions of an expansion, which is that of one state; their numbers are
/// ascending. The findings of the state itself are kept.
pub(super) fn keep_only(expansion: &mut Expansion, kept: &[u32]) {
    let (bytes, ways, len) = expansion.successors.parts();
    let mut used = 0;
    for (place, &at) in kept.iter().enumerate() {
        // All offsets from the previous transition on are unchanged.
        let at = at as usize;
        let start = if at == 0 { 0 } else { ways[at - 1].end as usize };
        let end = ways[at].end as usize;
        bytes.copy_within(start..end, used);
        used += end - start;
        ways[place] = Transition { end: used as u32, ..ways[at] };
        if !expansion.marks.is_empty() {
            expansion.marks[place] = expansion.marks[at];
        }
    }
    *len = kept.len();
    expansion.marks.truncate(kept.len());
}

#[cfg(test)]
mod tests {
    use beeline_kernel::{AcceptanceMarks, StepLabel};

    use super::*;

    #[test]
    fn every_subset_is_what_it_was() {
        const WAYS: u32 = 6;
        for set in 0..1_u32 << WAYS {
            for is_marked in [false, true] {
                let mut expansion = Expansion::default();
                for at in 0..WAYS {
                    let label = StepLabel { edge: at, process: 7 };
                    expansion.push_labelled(10 + at, label, &vec![at as u8; at as usize % 4]);
                    if is_marked {
                        expansion.marks.push(AcceptanceMarks(u64::from(at)));
                    }
                }
                expansion.accepting = true;
                expansion.hidden_steps = 5;
                let kept: Vec<u32> = (0..WAYS).filter(|at| set >> at & 1 == 1).collect();
                keep_only(&mut expansion, &kept);
                assert_eq!(expansion.len(), kept.len());
                assert_eq!(expansion.marks.len(), if is_marked { kept.len() } else { 0 });
                for (place, &at) in kept.iter().enumerate() {
                    assert_eq!(expansion.state(place), vec![at as u8; at as usize % 4]);
                    let Transition { steps, label, .. } = expansion.successors.transitions()[place];
                    assert_eq!((steps, label.edge, label.process), (10 + at, at, 7));
                    if is_marked {
                        assert_eq!(expansion.marks[place], AcceptanceMarks(u64::from(at)));
                    }
                }
                assert!(expansion.accepting && expansion.hidden_steps == 5);
            }
        }
    }
}
