//! From a path of factored states to a path of the model.

use beeline_factored::FactoredView;
use beeline_kernel::{Expansion, Space, StatePath};
use beeline_model::Unconfirmed;
use beeline_search::{FindingKind, SearchTarget};

/// The path of the model through these factored states, with the error of the target at its end.
/// `None` if the model does not have it.
pub(crate) fn concrete_path(
    space: &dyn Space,
    view: &FactoredView,
    states: &[Vec<i32>],
    target: SearchTarget,
) -> Option<(StatePath, FindingKind)> {
    let path = concrete_states(space, view, states)?;
    let mut expansion = Expansion::default();
    space.expand(path.last()?, &mut expansion);
    let error = target.all_errors(&expansion).into_iter().next()?;
    Some((path, error))
}

/// The path of the model through these factored states. `None` if the model does not have it.
pub(crate) fn concrete_states(
    space: &dyn Space,
    view: &FactoredView,
    states: &[Vec<i32>],
) -> Option<StatePath> {
    let mut state = Vec::new();
    space.initial(&mut state).ok()?;
    if view.read(&state).as_ref() != states.first() {
        return None;
    }
    let mut path = StatePath::new();
    let mut expansion = Expansion::default();
    path.push(&state);
    for next in &states[1..] {
        space.expand(&state, &mut expansion);
        let found = expansion.states().find(|after| view.read(after).as_ref() == Some(next));
        state = found?.to_vec();
        path.push(&state);
    }
    Some(path)
}

/// The error of a path of sets that the model does not have.
pub(crate) fn not_a_path() -> Unconfirmed {
    let why = "a path of sets of states is not a path of the model".to_owned();
    Unconfirmed { finding: None, why }
}
