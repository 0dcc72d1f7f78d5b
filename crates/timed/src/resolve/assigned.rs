//! Which names a template may assign to, by a look at its text: parameters that are never assigned
//! are constants.

use std::collections::HashSet;
use std::sync::Arc;

use crate::syntax::tree::{Block, Decl, Expr, ExprKind, Initialiser, Statement, Template};

/// The names that a template assigns to, or passes to functions.
pub(super) fn assigned_names(template: &Template) -> HashSet<Arc<str>> {
    let mut names = HashSet::new();
    for decl in &template.decls {
        of_decl(decl, &mut names);
    }
    let edges = template.edges.iter();
    for expr in edges.flat_map(|edge| edge.updates.iter().chain(&edge.guard)) {
        of_expr(expr, &mut names);
    }
    names
}

fn of_decl(decl: &Decl, names: &mut HashSet<Arc<str>>) {
    match decl {
        Decl::Function(function) => of_block(&function.body, names),
        Decl::Variable(variable) => {
            if let Some(Initialiser::Expr(initial)) = &variable.initial {
                of_expr(initial, names);
            }
        }
        Decl::Typedef(_) => {}
    }
}

fn of_block(block: &Block, names: &mut HashSet<Arc<str>>) {
    block.decls.iter().for_each(|decl| of_decl(decl, names));
    block.statements.iter().for_each(|statement| of_statement(statement, names));
}

fn of_statement(statement: &Statement, names: &mut HashSet<Arc<str>>) {
    match statement {
        Statement::Empty => {}
        Statement::Block(block) => of_block(block, names),
        Statement::Expr(expr) | Statement::Assert(expr) => of_expr(expr, names),
        Statement::If(condition, yes, no) => {
            of_expr(condition, names);
            of_statement(yes, names);
            no.iter().for_each(|no| of_statement(no, names));
        }
        Statement::While(condition, body) | Statement::DoWhile(body, condition) => {
            of_expr(condition, names);
            of_statement(body, names);
        }
        Statement::For(first, condition, then, body) => {
            first.iter().chain(condition).chain(then).for_each(|expr| of_expr(expr, names));
            of_statement(body, names);
        }
        Statement::ForEach(_, _, body) => of_statement(body, names),
        Statement::Return(value, _) => value.iter().for_each(|value| of_expr(value, names)),
    }
}

fn of_expr(expr: &Expr, names: &mut HashSet<Arc<str>>) {
    match &expr.kind {
        ExprKind::Assign(_, target, value) => {
            names.extend(root(target));
            of_expr(target, names);
            of_expr(value, names);
        }
        ExprKind::Step { target, .. } => names.extend(root(target)),
        ExprKind::Call(_, arguments) => {
            names.extend(arguments.iter().filter_map(root));
            arguments.iter().for_each(|argument| of_expr(argument, names));
        }
        ExprKind::Field(inner, _) | ExprKind::Unary(_, inner) | ExprKind::Rate(inner) => {
            of_expr(inner, names);
        }
        ExprKind::Index(one, other) | ExprKind::Binary(_, one, other) => {
            of_expr(one, names);
            of_expr(other, names);
        }
        ExprKind::Conditional(condition, yes, no) => {
            [condition, yes, no].into_iter().for_each(|one| of_expr(one, names));
        }
        ExprKind::Quantified(_, _, _, body) => of_expr(body, names),
        ExprKind::Int(_)
        | ExprKind::Double
        | ExprKind::Text(_)
        | ExprKind::Bool(_)
        | ExprKind::Name(_)
        | ExprKind::Deadlock => {}
    }
}

/// The variable that a place is part of.
fn root(expr: &Expr) -> Option<Arc<str>> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name.clone()),
        ExprKind::Field(inner, _) | ExprKind::Index(inner, _) => root(inner),
        ExprKind::Conditional(_, yes, _) => root(yes),
        _ => None,
    }
}
