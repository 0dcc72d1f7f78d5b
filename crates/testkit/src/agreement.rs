//! Comparison of two state spaces: the same states, faults and deadlocks, up to a number of states.

use std::collections::HashSet;

use beeline_kernel::{Expansion, Space};

/// The greatest number of expanded states.
const MOST: usize = 500;

/// Expands the first states in both spaces and returns the number of states seen. `name` is for
/// messages.
///
/// # Panics
///
/// When the spaces differ.
pub fn agree(one: &dyn Space, two: &dyn Space, name: &str) -> usize {
    let mut state = Vec::new();
    if one.initial(&mut state).is_err() {
        return 0;
    }
    let (mut seen, mut waiting) = (HashSet::from([state.clone()]), vec![state]);
    let (mut here, mut there) = (Expansion::default(), Expansion::default());
    let (mut one, mut two) = (one.expander(), two.expander());
    while let Some(state) = waiting.pop() {
        one.expand_only(&state, &mut here);
        two.expand_only(&state, &mut there);
        assert_eq!(here.faults, there.faults, "{name}");
        assert_eq!(here.deadlock, there.deadlock, "{name}");
        assert_eq!(here.len(), there.len(), "{name}");
        for at in 0..here.len() {
            assert_eq!(here.state(at), there.state(at), "{name}");
            if seen.len() < MOST && seen.insert(here.state(at).to_vec()) {
                waiting.push(here.state(at).to_vec());
            }
        }
    }
    seen.len()
}
