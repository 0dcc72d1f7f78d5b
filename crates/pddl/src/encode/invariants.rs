//! Mutex groups: sets of facts of which at most one holds in each reachable state.
//!
//! Source: [Hel09]: candidates are predicates with at most one counted argument; each operator
//! that adds a fact must delete one that it needs, or another predicate joins the candidate.
//! Deviation: the balance is checked on grounded operators, for each class of facts on its own, so
//! that a candidate may hold for some values of its parameters only.

use std::collections::{HashMap, HashSet, VecDeque};

use beeline_kernel::Deadline;

use crate::ground::{GroundChange, GroundOperator, GroundTask, Literal, TupleMap};

/// The most candidates that are examined.
const MOST_CANDIDATES: usize = 300;

/// A predicate of a candidate: where the parameters of the candidate are among its arguments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Part {
    predicate: u32,
    positions: Vec<usize>,
}

/// Facts of several predicates, of which one holds for each tuple of parameters.
type Candidate = Vec<Part>;

/// A fact that an operator adds, and why the class of the fact may grow.
struct Imbalance {
    operator: usize,
    added: u32,
}

/// The groups of at least two facts, one of which holds initially.
pub(super) fn mutex_groups(task: &GroundTask, deadline: Deadline) -> Vec<Vec<u32>> {
    let mut queue: VecDeque<Candidate> = VecDeque::new();
    let mut seen: HashSet<Candidate> = HashSet::new();
    let mut arities: Vec<(u32, usize)> = task
        .facts
        .iter()
        .filter(|fact| !fact.is_derived())
        .filter_map(|fact| fact.atom.as_ref().map(|(predicate, tuple)| (*predicate, tuple.len())))
        .collect();
    arities.sort_unstable();
    arities.dedup();
    for (predicate, arity) in arities {
        let all: Vec<usize> = (0..arity).collect();
        for omitted in (0..arity).map(Some).chain([None]) {
            let positions = all.iter().copied().filter(|&at| Some(at) != omitted).collect();
            let candidate = vec![Part { predicate, positions }];
            if seen.insert(candidate.clone()) {
                queue.push_back(candidate);
            }
        }
    }
    let adding = adding_operators(task);
    let mut groups = Vec::new();
    let mut examined = 0;
    while let Some(candidate) = queue.pop_front() {
        examined += 1;
        if examined > MOST_CANDIDATES || deadline.is_over() {
            break;
        }
        let classes = Classes::of(task, &candidate);
        let imbalance = classes.examine(task, &adding, &mut groups);
        if let Some(Imbalance { operator, added }) = imbalance {
            for wider in refinements(task, &candidate, &task.operators[operator], added) {
                if seen.insert(wider.clone()) {
                    queue.push_back(wider);
                }
            }
        }
    }
    groups
}

/// By predicate: the operators that add some fact of it.
fn adding_operators(task: &GroundTask) -> HashMap<u32, Vec<u32>> {
    let mut adding: HashMap<u32, Vec<u32>> = HashMap::new();
    for (number, operator) in (0u32..).zip(&task.operators) {
        for effect in &operator.effects {
            let GroundChange::Add(fact) = effect.change else { continue };
            let Some((predicate, _)) = &task.facts[fact as usize].atom else { continue };
            let list = adding.entry(*predicate).or_default();
            if list.last() != Some(&number) {
                list.push(number);
            }
        }
    }
    adding
}

/// The classes of a candidate.
struct Classes {
    /// By fact: its class, or the greatest number.
    of: Vec<u32>,
    facts: Vec<Vec<u32>>,
    /// The predicates of the candidate.
    predicates: Vec<u32>,
}

impl Classes {
    fn of(task: &GroundTask, candidate: &Candidate) -> Classes {
        let predicates = candidate.iter().map(|part| part.predicate).collect();
        let of = vec![u32::MAX; task.facts.len()];
        let mut classes = Classes { of, facts: Vec::new(), predicates };
        let mut keys: TupleMap<u32> = TupleMap::default();
        for (at, fact) in task.facts.iter().enumerate() {
            let Some((predicate, tuple)) = fact.atom.as_ref().filter(|_| !fact.is_derived()) else {
                continue;
            };
            let Some(part) = candidate.iter().find(|part| part.predicate == *predicate) else {
                continue;
            };
            let key: Box<[u32]> = part.positions.iter().map(|&place| tuple[place]).collect();
            let class = *keys.entry(key).or_insert_with(|| {
                classes.facts.push(Vec::new());
                classes.facts.len() as u32 - 1
            });
            classes.of[at] = class;
            classes.facts[class as usize].push(at as u32);
        }
        classes
    }

    /// Adds the classes that are groups; returns an operator that adds a fact without balance, for
    /// the first class that is none.
    fn examine(
        &self,
        task: &GroundTask,
        adding: &HashMap<u32, Vec<u32>>,
        groups: &mut Vec<Vec<u32>>,
    ) -> Option<Imbalance> {
        let weights: Vec<usize> = self
            .facts
            .iter()
            .map(|facts| facts.iter().filter(|&&one| task.facts[one as usize].is_initial).count())
            .collect();
        // A class without an initial fact is no group, but with another predicate it may be one.
        let mut is_group: Vec<bool> = weights.iter().map(|&weight| weight <= 1).collect();
        let mut left = is_group.iter().filter(|is| **is).count();
        let mut imbalance = None;
        let mut added: Vec<(u32, u32, usize)> = Vec::new();
        let lists = self.predicates.iter().filter_map(|predicate| adding.get(predicate));
        let mut operators: Vec<u32> = lists.flatten().copied().collect();
        if self.predicates.len() > 1 {
            operators.sort_unstable();
            operators.dedup();
        }
        for number in operators {
            if left == 0 {
                break;
            }
            let operator = &task.operators[number as usize];
            added.clear();
            for (at, effect) in operator.effects.iter().enumerate() {
                if let GroundChange::Add(fact) = effect.change {
                    let class = self.of[fact as usize];
                    if class != u32::MAX && is_group[class as usize] {
                        added.push((class, fact, at));
                    }
                }
            }
            let mut refute = |class: u32| {
                left -= usize::from(std::mem::replace(&mut is_group[class as usize], false));
            };
            added.sort_unstable();
            for pair in added.windows(2) {
                if pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1 {
                    refute(pair[0].0);
                }
            }
            for &(class, fact, at) in &added {
                if is_group[class as usize] && !self.is_balanced(operator, class, fact, at) {
                    left -= 1;
                    is_group[class as usize] = false;
                    imbalance.get_or_insert(Imbalance { operator: number as usize, added: fact });
                }
            }
        }
        for (at, facts) in self.facts.iter().enumerate() {
            if is_group[at] && weights[at] == 1 && facts.len() > 1 {
                groups.push(facts.clone());
            }
        }
        imbalance
    }

    /// Whether an operator that adds a fact of a class deletes one that holds before.
    fn is_balanced(&self, operator: &GroundOperator, class: u32, fact: u32, at: usize) -> bool {
        let conditions = &operator.effects[at].conditions;
        let holds = |literal: &Literal| {
            operator.preconditions.binary_search(literal).is_ok() || conditions.contains(literal)
        };
        if holds(&Literal::Fact(fact, true)) {
            return true;
        }
        operator.effects.iter().any(|effect| match effect.change {
            GroundChange::Delete(deleted) => {
                deleted != fact
                    && self.of[deleted as usize] == class
                    && holds(&Literal::Fact(deleted, true))
                    && effect.conditions.iter().all(holds)
            }
            _ => false,
        })
    }
}

/// Candidates with one more predicate, which an operator deletes.
fn refinements(
    task: &GroundTask,
    candidate: &Candidate,
    operator: &GroundOperator,
    added: u32,
) -> Vec<Candidate> {
    let Some((predicate, tuple)) = &task.facts[added as usize].atom else { return Vec::new() };
    let Some(part) = candidate.iter().find(|part| part.predicate == *predicate) else {
        return Vec::new();
    };
    let key: Vec<u32> = part.positions.iter().map(|&at| tuple[at]).collect();
    let mut found = Vec::new();
    for effect in &operator.effects {
        let GroundChange::Delete(deleted) = effect.change else { continue };
        let Some((predicate, tuple)) = &task.facts[deleted as usize].atom else { continue };
        let is_known = candidate.iter().any(|part| part.predicate == *predicate);
        if is_known || tuple.len() < key.len() || tuple.len() > key.len() + 1 {
            continue;
        }
        let mut positions = Vec::new();
        each_mapping(&key, tuple, &mut positions, &mut |positions| {
            let mut wider = candidate.clone();
            wider.push(Part { predicate: *predicate, positions: positions.to_vec() });
            wider.sort_unstable();
            found.push(wider);
        });
    }
    found
}

/// Enumerates the ways to find the values of a key at different positions of a tuple.
fn each_mapping(
    key: &[u32],
    tuple: &[u32],
    positions: &mut Vec<usize>,
    visit: &mut impl FnMut(&[usize]),
) {
    let Some(&value) = key.get(positions.len()) else { return visit(positions) };
    for at in 0..tuple.len() {
        if tuple[at] == value && !positions.contains(&at) {
            positions.push(at);
            each_mapping(key, tuple, positions, visit);
            positions.pop();
        }
    }
}
