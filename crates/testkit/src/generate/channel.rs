//! Channels: declarations, messages, and queries.
//!
//! For each channel a process is a sender, a receiver, or (if it has a buffer) both; neighbouring
//! processes have opposite roles, so that messages arrive.

use beeline_promela::ast::*;

use super::build::*;
use super::feature::Feature;
use super::generator::Generator;
use super::parts::Role;
use super::scope::{Field, Signature, Type};

/// The suitable channels.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    Any,
    /// Buffered channels only: in `d_step`, and for operations that a rendezvous does not support.
    Buffered,
    /// The channels of a signature.
    Of(usize),
}

impl Generator<'_> {
    /// The roles of process number `process`, one per signature.
    pub(super) fn roles(&mut self, process: usize) -> Vec<Role> {
        (0..self.signatures.len())
            .map(|number| {
                let sends = (process + number).is_multiple_of(2);
                let both = self.signatures[number].capacity > 0 && self.rng.percent(35);
                Role { sends: sends || both, receives: !sends || both }
            })
            .collect()
    }

    /// A new kind of message, for a number of channels. The buffer becomes smaller with the
    /// remaining size of the state.
    pub(super) fn signature(&mut self, channels: u32) -> usize {
        let record = match self.chosen(Feature::RecordMessage) {
            true => self.flat_record(),
            false => None,
        };
        let fields: Vec<Field> = match record {
            Some(number) => vec![Field { ty: Type::Record(number), bound: 1 }],
            None => (0..self.rng.between(1, 2)).map(|_| self.message_field()).collect(),
        };
        let message = channels * fields.iter().map(|f| self.bits(f.ty, f.bound)).sum::<u32>();
        let capacity = match self.capacity() {
            2.. if message * 2 > self.bits_left => 1,
            capacity => capacity,
        };
        let rendezvous = self.rendezvous_weight() > 0 && message > self.bits_left;
        let capacity = if rendezvous { 0 } else { capacity };
        self.spend(message * capacity);
        self.signatures.push(Signature { capacity, fields });
        self.signatures.len() - 1
    }

    /// A record without arrays: others do not fit in messages.
    fn flat_record(&mut self) -> Option<usize> {
        let flat: Vec<usize> = (0..self.records.len())
            .filter(|&number| self.records[number].fields.iter().all(|f| f.length.is_none()))
            .collect();
        self.rng.pick(&flat).copied()
    }

    fn capacity(&mut self) -> u32 {
        let kinds = [(self.weight(Feature::Buffered), true), (self.rendezvous_weight(), false)];
        match self.rng.pick_weighted(&kinds) {
            Some(true) => self.rng.between(1, self.config.capacity.max(1)),
            _ => 0,
        }
    }

    /// SPIN combines priorities with buffers only.
    pub(super) fn rendezvous_weight(&self) -> u32 {
        match self.weight(Feature::Priority) {
            0 => self.weight(Feature::Rendezvous),
            _ => 0,
        }
    }

    fn message_field(&mut self) -> Field {
        if !self.mtypes.is_empty() && self.rng.percent(50) {
            let set = self.rng.below(self.mtypes.len() as u32) as usize;
            return Field { ty: Type::Mtype(set), bound: 1 };
        }
        let (ty, bound) = match self.rng.below(10) {
            0..=4 => (Type::Bit, 2),
            5 if self.weight(Feature::Signed) > 0 => (Type::Short, 2),
            _ => (Type::Byte, self.config.domain),
        };
        Field { ty, bound }
    }

    /// `= [n] of { … }`
    pub(super) fn channel_init(&self, signature: usize) -> Initializer {
        let signature = &self.signatures[signature];
        Initializer::Channel {
            capacity: number(signature.capacity),
            fields: signature.fields.iter().map(|field| node(self.type_name(field.ty))).collect(),
        }
    }

    /// A channel that this process may use in this role.
    fn channel(
        &mut self,
        which: Which,
        role: impl Fn(&Role) -> bool,
    ) -> Option<(VarRef, Signature)> {
        let (signatures, roles) = (self.signatures.clone(), self.roles.clone());
        let path = self.find(|p| match p.ty {
            Type::Chan(number) => {
                let fits = match which {
                    Which::Any => true,
                    Which::Buffered => signatures[number].capacity > 0,
                    Which::Of(signature) => signature == number,
                };
                fits && roles.get(number).is_some_and(&role)
            }
            _ => false,
        })?;
        let Type::Chan(number) = path.ty else {
            return None;
        };
        Some((self.reach(&path), signatures[number].clone()))
    }

    /// `q!e`
    pub(super) fn send(&mut self, which: Which) -> Option<Stmt> {
        let (channel, signature) = self.channel(which, |role| role.sends)?;
        let sorted = signature.capacity > 1 && self.chosen(Feature::SortedSend);
        let mut args = Vec::new();
        for field in &signature.fields {
            args.push(match field.ty {
                Type::Record(_) => {
                    let path = self.find(|p| p.ty == field.ty)?;
                    read(self.reach(&path))
                }
                _ => self.value(field.ty, field.bound),
            });
        }
        Some(node(StmtKind::Send { channel, sorted, args }))
    }

    /// `q?x`
    pub(super) fn receive(&mut self, which: Which) -> Option<Stmt> {
        let (channel, signature) = self.channel(which, |role| role.receives)?;
        let buffered = signature.capacity > 0;
        let random = buffered && self.chosen(Feature::RandomReceive);
        // As a guard of `d_step` a peek makes SPIN write C that does not compile.
        let peek = buffered && which != Which::Buffered && self.chosen(Feature::Peek);
        let args = self.receive_args(&channel, &signature)?;
        Some(node(StmtKind::Receive { channel, random, peek, args }))
    }

    /// `q?[x]`
    pub(super) fn poll(&mut self) -> Option<Expr> {
        let (channel, signature) = self.channel(Which::Buffered, |_| true)?;
        let random = self.chosen(Feature::RandomReceive);
        let args = self.receive_args(&channel, &signature)?;
        Some(node(ExprKind::Poll { channel, random, args }))
    }

    /// One per field. No variable takes two fields, and none is also an index
    /// in the same statement: SPIN could not undo such a step.
    fn receive_args(&mut self, channel: &VarRef, signature: &Signature) -> Option<Vec<RecvArg>> {
        let mut indices = index_names(channel);
        let mut taken: Vec<Ident> = Vec::new();
        let mut args = Vec::new();
        for field in &signature.fields {
            let mut arg = self.receive_arg(field)?;
            if let RecvArg::Var(var) = &mut arg {
                let own = index_names(var);
                let clash = taken.contains(&var.name)
                    || indices.contains(&var.name)
                    || own.iter().any(|name| taken.contains(name) || *name == var.name);
                if clash && !matches!(field.ty, Type::Record(_)) {
                    *var = var_ref("_");
                } else if clash {
                    return None;
                } else {
                    taken.push(var.name.clone());
                    indices.extend(own);
                }
            }
            args.push(arg);
        }
        Some(args)
    }

    fn receive_arg(&mut self, field: &Field) -> Option<RecvArg> {
        if let Type::Record(_) = field.ty {
            let path = self.find(|p| p.ty == field.ty && !p.frozen)?;
            return Some(RecvArg::Var(self.reach(&path)));
        }
        if self.chosen(Feature::Match) {
            return Some(self.constant_arg(field));
        }
        if self.chosen(Feature::Eval) {
            return Some(RecvArg::Eval(self.value(field.ty, field.bound)));
        }
        let path = self.find(|p| {
            let class = match field.ty {
                Type::Mtype(_) => p.ty == field.ty,
                ty if ty.is_signed() => p.ty.is_signed(),
                _ => p.ty.is_number(),
            };
            class && !p.frozen && p.bound >= field.bound
        });
        Some(RecvArg::Var(match path {
            Some(path) => self.reach(&path),
            None => var_ref("_"),
        }))
    }

    fn constant_arg(&mut self, field: &Field) -> RecvArg {
        match field.ty {
            Type::Mtype(set) => {
                let constants = self.mtypes[set].constants.clone();
                let constant = self.rng.pick(&constants).expect("a set has constants");
                RecvArg::Var(var_ref(constant.clone()))
            }
            ty if ty.is_signed() && self.rng.percent(40) => {
                RecvArg::Match(unary(UnaryOp::Negate, number(1)))
            }
            _ => RecvArg::Match(number(self.rng.below(field.bound))),
        }
    }

    /// `full(q)` and similar queries, alone or in a conjunction.
    pub(super) fn probe(&mut self) -> Option<Stmt> {
        let (channel, _) = self.channel(Which::Buffered, |_| true)?;
        let queries =
            [ChannelQuery::Full, ChannelQuery::NFull, ChannelQuery::Empty, ChannelQuery::NEmpty];
        let query = queries[self.rng.below(4) as usize];
        let probe = node(ExprKind::Channel(query, channel));
        Some(guard(match self.rng.below(5) {
            0 => binary(BinaryOp::And, probe, self.condition(0)),
            1 => binary(BinaryOp::Or, self.condition(0), probe),
            _ => probe,
        }))
    }
}

/// The names in the indices of a reference; an index is a name, perhaps reduced.
fn index_names(var: &VarRef) -> Vec<Ident> {
    let mut names = Vec::new();
    let mut step = Some(var);
    while let Some(var) = step {
        let mut index = var.index.as_deref();
        while let Some(expr) = index {
            index = match &expr.kind {
                ExprKind::Binary(_, left, _) => Some(left),
                ExprKind::Var(var) => {
                    names.push(var.name.clone());
                    None
                }
                _ => None,
            };
        }
        step = var.field.as_deref();
    }
    names
}
