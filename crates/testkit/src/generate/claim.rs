//! Properties: never claims, ltl formulas and traces over the global variables.

use beeline_promela::ast::*;

use super::Generator;
use super::build::*;
use super::feature::Feature;
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
            let formula = self.formula(2);
            units.push(UnitKind::Ltl(Ltl { name: Some(ident("property")), formula }));
        }
        self.pure_globals = false;
    }

    /// What a claim asks of one state.
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

    /// Wait in a first state, then accept as long as a condition holds.
    fn claim_body(&mut self) -> Sequence {
        let (wait, seen) = (literal(Literal::True), self.proposition());
        let stay = self.proposition();
        let first = node(StmtKind::Do(vec![
            vec![guard(wait)],
            vec![guard(seen), goto("accept_seen".into())],
        ]));
        let second = node(StmtKind::Do(vec![vec![guard(stay)]]));
        vec![labelled("T0_init".into(), first), labelled("accept_seen".into(), second)]
    }

    /// A formula that stuttering does not change: there is no `X` in it.
    fn formula(&mut self, depth: u32) -> Expr {
        if depth == 0 {
            return self.proposition();
        }
        let deeper = depth - 1;
        let unary_ops = [UnaryOp::Always, UnaryOp::Eventually, UnaryOp::Not];
        let binary_ops = [
            BinaryOp::Until,
            BinaryOp::Release,
            BinaryOp::WeakUntil,
            BinaryOp::Implies,
            BinaryOp::Equivalent,
            BinaryOp::And,
            BinaryOp::Or,
        ];
        match self.rng.below(5) {
            0 => self.proposition(),
            1..=3 => {
                let op = unary_ops[self.rng.below(3) as usize];
                unary(op, self.formula(deeper))
            }
            _ => {
                let op = binary_ops[self.rng.below(7) as usize];
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
