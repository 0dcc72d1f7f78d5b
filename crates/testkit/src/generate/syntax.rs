//! Trees of every shape, for tests of printer and parser.
//!
//! A fixed stock of names is declared, and everything else is random: the result parses, and has no
//! particular meaning. Trees without a textual form (such as an `unless` under a label), and those
//! that SPIN's grammar rejects, are left out.

mod expr;
mod stmt;

use std::sync::Arc;

use beeline_promela::ast::*;

use super::build::*;
use super::config::Config;
use super::inline::tokens;
use crate::rng::Rng;

/// The program of a seed.
pub(super) fn program(seed: u64, config: &Config) -> Program {
    let mut wild = Wild {
        rng: Rng::new(seed),
        config,
        labels: 0,
        inlines: Vec::new(),
        breakable: false,
        remote: false,
    };
    Program { units: wild.units().into_iter().map(node).collect() }
}

/// A tree under construction.
struct Wild<'c> {
    rng: Rng,
    config: &'c Config,
    /// Labels used in the current process.
    labels: u32,
    inlines: Vec<WildInline>,
    breakable: bool,
    /// Whether `P` is known to be a proctype, so that `P:x` is a remote reference.
    remote: bool,
}

/// An inline: a parameter represents a variable or a number.
#[derive(Clone)]
struct WildInline {
    name: Arc<str>,
    params: Vec<Arc<str>>,
    body: Sequence,
    /// Whether its last statement is a `return`.
    returns: bool,
}

impl Wild<'_> {
    fn units(&mut self) -> Vec<UnitKind> {
        let mut units = self.stock();
        for _ in 0..self.rng.below(4) {
            units.push(UnitKind::Variables(self.any_declaration(Some("v"))));
        }
        self.remote = true;
        for number in 0..self.rng.below(3) {
            units.push(self.inline(number));
        }
        for name in ["P", "Q"] {
            units.push(self.proctype(name));
        }
        if self.rng.percent(60) {
            let (priority, body) = (self.priority(), self.body());
            units.push(UnitKind::Init(Init { priority, body }));
        }
        if self.rng.percent(30) {
            let name = self.rng.percent(50).then(|| ident("claim"));
            let body = self.body();
            units.push(UnitKind::Never(Never { name, body }));
        }
        if self.rng.percent(20) {
            units.push(self.trace());
        }
        for number in 0..self.rng.below(3) {
            let name = self.rng.percent(60).then(|| ident(format!("property{number}")));
            let formula = self.formula(3);
            units.push(UnitKind::Ltl(Ltl { name, formula }));
        }
        units
    }

    /// The names that expressions and statements use.
    fn stock(&mut self) -> Vec<UnitKind> {
        let mut units = vec![
            UnitKind::Mtype(MtypeDecl { set: None, names: vec![ident("red"), ident("green")] }),
            UnitKind::Mtype(MtypeDecl { set: Some(ident("state")), names: vec![ident("idle")] }),
        ];
        let field = |ty, name: &str, length: Option<u32>| {
            let mut var = declarator(name);
            var.length = length.map(number);
            declaration(ty, vec![var])
        };
        units.push(UnitKind::Typedef(Typedef {
            name: ident("Inner"),
            fields: vec![field(TypeName::Byte, "f", None), field(TypeName::Bit, "g", Some(2))],
        }));
        units.push(UnitKind::Typedef(Typedef {
            name: ident("Outer"),
            fields: vec![field(TypeName::Named(ident("Inner")), "inner", Some(2))],
        }));
        let scalars = ["a", "b", "x_1"].map(declarator).to_vec();
        units.push(UnitKind::Variables(declaration(TypeName::Byte, scalars)));
        units.push(UnitKind::Variables(field(TypeName::Int, "n", Some(4))));
        let record = TypeName::Named(ident("Inner"));
        units.push(UnitKind::Variables(field(record, "s", None)));
        let records = TypeName::Named(ident("Outer"));
        units.push(UnitKind::Variables(field(records, "u", Some(2))));
        for (name, length) in [("q", None), ("r", Some(2))] {
            let mut channel = field(TypeName::Chan, name, length);
            channel.vars[0].init = Some(self.channel_init());
            units.push(UnitKind::Variables(channel));
        }
        units
    }

    fn channel_init(&mut self) -> Initializer {
        let types = (0..self.rng.between(1, 3)).map(|_| {
            node(match self.rng.below(7) {
                0 => TypeName::Bit,
                1 => TypeName::Short,
                2 => TypeName::Chan,
                3 => TypeName::Mtype(None),
                4 => TypeName::Mtype(Some(ident("state"))),
                5 => TypeName::Named(ident("Inner")),
                _ => TypeName::Byte,
            })
        });
        let fields = types.collect();
        Initializer::Channel { capacity: self.constant(1), fields }
    }

    /// A declaration of new names: `name` and a number.
    fn any_declaration(&mut self, globals: Option<&str>) -> VarDecl {
        let ty = match self.rng.below(10) {
            0 => TypeName::Bit,
            1 => TypeName::Short,
            2 => TypeName::Int,
            3 => TypeName::Unsigned,
            4 => TypeName::Mtype(None),
            5 => TypeName::Mtype(Some(ident("state"))),
            6 => TypeName::Chan,
            7 => TypeName::Named(ident("Inner")),
            _ => TypeName::Byte,
        };
        let count = self.rng.between(1, 3);
        let vars =
            (0..count).map(|at| self.any_declarator(globals, &ty, at + 1 == count)).collect();
        let mut decl = declaration(ty, vars);
        decl.visibility = match self.rng.below(8) {
            0 => Some(Visibility::Hidden),
            1 => Some(Visibility::Show),
            2 => Some(Visibility::Local),
            _ => None,
        };
        decl
    }

    /// A declarator that ends with a brace comes last: SPIN adds a semicolon after it.
    fn any_declarator(&mut self, globals: Option<&str>, ty: &TypeName, last: bool) -> Declarator {
        self.labels += 1;
        let prefix = globals.unwrap_or("l");
        let mut var = declarator(format!("{prefix}{}", self.labels));
        if *ty == TypeName::Unsigned {
            var.width = Some(number(self.rng.between(1, 8)));
        } else if self.rng.percent(25) {
            var.length = Some(self.constant(1));
        }
        let named = matches!(ty, TypeName::Named(_));
        var.init = match self.rng.below(4) {
            0 if *ty == TypeName::Chan && last => Some(self.channel_init()),
            1 if var.length.is_some() && last && !named => {
                let literals = (0..self.rng.between(1, 3)).map(|_| literal(self.literal()));
                Some(Initializer::List(literals.collect()))
            }
            2 if var.length.is_none() && !named => Some(Initializer::Value(self.expr(2))),
            _ => None,
        };
        var
    }

    fn inline(&mut self, number: u32) -> UnitKind {
        let name: Arc<str> = format!("inline{number}").into();
        let params: Vec<Arc<str>> =
            (0..self.rng.below(3)).map(|n| format!("formal{number}_{n}").into()).collect();
        let returns = self.rng.percent(40);
        let mut body = vec![self.simple_over(&params)];
        if self.rng.percent(40) {
            body.push(node(StmtKind::DStep(vec![self.simple_over(&params)])));
        }
        if returns {
            let value = self.expr(2);
            body.push(node(StmtKind::Return { target: var_ref("a"), value }));
        }
        let definition = InlineDef {
            name: ident(name.clone()),
            params: params.iter().cloned().map(ident).collect(),
            body: tokens(&body),
        };
        self.inlines.push(WildInline { name, params, body, returns });
        UnitKind::Inline(definition)
    }

    /// An assignment that uses the formal parameters.
    fn simple_over(&mut self, params: &[Arc<str>]) -> Stmt {
        let mut value = self.expr(2);
        for param in params {
            value = binary(BinaryOp::Add, value, var(param.clone()));
        }
        assign(self.var_ref(1), value)
    }

    fn proctype(&mut self, name: &str) -> UnitKind {
        let active = self.rng.percent(60).then(|| ActivePrefix {
            count: self.rng.percent(40).then(|| self.constant(1)),
            span: nowhere(),
        });
        let params = (0..self.rng.below(3)).map(|_| {
            let mut group = self.any_declaration(None);
            group.vars.iter_mut().for_each(|var| var.init = None);
            group
        });
        let params = params.collect();
        UnitKind::Proctype(Proctype {
            active,
            deterministic: self.rng.percent(20),
            name: ident(name),
            params,
            priority: self.priority(),
            provided: self.rng.percent(20).then(|| self.full_expr(2)),
            body: self.body(),
        })
    }

    fn priority(&mut self) -> Option<Expr> {
        self.rng.percent(20).then(|| number(self.rng.between(1, 9)))
    }

    fn trace(&mut self) -> UnitKind {
        let events: Vec<Sequence> = (0..self.rng.between(1, 3))
            .map(|_| vec![if self.rng.percent(50) { self.send() } else { self.receive() }])
            .collect();
        UnitKind::Trace(Trace {
            negated: self.rng.percent(50),
            body: vec![node(StmtKind::Do(events))],
        })
    }
}
