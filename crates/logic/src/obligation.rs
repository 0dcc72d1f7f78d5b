//! Minimal deterministic automata for obligations: formulas whose language is a boolean combination
//! of safety and guarantee properties.
//!
//! The subset construction makes the automaton deterministic. Since the language is an obligation,
//! all cycles of a component of the result agree on acceptance, so one cycle of each is tested.
//! Then states are merged as in a finite automaton, which yields the minimal deterministic weak
//! automaton.
//!
//! Source: [DEK07] for the construction, [Löd01] for the colours and the minimisation.

use std::collections::HashMap;

use crate::bits::Bits;
use crate::cube::{Cube, fewer};
use crate::scc::components;
use crate::transition_buchi::{MarkedEdge, TransitionBuchi};

/// The subset automaton: complete, deterministic, without acceptance.
struct Subsets {
    sets: Vec<Bits>,
    /// By state, then by letter.
    next: Vec<Vec<usize>>,
}

/// The minimal deterministic automaton with marks on states, if there are at most `limit`
/// intermediate states and few atoms.
pub(crate) fn smallest_weak(automaton: &TransitionBuchi, limit: usize) -> Option<TransitionBuchi> {
    let cubes = automaton.arrows.iter().flatten().map(|arrow| arrow.cube.atoms());
    let atoms: Vec<usize> =
        cubes.fold(Bits::default(), |all, some| all.union(&some)).iter().collect();
    if atoms.len() > 6 {
        return None;
    }
    let letters: Vec<Bits> = (0..1usize << atoms.len())
        .map(|number| {
            (0..atoms.len()).filter(|at| number >> at & 1 == 1).map(|at| atoms[at]).collect()
        })
        .collect();
    let subsets = Subsets::build(automaton, &letters, limit)?;
    let accepting = subsets.accepting(automaton, &letters);
    let classes = subsets.merge(&accepting);
    Some(subsets.quotient(&classes, &accepting, &atoms))
}

impl Subsets {
    fn build(automaton: &TransitionBuchi, letters: &[Bits], limit: usize) -> Option<Self> {
        let first: Bits = [automaton.start].into_iter().collect();
        let mut index = HashMap::from([(first.clone(), 0)]);
        let mut sets = vec![first];
        let mut next: Vec<Vec<usize>> = Vec::new();
        while next.len() < sets.len() {
            if sets.len() > limit {
                return None;
            }
            let from = sets[next.len()].clone();
            let mut row = Vec::with_capacity(letters.len());
            for letter in letters {
                let arrows = from.iter().flat_map(|state| &automaton.arrows[state]);
                let to: Bits =
                    arrows.filter(|arrow| arrow.cube.holds(letter)).map(|arrow| arrow.to).collect();
                row.push(*index.entry(to.clone()).or_insert_with(|| {
                    sets.push(to);
                    sets.len() - 1
                }));
            }
            next.push(row);
        }
        Some(Self { sets, next })
    }

    /// The accepting states. States on no cycle are coloured like their successors, so that as many
    /// states as possible can be merged.
    fn accepting(&self, automaton: &TransitionBuchi, letters: &[Bits]) -> Vec<bool> {
        let component = components(self.sets.len(), |state| self.next[state].iter().copied());
        let mut states: Vec<usize> = (0..self.sets.len()).collect();
        states.sort_by_key(|&state| component[state]);
        // Even colours accept. The colour of a component is at least that of its successors.
        let mut colours: Vec<u32> = vec![0; self.sets.len()];
        for group in states.chunk_by(|&one, &two| component[one] == component[two]) {
            let out = group.iter().flat_map(|&state| &self.next[state]);
            let behind = out.filter(|&&next| component[next] != component[group[0]]);
            let least = behind.map(|&next| colours[next]).max().unwrap_or(0);
            let colour = match self.cycle(group[0], &component) {
                None => least,
                Some(word) => {
                    let accepts = accepts_for_ever(automaton, &self.sets[group[0]], &word, letters);
                    least + u32::from(accepts != (least % 2 == 0))
                }
            };
            group.iter().for_each(|&state| colours[state] = colour);
        }
        colours.into_iter().map(|colour| colour % 2 == 0).collect()
    }

    /// The letters of a path from a state back to itself.
    fn cycle(&self, start: usize, component: &[usize]) -> Option<Vec<usize>> {
        let mut came: HashMap<usize, (usize, usize)> = HashMap::new();
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(state) = queue.pop_front() {
            for (letter, &next) in self.next[state].iter().enumerate() {
                if component[next] == component[start] && !came.contains_key(&next) {
                    came.insert(next, (state, letter));
                    queue.push_back(next);
                }
            }
        }
        let mut word = Vec::new();
        let mut at = start;
        loop {
            let &(before, letter) = came.get(&at)?;
            word.push(letter);
            at = before;
            if at == start {
                word.reverse();
                return Some(word);
            }
        }
    }

    /// The class of each state under the coarsest partition that respects letters.
    fn merge(&self, accepting: &[bool]) -> Vec<usize> {
        let mut classes: Vec<usize> = accepting.iter().map(|&yes| usize::from(yes)).collect();
        let mut count = 0;
        loop {
            let mut index: HashMap<(usize, Vec<usize>), usize> = HashMap::new();
            let refined: Vec<usize> = (0..classes.len())
                .map(|state| {
                    let row = self.next[state].iter().map(|&next| classes[next]).collect();
                    let fresh = index.len();
                    *index.entry((classes[state], row)).or_insert(fresh)
                })
                .collect();
            classes = refined;
            if index.len() == count {
                return classes;
            }
            count = index.len();
        }
    }

    fn quotient(&self, classes: &[usize], accepting: &[bool], atoms: &[usize]) -> TransitionBuchi {
        let count = classes.iter().max().map_or(0, |most| most + 1);
        let mut arrows: Vec<Vec<MarkedEdge>> = Vec::with_capacity(count);
        for class in 0..count {
            let state = classes.iter().position(|&other| other == class).expect("none is empty");
            let marks: Bits = accepting[state].then_some(0).into_iter().collect();
            let row: Vec<usize> = self.next[state].iter().map(|&next| classes[next]).collect();
            let mut targets = row.clone();
            targets.sort_unstable();
            targets.dedup();
            let mut own = Vec::new();
            for to in targets {
                let mut cubes = Vec::new();
                gather(&row, to, atoms, Cube::default(), &mut cubes);
                let arrow = |cube| MarkedEdge { to, marks: marks.clone(), cube };
                own.extend(fewer(cubes).into_iter().map(arrow));
            }
            arrows.push(own);
        }
        TransitionBuchi { start: classes[0], sets: 1, arrows }
    }
}

/// Cubes for the letters that lead to a target; `row` has a target for each letter over the atoms,
/// the last atom being the highest bit.
fn gather(row: &[usize], target: usize, atoms: &[usize], cube: Cube, found: &mut Vec<Cube>) {
    if row.iter().all(|&to| to == target) {
        found.push(cube);
    } else if row.contains(&target) {
        let (atom, rest) = atoms.split_last().expect("different letters differ in an atom");
        let (without, with) = row.split_at(row.len() / 2);
        for (half, positive) in [(without, false), (with, true)] {
            let narrower = cube.and(&Cube::literal(*atom, positive)).expect("the atom is new");
            gather(half, target, rest, narrower, found);
        }
    }
}

/// Whether a run from these states over the word, repeated forever, is accepted.
fn accepts_for_ever(
    automaton: &TransitionBuchi,
    from: &Bits,
    word: &[usize],
    letters: &[Bits],
) -> bool {
    let length = word.len();
    let mut arrows: Vec<Vec<MarkedEdge>> = Vec::new();
    let mut index: HashMap<(usize, usize), usize> = HashMap::new();
    let mut places: Vec<(usize, usize)> = from.iter().map(|state| (state, 0)).collect();
    for (number, &place) in places.iter().enumerate() {
        index.insert(place, number);
    }
    while arrows.len() < places.len() {
        let (state, at) = places[arrows.len()];
        let letter = &letters[word[at]];
        let mut own = Vec::new();
        for arrow in automaton.arrows[state].iter().filter(|arrow| arrow.cube.holds(letter)) {
            let place = (arrow.to, (at + 1) % length);
            let to = *index.entry(place).or_insert_with(|| {
                places.push(place);
                places.len() - 1
            });
            own.push(MarkedEdge { to, ..arrow.clone() });
        }
        arrows.push(own);
    }
    TransitionBuchi { start: 0, sets: automaton.sets, arrows }.parts().accepting.contains(&true)
}
