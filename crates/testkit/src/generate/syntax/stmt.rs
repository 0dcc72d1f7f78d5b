//! Statements of every shape.

use beeline_promela::ast::*;

use super::super::build::*;
use super::super::inline::Substitution;
use super::Wild;

impl Wild<'_> {
    /// The body of a process. Its last statement has the label that is the target of every jump.
    pub(super) fn body(&mut self) -> Sequence {
        self.breakable = false;
        let mut body = self.sequence(self.config.nesting, 1, 5);
        let stmt = self.rng.percent(50).then(|| Box::new(self.simple()));
        body.push(node(StmtKind::Labelled { label: ident("L0"), stmt }));
        body
    }

    fn sequence(&mut self, depth: u32, least: u32, most: u32) -> Sequence {
        let mut body = Vec::new();
        for at in 0..self.rng.between(least, most) {
            let step = self.step(depth, at > 0);
            body.push(step);
        }
        body
    }

    /// A statement, a declaration, or an `unless`.
    fn step(&mut self, depth: u32, may_bear_label: bool) -> Stmt {
        match self.rng.below(14) {
            0 => node(StmtKind::Variables(self.any_declaration(None))),
            1 => {
                let sends = self.rng.percent(50);
                let channels = (0..self.rng.between(1, 2)).map(|_| self.channel()).collect();
                node(StmtKind::Exclusive { sends, channels })
            }
            2 if depth > 0 => {
                let mut body = Box::new(self.bearable(depth - 1, may_bear_label));
                // A label alone is no statement that can have an escape.
                if ends_in_label(&body) {
                    body = Box::new(skip());
                }
                let escape = Box::new(self.stmt(depth - 1));
                node(StmtKind::Unless { body, escape })
            }
            _ => self.bearable(depth, may_bear_label),
        }
    }

    /// A statement, perhaps under labels.
    fn bearable(&mut self, depth: u32, may_bear_label: bool) -> Stmt {
        let mut stmt = self.stmt(depth);
        while may_bear_label && self.rng.percent(20) {
            self.labels += 1;
            let prefix = ["L", "end", "accept_", "progress"][self.rng.below(4) as usize];
            let label = ident(format!("{prefix}{}", self.labels));
            let alone = self.rng.percent(20);
            let inner = (!alone).then(|| Box::new(stmt));
            stmt = node(StmtKind::Labelled { label, stmt: inner });
        }
        stmt
    }

    fn stmt(&mut self, depth: u32) -> Stmt {
        if depth == 0 {
            return self.simple();
        }
        let deeper = depth - 1;
        node(match self.rng.below(14) {
            0 | 1 => StmtKind::If(self.options(deeper)),
            2 | 3 => {
                let outer = std::mem::replace(&mut self.breakable, true);
                let options = self.options(deeper);
                self.breakable = outer;
                StmtKind::Do(options)
            }
            4 => {
                let outer = std::mem::replace(&mut self.breakable, true);
                let body = self.sequence(deeper, 1, 2);
                self.breakable = outer;
                let over = match self.rng.percent(60) {
                    true => ForRange::Range(self.expr(1), self.expr(1)),
                    false => ForRange::In(var_ref(["n", "q"][self.rng.below(2) as usize])),
                };
                StmtKind::For { var: var_ref("a"), over, body }
            }
            5 => StmtKind::Atomic(self.sequence(deeper, 1, 3)),
            6 => StmtKind::DStep(self.sequence(deeper, 1, 3)),
            7 => StmtKind::Block(self.sequence(deeper, 1, 3)),
            8 => return self.call(),
            _ => return self.simple(),
        })
    }

    fn options(&mut self, depth: u32) -> Vec<Sequence> {
        let mut options: Vec<Sequence> =
            (0..self.rng.between(1, 3)).map(|_| self.sequence(depth, 1, 3)).collect();
        if self.rng.percent(40) {
            let mut otherwise = vec![node(StmtKind::Else)];
            otherwise.extend(self.sequence(depth, 0, 2));
            options.push(otherwise);
        }
        options
    }

    /// A statement without nested statements.
    fn simple(&mut self) -> Stmt {
        let depth = self.config.operators;
        node(match self.rng.below(16) {
            0 | 1 => StmtKind::Assign { target: self.var_ref(2), value: self.full_expr(depth) },
            2 => StmtKind::Step { target: self.var_ref(2), up: self.rng.percent(50) },
            3 => return self.send(),
            4 | 5 => return self.receive(),
            6 => {
                let var = var_ref(["a", "x_1"][self.rng.below(2) as usize]);
                StmtKind::Select { var, from: self.expr(1), to: self.expr(1) }
            }
            7 if self.breakable => StmtKind::Break,
            8 => StmtKind::Goto(ident("L0")),
            9 => StmtKind::Assert(self.full_expr(depth)),
            10 => {
                let formats = ["\"%d \\\"quoted\\\"\\n\"", "\"\"", "\"// no comment /*\""];
                let format = ident(formats[self.rng.below(3) as usize]);
                let args = (0..self.rng.below(3)).map(|_| self.expr(1)).collect();
                StmtKind::Print { format, args }
            }
            11 => StmtKind::PrintM(match self.rng.percent(50) {
                true => var("green"),
                false => read(self.var_ref(1)),
            }),
            12 => StmtKind::SetPriority(self.expr(1), self.expr(1)),
            _ => StmtKind::Expr(self.full_expr(depth)),
        })
    }

    pub(super) fn send(&mut self) -> Stmt {
        let channel = self.channel();
        let sorted = self.rng.percent(40);
        let args = (0..self.rng.between(1, 3)).map(|_| self.expr(2)).collect();
        node(StmtKind::Send { channel, sorted, args })
    }

    pub(super) fn receive(&mut self) -> Stmt {
        let channel = self.channel();
        let (random, peek) = (self.rng.percent(40), self.rng.percent(40));
        node(StmtKind::Receive { channel, random, peek, args: self.receive_args() })
    }

    fn call(&mut self) -> Stmt {
        let inlines = self.inlines.clone();
        let Some(inline) = self.rng.pick(&inlines).cloned() else {
            return self.simple();
        };
        let result = inline.returns.then(|| self.var_ref(2));
        let mut actuals = Vec::new();
        for formal in inline.params {
            let actual = match self.rng.percent(50) {
                true => number(self.rng.below(100)),
                false => read(self.var_ref(1)),
            };
            actuals.push((formal, actual));
        }
        let mut body = inline.body;
        if let (Some(result), Some(last)) = (&result, body.last_mut())
            && let StmtKind::Return { target, .. } = &mut last.kind
        {
            *target = result.clone();
        }
        let args = actuals.iter().map(|(_, actual)| actual.clone()).collect();
        Substitution(actuals).sequence(&mut body);
        let expansion = Box::new(node(StmtKind::Block(body)));
        node(StmtKind::Call { name: ident(inline.name), args, result, expansion })
    }
}

/// Whether it is a label, or several, without a statement.
fn ends_in_label(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Labelled { stmt: Some(stmt), .. } => ends_in_label(stmt),
        StmtKind::Labelled { stmt: None, .. } => true,
        _ => false,
    }
}
