//! Edges as steps: one for each alternative of an edge, and one for each pair of edges in a
//! rendezvous.

use std::rc::Rc;

use beeline_engine::automata::{self, Automaton, DStep, Edge, EdgeId, Location};
use beeline_factored::{
    ANY_PROCESS, Binary, Deviation, FactorExpr, Instruction, Interval, Operator,
};
use beeline_kernel::{FaultKind, StepLabel};
use beeline_promela::hir::ExprKind;

use super::action_sequences::{ActionSequence, Rendezvous, set_by, unshared};
use super::build::MOST_STEPS;
use super::builder::{Builder, FaultCause, MaybeInstance, StepOrigin, assign, set};
use super::excluded::excludes;
use super::view::FactoringError;

/// Upper bound on the distinguished paths through a `d_step`.
const MOST_WAYS: usize = 64;

/// Upper bound on the statements of a path through a `d_step` of an exact system.
const MOST_STATEMENTS: usize = 256;

/// An action sequence of an edge.
struct EdgeSequence<'a> {
    instance: usize,
    edge: &'a Edge,
    sequence: ActionSequence<'a>,
}

impl<'a> Builder<'a> {
    /// Adds the steps of all process instances.
    pub(super) fn steps(&mut self) -> Result<(), FactoringError> {
        let (mut offers, mut takes) = (Vec::new(), Vec::new());
        for instance in 0..self.instances.processes.len() {
            let process = self.instances.processes[instance].process;
            if !Self::takes_part(self.machine.model().process(process).kind) {
                continue;
            }
            let automaton = self.machine.automaton(process);
            for edge in &automaton.edges {
                for sequence in self.edge(automaton, edge, instance) {
                    let half = EdgeSequence { instance, edge, sequence };
                    match &half.sequence.rendezvous {
                        None => self.alone(half),
                        Some(Rendezvous::Offer { .. }) => offers.push(half),
                        Some(Rendezvous::Take { .. }) => takes.push(half),
                    }
                }
                if self.system.steps.len() > MOST_STEPS {
                    return Err(FactoringError::TooManySteps);
                }
            }
        }
        for offer in &offers {
            for take in &takes {
                self.meet(offer, take);
            }
            if self.system.steps.len() > MOST_STEPS {
                return Err(FactoringError::TooManySteps);
            }
        }
        Ok(())
    }

    /// The action sequences of an edge from its location, without its target location.
    fn edge(
        &mut self,
        automaton: &'a Automaton,
        edge: &'a Edge,
        instance: usize,
    ) -> Vec<ActionSequence<'a>> {
        let member = self.instances.processes[instance].clone();
        let mut sequence = ActionSequence::default();
        sequence.add([Instruction::Require(
            FactorExpr::Factor(member.location).equals(edge.from.0 as i32),
        )]);
        let mut failed = Vec::new();
        if let Some(provided) = &self.machine.model().process(member.process).provided {
            self.failing.clear();
            let provided = self.expr(provided, Some(instance));
            let causes = std::mem::take(&mut self.failing);
            if self.shows_faults() {
                failed.extend(sequence.failing(&self.failures(&causes)));
            }
            sequence.add([Instruction::Require(provided)]);
        }
        let begin = sequence.actions.len();
        let mut excluded = Vec::new();
        let edges = automaton.edges_from(edge.from).iter();
        for sibling in edges.take_while(|sibling| sibling.id != edge.id) {
            if excludes(sibling, edge, self.detail) {
                let possible = self.executable(automaton, sibling, instance);
                excluded.push(Rc::new(Instruction::Require(possible.negated())));
            }
        }
        let mut sequences = vec![sequence];
        for step in &edge.steps {
            if let automata::EdgeAction::DStep = step.action {
                let inside = automaton.d_steps.iter().find(|inside| inside.edge == edge.id);
                let inside = inside.expect("every d_step edge has its inside");
                sequences = self.d_step(inside, sequences, instance, &mut failed);
            } else {
                sequences = self.follow(sequences, step, edge.id, instance, &mut failed);
            }
            self.forget(&mut sequences, step, instance);
        }
        sequences.extend(failed);
        for sequence in &mut sequences {
            // A receiver in a rendezvous is chosen by the sender.
            if !matches!(sequence.rendezvous, Some(Rendezvous::Take { .. })) {
                sequence.actions.splice(begin..begin, excluded.iter().cloned());
            }
        }
        sequences
    }

    /// The action sequences through a `d_step`.
    fn d_step(
        &mut self,
        inside: &'a DStep,
        sequences: Vec<ActionSequence<'a>>,
        instance: usize,
        failed: &mut Vec<ActionSequence<'a>>,
    ) -> Vec<ActionSequence<'a>> {
        let mut found = Vec::new();
        let mut fails = Vec::new();
        let mut path = Vec::new();
        let start = sequences.clone();
        if self.walk(inside, inside.entry, sequences, instance, &mut path, &mut found, &mut fails) {
            failed.extend(fails);
            return found;
        }
        self.any_way(inside, start, instance, failed)
    }

    /// Follows all paths from a location of a `d_step`. `false` if there are too many.
    #[expect(clippy::too_many_arguments, reason = "a walk with two kinds of results")]
    fn walk(
        &mut self,
        inside: &'a DStep,
        at: Location,
        sequences: Vec<ActionSequence<'a>>,
        instance: usize,
        path: &mut Vec<Location>,
        found: &mut Vec<ActionSequence<'a>>,
        failed: &mut Vec<ActionSequence<'a>>,
    ) -> bool {
        let edges: Vec<&Edge> = inside.edges.iter().filter(|edge| edge.from == at).collect();
        if edges.is_empty() {
            found.extend(sequences);
            let paths = found.iter().filter(|sequence| sequence.violates.is_none());
            return paths.count() <= MOST_WAYS;
        }
        // Loops are followed where it can be seen that they end.
        let most_statements = if self.is_exact() { MOST_STATEMENTS } else { MOST_WAYS };
        if path.contains(&at) && !self.is_exact() || path.len() > most_statements {
            return false;
        }
        let possible: Vec<FactorExpr> =
            edges.iter().map(|edge| self.possible(&edge.steps[0].action, instance, true)).collect();
        if self.shows_faults() && !path.is_empty() {
            let stuck = possible
                .iter()
                .cloned()
                .map(FactorExpr::negated)
                .fold(FactorExpr::TRUE, FactorExpr::and);
            let stuck = self.failures(&[FaultCause { kind: FaultKind::Blocked, when: stuck }]);
            let failures = sequences.iter().flat_map(|sequence| sequence.failing(&stuck));
            failed.extend(failures.filter(|failure| !self.is_exact() || self.is_feasible(failure)));
        }
        path.push(at);
        // An exact system distinguishes the kinds of faults.
        let most_failures = if self.is_exact() { 2 * MOST_WAYS } else { MOST_WAYS };
        for (number, edge) in edges.iter().enumerate() {
            let mut sequences = sequences.clone();
            // The first executable option is taken.
            for other in &possible[..number] {
                let shut = Rc::new(Instruction::Require(other.clone().negated()));
                sequences.iter_mut().for_each(|sequence| sequence.add_shared([Rc::clone(&shut)]));
            }
            let known_failures = failed.len();
            sequences = self.follow(sequences, &edge.steps[0], inside.edge, instance, failed);
            self.refuse_offers(&mut sequences, failed);
            if self.is_exact() {
                sequences.retain(|sequence| self.is_feasible(sequence));
                let new = failed.split_off(known_failures);
                failed.extend(new.into_iter().filter(|sequence| self.is_feasible(sequence)));
                if sequences.is_empty() {
                    continue;
                }
            }
            if failed.len() > most_failures
                || !self.walk(inside, edge.to, sequences, instance, path, found, failed)
            {
                return false;
            }
        }
        path.pop();
        true
    }

    /// A process in the middle of a `d_step` cannot take part in a rendezvous: an offer fails.
    fn refuse_offers(
        &self,
        sequences: &mut Vec<ActionSequence<'a>>,
        failed: &mut Vec<ActionSequence<'a>>,
    ) {
        sequences.retain(|sequence| {
            let offers = matches!(sequence.rendezvous, Some(Rendezvous::Offer { .. }));
            if offers && self.shows_faults() && sequence.violates.is_none() {
                let fails = Some(FaultKind::Blocked);
                failed.push(ActionSequence { rendezvous: None, fails, ..sequence.clone() });
            }
            !offers
        });
    }

    /// A `d_step` with too many paths: its first statement, then any of its effects.
    fn any_way(
        &mut self,
        inside: &'a DStep,
        sequences: Vec<ActionSequence<'a>>,
        instance: usize,
        failed: &mut Vec<ActionSequence<'a>>,
    ) -> Vec<ActionSequence<'a>> {
        let mut touched = Vec::new();
        for edge in &inside.edges {
            for step in &edge.steps {
                let mut ignored = Vec::new();
                let all = self.follow(
                    vec![ActionSequence::default()],
                    step,
                    inside.edge,
                    instance,
                    &mut ignored,
                );
                for sequence in all {
                    touched.extend(set_by(&sequence.actions));
                    touched.extend(set_by(&sequence.after));
                }
            }
        }
        touched.sort_unstable();
        touched.dedup();
        let reason = "a `d_step` has too many paths, or long loops";
        // Its faults are not distinguished.
        self.system.precision.lose(reason, Deviation::OtherSteps);
        let any = touched
            .iter()
            .map(|&factor| assign(factor, FactorExpr::Any(self.system.factor(factor).domain)));
        let any = Rc::new(Instruction::Set(any.collect()));
        let mut found = Vec::new();
        for edge in inside.edges.iter().filter(|edge| edge.from == inside.entry) {
            found.extend(self.follow(
                sequences.clone(),
                &edge.steps[0],
                inside.edge,
                instance,
                failed,
            ));
        }
        self.refuse_offers(&mut found, failed);
        for sequence in &mut found {
            sequence.add_shared([Rc::clone(&any)]);
        }
        if self.shows_faults() {
            let fails = Some(FaultKind::Blocked);
            let unviolated = found.iter().filter(|sequence| sequence.violates.is_none()).cloned();
            failed.extend(unviolated.map(|sequence| ActionSequence { fails, ..sequence }));
        }
        found
    }

    /// A step of a single instance.
    fn alone(&mut self, half: EdgeSequence<'a>) {
        let name = self.step_name(&half);
        let label = self.label(half.instance, half.edge.id);
        let EdgeSequence { instance, edge, sequence } = half;
        let (fails, channel) = (sequence.fault(), sequence.channel);
        let mut actions = unshared(sequence.actions);
        actions.extend(self.successor(instance, edge, fails));
        let is_step = actions.iter().any(|action| matches!(action, Instruction::Set(_)));
        if is_step || self.is_exact() && fails.is_some() {
            let ends = matches!(edge.steps[0].action, automata::EdgeAction::End);
            let step = Operator {
                holds: (edge.hold.atomic && !ends).then_some(label.process),
                fails,
                channel,
                ..Operator::new(name, label, 1, actions)
            };
            self.add_step(step, StepOrigin { mover: (instance, edge.id), receiver: None });
        }
    }

    /// Adds a step; only an exact system knows who keeps control.
    fn add_step(&mut self, mut step: Operator, origin: StepOrigin) {
        if !self.is_exact() {
            (step.holds, step.fails) = (None, None);
        }
        step.partner = origin.receiver.map(|(instance, edge)| self.label(instance, edge));
        self.system.steps.push(step);
        self.origins.push(origin);
    }

    /// The end of a sequence: a fault, or the target location of the edge.
    fn successor(
        &self,
        instance: usize,
        edge: &Edge,
        fails: Option<FaultKind>,
    ) -> Option<Instruction> {
        if fails.is_some() {
            return self.error.map(|error| set(error, FactorExpr::TRUE));
        }
        let ended = matches!(edge.steps[0].action, automata::EdgeAction::End);
        let location = self.instances.processes[instance].location;
        (!ended).then(|| set(location, FactorExpr::Const(edge.to.0 as i32)))
    }

    /// The step of sender and receiver in a rendezvous.
    fn meet(&mut self, offer: &EdgeSequence<'a>, take: &EdgeSequence<'a>) {
        let (
            Some(Rendezvous::Offer { queue, message }),
            Some(Rendezvous::Take { queue: taken, args }),
        ) = (&offer.sequence.rendezvous, &take.sequence.rendezvous)
        else {
            return;
        };
        let is_self = offer.instance == take.instance
            && self.instances.processes[offer.instance].pid.is_some();
        if queue != taken || is_self {
            return;
        }
        let mut actions = unshared(offer.sequence.actions.clone());
        actions.extend(self.successor(offer.instance, offer.edge, None));
        actions.extend(unshared(take.sequence.actions.clone()));
        let receiver = Some(take.instance);
        let offered = actions.clone();
        let mut is_refused = false;
        let mut matched = FactorExpr::TRUE;
        self.failing.clear();
        for (arg, sent) in args.iter().zip(message) {
            use beeline_promela::hir::RecvArg::{Eval, Match, Store};
            let (Match(value) | Eval(value)) = arg else {
                debug_assert!(matches!(arg, Store(_)));
                continue;
            };
            let value = self.when(&matched, |builder| builder.expr(value, receiver));
            let equal = sent.clone().binary(Binary::Equal, value);
            if self.is_exact() {
                // Fields are compared in order.
                matched = matched.and(equal.clone());
            }
            is_refused |= equal == FactorExpr::Const(0);
            if equal != FactorExpr::TRUE {
                actions.push(Instruction::Require(equal));
            }
        }
        // An expression without a value equals nothing.
        let name = format!("{} / {}", self.step_name(offer), self.step_name(take));
        let label = self.label(offer.instance, offer.edge.id);
        let origin = StepOrigin {
            mover: (offer.instance, offer.edge.id),
            receiver: Some((take.instance, take.edge.id)),
        };
        self.failing_meeting(offered, &name, label, origin);
        if is_refused {
            return;
        }
        let delivered = self.deliver(message, args, receiver);
        let is_misfit = args.len() != message.len();
        if is_misfit {
            self.fail(FaultKind::Fields, FactorExpr::TRUE);
        }
        self.failing_meeting(actions.clone(), &name, label, origin);
        if is_misfit {
            return;
        }
        actions.extend(delivered);
        actions.extend(unshared(take.sequence.after.clone()));
        let fails = offer.sequence.fault().or(take.sequence.fault());
        actions.extend(self.successor(take.instance, take.edge, fails));
        let holder = self.label(take.instance, take.edge.id).process;
        let step = Operator {
            holds: take.edge.hold.atomic.then_some(holder),
            fails,
            channel: offer.sequence.channel,
            ..Operator::new(name, label, 1, actions)
        };
        self.add_step(step, origin);
    }

    /// The failing step of a rendezvous whose expressions have no value.
    fn failing_meeting(
        &mut self,
        actions: Vec<Instruction>,
        name: &str,
        label: StepLabel,
        origin: StepOrigin,
    ) {
        let causes = std::mem::take(&mut self.failing);
        if !self.shows_faults() {
            return;
        }
        let mut sequence = ActionSequence::default();
        sequence.add(actions);
        for ActionSequence { actions, fails, .. } in sequence.failing(&self.failures(&causes)) {
            let mut actions = unshared(actions);
            actions.extend(self.error.map(|error| set(error, FactorExpr::TRUE)));
            let step = Operator::new(name.to_owned(), label, 1, actions);
            self.add_step(Operator { fails, ..step }, origin);
        }
    }

    fn label(&self, instance: usize, edge: EdgeId) -> StepLabel {
        let process = self.instances.processes[instance].pid.map_or(ANY_PROCESS, |pid| pid as u32);
        StepLabel { edge: edge.0, process }
    }

    fn step_name(&self, half: &EdgeSequence<'_>) -> String {
        let member = &self.instances.processes[half.instance];
        let model = self.machine.model();
        let process = model.process(member.process);
        let text = half.edge.steps[0].text(model, process);
        let fails = if half.sequence.fault().is_some() { " fails" } else { "" };
        match member.pid {
            Some(pid) => format!("{}[{pid}] {text}{fails}", process.name.name),
            None => format!("{}[*] {text}{fails}", process.name.name),
        }
    }

    /// Whether an edge can be executed at its location.
    pub(super) fn executable(
        &mut self,
        automaton: &'a Automaton,
        edge: &'a Edge,
        instance: usize,
    ) -> FactorExpr {
        match &edge.steps[0].action {
            automata::EdgeAction::DStep => {
                let inside = automaton.d_steps.iter().find(|inside| inside.edge == edge.id);
                let inside = inside.expect("every d_step edge has its inside");
                let firsts = inside.edges.iter().filter(|first| first.from == inside.entry);
                let each: Vec<FactorExpr> = firsts
                    .map(|first| self.possible(&first.steps[0].action, instance, true))
                    .collect();
                each.into_iter().reduce(FactorExpr::or).unwrap_or(FactorExpr::TRUE)
            }
            action => self.possible(action, instance, false),
        }
    }

    /// Whether a statement can be executed. A send by rendezvous cannot on its own, and fails inside
    /// of a `d_step`: its meetings exclude others.
    fn possible(
        &mut self,
        action: &'a automata::EdgeAction,
        instance: usize,
        is_inside: bool,
    ) -> FactorExpr {
        let failing = std::mem::take(&mut self.failing);
        let me: MaybeInstance = Some(instance);
        let unknown = FactorExpr::Any(Interval::TRUTH);
        let (offer, take) = match self.is_exact() {
            true => (FactorExpr::Const(i32::from(is_inside)), FactorExpr::Const(0)),
            false => (unknown.clone(), unknown.clone()),
        };
        let possible = match action {
            automata::EdgeAction::Guard(condition) => match &condition.kind {
                ExprKind::Run { .. } if self.is_exact() => FactorExpr::TRUE,
                ExprKind::Run { .. } => unknown,
                _ => {
                    let condition = self.expr(condition, me);
                    if condition.is_truth() { condition } else { condition.negated().negated() }
                }
            },
            automata::EdgeAction::Send { channel, .. } => {
                if self.machine.loses_messages() && !self.may_meet(channel, me) {
                    FactorExpr::TRUE
                } else {
                    self.by_queue(channel, me, &offer, |builder, queue| {
                        if builder.is_exact() && builder.machine.loses_messages() {
                            return FactorExpr::TRUE;
                        }
                        let full = FactorExpr::Const(queue.capacity as i32);
                        FactorExpr::Factor(queue.length).binary(Binary::Less, full)
                    })
                }
            }
            automata::EdgeAction::Receive { channel, random, args, .. } => {
                self.by_queue(channel, me, &take, |builder, queue| {
                    builder.receivable(queue, *random, args, me)
                })
            }
            automata::EdgeAction::End if self.instances.processes[instance].pid.is_none() => {
                unknown
            }
            automata::EdgeAction::End if self.instances.has_summaries() => {
                self.is_youngest(instance).and(unknown)
            }
            automata::EdgeAction::End => self.is_youngest(instance),
            _ => FactorExpr::TRUE,
        };
        // A statement whose expression has no value is executable: it fails.
        let fails = std::mem::replace(&mut self.failing, failing);
        fails.into_iter().map(|cause| cause.when).fold(possible, FactorExpr::or)
    }
}
