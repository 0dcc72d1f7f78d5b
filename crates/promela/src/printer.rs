//! The tree as text: readable Promela that parses back to an equal tree.
//!
//! Two rules of SPIN determine the layout. A line that ends in a name, a number, a closing bracket
//! or the like gets an implied semicolon, so an expression is never split into lines. And a label
//! applies to the next statement even on the next line, so a label alone is followed by a
//! semicolon.
//!
//! An inline call is printed as written; the parser expands it again.

mod expr;
mod stmt;
#[cfg(test)]
mod tests;

use std::fmt::Display;

use crate::ast::*;

/// The text of a whole model.
pub fn print(program: &Program) -> String {
    let mut printer = Printer::default();
    let mut previous: Option<&UnitKind> = None;
    for unit in &program.units {
        let together = previous.is_some_and(|previous| groups_with(previous, &unit.kind));
        if previous.is_some() && !together {
            printer.out.push('\n');
        }
        printer.unit(&unit.kind);
        previous = Some(&unit.kind);
    }
    printer.out
}

/// The text of one statement, without a separator after it.
pub fn print_stmt(stmt: &Stmt) -> String {
    let mut printer = Printer::default();
    printer.stmt(stmt);
    printer.out
}

/// The text of an expression, with the parentheses it needs inside.
pub fn print_expr(expr: &Expr) -> String {
    let mut printer = Printer::default();
    printer.expr(expr);
    printer.out
}

/// Whether two units need no blank line between them: one-line declarations of the same kind.
fn groups_with(previous: &UnitKind, next: &UnitKind) -> bool {
    matches!(
        (previous, next),
        (UnitKind::Variables(_), UnitKind::Variables(_))
            | (UnitKind::Mtype(_), UnitKind::Mtype(_))
            | (UnitKind::Ltl(_), UnitKind::Ltl(_))
            | (UnitKind::Branching(_), UnitKind::Branching(_))
            | (UnitKind::Fair(_), UnitKind::Fair(_))
    )
}

/// The text printed so far.
#[derive(Default)]
struct Printer {
    out: String,
    /// Indentation of the current line.
    depth: usize,
}

impl Printer {
    fn text(&mut self, text: impl Display) {
        use std::fmt::Write;
        // Writing to a string cannot fail.
        let _ = write!(self.out, "{text}");
    }

    fn newline(&mut self) {
        self.out.push('\n');
        for _ in 0..self.depth {
            self.out.push_str("    ");
        }
    }

    /// Items with `, ` between them.
    fn list<T>(&mut self, items: &[T], mut print: impl FnMut(&mut Self, &T)) {
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.text(", ");
            }
            print(self, item);
        }
    }

    fn unit(&mut self, unit: &UnitKind) {
        match unit {
            UnitKind::Proctype(proctype) => self.proctype(proctype),
            UnitKind::Init(init) => {
                self.text("init");
                self.priority(init.priority.as_ref());
                self.body(&init.body);
            }
            UnitKind::Never(never) => {
                self.text("never");
                self.name_after_space(never.name.as_ref());
                self.body(&never.body);
            }
            UnitKind::Trace(trace) => {
                self.text(if trace.negated { "notrace" } else { "trace" });
                self.body(&trace.body);
            }
            UnitKind::Ltl(ltl) => {
                self.text("ltl");
                self.name_after_space(ltl.name.as_ref());
                self.text(" { ");
                self.expr(&ltl.formula);
                self.text(" }\n");
            }
            UnitKind::Branching(branching) => {
                self.text(branching.language.text());
                self.name_after_space(branching.name.as_ref());
                self.text(" { ");
                self.expr(&branching.formula);
                self.text(" }\n");
            }
            UnitKind::Fair(condition) => {
                self.text("fair { ");
                self.expr(condition);
                self.text(" }\n");
            }
            UnitKind::Inline(inline) => self.inline(inline),
            UnitKind::Typedef(typedef) => self.typedef(typedef),
            UnitKind::Mtype(mtype) => {
                self.text("mtype");
                if let Some(set) = &mtype.set {
                    self.text(format_args!(":{}", set.name));
                }
                self.text(" = { ");
                self.list(&mtype.names, |p, name| p.text(&name.name));
                self.text(" };\n");
            }
            UnitKind::Variables(decl) => {
                self.var_decl(decl);
                self.text(";\n");
            }
        }
    }

    /// `{ … }` of a unit, and the end of its last line.
    fn body(&mut self, body: &Sequence) {
        self.text(' ');
        self.block(body);
        self.text('\n');
    }

    fn name_after_space(&mut self, name: Option<&Ident>) {
        if let Some(name) = name {
            self.text(format_args!(" {}", name.name));
        }
    }

    fn priority(&mut self, priority: Option<&Expr>) {
        if let Some(priority) = priority {
            self.text(" priority ");
            self.expr(priority);
        }
    }

    fn proctype(&mut self, proctype: &Proctype) {
        if let Some(active) = &proctype.active {
            self.text("active ");
            if let Some(count) = &active.count {
                self.text('[');
                self.expr(count);
                self.text("] ");
            }
        }
        self.text(if proctype.deterministic { "D_proctype " } else { "proctype " });
        self.text(format_args!("{}(", proctype.name.name));
        for (at, group) in proctype.params.iter().enumerate() {
            if at > 0 {
                self.text("; ");
            }
            self.var_decl(group);
        }
        self.text(')');
        self.priority(proctype.priority.as_ref());
        if let Some(provided) = &proctype.provided {
            self.text(" provided (");
            self.expr(provided);
            self.text(')');
        }
        self.body(&proctype.body);
    }

    fn typedef(&mut self, typedef: &Typedef) {
        self.text(format_args!("typedef {} {{", typedef.name.name));
        self.depth += 1;
        for group in &typedef.fields {
            self.newline();
            self.var_decl(group);
            self.text(';');
        }
        self.depth -= 1;
        self.text("\n}\n");
    }

    /// The body's tokens, each after a space or on a new line as in the original.
    fn inline(&mut self, inline: &InlineDef) {
        self.text(format_args!("inline {}(", inline.name.name));
        self.list(&inline.params, |p, param| p.text(&param.name));
        self.text(") {");
        self.depth += 1;
        for (spelling, starts_line) in &inline.body {
            let closes = matches!(&**spelling, "}" | "fi" | "od");
            self.depth -= usize::from(closes && self.depth > 1);
            if *starts_line {
                self.newline();
            } else {
                self.text(' ');
            }
            self.text(spelling);
            self.depth += usize::from(matches!(&**spelling, "{" | "if" | "do"));
        }
        self.depth = 0;
        let lines = inline.body.iter().any(|(_, starts_line)| *starts_line);
        self.text(if lines { "\n}\n" } else { " }\n" });
    }

    /// A declaration without a separator after it.
    fn var_decl(&mut self, decl: &VarDecl) {
        match decl.visibility {
            Some(Visibility::Hidden) => self.text("hidden "),
            Some(Visibility::Show) => self.text("show "),
            Some(Visibility::Local) => self.text("local "),
            None => {}
        }
        self.type_name(&decl.ty);
        self.text(' ');
        self.list(&decl.vars, Self::declarator);
    }

    fn type_name(&mut self, ty: &TypeName) {
        match ty {
            TypeName::Bit => self.text("bool"),
            TypeName::Byte => self.text("byte"),
            TypeName::Short => self.text("short"),
            TypeName::Int => self.text("int"),
            TypeName::Unsigned => self.text("unsigned"),
            TypeName::Mtype(None) => self.text("mtype"),
            TypeName::Mtype(Some(set)) => self.text(format_args!("mtype:{}", set.name)),
            TypeName::Chan => self.text("chan"),
            TypeName::Named(name) => self.text(&name.name),
        }
    }

    fn declarator(&mut self, var: &Declarator) {
        self.text(&var.name.name);
        if let Some(width) = &var.width {
            self.text(" : ");
            self.expr(width);
        }
        if let Some(length) = &var.length {
            self.text('[');
            self.expr(length);
            self.text(']');
        }
        match &var.init {
            None => {}
            Some(Initializer::Value(value)) => {
                self.text(" = ");
                self.expr(value);
            }
            Some(Initializer::List(values)) => {
                self.text(" = { ");
                self.list(values, Self::expr);
                self.text(" }");
            }
            Some(Initializer::Channel { capacity, fields }) => {
                self.text(" = [");
                self.expr(capacity);
                self.text("] of { ");
                self.list(fields, |p, field| p.type_name(&field.kind));
                self.text(" }");
            }
        }
    }
}
