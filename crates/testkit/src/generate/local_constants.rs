//! Local constants: variables that keep one value from their initialisation on, or nearly:
//! `chan k = c[_pid % 2]; byte k = _pid`. Some are set on one path only, or too late.

use std::sync::Arc;

use beeline_promela::ast::*;

use super::build::*;
use super::feature::Feature;
use super::generator::Generator;
use super::scope::{Type, Var};

impl Generator<'_> {
    /// Declares some at the start of a process. Returns the assignments of the others: first those
    /// that have to come before all other statements, then those that may be anywhere.
    pub(super) fn local_constants(&mut self, declarations: &mut Sequence) -> (Sequence, Sequence) {
        let (mut first, mut anywhere) = (Vec::new(), Vec::new());
        // Without the feature, no random number is drawn: programs of a seed stay the same.
        let most = if self.weight(Feature::LocalConstant) > 0 { 3 } else { 0 };
        for _ in 0..most {
            if !self.chosen(Feature::LocalConstant) {
                continue;
            }
            let name: Arc<str> = format!("k{}", self.vars.len()).into();
            let (ty, bound, value) = match self.alias() {
                Some((signature, value)) if self.rng.percent(60) => {
                    (Type::Chan(signature), 1, value)
                }
                _ => (Type::Byte, self.config.domain, self.own_number()),
            };
            let mut declared = declarator(name.clone());
            let set = assign(var_ref(name.clone()), value.clone());
            match self.rng.below(10) {
                0..5 => declared.init = Some(Initializer::Value(value)),
                5..8 => first.push(set),
                // A channel must be assigned before it is used.
                _ if matches!(ty, Type::Chan(_)) => first.push(set),
                8 => anywhere.push(node(StmtKind::If(vec![vec![set], vec![skip()]]))),
                _ => anywhere.extend([set.clone(), set]),
            }
            let declared = declaration(self.type_name(ty), vec![declared]);
            declarations.push(node(StmtKind::Variables(declared)));
            self.vars.push(Var { name, ty, bound, length: None, global: false, frozen: true });
        }
        if !first.is_empty() {
            match self.rng.below(5) {
                0 => first = vec![node(StmtKind::Atomic(first))],
                1 => first = vec![node(StmtKind::DStep(first))],
                _ => {}
            }
        }
        (first, anywhere)
    }

    /// A global channel, and its signature.
    fn alias(&mut self) -> Option<(usize, Expr)> {
        let globals = self.vars.iter().filter(|var| var.global && matches!(var.ty, Type::Chan(_)));
        let globals: Vec<Var> = globals.cloned().collect();
        let channel = self.rng.pick(&globals)?;
        let Type::Chan(signature) = channel.ty else { return None };
        let mut reference = var_ref(channel.name.clone());
        if let Some(length) = channel.length {
            let own = binary(BinaryOp::Modulo, var("_pid"), number(length));
            let index = if self.rng.percent(70) { own } else { number(self.rng.below(length)) };
            reference.index = Some(Box::new(index));
        }
        Some((signature, read(reference)))
    }

    /// A number that depends on the process only, or a constant.
    fn own_number(&mut self) -> Expr {
        let domain = self.config.domain;
        let pid = match self.rng.below(3) {
            0 => return number(self.rng.below(domain)),
            1 => var("_pid"),
            _ => binary(BinaryOp::Add, var("_pid"), number(self.rng.between(1, 2))),
        };
        binary(BinaryOp::Modulo, pid, number(domain))
    }
}
