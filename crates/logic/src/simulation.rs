//! Reduction by direct simulation: a state simulates another if it can match every step with one
//! that has at least the same marks and leads to a simulating state.
//!
//! States that simulate each other are merged, and an edge is dropped if other edges of its state
//! dominate it. Both preserve the language [SB00]. A step is a letter, so several edges together
//! may match one. Backward simulation compares states by incoming paths.

use crate::bits::Bits;
use crate::cube::Cube;
use crate::transition_buchi::{MarkPosition, MarkedEdge, TransitionBuchi};

/// Beyond this many comparisons of edges, simulation costs more than it saves.
const PATIENCE: usize = 3_000_000;

/// By state: the states that simulate it.
type Simulates = Vec<Bits>;

/// The largest simulation within `allowed`; `None` if it takes too long. `order` works best with
/// targets of edges first.
fn simulation(
    arrows: &[Vec<MarkedEdge>],
    order: impl Iterator<Item = usize> + Clone,
    allowed: impl Fn(usize, usize) -> bool,
) -> Option<Simulates> {
    let count = arrows.len();
    let mut patience = PATIENCE.checked_sub(count.saturating_mul(count))?;
    let mut above: Simulates =
        (0..count).map(|one| (0..count).filter(|&two| allowed(one, two)).collect()).collect();
    loop {
        let mut changed = false;
        for one in order.clone() {
            for two in above[one].iter().filter(|&two| two != one).collect::<Vec<_>>() {
                patience = patience.checked_sub(arrows[one].len() * arrows[two].len() + 1)?;
                if !arrows[one].iter().all(|step| answered(step, &arrows[two], &above)) {
                    above[one].remove(two);
                    changed = true;
                }
            }
        }
        if !changed {
            return Some(above);
        }
    }
}

/// Whether the edges together match every letter of the step.
fn answered(step: &MarkedEdge, edges: &[MarkedEdge], above: &Simulates) -> bool {
    let better = edges.iter().filter(|edge| is_better(edge, step, above));
    step.cube.is_covered(better.map(|edge| &edge.cube))
}

fn is_better(edge: &MarkedEdge, step: &MarkedEdge, above: &Simulates) -> bool {
    step.marks.is_subset(&edge.marks) && above[step.to].contains(edge.to)
}

/// Reduces to a fixpoint.
pub(crate) fn reduce(automaton: &mut TransitionBuchi, basis: MarkPosition, idle: &Bits) {
    automaton.clean(basis, idle);
    loop {
        let before = automaton.size();
        forwards(automaton);
        automaton.clean(basis, idle);
        backwards(automaton, basis);
        automaton.clean(basis, idle);
        if automaton.size() >= before {
            break;
        }
    }
    if basis == MarkPosition::State {
        sharpen(automaton);
        automaton.tidy();
    }
}

/// States have larger numbers than their predecessors, so the last come first.
fn forward_simulation(automaton: &TransitionBuchi) -> Option<Simulates> {
    simulation(&automaton.arrows, (0..automaton.arrows.len()).rev(), |_, _| true)
}

/// Merges states that simulate each other, and drops dominated edges.
fn forwards(automaton: &mut TransitionBuchi) {
    let Some(above) = forward_simulation(automaton) else {
        return automaton.merge_equal();
    };
    let names = classes(&above);
    for arrows in &mut automaton.arrows {
        for arrow in arrows.iter_mut() {
            arrow.to = names[arrow.to];
        }
        // One at a time, so that the remaining edges still match everything.
        let mut at = arrows.len();
        while at > 0 {
            at -= 1;
            let step = arrows.swap_remove(at);
            if !answered(&step, arrows, &above) {
                arrows.push(step);
                let last = arrows.len() - 1;
                arrows.swap(at, last);
            }
        }
    }
    automaton.start = names[automaton.start];
    automaton.tidy();
}

/// Merges states with the same incoming paths.
fn backwards(automaton: &mut TransitionBuchi, basis: MarkPosition) {
    let count = automaton.arrows.len();
    let mut reversed: Vec<Vec<MarkedEdge>> = vec![Vec::new(); count];
    for (from, arrows) in automaton.arrows.iter().enumerate() {
        for arrow in arrows {
            reversed[arrow.to].push(MarkedEdge { to: from, ..arrow.clone() });
        }
    }
    let start = automaton.start;
    let own = |state: usize| automaton.arrows[state].first().map(|arrow| &arrow.marks);
    let alike = |one: usize, two: usize| {
        (one != start || two == start) && (basis == MarkPosition::Edge || own(one) == own(two))
    };
    let Some(above) = simulation(&reversed, 0..count, alike) else { return };
    let names = classes(&above);
    for (state, &name) in names.iter().enumerate() {
        if name != state {
            let moved = std::mem::take(&mut automaton.arrows[state]);
            automaton.arrows[name].extend(moved);
        }
    }
    for arrow in automaton.arrows.iter_mut().flatten() {
        arrow.to = names[arrow.to];
    }
    automaton.start = names[automaton.start];
    automaton.tidy();
}

/// The first state of each class of states that simulate each other.
fn classes(above: &Simulates) -> Vec<usize> {
    let mutual = |one: usize| above[one].iter().find(|&two| above[two].contains(one));
    (0..above.len()).map(|one| mutual(one).unwrap_or(one)).collect()
}

/// Removes letters from guards that edges to better states match, if the rest is one cube: fewer
/// letters are nondeterministic.
fn sharpen(automaton: &mut TransitionBuchi) {
    let Some(above) = forward_simulation(automaton) else { return };
    for arrows in &mut automaton.arrows {
        for at in 0..arrows.len() {
            for other in 0..arrows.len() {
                let (step, edge) = (&arrows[at], &arrows[other]);
                if at != other
                    && is_better(edge, step, &above)
                    && let Some(rest) = minus(&step.cube, &edge.cube)
                {
                    arrows[at].cube = rest;
                }
            }
        }
    }
}

/// The letters of one cube that are not in the other, if they are a smaller cube.
fn minus(one: &Cube, other: &Cube) -> Option<Cube> {
    let known = one.atoms();
    let mut extra = other.literals().filter(|&(atom, _)| !known.contains(atom));
    let (atom, positive) = extra.next()?;
    if extra.next().is_some() || !one.meets(other) {
        return None;
    }
    one.and(&Cube::literal(atom, !positive))
}
