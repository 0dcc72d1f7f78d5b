//! The steps of a trail as they can be executed elsewhere: by process and edge, in groups
//! that lie between two stored states. What is inside of an atomic sequence stays together.

use std::ops::Range;

use beeline_engine::automata::EdgeId;
use beeline_engine::interpreter::{Machine, Move, Now};
use beeline_engine::trail::{Line, Replay};
use beeline_kernel::{Fault, SiteId};
use beeline_search::{FindingKind, Target};

/// A step as it is written in a trail.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) pid: usize,
    edge: EdgeId,
    partner: Option<(usize, EdgeId)>,
    /// It was possible only because nothing else was.
    timeout: bool,
}

/// The steps between two stored states.
pub(super) type Group = Vec<Token>;

/// The first steps of a trail, as they lie between stored states.
pub(super) fn groups(
    machine: &Machine<'_>,
    initial: &Now,
    replay: &Replay,
    steps: usize,
) -> Vec<Group> {
    let moves = &replay.moves[..steps];
    let group = |bounds: Range<usize>| {
        let tokens = bounds.map(|at| {
            let before = if at == 0 { initial } else { &moves[at - 1].next };
            let token = Token::of(&moves[at]);
            Token { timeout: token.find(machine, before).is_none(), ..token }
        });
        tokens.collect()
    };
    bounds(replay, steps).into_iter().map(group).collect()
}

/// Which of the first steps of a trail lie between two stored states.
pub(super) fn bounds(replay: &Replay, steps: usize) -> Vec<Range<usize>> {
    let stored = replay.stored.iter().map(|stored| stored.moves);
    let mut ends: Vec<usize> = stored.filter(|&end| 0 < end && end < steps).collect();
    ends.dedup();
    ends.push(steps);
    let begins = std::iter::once(0).chain(ends.clone());
    begins.zip(ends).map(|(begin, end)| begin..end).collect()
}

impl Token {
    fn of(step: &Move) -> Token {
        Token { pid: step.pid, edge: step.edge, partner: step.partner, timeout: false }
    }

    /// As it is written in a file: a rendezvous has two lines.
    pub(super) fn lines(self) -> impl Iterator<Item = Line> {
        let own = Line { pid: self.pid, edge: self.edge };
        let partner = self.partner.map(|(pid, edge)| Line { pid, edge });
        std::iter::once(own).chain(partner)
    }

    fn is(&self, step: &Move) -> bool {
        step.pid == self.pid && step.edge == self.edge && step.partner == self.partner
    }

    /// The move that it stands for, if it can be made.
    fn find(&self, machine: &Machine<'_>, now: &Now) -> Option<Move> {
        if self.pid >= now.process_count() || now.exclusive().is_some_and(|one| one != self.pid) {
            return None;
        }
        if self.timeout {
            return machine.moves(now).ok()?.moves.into_iter().find(|step| self.is(step));
        }
        machine.steps_of(now, self.pid).into_iter().find(|step| self.is(step))
    }
}

/// Executes groups, with so much patience.
pub(super) struct Executor<'a> {
    pub(super) machine: &'a Machine<'a>,
    pub(super) target: Target,
    /// How many steps may still be tried.
    pub(super) patience: usize,
}

impl Executor<'_> {
    /// Executes a group as a whole: the state behind it, or the state before a fault that
    /// is looked for.
    pub(super) fn execute(
        &mut self,
        from: &Now,
        group: &[Token],
    ) -> Option<(Now, Option<FindingKind>)> {
        let mut now = from.clone();
        for token in group {
            self.patience = self.patience.checked_sub(1)?;
            let step = token.find(self.machine, &now)?;
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
