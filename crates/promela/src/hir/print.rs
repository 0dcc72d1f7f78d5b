//! Resolved statements and expressions as text, one line each, and the whole
//! model as a listing.

use std::fmt::Write as _;

use super::{
    Access, BinaryOp, DeclaredValue, Expr, ExprKind, Field, For, Init, Model, MtypeId, Process,
    RecvArg, Root, Stmt, StmtKind, StructId, Type, UnaryOp, Variable,
};

/// Writes text for one process, or for a formula outside any.
#[derive(Clone, Copy, Debug)]
pub struct Printer<'a> {
    model: &'a Model,
    process: Option<&'a Process>,
}

/// Binds tighter than any binary operator.
const UNARY: u8 = 20;

impl<'a> Printer<'a> {
    /// A printer for statements and expressions inside `process`.
    pub fn new(model: &'a Model, process: Option<&'a Process>) -> Self {
        Printer { model, process }
    }

    /// An expression with the parentheses it needs.
    pub fn expr(&self, expr: &Expr) -> String {
        let mut text = String::new();
        self.write(expr, 0, &mut text);
        text
    }

    fn write(&self, expr: &Expr, around: u8, out: &mut String) {
        match &expr.kind {
            ExprKind::Const(value) => push(out, format_args!("{value}")),
            ExprKind::Mtype { set, value } => out.push_str(&self.mtype(*set, *value)),
            ExprKind::Read(access) => out.push_str(&self.access(access)),
            ExprKind::Unary(op, operand) => {
                out.push_str(op.text());
                if *op == UnaryOp::Next {
                    out.push(' ');
                }
                self.write(operand, UNARY, out);
            }
            ExprKind::Binary(op, left, right) => {
                let own = op.precedence();
                let open = own < around;
                if open {
                    out.push('(');
                }
                self.write(left, own, out);
                push(out, format_args!(" {} ", op.text()));
                self.write(right, own + 1, out);
                if open {
                    out.push(')');
                }
            }
            ExprKind::Conditional(condition, yes, no) => {
                let (condition, yes, no) = (self.expr(condition), self.expr(yes), self.expr(no));
                push(out, format_args!("({condition} -> {yes} : {no})"));
            }
            ExprKind::Run { process, args, priority } => {
                let name = &self.model.process(*process).name.name;
                push(out, format_args!("run {name}({})", self.list(args)));
                if let Some(priority) = priority {
                    push(out, format_args!(" priority {priority}"));
                }
            }
            ExprKind::Channel(query, access) => {
                push(out, format_args!("{}({})", query.text(), self.access(access)));
            }
            ExprKind::Process(query, pid) => {
                push(out, format_args!("{}({})", query.text(), self.expr(pid)));
            }
            ExprKind::Poll { channel, random, args } => {
                let mark = if *random { "??" } else { "?" };
                push(out, format_args!("{}{mark}[{}]", self.access(channel), self.fields(args)));
            }
            ExprKind::Timeout => out.push_str("timeout"),
            ExprKind::NonProgress => out.push_str("np_"),
            ExprKind::RemoteLabel { process, pid, label } => {
                let remote = self.model.process(*process);
                let label = &remote.labels[label.index()].name.name;
                push(out, format_args!("{}{}@{label}", remote.name.name, self.pid(pid)));
            }
            ExprKind::RemoteVar { process, pid, var } => {
                let remote = self.model.process(*process);
                let inside = Printer::new(self.model, Some(remote));
                let var = inside.access(var);
                push(out, format_args!("{}{}:{var}", remote.name.name, self.pid(pid)));
            }
        }
    }

    fn pid(&self, pid: &Option<Box<Expr>>) -> String {
        pid.as_ref().map_or_else(String::new, |pid| format!("[{}]", self.expr(pid)))
    }

    fn mtype(&self, set: MtypeId, value: i32) -> String {
        let constants = &self.model.mtypes[set.index()].constants;
        usize::try_from(value - 1)
            .ok()
            .and_then(|at| constants.get(at))
            .map_or_else(|| value.to_string(), |name| name.to_string())
    }

    /// A variable or a part of one.
    pub fn access(&self, access: &Access) -> String {
        let mut text = match access.root {
            Root::Predefined(predefined) => predefined.name().to_owned(),
            root => match self.model.variable(root, self.process) {
                Some(variable) => variable.name.name.to_string(),
                None => "?".to_owned(),
            },
        };
        if let Some(index) = &access.index {
            push(&mut text, format_args!("[{}]", self.expr(index)));
        }
        let mut ty = self.model.variable(access.root, self.process).map(|variable| variable.ty);
        for Field { field, index } in &access.path {
            let Some(Type::Struct(id)) = ty else {
                break;
            };
            let declared = &self.model.structs[id.index()].fields[*field as usize];
            push(&mut text, format_args!(".{}", declared.name.name));
            if let Some(index) = index {
                push(&mut text, format_args!("[{}]", self.expr(index)));
            }
            ty = Some(declared.ty);
        }
        text
    }

    fn list(&self, exprs: &[Expr]) -> String {
        let texts: Vec<String> = exprs.iter().map(|expr| self.expr(expr)).collect();
        texts.join(",")
    }

    fn fields(&self, args: &[RecvArg]) -> String {
        let texts: Vec<String> = args
            .iter()
            .map(|arg| match arg {
                RecvArg::Store(access) => self.access(access),
                RecvArg::Match(value) => self.expr(value),
                RecvArg::Eval(value) => format!("eval({})", self.expr(value)),
            })
            .collect();
        texts.join(",")
    }

    /// A statement without the statements inside it.
    pub fn stmt(&self, kind: &StmtKind) -> String {
        match kind {
            StmtKind::Declare { var, value } => self.declare(var.index(), value.as_ref()),
            StmtKind::Labelled { label, stmt } => {
                let name = self.process.map(|p| p.labels[label.index()].name.name.clone());
                format!("{}: {}", name.as_deref().unwrap_or("?"), self.stmt(&stmt.kind))
            }
            StmtKind::Unless { .. } => "unless".to_owned(),
            StmtKind::Assign { target, value } => {
                format!("{} = {}", self.access(target), self.expr(value))
            }
            StmtKind::Send { channel, sorted, args } => {
                let mark = if *sorted { "!!" } else { "!" };
                format!("{}{mark}{}", self.access(channel), self.list(args))
            }
            StmtKind::Receive { channel, random, peek, args } => {
                let mark = if *random { "??" } else { "?" };
                let (open, close) = if *peek { ("<", ">") } else { ("", "") };
                format!("{}{mark}{open}{}{close}", self.access(channel), self.fields(args))
            }
            StmtKind::If(_) => "if".to_owned(),
            StmtKind::Do(_) => "do".to_owned(),
            StmtKind::For { over: For::Range { var, from, to }, .. } => {
                format!("for ({} : {} .. {})", self.access(var), self.expr(from), self.expr(to))
            }
            StmtKind::For { over: For::Channel { channel, .. }, .. } => {
                format!("for (… in {})", self.access(channel))
            }
            StmtKind::Select { var, from, to, .. } => {
                format!("select ({} : {} .. {})", self.access(var), self.expr(from), self.expr(to))
            }
            StmtKind::Break => "break".to_owned(),
            StmtKind::Goto(jump) => {
                let label = self.process.and_then(|p| {
                    p.jumps.get(jump.index()).map(|label| p.labels[label.index()].name.name.clone())
                });
                format!("goto {}", label.as_deref().unwrap_or("?"))
            }
            StmtKind::Else => "else".to_owned(),
            StmtKind::Atomic(_) => "atomic".to_owned(),
            StmtKind::DStep(_) => "d_step".to_owned(),
            StmtKind::Block(_) => "{ }".to_owned(),
            StmtKind::Assert(condition) => format!("assert({})", self.expr(condition)),
            StmtKind::Print { format, args } => {
                let comma = if args.is_empty() { "" } else { "," };
                format!("printf({format}{comma}{})", self.list(args))
            }
            StmtKind::PrintM(value) => format!("printm({})", self.expr(value)),
            StmtKind::SetPriority(process, priority) => {
                format!("set_priority({},{})", self.expr(process), self.expr(priority))
            }
            StmtKind::Guard(condition) => self.expr(condition),
        }
    }

    fn declare(&self, var: usize, value: Option<&DeclaredValue>) -> String {
        let Some(variable) = self.process.and_then(|process| process.locals.get(var)) else {
            return "?".to_owned();
        };
        let name = &variable.name.name;
        match value {
            None => format!("{name} = 0"),
            Some(DeclaredValue::Value(value)) => format!("{name} = {}", self.expr(value)),
            Some(DeclaredValue::List(values)) => format!("{name} = {{{}}}", self.list(values)),
        }
    }

    fn ty(&self, ty: Type) -> String {
        match ty {
            Type::Bit => "bit".to_owned(),
            Type::Byte => "byte".to_owned(),
            Type::Short => "short".to_owned(),
            Type::Int => "int".to_owned(),
            Type::Unsigned(bits) => format!("unsigned:{bits}"),
            Type::Mtype(None) => "mtype".to_owned(),
            Type::Mtype(Some(id)) => {
                let name = self.model.mtypes[id.index()].name.as_deref();
                name.map_or_else(|| "mtype".to_owned(), |name| format!("mtype:{name}"))
            }
            Type::Chan => "chan".to_owned(),
            Type::Struct(id) => self.model.structs[id.index()].name.name.to_string(),
        }
    }

    fn variable(&self, variable: &Variable) -> String {
        let mut text = format!("{} {}", self.ty(variable.ty), variable.name.name);
        if let Some(length) = variable.length {
            push(&mut text, format_args!("[{length}]"));
        }
        match &variable.init {
            Init::Zero => {}
            Init::Value(value) => push(&mut text, format_args!(" = {}", self.expr(value))),
            Init::List(values) => push(&mut text, format_args!(" = {{{}}}", self.list(values))),
            Init::Channel(channel) => {
                let fields: Vec<String> = channel.fields.iter().map(|&ty| self.ty(ty)).collect();
                push(
                    &mut text,
                    format_args!(" = [{}] of {{{}}}", channel.capacity, fields.join(", ")),
                );
            }
        }
        text
    }

    fn body(&self, body: &[Stmt], depth: usize, out: &mut String) {
        for stmt in body {
            self.nested(stmt, depth, out);
        }
    }

    fn nested(&self, stmt: &Stmt, depth: usize, out: &mut String) {
        let indent = "  ".repeat(depth.min(40));
        push(out, format_args!("{indent}{}\n", self.stmt(&stmt.kind)));
        let mut inner = &stmt.kind;
        while let StmtKind::Labelled { stmt, .. } = inner {
            inner = &stmt.kind;
        }
        match inner {
            StmtKind::If(options) | StmtKind::Do(options) => {
                for option in options {
                    push(out, format_args!("{indent}::\n"));
                    self.body(option, depth + 1, out);
                }
            }
            StmtKind::Atomic(body)
            | StmtKind::DStep(body)
            | StmtKind::Block(body)
            | StmtKind::For { body, .. } => self.body(body, depth + 1, out),
            StmtKind::Unless { body, escape } => {
                self.nested(body, depth + 1, out);
                push(out, format_args!("{indent}escape\n"));
                self.nested(escape, depth + 1, out);
            }
            _ => {}
        }
    }
}

/// The model as a listing: types, variables, processes, formulas.
pub fn dump(model: &Model) -> String {
    let mut out = String::new();
    let globals = Printer::new(model, None);
    for set in &model.mtypes {
        let name = set.name.as_deref().map_or_else(String::new, |name| format!(":{name}"));
        push(&mut out, format_args!("mtype{name} = {{ {} }}\n", set.constants.join(", ")));
    }
    for (number, structure) in model.structs.iter().enumerate() {
        let id = StructId(number as u32);
        push(&mut out, format_args!("typedef {}\n", globals.ty(Type::Struct(id))));
        for field in &structure.fields {
            push(&mut out, format_args!("  {}\n", globals.variable(field)));
        }
    }
    for variable in &model.globals {
        push(&mut out, format_args!("{}\n", globals.variable(variable)));
    }
    for process in &model.processes {
        let printer = Printer::new(model, Some(process));
        let active =
            if process.active > 0 { format!(", {} active", process.active) } else { String::new() };
        push(
            &mut out,
            format_args!("process {} ({:?}{active})\n", process.name.name, process.kind),
        );
        for (number, local) in process.locals.iter().enumerate() {
            let role = if (number as u32) < process.params { "param" } else { "local" };
            push(&mut out, format_args!("  {role} {}\n", printer.variable(local)));
        }
        printer.body(&process.body, 1, &mut out);
    }
    for formula in &model.branching {
        let (language, name) = (formula.language.text(), &formula.name.name);
        push(&mut out, format_args!("{language} {name} {{ {} }}\n", formula.text));
    }
    for condition in &model.fairness {
        push(&mut out, format_args!("fair {{ {} }}\n", globals.expr(condition)));
    }
    for formula in &model.formulas {
        push(
            &mut out,
            format_args!("ltl {} {{ {} }}\n", formula.name.name, globals.expr(&formula.formula)),
        );
    }
    out
}

fn push(out: &mut String, args: std::fmt::Arguments<'_>) {
    out.write_fmt(args).expect("writing to a string succeeds");
}

impl BinaryOp {
    /// Whether the result of the operator is a truth value.
    pub fn is_logical(self) -> bool {
        matches!(
            self,
            BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual
                | BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::And
                | BinaryOp::Or
        ) || self.is_temporal()
    }
}
