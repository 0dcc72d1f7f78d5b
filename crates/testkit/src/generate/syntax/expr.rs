//! Expressions of every shape.

use beeline_promela::ast::*;

use super::super::build::*;
use super::Wild;

const OPERATORS: [BinaryOp; 18] = [
    BinaryOp::Add,
    BinaryOp::Subtract,
    BinaryOp::Multiply,
    BinaryOp::Divide,
    BinaryOp::Modulo,
    BinaryOp::BitAnd,
    BinaryOp::BitXor,
    BinaryOp::BitOr,
    BinaryOp::ShiftLeft,
    BinaryOp::ShiftRight,
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
    BinaryOp::Equal,
    BinaryOp::NotEqual,
    BinaryOp::And,
    BinaryOp::Or,
];

const TEMPORAL: [BinaryOp; 5] = [
    BinaryOp::Implies,
    BinaryOp::Equivalent,
    BinaryOp::Until,
    BinaryOp::WeakUntil,
    BinaryOp::Release,
];

impl Wild<'_> {
    pub(super) fn literal(&mut self) -> Literal {
        match self.rng.below(8) {
            0 => Literal::True,
            1 => Literal::False,
            2 => Literal::Skip,
            3 => Literal::Char(self.rng.between(0x20, 0x7e) as u8),
            4 => Literal::Char([b'\n', b'\r', b'\t', 0x0c][self.rng.below(4) as usize]),
            5 => Literal::Number(i32::MAX),
            _ => Literal::Number(self.rng.below(300) as i32),
        }
    }

    /// An expression that SPIN accepts as the length of an array or the capacity of a channel.
    pub(super) fn constant(&mut self, depth: u32) -> Expr {
        let ops = [BinaryOp::Add, BinaryOp::Subtract, BinaryOp::Multiply, BinaryOp::Modulo];
        if depth > 0 && self.rng.percent(30) {
            let op = ops[self.rng.below(4) as usize];
            return binary(op, self.constant(depth - 1), self.constant(depth - 1));
        }
        number(self.rng.between(1, 9))
    }

    /// A reference to a name of the stock.
    pub(super) fn var_ref(&mut self, depth: u32) -> VarRef {
        let deeper = depth.saturating_sub(1);
        let shape = if depth == 0 { 0 } else { self.rng.below(6) };
        match shape {
            1 => self.element("n", deeper),
            2 => self.inner("s", false, deeper),
            3 => {
                let mut outer = self.element("u", deeper);
                outer.field = Some(Box::new(self.inner("inner", true, deeper)));
                outer
            }
            _ => var_ref(["a", "b", "x_1"][self.rng.below(3) as usize]),
        }
    }

    fn element(&mut self, name: &str, depth: u32) -> VarRef {
        let mut reference = var_ref(name);
        reference.index = Some(Box::new(self.expr(depth)));
        reference
    }

    /// `name.f` or `name.g[e]`
    fn inner(&mut self, name: &str, indexed: bool, depth: u32) -> VarRef {
        let mut reference = if indexed { self.element(name, depth) } else { var_ref(name) };
        let field = if self.rng.percent(50) { var_ref("f") } else { self.element("g", depth) };
        reference.field = Some(Box::new(field));
        reference
    }

    pub(super) fn channel(&mut self) -> VarRef {
        if self.rng.percent(60) { var_ref("q") } else { self.element("r", 1) }
    }

    pub(super) fn leaf(&mut self) -> Expr {
        match self.rng.below(12) {
            0..=2 => literal(self.literal()),
            3 => var(["red", "green", "idle"][self.rng.below(3) as usize]),
            4 => var(["_pid", "_nr_pr", "_last"][self.rng.below(3) as usize]),
            5 => node(ExprKind::Timeout),
            6 => node(ExprKind::NonProgress),
            _ => read(self.var_ref(1)),
        }
    }

    pub(super) fn expr(&mut self, depth: u32) -> Expr {
        if depth == 0 {
            return self.leaf();
        }
        let deeper = depth - 1;
        match self.rng.below(16) {
            0..=4 => {
                let op = OPERATORS[self.rng.below(18) as usize];
                binary(op, self.expr(deeper), self.expr(deeper))
            }
            5..=7 => {
                let ops = [UnaryOp::Not, UnaryOp::Negate, UnaryOp::BitNot];
                let op = ops[self.rng.below(3) as usize];
                unary(op, self.expr(deeper))
            }
            8 => {
                let parts = [self.expr(deeper), self.expr(deeper), self.expr(deeper)];
                let [condition, yes, no] = parts.map(Box::new);
                node(ExprKind::Conditional(condition, yes, no))
            }
            9 => self.run(deeper),
            10 => node(ExprKind::Channel(ChannelQuery::Len, self.channel())),
            11 => {
                let queries =
                    [ProcessQuery::Enabled, ProcessQuery::PcValue, ProcessQuery::Priority];
                let query = queries[self.rng.below(3) as usize];
                node(ExprKind::Process(query, Box::new(self.expr(deeper))))
            }
            12 => {
                let channel = self.channel();
                let random = self.rng.percent(50);
                node(ExprKind::Poll { channel, random, args: self.receive_args() })
            }
            13 if self.remote => self.remote(deeper),
            _ => self.leaf(),
        }
    }

    fn run(&mut self, depth: u32) -> Expr {
        let proctype = ident(["P", "Q"][self.rng.below(2) as usize]);
        let args = (0..self.rng.below(3)).map(|_| self.expr(depth)).collect();
        let priority = self.rng.percent(25).then(|| Box::new(number(self.rng.between(1, 9))));
        node(ExprKind::Run { proctype, args, priority })
    }

    fn remote(&mut self, depth: u32) -> Expr {
        let proctype = ident("P");
        let pid = self.rng.percent(60).then(|| Box::new(self.expr(depth)));
        node(match self.rng.percent(50) {
            true => ExprKind::RemoteLabel { proctype, pid, label: ident("L0") },
            false => {
                let var =
                    if self.rng.percent(60) { var_ref("a") } else { self.element("n", depth) };
                ExprKind::RemoteVar { proctype, pid, var }
            }
        })
    }

    /// An expression where `full(q)` and similar queries may occur, too: alone, or under `&&` and
    /// `||`.
    pub(super) fn full_expr(&mut self, depth: u32) -> Expr {
        match self.rng.below(6) {
            0 => {
                let queries = [
                    ChannelQuery::Full,
                    ChannelQuery::Empty,
                    ChannelQuery::NFull,
                    ChannelQuery::NEmpty,
                ];
                let query = queries[self.rng.below(4) as usize];
                node(ExprKind::Channel(query, self.channel()))
            }
            1 | 2 if depth > 0 => {
                let op = if self.rng.percent(50) { BinaryOp::And } else { BinaryOp::Or };
                binary(op, self.full_expr(depth - 1), self.full_expr(depth - 1))
            }
            _ => self.expr(depth),
        }
    }

    /// An ltl formula. Within it `->` is an implication, so it has no
    /// conditional expressions.
    pub(super) fn formula(&mut self, depth: u32) -> Expr {
        if depth == 0 {
            return match self.rng.below(3) {
                0 => literal(Literal::True),
                1 => self.remote(0),
                _ => read(self.var_ref(0)),
            };
        }
        let deeper = depth - 1;
        match self.rng.below(8) {
            0..=2 => {
                let ops = [UnaryOp::Always, UnaryOp::Eventually, UnaryOp::Next, UnaryOp::Not];
                let op = ops[self.rng.below(4) as usize];
                unary(op, self.formula(deeper))
            }
            3 | 4 => {
                let op = TEMPORAL[self.rng.below(5) as usize];
                binary(op, self.formula(deeper), self.formula(deeper))
            }
            5 | 6 => {
                let op = OPERATORS[self.rng.below(18) as usize];
                binary(op, self.formula(deeper), self.formula(deeper))
            }
            _ => self.formula(0),
        }
    }

    pub(super) fn receive_args(&mut self) -> Vec<RecvArg> {
        (0..self.rng.between(1, 3)).map(|_| self.receive_arg()).collect()
    }

    fn receive_arg(&mut self) -> RecvArg {
        match self.rng.below(6) {
            0 => RecvArg::Match(literal(self.literal())),
            1 => RecvArg::Match(unary(UnaryOp::Negate, literal(self.literal()))),
            2 => RecvArg::Eval(self.expr(2)),
            3 => RecvArg::Var(var_ref(["_", "red"][self.rng.below(2) as usize])),
            _ => RecvArg::Var(self.var_ref(2)),
        }
    }
}
