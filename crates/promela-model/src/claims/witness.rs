//! Replay of claim violations: turns a path of the product into a confirmed trail.
//!
//! The claim runs again on the states of the replayed trail, without the choices of the search; the
//! trail counts only if some run of the claim is violated by these states.

use beeline_engine::claim::{Claim, ClaimFollower, Origin};
use beeline_engine::interpreter::{DecodedState, Machine, Move};
use beeline_engine::trail::{ReplayEnd, ReplayObserver, trail_lines};
use beeline_kernel::{FaultKind, StatePath, Trail};
use beeline_model::{Certificate, ErrorKind, Unconfirmed, Violation};
use beeline_search::FindingKind;

/// Builds a trail along states of a product.
pub(super) struct TrailBuilder<'a> {
    machine: &'a Machine<'a>,
    pub(super) trail: Trail,
    /// Number of moves of the system, stuttering included.
    pub(super) steps: u64,
}

pub(super) fn unconfirmed(why: &str) -> Unconfirmed {
    Unconfirmed { finding: None, why: why.to_owned() }
}

/// A state of the product with the claim state of another one.
pub(super) fn with_claim_state_of(machine: &Machine<'_>, state: &[u8], other: &[u8]) -> Vec<u8> {
    let frame = machine.layout().frame;
    let mut watched = state.to_vec();
    frame.set_claim(&mut watched, frame.claim(other));
    watched
}

impl<'a> TrailBuilder<'a> {
    pub(super) fn new(machine: &'a Machine<'a>, merged: bool) -> Self {
        let claim = machine.claim().and_then(Claim::written).map(|claim| claim.index());
        let trail = Trail { merged, claim, ..Trail::default() };
        TrailBuilder { machine, trail, steps: 0 }
    }

    /// Adds the steps between two consecutive states.
    pub(super) fn add(
        &mut self,
        from: &[u8],
        to: &[u8],
        way: Option<&[Move]>,
    ) -> Result<(), Unconfirmed> {
        let machine = self.machine;
        let after = machine.layout().frame.claim(to);
        let now = machine.decode(from);
        let mut claimed = machine.claim_moves(&now);
        let step = claimed.find(|step| step.to == after && !step.violated);
        let step = step.ok_or_else(|| unconfirmed("the claim cannot take this step"))?;
        self.trail.push_claim(&step.edges);
        let watched = with_claim_state_of(machine, from, to);
        let found = way.map(<[Move]>::to_vec).or_else(|| machine.moves_to(&watched, to));
        match found {
            Some(way) => {
                self.steps += way.len() as u64;
                self.trail.push_system(trail_lines(&way));
            }
            // The system stutters.
            None if watched == to => self.steps += 1,
            None => {
                return Err(unconfirmed("no step leads from one state of the path to the next"));
            }
        }
        Ok(())
    }

    pub(super) fn replay(
        &self,
        observer: &mut dyn ReplayObserver,
    ) -> Result<ReplayEnd, Unconfirmed> {
        let replayed = self.machine.replay_with(&self.trail, observer);
        replayed.map_err(|error| unconfirmed(&error.to_string()))
    }
}

/// Shows the stored states of a replay to a claim, until it reaches its end.
pub(crate) struct ClaimObserver<'a> {
    machine: &'a Machine<'a>,
    follower: ClaimFollower<'a>,
    /// Where the claim reaches its end.
    pub(crate) end: Option<DecodedState>,
}

impl<'a> ClaimObserver<'a> {
    pub(crate) fn new(machine: &'a Machine<'a>, claim: &'a Claim) -> ClaimObserver<'a> {
        ClaimObserver { machine, follower: ClaimFollower::new(claim), end: None }
    }
}

impl ReplayObserver for ClaimObserver<'_> {
    fn on_stored(&mut self, state: &DecodedState, _: usize) {
        if self.end.is_none() {
            self.end = self.follower.follow(self.machine, state);
        }
    }
}

/// The violation at the end of a path of the product, where the claim ends. `bound` maps the number
/// of moves of this path to a lower bound for the steps of any trail.
pub(crate) fn end_witness(
    machine: &Machine<'_>,
    states: &StatePath,
    found: FindingKind,
    merged: bool,
    bound: &dyn Fn(u64) -> u64,
) -> Result<Violation, Unconfirmed> {
    let mut builder = TrailBuilder::new(machine, merged);
    let mut pairs = states.pairs();
    while let Some((from, to)) = pairs.advance() {
        builder.add(from, to, None)?;
    }
    let now = machine.decode(states.last().expect("a path has its end"));
    let FindingKind::Fault(fault) = found else {
        return Err(unconfirmed("a product has no such findings"));
    };
    let is_meant = |edge: Option<u32>| edge.unwrap_or(0) == fault.site.0;
    let step = machine
        .claim_moves(&now)
        .find(|step| step.violated && is_meant(step.edges.last().map(|edge| edge.0)));
    builder.trail.push_claim(
        &step.ok_or_else(|| unconfirmed("the last step of the claim is missing"))?.edges,
    );
    let claim = machine.claim().ok_or_else(|| unconfirmed("there is no claim"))?;
    let mut watching = ClaimObserver::new(machine, claim);
    let replay = builder.replay(&mut watching)?;
    let is_written = builder.trail.claim.is_some();
    if watching.end.is_none() || is_written && !replay.is_claim_violated() {
        return Err(unconfirmed("the replayed trail does not reach the error"));
    }
    let (steps, trail) = (builder.steps, builder.trail);
    let length = Certificate::new(steps, bound(states.transitions() as u64));
    let is_formula = matches!(machine.claim(), Some(Claim { origin: Origin::Formula(_), .. }));
    let error = if is_formula { ErrorKind::Formula } else { ErrorKind::Fault(FaultKind::Claim) };
    Ok(Violation { error, trail, length, cycle: None })
}
