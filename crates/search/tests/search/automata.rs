//! Toy spaces with accepting cycles, and a brute-force test for them: the transitive closure as a
//! table.

use beeline_kernel::{
    AcceptanceMarks, ClaimComponent, CycleKind, Expansion, Fault, FaultKind, FaultTransition,
    SiteId, Space,
};

/// A graph of numbered states, of which 0 is the initial one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Automaton {
    /// The targets of moves, with their marks.
    pub(crate) edges: Vec<Vec<(u32, AcceptanceMarks)>>,
    pub(crate) accepting: Vec<bool>,
    pub(crate) components: Vec<ClaimComponent>,
    /// The states where the claim ends.
    pub(crate) faults: Vec<u32>,
    /// Whether the space reports marks.
    pub(crate) has_marks: bool,
}

/// Random numbers of a seed.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        // Knuth's MMIX generator, with its upper half.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (((self.0 >> 33) * bound as u64) >> 31) as usize
    }
}

impl Automaton {
    /// A graph of this many states without moves, none of them accepting.
    pub(crate) fn empty(states: usize) -> Automaton {
        Automaton {
            edges: vec![Vec::new(); states],
            accepting: vec![false; states],
            components: vec![ClaimComponent::default(); states],
            ..Automaton::default()
        }
    }

    /// A graph where about one state in `one_in` is accepting, with about as many moves as states,
    /// or up to three times as many. Each move lacks some of a few marks.
    pub(crate) fn random(dice: &mut Dice, states: usize, one_in: usize) -> Automaton {
        let mut automaton = Automaton::empty(states);
        automaton.accepting.iter_mut().for_each(|accepting| *accepting = dice.below(one_in) == 0);
        let (moves, marks) = (1 + dice.below(3 * states), 1 + dice.below(4) as u32);
        for at in 0..states + moves {
            // First a tree, so that most states are reachable.
            let tree = at > 0 && at < states && dice.below(8) > 0;
            let to = if tree { at } else { dice.below(states) };
            let from = if tree { dice.below(at) } else { dice.below(states) };
            let lacking = (0..marks).filter(|_| dice.below(3) > 0);
            let marks = lacking.fold(AcceptanceMarks::ALL, AcceptanceMarks::without);
            automaton.edges[from].push((to as u32, marks));
        }
        automaton
    }

    /// The synchronous product of a system and a claim. Each state has the component of its claim
    /// state.
    pub(crate) fn product(system: &Automaton, claim: &Automaton) -> Automaton {
        let (width, parts) = (claim.edges.len(), claim.recurrences());
        let mut product = Automaton::empty(system.edges.len() * width);
        for (at, edges) in product.edges.iter_mut().enumerate() {
            let (here, watcher) = (at / width, at % width);
            product.accepting[at] = claim.accepting[watcher];
            product.components[at] = parts[watcher];
            for &(next, marks) in &system.edges[here] {
                let of_claim = claim.edges[watcher].iter();
                edges.extend(of_claim.map(|&(to, _)| (next * width as u32 + to, marks)));
            }
        }
        product
    }

    /// For each pair of states whether a path of at least one move connects them.
    fn closure(&self, may_pass: impl Fn(usize) -> bool) -> Vec<Vec<bool>> {
        let states = self.edges.len();
        let mut leads = vec![vec![false; states]; states];
        for from in (0..states).filter(|&from| may_pass(from)) {
            for &(to, _) in &self.edges[from] {
                leads[from][to as usize] = may_pass(to as usize);
            }
        }
        for via in 0..states {
            let onward = leads[via].clone();
            for row in leads.iter_mut().filter(|row| row[via]) {
                row.iter_mut().zip(&onward).for_each(|(to, &too)| *to |= too);
            }
        }
        leads
    }

    /// The component of each state, and the kind of its cycles.
    fn recurrences(&self) -> Vec<ClaimComponent> {
        let leads = self.closure(|_| true);
        let elsewhere = self.closure(|at| !self.accepting[at]);
        let states = 0..self.edges.len();
        let of = |at: usize| {
            let is_with = |&to: &usize| to == at || leads[at][to] && leads[to][at];
            let mut members = states.clone().filter(is_with);
            let number = members.clone().next().unwrap_or(at) as u32;
            let cycles = if !leads[at][at] || members.clone().all(|to| !self.accepting[to]) {
                CycleKind::Never
            } else if members.all(|to| !elsewhere[to][to]) {
                CycleKind::Always
            } else {
                CycleKind::Sometimes
            };
            ClaimComponent { number, cycles }
        };
        states.clone().map(of).collect()
    }

    /// Whether an accepting cycle is reachable.
    pub(crate) fn has_cycle(&self) -> bool {
        let leads = self.closure(|_| true);
        let reached = |at: usize| at == 0 || leads[0][at];
        let states = 0..self.edges.len();
        states.clone().filter(|&at| reached(at) && leads[at][at]).any(|at| {
            if !self.has_marks {
                return self.accepting[at];
            }
            let is_with = |to: usize| leads[at][to] && leads[to][at];
            let inside = states.clone().filter(|&from| is_with(from));
            let moves = inside.flat_map(|from| &self.edges[from]);
            let moves = moves.filter(|&&(to, _)| is_with(to as usize));
            moves.fold(AcceptanceMarks::NONE, |all, &(_, marks)| all | marks).is_all()
        })
    }

    /// Whether a cycle of accepting states is reachable.
    pub(crate) fn has_persistent_cycle(&self) -> bool {
        let leads = self.closure(|_| true);
        let within = self.closure(|at| self.accepting[at]);
        (0..self.edges.len()).any(|at| (at == 0 || leads[0][at]) && within[at][at])
    }

    /// Whether a fault is reachable.
    pub(crate) fn has_fault(&self) -> bool {
        let leads = self.closure(|_| true);
        self.faults.iter().any(|&at| at == 0 || leads[0][at as usize])
    }
}

/// The state of this number.
pub(crate) fn state(node: u32) -> Vec<u8> {
    let mut state = node.to_le_bytes().to_vec();
    state.resize(4 + node as usize % 7, 0);
    state
}

/// The number of a state.
pub(crate) fn node(state: &[u8]) -> u32 {
    u32::from_le_bytes(state[..4].try_into().expect("four bytes"))
}

impl Space for Automaton {
    fn initial(&self, initial: &mut Vec<u8>) -> Result<(), Fault> {
        *initial = state(0);
        Ok(())
    }

    fn expand(&self, from: &[u8], expansion: &mut Expansion) {
        let at = node(from);
        expansion.clear();
        for &(to, marks) in &self.edges[at as usize] {
            expansion.push(&state(to));
            if self.has_marks {
                expansion.marks.push(marks);
            }
        }
        if self.faults.contains(&at) {
            let fault = Fault { kind: FaultKind::Claim, site: SiteId(at) };
            expansion.faults.push(FaultTransition { fault, steps: 1 });
        }
        expansion.accepting = self.accepting[at as usize];
        expansion.component = self.components[at as usize];
    }
}
