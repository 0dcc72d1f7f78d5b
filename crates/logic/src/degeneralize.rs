//! Degeneralisation: from several acceptance sets on edges to one on states.
//!
//! Each state is copied for each level, the number of sets met since the last accepting state. Only
//! components with accepting cycles are copied, each for the sets that matter in it; levels restart
//! when a component is entered.
//!
//! Source: [GO01] for several levels at a time; [BBD13] for levels by component and for marks that
//! all edges of a state share.

use std::collections::HashMap;

use crate::bits::Bits;
use crate::transition_buchi::{MarkedEdge, SccFacts, TransitionBuchi};

/// Options that affect the size of the result, not its language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LevelOptions {
    /// A component is entered at the accepting level.
    pub(crate) enters_complete: bool,
    /// The sets are met in reverse order.
    pub(crate) reversed: bool,
    /// The step after the accepting level does not advance.
    pub(crate) rests: bool,
}

impl LevelOptions {
    /// All options, the plain one first.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..8).map(|number| Self {
            rests: number & 1 != 0,
            reversed: number & 2 != 0,
            enters_complete: number & 4 != 0,
        })
    }
}

/// An equivalent automaton with one acceptance set on states.
pub(crate) fn degeneralize(automaton: &TransitionBuchi, manner: LevelOptions) -> TransitionBuchi {
    let parts = automaton.parts();
    let orders = orders(automaton, &parts, manner);
    let shared = shared(automaton, &parts);
    let mut index: HashMap<(usize, usize), usize> = HashMap::new();
    let mut places: Vec<(usize, usize)> = Vec::new();
    let mut place = |place: (usize, usize), places: &mut Vec<(usize, usize)>| {
        *index.entry(place).or_insert_with(|| {
            places.push(place);
            places.len() - 1
        })
    };
    let enter = |state: usize| match &orders[parts.of[state]] {
        Some(order) if manner.enters_complete => order.len(),
        Some(order) => advance(order, 0, &shared[state]),
        None => 0,
    };
    place((automaton.start, enter(automaton.start)), &mut places);
    let mut arrows = Vec::new();
    let mut at = 0;
    while at < places.len() {
        let (state, level) = places[at];
        let order = orders[parts.of[state]].as_ref();
        let complete = order.is_some_and(|order| level == order.len());
        let marks: Bits = complete.then_some(0).into_iter().collect();
        let mut own = Vec::new();
        for arrow in &automaton.arrows[state] {
            let level = match order {
                Some(order) if parts.of[arrow.to] == parts.of[state] => {
                    let seen = arrow.marks.union(&shared[arrow.to]);
                    match complete {
                        true if manner.rests && !order.is_empty() => 0,
                        true => advance(order, 0, &seen),
                        false => advance(order, level, &seen),
                    }
                }
                _ => enter(arrow.to),
            };
            let to = place((arrow.to, level), &mut places);
            own.push(MarkedEdge { to, marks: marks.clone(), cube: arrow.cube.clone() });
        }
        arrows.push(own);
        at += 1;
    }
    TransitionBuchi { start: 0, sets: 1, arrows }
}

/// The level after these marks.
fn advance(order: &[usize], level: usize, seen: &Bits) -> usize {
    let met = order[level..].iter().take_while(|&&set| seen.contains(set)).count();
    level + met
}

/// By accepting component: the sets to meet, in order.
fn orders(
    automaton: &TransitionBuchi,
    parts: &SccFacts,
    manner: LevelOptions,
) -> Vec<Option<Vec<usize>>> {
    let mut within: Vec<Vec<&Bits>> = vec![Vec::new(); parts.accepting.len()];
    for (state, arrows) in automaton.arrows.iter().enumerate() {
        let own = parts.of[state];
        within[own].extend(arrows.iter().filter(|a| parts.of[a.to] == own).map(|a| &a.marks));
    }
    let order = |component: usize| {
        let marks = &within[component];
        let bears = |set: usize| -> Bits {
            (0..marks.len()).filter(|&edge| marks[edge].contains(set)).collect()
        };
        let everywhere = Bits::below(marks.len());
        let mut needed: Vec<(usize, Bits)> = Vec::new();
        // A set that is met whenever another one is met can be omitted.
        for set in 0..automaton.sets {
            let edges = bears(set);
            if edges != everywhere && !needed.iter().any(|(_, other)| other.is_subset(&edges)) {
                needed.retain(|(_, other)| !edges.is_subset(other));
                needed.push((set, edges));
            }
        }
        let mut order: Vec<usize> = needed.into_iter().map(|(set, _)| set).collect();
        if manner.reversed {
            order.reverse();
        }
        order
    };
    let count = parts.accepting.len();
    (0..count).map(|component| parts.accepting[component].then(|| order(component))).collect()
}

/// By state: the marks of all its edges within the component; they count as met when the state is
/// reached.
fn shared(automaton: &TransitionBuchi, parts: &SccFacts) -> Vec<Bits> {
    let all = Bits::below(automaton.sets);
    let of = |state: usize| {
        let stays = |arrow: &&MarkedEdge| parts.of[arrow.to] == parts.of[state];
        let arrows = automaton.arrows[state].iter().filter(stays);
        arrows.fold(all.clone(), |marks, arrow| marks.intersection(&arrow.marks))
    };
    (0..automaton.arrows.len()).map(of).collect()
}
