//! Edges as steps: each way an edge can go, each pair that meets in a rendezvous.

use beeline_factored::{ANYONE, Action, Binary, Expr, Interval, Step};
use beeline_kernel::Mover;
use beeline_promela::hir::ExprKind;

use super::NoView;
use super::build::{Builder, MOST_STEPS, assign, set};
use super::exprs::Who;
use super::lines::{Line, Meeting, set_by};
use crate::automata::{self, Automaton, DStep, Edge, Location};

/// More ways through a `d_step` than this are not told apart.
const MOST_WAYS: usize = 64;

/// A line of an edge.
struct Half<'a> {
    who: usize,
    edge: &'a Edge,
    line: Line<'a>,
}

impl<'a> Builder<'a> {
    /// Adds the steps of all members.
    pub(super) fn steps(&mut self) -> Result<(), NoView> {
        let (mut offers, mut takes) = (Vec::new(), Vec::new());
        for who in 0..self.crew.members.len() {
            let process = self.crew.members[who].process;
            if !Self::takes_part(self.machine.model().process(process).kind) {
                continue;
            }
            let automaton = self.machine.automaton(process);
            for edge in &automaton.edges {
                for line in self.edge(automaton, edge, who) {
                    let half = Half { who, edge, line };
                    match &half.line.meeting {
                        None => self.alone(half),
                        Some(Meeting::Offer { .. }) => offers.push(half),
                        Some(Meeting::Take { .. }) => takes.push(half),
                    }
                }
                if self.system.steps.len() > MOST_STEPS {
                    return Err(NoView::TooManySteps);
                }
            }
        }
        for offer in &offers {
            for take in &takes {
                self.meet(offer, take);
            }
            if self.system.steps.len() > MOST_STEPS {
                return Err(NoView::TooManySteps);
            }
        }
        Ok(())
    }

    /// The lines of an edge, from its place on, without where it leads.
    fn edge(&mut self, automaton: &'a Automaton, edge: &'a Edge, who: usize) -> Vec<Line<'a>> {
        let member = self.crew.members[who].clone();
        let mut line = Line::default();
        line.add([Action::Require(Expr::Factor(member.location).equals(edge.from.0 as i32))]);
        let mut failed = Vec::new();
        if let Some(provided) = &self.machine.model().process(member.process).provided {
            self.failing.clear();
            let provided = self.expr(provided, Some(who));
            let causes = std::mem::take(&mut self.failing);
            if let Some(cause) = causes.into_iter().reduce(Expr::or)
                && self.error.is_some()
            {
                let mut fails = line.clone();
                fails.add([Action::Require(cause)]);
                fails.fails = true;
                failed.push(fails);
            }
            line.add([Action::Require(provided)]);
        }
        let first = &edge.steps[0].action;
        if matches!(first, automata::Action::Else) {
            // It waits for those that are tried before it.
            let edges = automaton.edges_from(edge.from).iter();
            for sibling in edges.take_while(|sibling| sibling.id != edge.id) {
                let possible = self.executable(automaton, sibling, who);
                line.add([Action::Require(possible.negated())]);
            }
        }
        let mut lines = vec![line];
        for step in &edge.steps {
            if let automata::Action::DStep = step.action {
                let inside = automaton.d_steps.iter().find(|inside| inside.edge == edge.id);
                let inside = inside.expect("every d_step edge has its inside");
                lines = self.d_step(inside, lines, who, &mut failed);
            } else {
                lines = self.follow(lines, step, edge.id, who, &mut failed);
            }
            self.forget(&mut lines, step, who);
        }
        lines.extend(failed);
        lines
    }

    /// The lines through a `d_step`.
    fn d_step(
        &mut self,
        inside: &'a DStep,
        lines: Vec<Line<'a>>,
        who: usize,
        failed: &mut Vec<Line<'a>>,
    ) -> Vec<Line<'a>> {
        let mut found = Vec::new();
        let mut fails = Vec::new();
        let mut path = Vec::new();
        let start = lines.clone();
        if self.walk(inside, inside.entry, lines, who, &mut path, &mut found, &mut fails) {
            failed.extend(fails);
            return found;
        }
        self.any_way(inside, start, who, failed)
    }

    /// Follows all ways from a location of a `d_step`; whether they are few.
    #[expect(clippy::too_many_arguments, reason = "a walk with two kinds of results")]
    fn walk(
        &mut self,
        inside: &'a DStep,
        at: Location,
        lines: Vec<Line<'a>>,
        who: usize,
        path: &mut Vec<Location>,
        found: &mut Vec<Line<'a>>,
        failed: &mut Vec<Line<'a>>,
    ) -> bool {
        let edges: Vec<&Edge> = inside.edges.iter().filter(|edge| edge.from == at).collect();
        if edges.is_empty() {
            found.extend(lines);
            return found.len() <= MOST_WAYS;
        }
        if path.contains(&at) || path.len() > MOST_WAYS {
            return false;
        }
        let possible: Vec<Expr> =
            edges.iter().map(|edge| self.possible(&edge.steps[0].action, who)).collect();
        if self.error.is_some() && !path.is_empty() {
            let stuck = possible.iter().cloned().map(Expr::negated).fold(Expr::TRUE, Expr::and);
            if stuck != Expr::Const(0) {
                for line in &lines {
                    let mut line = line.clone();
                    line.add([Action::Require(stuck.clone())]);
                    line.fails = true;
                    failed.push(line);
                }
            }
        }
        path.push(at);
        for (number, edge) in edges.iter().enumerate() {
            let mut lines = lines.clone();
            // The first option that is possible is taken.
            for other in &possible[..number] {
                let shut = other.clone().negated();
                lines.iter_mut().for_each(|line| line.add([Action::Require(shut.clone())]));
            }
            lines = self.follow(lines, &edge.steps[0], inside.edge, who, failed);
            self.refuse_offers(&mut lines, failed);
            if failed.len() > MOST_WAYS
                || !self.walk(inside, edge.to, lines, who, path, found, failed)
            {
                return false;
            }
        }
        path.pop();
        true
    }

    /// Nobody can meet a process in the middle of a `d_step`: an offer fails.
    fn refuse_offers(&self, lines: &mut Vec<Line<'a>>, failed: &mut Vec<Line<'a>>) {
        lines.retain(|line| {
            let offers = matches!(line.meeting, Some(Meeting::Offer { .. }));
            if offers && self.error.is_some() {
                failed.push(Line { meeting: None, fails: true, ..line.clone() });
            }
            !offers
        });
    }

    /// A `d_step` with too many ways: its first statement, and then anything that it may do.
    fn any_way(
        &mut self,
        inside: &'a DStep,
        lines: Vec<Line<'a>>,
        who: usize,
        failed: &mut Vec<Line<'a>>,
    ) -> Vec<Line<'a>> {
        let mut touched = Vec::new();
        for edge in &inside.edges {
            for step in &edge.steps {
                let mut ignored = Vec::new();
                let all = self.follow(vec![Line::default()], step, inside.edge, who, &mut ignored);
                for line in all {
                    touched.extend(set_by(&line.actions));
                    touched.extend(set_by(&line.after));
                }
            }
        }
        touched.sort_unstable();
        touched.dedup();
        let any = touched
            .iter()
            .map(|&factor| assign(factor, Expr::Any(self.system.factor(factor).domain)));
        let any = Action::Set(any.collect());
        let mut found = Vec::new();
        for edge in inside.edges.iter().filter(|edge| edge.from == inside.entry) {
            found.extend(self.follow(lines.clone(), &edge.steps[0], inside.edge, who, failed));
        }
        self.refuse_offers(&mut found, failed);
        for line in &mut found {
            line.add([any.clone()]);
        }
        if self.error.is_some() {
            let may_fail = found.iter().cloned().map(|line| Line { fails: true, ..line });
            failed.extend(may_fail);
        }
        found
    }

    /// A step of one member alone.
    fn alone(&mut self, half: Half<'a>) {
        let name = self.step_name(&half);
        let mover = self.mover(half.who, half.edge);
        let Half { who, edge, line } = half;
        let mut actions = line.actions;
        actions.extend(self.arrival(who, edge, line.fails));
        if actions.iter().any(|action| matches!(action, Action::Set(_))) {
            self.system.steps.push(Step { name, mover, cost: 1, actions });
        }
    }

    /// How a line ends: with a fault, or where the edge leads.
    fn arrival(&self, who: usize, edge: &Edge, fails: bool) -> Option<Action> {
        if fails {
            return self.error.map(|error| set(error, Expr::TRUE));
        }
        let ended = matches!(edge.steps[0].action, automata::Action::End);
        let location = self.crew.members[who].location;
        (!ended).then(|| set(location, Expr::Const(edge.to.0 as i32)))
    }

    /// The step of two who meet.
    fn meet(&mut self, offer: &Half<'a>, take: &Half<'a>) {
        let (Some(Meeting::Offer { queue, message }), Some(Meeting::Take { queue: taken, args })) =
            (&offer.line.meeting, &take.line.meeting)
        else {
            return;
        };
        let is_self = offer.who == take.who && self.crew.members[offer.who].pid.is_some();
        if queue != taken || is_self {
            return;
        }
        let mut actions = offer.line.actions.clone();
        actions.extend(self.arrival(offer.who, offer.edge, false));
        actions.extend(take.line.actions.iter().cloned());
        let receiver = Some(take.who);
        let offered = actions.clone();
        let mut is_refused = false;
        self.failing.clear();
        for (arg, sent) in args.iter().zip(message) {
            use beeline_promela::hir::RecvArg::{Eval, Match, Store};
            let (Match(value) | Eval(value)) = arg else {
                debug_assert!(matches!(arg, Store(_)));
                continue;
            };
            let value = self.expr(value, receiver);
            let equal = sent.clone().binary(Binary::Equal, value);
            is_refused |= equal == Expr::Const(0);
            if equal != Expr::TRUE {
                actions.push(Action::Require(equal));
            }
        }
        // What has no value is equal to nothing.
        let name = format!("{} / {}", self.step_name(offer), self.step_name(take));
        let mover = self.mover(offer.who, offer.edge);
        self.failing_meeting(offered, &name, mover);
        if is_refused {
            return;
        }
        let delivered = self.deliver(message, args, receiver);
        let is_misfit = args.len() != message.len();
        if is_misfit {
            self.failing.push(Expr::TRUE);
        }
        self.failing_meeting(actions.clone(), &name, mover);
        if is_misfit {
            return;
        }
        actions.extend(delivered);
        actions.extend(take.line.after.iter().cloned());
        actions.extend(self.arrival(take.who, take.edge, take.line.fails || offer.line.fails));
        self.system.steps.push(Step { name, mover, cost: 1, actions });
    }

    /// The step of two who meet where what was just translated has no value.
    fn failing_meeting(&mut self, mut actions: Vec<Action>, name: &str, mover: Mover) {
        let cause = std::mem::take(&mut self.failing).into_iter().reduce(Expr::or);
        if let Some(cause) = cause.filter(|cause| *cause != Expr::Const(0))
            && let Some(error) = self.error
        {
            actions.push(Action::Require(cause));
            actions.push(set(error, Expr::TRUE));
            self.system.steps.push(Step { name: name.to_owned(), mover, cost: 1, actions });
        }
    }

    fn mover(&self, who: usize, edge: &Edge) -> Mover {
        let process = self.crew.members[who].pid.map_or(ANYONE, |pid| pid as u32);
        Mover { edge: edge.id.0, process }
    }

    fn step_name(&self, half: &Half<'_>) -> String {
        let member = &self.crew.members[half.who];
        let model = self.machine.model();
        let process = model.process(member.process);
        let text = half.edge.steps[0].text(model, process);
        let fails = if half.line.fails { " fails" } else { "" };
        match member.pid {
            Some(pid) => format!("{}[{pid}] {text}{fails}", process.name.name),
            None => format!("{}[*] {text}{fails}", process.name.name),
        }
    }

    /// Whether an edge can be executed where it begins.
    pub(super) fn executable(
        &mut self,
        automaton: &'a Automaton,
        edge: &'a Edge,
        who: usize,
    ) -> Expr {
        match &edge.steps[0].action {
            automata::Action::DStep => {
                let inside = automaton.d_steps.iter().find(|inside| inside.edge == edge.id);
                let inside = inside.expect("every d_step edge has its inside");
                let firsts = inside.edges.iter().filter(|first| first.from == inside.entry);
                let each: Vec<Expr> =
                    firsts.map(|first| self.possible(&first.steps[0].action, who)).collect();
                each.into_iter().reduce(Expr::or).unwrap_or(Expr::TRUE)
            }
            action => self.possible(action, who),
        }
    }

    /// Whether a statement can be executed.
    fn possible(&mut self, action: &'a automata::Action, who: usize) -> Expr {
        let failing = std::mem::take(&mut self.failing);
        let me: Who = Some(who);
        let unknown = Expr::Any(Interval::TRUTH);
        let possible = match action {
            automata::Action::Guard(condition) => match &condition.kind {
                ExprKind::Run { .. } => unknown,
                _ => {
                    let condition = self.expr(condition, me);
                    if condition.is_truth() { condition } else { condition.negated().negated() }
                }
            },
            automata::Action::Send { channel, .. } => {
                if self.machine.loses_messages() && !self.may_meet(channel, me) {
                    Expr::TRUE
                } else {
                    self.by_queue(channel, me, |_, queue| {
                        let full = Expr::Const(queue.capacity as i32);
                        Expr::Factor(queue.length).binary(Binary::Less, full)
                    })
                }
            }
            automata::Action::Receive { channel, random, args, .. } => {
                self.by_queue(channel, me, |builder, queue| {
                    builder.receivable(queue, *random, args, me)
                })
            }
            automata::Action::End if self.crew.members[who].pid.is_none() => unknown,
            automata::Action::End if self.crew.has_crowds() => self.is_youngest(who).and(unknown),
            automata::Action::End => self.is_youngest(who),
            _ => Expr::TRUE,
        };
        // What has no value is executable: it fails.
        let fails = std::mem::replace(&mut self.failing, failing);
        fails.into_iter().fold(possible, Expr::or)
    }
}
