//! Leaving out what is not needed: does the error happen as well without these steps, and
//! without those that were possible only because of them?
//!
//! Source: H. Nakhost and M. Müller, Action elimination and plan neighborhood graph search,
//! ICAPS 2010, section 3.
//! Deviation: long runs of steps are tried before single ones, as in delta debugging, since
//! a trail of depth-first search has thousands of steps of which few are needed. What is
//! left out is what lies between two stored states: an atomic sequence goes as a whole.
//!
//! Promises: what is left is executed, so it is a trail to the same kind of error.

use beeline_engine::automata::EdgeId;
use beeline_engine::interpreter::{Machine, Move, Now};
use beeline_kernel::{Fault, SiteId};
use beeline_search::{FindingKind, Target};

use super::given::Given;

/// Steps to try at most: a second or so.
const PATIENCE: usize = 400_000;

/// A step as it is written in a trail.
#[derive(Clone, Copy)]
struct Token {
    pid: usize,
    edge: EdgeId,
    partner: Option<(usize, EdgeId)>,
    /// It was possible only because nothing else was.
    timeout: bool,
}

/// The steps between two stored states.
type Group = Vec<Token>;

/// What came of executing some groups.
struct Attempt {
    /// The groups that could be executed.
    kept: Vec<Group>,
    /// The states behind each of them.
    states: Vec<Vec<u8>>,
    found: FindingKind,
}

struct Elimination<'a> {
    machine: &'a Machine<'a>,
    target: Target,
    patience: usize,
}

/// A path of stored states to the target with fewer steps, and what is at its end.
pub(super) fn eliminate(
    machine: &Machine<'_>,
    target: Target,
    given: &Given,
) -> Option<(Vec<Vec<u8>>, FindingKind)> {
    let initial = machine.initial().ok()?;
    let mut search = Elimination { machine, target, patience: PATIENCE };
    let mut groups = groups(machine, &initial, given);
    let steps = |groups: &[Group]| groups.iter().map(Vec::len).sum::<usize>();
    let before = steps(&groups);
    let mut best = None;
    let mut run = groups.len() / 2;
    while run > 0 && search.patience > 0 {
        let mut at = 0;
        let mut reached = initial.clone();
        while at < groups.len() && search.patience > 0 {
            let next = (at + run).min(groups.len());
            if let Some(attempt) = search.attempt(&reached, &groups[next..]) {
                groups.truncate(at);
                groups.extend(attempt.kept.iter().cloned());
                best = Some(attempt);
                continue;
            }
            // They are needed.
            for group in &groups[at..next] {
                reached = search.execute(&reached, group).map_or(reached, |(now, _)| now);
            }
            at = next;
        }
        run /= 2;
    }
    let attempt = best.filter(|_| steps(&groups) < before)?;
    // The states before what was tried last.
    let kept = groups.len() - attempt.kept.len();
    let mut states = vec![initial.bytes.clone()];
    let mut now = initial;
    search.patience = usize::MAX;
    for group in &groups[..kept] {
        now = search.execute(&now, group)?.0;
        states.push(now.bytes.clone());
    }
    states.extend(attempt.states);
    Some((states, attempt.found))
}

/// The steps of a trail, as they lie between stored states.
fn groups(machine: &Machine<'_>, initial: &Now, given: &Given) -> Vec<Group> {
    let moves = &given.replay.moves[..given.steps];
    let stored = given.replay.stored.iter().map(|stored| stored.moves);
    let mut ends: Vec<usize> = stored.filter(|&end| 0 < end && end < moves.len()).collect();
    ends.dedup();
    ends.push(moves.len());
    let mut groups = Vec::new();
    let mut begin = 0;
    for end in ends {
        let tokens = (begin..end).map(|at| {
            let before = if at == 0 { initial } else { &moves[at - 1].next };
            let step = &moves[at];
            let alone = find(machine, before, &Token::of(step)).is_some();
            Token { timeout: !alone, ..Token::of(step) }
        });
        groups.push(tokens.collect());
        begin = end;
    }
    groups
}

impl Token {
    fn of(step: &Move) -> Token {
        Token { pid: step.pid, edge: step.edge, partner: step.partner, timeout: false }
    }

    fn is(&self, step: &Move) -> bool {
        step.pid == self.pid && step.edge == self.edge && step.partner == self.partner
    }
}

/// The move that a token stands for, if it can be made.
fn find(machine: &Machine<'_>, now: &Now, token: &Token) -> Option<Move> {
    if token.pid >= now.process_count() || now.exclusive().is_some_and(|one| one != token.pid) {
        return None;
    }
    if token.timeout {
        return machine.moves(now).ok()?.moves.into_iter().find(|step| token.is(step));
    }
    machine.steps_of(now, token.pid).into_iter().find(|step| token.is(step))
}

impl Elimination<'_> {
    /// Executes groups, leaving out those that are not possible, until the target is met.
    fn attempt(&mut self, from: &Now, groups: &[Group]) -> Option<Attempt> {
        let mut attempt =
            Attempt { kept: Vec::new(), states: Vec::new(), found: FindingKind::Deadlock };
        let mut now = from.clone();
        for group in groups {
            let Some((next, fault)) = self.execute(&now, group) else { continue };
            attempt.kept.push(group.clone());
            if let Some(found) = fault {
                attempt.found = found;
                return Some(attempt);
            }
            now = next;
            attempt.states.push(now.bytes.clone());
            if let Some(found) = self.broken(&now) {
                attempt.found = found;
                return Some(attempt);
            }
        }
        let stuck = self.target.deadlock && self.machine.moves(&now).is_ok_and(|m| m.deadlock);
        stuck.then_some(attempt)
    }

    fn broken(&self, now: &Now) -> Option<FindingKind> {
        let numbers = 0..self.machine.invariants().len();
        let kinds = numbers.map(|number| (number, FindingKind::Broken(number as u32)));
        let mut wanted = kinds.filter(|&(_, kind)| self.target.includes(kind));
        wanted.find(|&(number, _)| !self.machine.holds(number, now)).map(|(_, kind)| kind)
    }

    /// Executes a group as a whole: the state behind it, or the fault that is looked for.
    fn execute(&mut self, from: &Now, group: &[Token]) -> Option<(Now, Option<FindingKind>)> {
        let mut now = from.clone();
        for token in group {
            self.patience = self.patience.checked_sub(1)?;
            let step = find(self.machine, &now, token)?;
            if let Some(kind) = step.fault {
                let found = FindingKind::Fault(Fault { kind, site: SiteId(step.edge.0) });
                return self.target.includes(found).then_some((now, Some(found)));
            }
            now = step.next;
        }
        if now.exclusive().is_some() {
            // A search would go on, unless it cannot.
            now = *self.machine.moves(&now).err()?;
        }
        Some((now, None))
    }
}
