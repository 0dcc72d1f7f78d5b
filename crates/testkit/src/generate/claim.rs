//! Properties: never claims, ltl formulas and traces over the global variables.

use beeline_promela::ast::*;

use super::build::*;
use super::feature::Feature;
use super::generator::Generator;
use super::scope::Type;

impl Generator<'_> {
    pub(super) fn claims(&mut self, units: &mut Vec<UnitKind>) {
        self.pure_globals = true;
        if self.chosen(Feature::Trace)
            && let Some(trace) = self.trace()
        {
            units.push(UnitKind::Trace(trace));
        }
        if self.chosen(Feature::Never) {
            let body = self.claim_body();
            units.push(UnitKind::Never(Never { name: None, body }));
        } else if self.chosen(Feature::Ltl) {
            let depth = if self.rng.percent(30) { 3 } else { 2 };
            let formula = self.formula(depth);
            units.push(UnitKind::Ltl(Ltl { name: Some(ident("property")), formula }));
        }
        self.pure_globals = false;
    }

    /// A condition of a claim on a state.
    fn proposition(&mut self) -> Expr {
        if self.chosen(Feature::RemoteReference)
            && let Some(reference) = self.remote_reference()
        {
            return reference;
        }
        self.condition(1)
    }

    fn remote_reference(&mut self) -> Option<Expr> {
        let watched = self.watched.clone();
        let process = self.rng.pick(&watched)?;
        let proctype = ident(process.proctype.clone());
        if self.rng.percent(60)
            && let Some(label) = self.rng.pick(&process.labels)
        {
            let label = ident(label.clone());
            return Some(node(ExprKind::RemoteLabel { proctype, pid: None, label }));
        }
        let scalars: Vec<_> = process.locals.iter().filter(|v| v.length.is_none()).collect();
        let local = self.rng.pick(&scalars)?;
        let value = number(self.rng.below(local.bound));
        let var = var_ref(local.name.clone());
        let remote = node(ExprKind::RemoteVar { proctype, pid: None, var });
        Some(binary(BinaryOp::Equal, remote, value))
    }

    fn claim_body(&mut self) -> Sequence {
        match self.rng.below(5) {
            0 => self.claim_that_waits(),
            1 => self.claim_that_ends(),
            2 => self.claim_that_asserts(),
            _ => self.claim_with_places(),
        }
    }

    /// A claim that waits in a first state, then accepts as long as a condition holds.
    fn claim_that_waits(&mut self) -> Sequence {
        let (wait, seen) = (literal(Literal::True), self.proposition());
        let stay = self.proposition();
        let first = node(StmtKind::Do(vec![
            vec![guard(wait)],
            vec![guard(seen), goto("accept_seen".into())],
        ]));
        let second = node(StmtKind::Do(vec![vec![guard(stay)]]));
        vec![labelled("T0_init".into(), first), labelled("accept_seen".into(), second)]
    }

    /// A claim that ends when one condition holds after the other.
    fn claim_that_ends(&mut self) -> Sequence {
        let (seen, then) = (self.proposition(), self.proposition());
        let wait = node(StmtKind::Do(vec![
            vec![guard(seen), node(StmtKind::Break)],
            vec![node(StmtKind::Else)],
        ]));
        vec![wait, guard(then), skip()]
    }

    /// A claim that asserts a condition in every state, as SPIN's own claims do.
    fn claim_that_asserts(&mut self) -> Sequence {
        let seen = self.proposition();
        let not = unary(UnaryOp::Not, seen.clone());
        let fails = vec![guard(seen), node(StmtKind::Assert(not))];
        let wait = node(StmtKind::Do(vec![
            vec![node(StmtKind::Atomic(fails))],
            vec![guard(literal(Literal::True))],
        ]));
        vec![wait]
    }

    /// Any small automaton: it may be stuck, and may accept in any state.
    fn claim_with_places(&mut self) -> Sequence {
        let count = self.rng.between(1, 4);
        let names: Vec<std::sync::Arc<str>> = (0..count)
            .map(|at| match self.rng.percent(40) {
                true => format!("accept_{at}").into(),
                false => format!("S{at}").into(),
            })
            .collect();
        let mut body = Vec::new();
        for name in &names {
            let mut options = Vec::new();
            for _ in 0..self.rng.between(1, 3) {
                let condition = match self.rng.below(4) {
                    0 => literal(Literal::True),
                    _ => self.proposition(),
                };
                let to = self.rng.pick(&names).expect("there is a place").clone();
                options.push(vec![guard(condition), goto(to)]);
            }
            if self.rng.percent(30) {
                let to = self.rng.pick(&names).expect("there is a place").clone();
                options.push(vec![node(StmtKind::Else), goto(to)]);
            }
            body.push(labelled(name.clone(), node(StmtKind::If(options))));
        }
        body
    }

    /// A stutter-invariant formula, without `X`.
    fn formula(&mut self, depth: u32) -> Expr {
        if depth == 0 {
            return self.proposition();
        }
        let deeper = depth - 1;
        let binary_ops = [
            BinaryOp::Until,
            BinaryOp::Release,
            BinaryOp::WeakUntil,
            BinaryOp::Implies,
            BinaryOp::And,
            BinaryOp::Or,
            BinaryOp::Equivalent,
        ];
        match self.rng.below(9) {
            0 => self.proposition(),
            1 => unary(UnaryOp::Not, self.formula(deeper)),
            2 => unary(UnaryOp::Always, self.formula(deeper)),
            3 => unary(UnaryOp::Eventually, self.formula(deeper)),
            // Common patterns: infinitely often, eventually always, and response.
            4 => unary(UnaryOp::Always, unary(UnaryOp::Eventually, self.formula(deeper))),
            5 => unary(UnaryOp::Eventually, unary(UnaryOp::Always, self.formula(deeper))),
            6 => {
                let answer = unary(UnaryOp::Eventually, self.formula(deeper));
                let answered = binary(BinaryOp::Implies, self.proposition(), answer);
                unary(UnaryOp::Always, answered)
            }
            _ => {
                // SPIN needs minutes for the automata of some nested equivalences.
                let ops = if deeper == 2 { 6 } else { 7 };
                let op = binary_ops[self.rng.below(ops) as usize];
                binary(op, self.formula(deeper), self.formula(deeper))
            }
        }
    }

    /// A trace that allows any order of sends and receives on one channel.
    fn trace(&mut self) -> Option<Trace> {
        let path = self.find(|p| matches!(p.ty, Type::Chan(_)) && p.plain().is_some())?;
        let Type::Chan(signature) = path.ty else {
            return None;
        };
        let scalar = self.signatures[signature].fields.iter().all(|field| field.ty.is_scalar());
        if !scalar {
            return None;
        }
        let fields = self.signatures[signature].fields.len();
        let channel = self.reach(&path);
        let send = node(StmtKind::Send {
            channel: channel.clone(),
            sorted: false,
            args: (0..fields).map(|_| var("_")).collect(),
        });
        let receive = node(StmtKind::Receive {
            channel,
            random: false,
            peek: false,
            args: (0..fields).map(|_| RecvArg::Var(var_ref("_"))).collect(),
        });
        let body = vec![node(StmtKind::Do(vec![vec![send], vec![receive]]))];
        Some(Trace { negated: self.rng.percent(20), body })
    }
}
