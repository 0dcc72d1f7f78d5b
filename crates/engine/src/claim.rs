//! Never claims: an automaton that moves first, before each move of the system.
//!
//! The claim describes what must not happen. In every state it takes one step whose
//! guard is true there, then the system takes one; states inside of an atomic sequence
//! do not count. A claim that cannot step gives up on that run; one that comes to its
//! end has seen what must not happen. When the system can do nothing any more, it
//! stays where it is and the claim goes on.
//!
//! [`Product`] is the two together, as a state space: a state of the system with the
//! location of the claim, two bytes, behind it.

use beeline_kernel::{Expander, Expansion, Failure, Fault, FaultKind, SiteId, Space};
use beeline_promela::hir::{ExprKind, ProcessId, ProcessKind};

use crate::automata::{Action, EdgeId, Location, Step};
use crate::interpreter::{Machine, Now};

/// Bytes of the claim's location.
const LOCATION: usize = 2;

/// What a claim can do in a state: one step, or several that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimStep {
    /// By these edges.
    pub edges: Vec<EdgeId>,
    /// It is then here.
    pub to: Location,
    /// It came to its end, or an assertion of its own failed.
    pub violated: bool,
}

impl Machine<'_> {
    /// The claim with this number among the processes.
    pub fn claim(&self, number: usize) -> Option<ProcessId> {
        let process = self.model().processes.get(number)?;
        (process.kind == ProcessKind::Never).then_some(ProcessId(number as u32))
    }

    /// Why a claim cannot be followed: only claims that watch are.
    pub fn claim_obstacle(&self, claim: ProcessId) -> Option<&'static str> {
        if !self.model().process(claim).locals.is_empty() {
            return Some("the claim has variables of its own");
        }
        let watches = |step: &Step| match &step.action {
            Action::Guard(guard) => !matches!(guard.kind, ExprKind::Run { .. }),
            Action::Move(_)
            | Action::Else
            | Action::Assert(_)
            | Action::Print { .. }
            | Action::PrintM(_)
            | Action::End => true,
            _ => false,
        };
        let mut steps = self.automaton(claim).edges.iter().flat_map(|edge| &edge.steps);
        (!steps.all(watches)).then_some("the claim does more than watch")
    }

    /// Whether a claim can be violated by going round for ever, too.
    pub fn claim_accepts(&self, claim: ProcessId) -> bool {
        self.automaton(claim).marks.iter().any(|mark| mark.accept)
    }

    /// What a claim can do in a state, in order.
    pub fn claim_steps(&self, claim: ProcessId, at: Location, now: &Now) -> Vec<ClaimStep> {
        let mut found = Vec::new();
        self.add_claim_steps(claim, at, now, &mut Vec::new(), &mut found);
        found
    }

    fn add_claim_steps(
        &self,
        claim: ProcessId,
        at: Location,
        now: &Now,
        edges: &mut Vec<EdgeId>,
        found: &mut Vec<ClaimStep>,
    ) {
        let automaton = self.automaton(claim);
        let mut moved = false;
        for edge in automaton.edges_from(at) {
            let is_true = |condition| self.value(condition, now, 0).is_some_and(|value| value != 0);
            let executable = match &edge.steps[0].action {
                Action::Guard(guard) => is_true(guard),
                Action::Else => !moved,
                _ => true,
            };
            if !executable {
                continue;
            }
            moved = true;
            let fails = edge
                .steps
                .iter()
                .any(|step| matches!(&step.action, Action::Assert(asserted) if !is_true(asserted)));
            edges.push(edge.id);
            let violated = fails || edge.to == automaton.end;
            let circles = edges.len() > automaton.edges.len();
            if edge.hold.atomic && !violated && !circles {
                self.add_claim_steps(claim, edge.to, now, edges, found);
            } else {
                found.push(ClaimStep { edges: edges.clone(), to: edge.to, violated });
            }
            edges.pop();
        }
    }
}

/// A system together with a claim about it.
pub struct Product<'a> {
    machine: &'a Machine<'a>,
    claim: ProcessId,
    system: &'a dyn Space,
}

impl<'a> Product<'a> {
    /// The states of `system`, which are those of the machine, with the claim.
    pub fn new(machine: &'a Machine<'a>, claim: ProcessId, system: &'a dyn Space) -> Self {
        Product { machine, claim, system }
    }

    /// The state that a state of the system is, with the claim there.
    pub fn join(system: &[u8], claim: Location) -> Vec<u8> {
        [system, &(claim.0 as u16).to_le_bytes()].concat()
    }

    /// A state of the system, and where the claim is.
    pub fn split(state: &[u8]) -> (&[u8], Location) {
        let (system, claim) = state.split_at(state.len() - LOCATION);
        (system, Location(u32::from(u16::from_le_bytes([claim[0], claim[1]]))))
    }
}

impl Space for Product<'_> {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        self.system.initial(state)?;
        let start = self.machine.automaton(self.claim).start;
        state.extend_from_slice(&(start.0 as u16).to_le_bytes());
        Ok(())
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        expansion.clear();
        self.expander().expand(state, expansion);
    }

    fn expander(&self) -> Box<dyn Expander + '_> {
        let system = self.system.expander();
        let (inner, state) = (Expansion::default(), Vec::new());
        Box::new(ProductExpander { product: self, system, inner, state })
    }
}

struct ProductExpander<'a> {
    product: &'a Product<'a>,
    system: Box<dyn Expander + 'a>,
    /// Kept for their memory.
    inner: Expansion,
    state: Vec<u8>,
}

impl Expander for ProductExpander<'_> {
    fn expand(&mut self, state: &[u8], expansion: &mut Expansion) {
        expansion.deadlock = false;
        let Product { machine, claim, .. } = *self.product;
        let (system, location) = Product::split(state);
        let steps = machine.claim_steps(claim, location, &machine.open(system));
        let mut targets = Vec::new();
        for step in steps {
            if step.violated {
                let site = step.edges.last().map_or(0, |edge| edge.0);
                let fault = Fault { kind: FaultKind::Claim, site: SiteId(site) };
                // It is the state itself that is wrong.
                expansion.faults.push(Failure { fault, steps: 0 });
            } else if !targets.contains(&step.to) {
                targets.push(step.to);
            }
        }
        if targets.is_empty() {
            return;
        }
        self.inner.clear();
        self.system.expand(system, &mut self.inner);
        expansion.faults.extend_from_slice(&self.inner.faults);
        expansion.hidden_steps += self.inner.hidden_steps;
        let stays = self.inner.is_empty() && self.inner.faults.is_empty();
        for to in targets {
            let stay = stays.then_some((1, system));
            let ways = (0..self.inner.len()).map(|at| (self.inner.steps(at), self.inner.state(at)));
            for (steps, next) in ways.chain(stay) {
                self.state.clear();
                self.state.extend_from_slice(next);
                self.state.extend_from_slice(&(to.0 as u16).to_le_bytes());
                expansion.push_behind(steps, &self.state);
            }
        }
    }
}
