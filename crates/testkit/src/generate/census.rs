//! The features that a program uses.

use std::collections::BTreeSet;

use beeline_promela::ast::*;

use super::feature::Feature;

/// The features of a program, in order. Inlines count where they are called.
///
/// The tree does not show whether a fault can occur: the features of faults are never reported, and
/// `Assert` covers every assertion.
pub fn features(program: &Program) -> BTreeSet<Feature> {
    let mut census = Census::default();
    for unit in &program.units {
        census.unit(&unit.kind);
    }
    census.found
}

#[derive(Default)]
struct Census {
    found: BTreeSet<Feature>,
}

impl Census {
    fn add(&mut self, feature: Feature) {
        self.found.insert(feature);
    }

    fn add_if(&mut self, condition: bool, feature: Feature) {
        if condition {
            self.add(feature);
        }
    }

    fn unit(&mut self, unit: &UnitKind) {
        match unit {
            UnitKind::Proctype(proctype) => self.proctype(proctype),
            UnitKind::Init(init) => {
                self.add_if(init.priority.is_some(), Feature::Priority);
                self.sequence(&init.body);
            }
            UnitKind::Never(never) => {
                self.add(Feature::Never);
                self.sequence(&never.body);
            }
            UnitKind::Trace(trace) => {
                self.add(Feature::Trace);
                self.sequence(&trace.body);
            }
            UnitKind::Ltl(ltl) => {
                self.add(Feature::Ltl);
                self.expr(&ltl.formula);
            }
            UnitKind::Inline(_) | UnitKind::Branching(_) | UnitKind::Fair(_) => {}
            UnitKind::Typedef(_) => self.add(Feature::Record),
            UnitKind::Mtype(mtype) => {
                self.add(Feature::Mtype);
                self.add_if(mtype.set.is_some(), Feature::MtypeSet);
            }
            UnitKind::Variables(decl) => self.declaration(decl),
        }
    }

    fn proctype(&mut self, proctype: &Proctype) {
        let counted = proctype.active.as_ref().is_some_and(|active| active.count.is_some());
        self.add_if(counted, Feature::ActiveCount);
        self.add_if(proctype.deterministic, Feature::Deterministic);
        self.add_if(!proctype.params.is_empty(), Feature::Param);
        let channel = proctype.params.iter().any(|group| group.ty == TypeName::Chan);
        self.add_if(channel, Feature::LocalChannel);
        self.add_if(proctype.priority.is_some(), Feature::Priority);
        self.add_if(proctype.provided.is_some(), Feature::Provided);
        proctype.provided.iter().for_each(|condition| self.expr(condition));
        self.sequence(&proctype.body);
    }

    fn declaration(&mut self, decl: &VarDecl) {
        match decl.visibility {
            Some(Visibility::Hidden) => self.add(Feature::Hidden),
            Some(Visibility::Show) => self.add(Feature::Show),
            Some(Visibility::Local) => self.add(Feature::LocalVisibility),
            None => {}
        }
        self.add_if(decl.ty == TypeName::Unsigned, Feature::Unsigned);
        self.add_if(matches!(decl.ty, TypeName::Short | TypeName::Int), Feature::Signed);
        for var in &decl.vars {
            let array =
                if decl.ty == TypeName::Chan { Feature::ChannelArray } else { Feature::Array };
            self.add_if(var.length.is_some(), array);
            let is_alias =
                decl.ty == TypeName::Chan && !matches!(var.init, Some(Initializer::Channel { .. }));
            self.add_if(is_alias, Feature::LocalConstant);
            match &var.init {
                Some(Initializer::Channel { capacity, fields }) => {
                    let rendezvous = capacity.kind == ExprKind::Literal(Literal::Number(0));
                    self.add(if rendezvous { Feature::Rendezvous } else { Feature::Buffered });
                    let record = fields.iter().any(|f| matches!(f.kind, TypeName::Named(_)));
                    self.add_if(record, Feature::RecordMessage);
                }
                Some(Initializer::List(_)) => self.add(Feature::ArrayInit),
                Some(Initializer::Value(value)) => self.expr(value),
                None => {}
            }
        }
    }

    fn sequence(&mut self, body: &[Stmt]) {
        body.iter().for_each(|stmt| self.stmt(&stmt.kind));
    }

    fn options(&mut self, options: &[Sequence]) {
        options.iter().for_each(|option| self.sequence(option));
    }

    fn stmt(&mut self, stmt: &StmtKind) {
        match stmt {
            StmtKind::Variables(decl) => self.declaration(decl),
            StmtKind::Exclusive { .. } => self.add(Feature::Exclusive),
            StmtKind::Labelled { label, stmt } => {
                self.add_if(label.name.starts_with("end"), Feature::EndLabel);
                self.add_if(label.name.starts_with("accept"), Feature::AcceptLabel);
                self.add_if(label.name.starts_with("progress"), Feature::ProgressLabel);
                stmt.iter().for_each(|stmt| self.stmt(&stmt.kind));
            }
            StmtKind::Unless { body, escape } => {
                self.add(Feature::Unless);
                self.stmt(&body.kind);
                self.stmt(&escape.kind);
            }
            StmtKind::If(options) => {
                self.add(Feature::If);
                self.options(options);
            }
            StmtKind::Do(options) => {
                self.add(Feature::Do);
                self.options(options);
            }
            StmtKind::For { over, body, .. } => {
                let range = matches!(over, ForRange::Range(..));
                self.add(if range { Feature::For } else { Feature::ForIn });
                self.sequence(body);
            }
            StmtKind::Atomic(body) => {
                self.add(Feature::Atomic);
                self.sequence(body);
            }
            StmtKind::DStep(body) => {
                self.add(Feature::DStep);
                self.sequence(body);
            }
            StmtKind::Block(body) => {
                let declares = body.iter().any(|s| matches!(s.kind, StmtKind::Variables(_)));
                self.add_if(declares, Feature::Block);
                self.sequence(body);
            }
            StmtKind::Call { expansion, .. } => {
                self.add(Feature::Inline);
                self.stmt(&expansion.kind);
            }
            simple => self.simple(simple),
        }
    }

    fn simple(&mut self, stmt: &StmtKind) {
        match stmt {
            StmtKind::Assign { target, value } => {
                self.var(target);
                self.expr(value);
            }
            StmtKind::Step { target, .. } => {
                self.add(Feature::Step);
                self.var(target);
            }
            StmtKind::Send { channel, sorted, args } => {
                self.add_if(*sorted, Feature::SortedSend);
                self.var(channel);
                args.iter().for_each(|arg| self.expr(arg));
            }
            StmtKind::Receive { channel, random, peek, args } => {
                self.add_if(*random, Feature::RandomReceive);
                self.add_if(*peek, Feature::Peek);
                self.var(channel);
                self.receive_args(args);
            }
            StmtKind::Select { .. } => self.add(Feature::Select),
            StmtKind::Goto(_) => self.add(Feature::Goto),
            StmtKind::Else => self.add(Feature::Else),
            StmtKind::Assert(condition) => {
                self.add(Feature::Assert);
                self.expr(condition);
            }
            StmtKind::Print { args, .. } => {
                self.add(Feature::Print);
                args.iter().for_each(|arg| self.expr(arg));
            }
            StmtKind::PrintM(_) => self.add(Feature::Print),
            StmtKind::SetPriority(..) => self.add(Feature::Priority),
            StmtKind::Expr(expr) => self.expr(expr),
            _ => {}
        }
    }

    fn receive_args(&mut self, args: &[RecvArg]) {
        for arg in args {
            match arg {
                RecvArg::Var(var) => self.var(var),
                RecvArg::Match(_) => self.add(Feature::Match),
                RecvArg::Eval(value) => {
                    self.add(Feature::Eval);
                    self.expr(value);
                }
            }
        }
    }

    fn var(&mut self, var: &VarRef) {
        self.add_if(&*var.name.name == "_pid", Feature::ProcessId);
        self.add_if(&*var.name.name == "_nr_pr", Feature::ProcessCount);
        var.index.iter().for_each(|index| self.expr(index));
        var.field.iter().for_each(|field| self.var(field));
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Var(var) => self.var(var),
            ExprKind::Unary(op, operand) => {
                self.add_if(*op == UnaryOp::BitNot, Feature::Bitwise);
                self.expr(operand);
            }
            ExprKind::Binary(op, left, right) => {
                match op {
                    // The remainder also keeps values within bounds, so it does not indicate the
                    // feature.
                    BinaryOp::Divide => self.add(Feature::Division),
                    BinaryOp::BitAnd
                    | BinaryOp::BitOr
                    | BinaryOp::BitXor
                    | BinaryOp::ShiftLeft
                    | BinaryOp::ShiftRight => self.add(Feature::Bitwise),
                    _ => {}
                }
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Conditional(condition, yes, no) => {
                self.add(Feature::Conditional);
                [condition, yes, no].into_iter().for_each(|part| self.expr(part));
            }
            ExprKind::Run { args, priority, .. } => {
                self.add(Feature::Run);
                self.add_if(priority.is_some(), Feature::Priority);
                args.iter().for_each(|arg| self.expr(arg));
            }
            ExprKind::Channel(ChannelQuery::Len, _) => self.add(Feature::Length),
            ExprKind::Channel(..) => self.add(Feature::Probe),
            ExprKind::Poll { args, .. } => {
                self.add(Feature::Poll);
                self.receive_args(args);
            }
            ExprKind::Timeout => self.add(Feature::Timeout),
            ExprKind::RemoteLabel { .. } | ExprKind::RemoteVar { .. } => {
                self.add(Feature::RemoteReference);
            }
            _ => {}
        }
    }
}
