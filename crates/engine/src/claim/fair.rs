//! Weak fairness: a cycle is fair if each process either moves on it or is disabled in one of its
//! states.
//!
//! Each transition carries a mark for every process that moves on it, or that is disabled in its
//! source state; a cycle whose transitions carry all marks is fair. A process that does not exist
//! is disabled. Both processes of a rendezvous move.

use beeline_kernel::{
    AcceptanceMarks, Expander, Expansion, Fault, FaultKind, FaultTransition, SiteId, Space,
    StatePath,
};

use crate::interpreter::{DecodedState, Machine, Move, Successor};

/// The greatest number of processes: the first mark is for accepting states, the others are for
/// processes.
pub const MOST_FAIR_PROCESSES: usize = AcceptanceMarks::COUNT as usize - 1;

/// The states of a machine, with fairness marks on each transition.
pub struct FairSpace<'a>(pub &'a Machine<'a>);

impl Space for FairSpace<'_> {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        Space::initial(self.0, state)
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        expansion.clear();
        self.0.expand_fairly(state, expansion);
    }

    fn expander(&self) -> Box<dyn Expander + '_> {
        Box::new(FairExpander(self.0))
    }
}

struct FairExpander<'a>(&'a Machine<'a>);

impl Expander for FairExpander<'_> {
    fn expand(&mut self, state: &[u8], expansion: &mut Expansion) {
        self.0.expand_fairly(state, expansion);
    }
}

impl Machine<'_> {
    /// Adds the successors of a state, with the marks of each transition.
    fn expand_fairly(&self, state: &[u8], expansion: &mut Expansion) {
        let now = self.decode(state);
        if now.process_count() > MOST_FAIR_PROCESSES {
            // There are no marks for more processes.
            let fault = Fault { kind: FaultKind::Limit, site: SiteId(0) };
            expansion.faults.push(FaultTransition { fault, steps: 1 });
            expansion.deadlock = false;
            self.add_broken(&now, expansion);
            return;
        }
        let (mut idle, mut marks) = (AcceptanceMarks::ALL, Vec::new());
        self.expand_with(&now, expansion, |successor| {
            let (Successor::State(_, moves) | Successor::Fault(_, moves)) = successor;
            if let Some(step) = moves.first() {
                idle = idle.without(fairness_mark(step.pid));
            }
            if let Successor::State(..) = successor {
                marks.push(moved(moves));
            }
        });
        expansion.marks.extend(marks.into_iter().map(|marks| marks | idle));
    }

    /// The marks of the processes that cannot move, and of unused process numbers.
    fn idle(&self, now: &DecodedState) -> AcceptanceMarks {
        let found = self.moves(now).map(|found| found.moves).unwrap_or_default();
        found.iter().fold(AcceptanceMarks::ALL, |idle, step| idle.without(fairness_mark(step.pid)))
    }

    /// Whether every process moves along a cycle, or cannot move in one of its states. `movers`
    /// are the processes that move on the way through these states, once round.
    pub fn is_fair(&self, states: &StatePath, movers: impl IntoIterator<Item = usize>) -> bool {
        self.marks_of_cycle(states, movers).without(0) == AcceptanceMarks::ALL.without(0)
    }

    /// The processes that can move in every state of a cycle and never do.
    pub fn neglected(
        &self,
        states: &StatePath,
        movers: impl IntoIterator<Item = usize>,
    ) -> Vec<usize> {
        let marks = self.marks_of_cycle(states, movers);
        let processes = states.first().map_or(0, |state| self.decode(state).process_count());
        (0..processes).filter(|&pid| !marks.has(fairness_mark(pid))).collect()
    }

    /// The marks of the processes that move along a cycle, or cannot move in one of its states.
    fn marks_of_cycle(
        &self,
        states: &StatePath,
        movers: impl IntoIterator<Item = usize>,
    ) -> AcceptanceMarks {
        let idle = states.iter().map(|state| self.idle(&self.decode(&state)));
        idle.fold(marks(movers), |marks, idle| marks | idle)
    }
}

/// The mark of a process.
pub fn fairness_mark(pid: usize) -> u32 {
    (pid + 1).min(MOST_FAIR_PROCESSES) as u32
}

/// The marks of the processes that move.
fn moved(moves: &[Move]) -> AcceptanceMarks {
    marks(moves.iter().flat_map(Move::movers))
}

/// The marks of these processes.
fn marks(pids: impl IntoIterator<Item = usize>) -> AcceptanceMarks {
    let pids = pids.into_iter();
    pids.fold(AcceptanceMarks::NONE, |marks, pid| marks | AcceptanceMarks(1 << fairness_mark(pid)))
}
