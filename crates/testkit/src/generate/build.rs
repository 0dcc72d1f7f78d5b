//! Constructors of syntax tree nodes without a position.

use std::sync::{Arc, LazyLock};

use beeline_promela::ast::*;
use beeline_promela::source::{SourceMap, Span};

/// The empty span of an empty file: generated trees have no text yet.
static NOWHERE: LazyLock<Span> = LazyLock::new(|| {
    let file = SourceMap::default().add_file("generated", "", None);
    Span::new(file, 0, 0)
});

pub(super) fn node<T>(kind: T) -> Node<T> {
    Node { kind, span: *NOWHERE }
}

pub(super) fn nowhere() -> Ignored<Span> {
    Ignored(*NOWHERE)
}

pub(super) fn ident(name: impl Into<Arc<str>>) -> Ident {
    Ident { name: name.into(), span: *NOWHERE }
}

/// A plain variable.
pub(super) fn var_ref(name: impl Into<Arc<str>>) -> VarRef {
    VarRef { name: ident(name), index: None, field: None, span: nowhere() }
}

/// A plain variable as an expression.
pub(super) fn var(name: impl Into<Arc<str>>) -> Expr {
    node(ExprKind::Var(var_ref(name)))
}

pub(super) fn read(var: VarRef) -> Expr {
    node(ExprKind::Var(var))
}

pub(super) fn literal(value: Literal) -> Expr {
    node(ExprKind::Literal(value))
}

pub(super) fn number(value: u32) -> Expr {
    literal(Literal::Number(value as i32))
}

pub(super) fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    node(ExprKind::Binary(op, Box::new(left), Box::new(right)))
}

pub(super) fn unary(op: UnaryOp, operand: Expr) -> Expr {
    node(ExprKind::Unary(op, Box::new(operand)))
}

pub(super) fn guard(condition: Expr) -> Stmt {
    node(StmtKind::Expr(condition))
}

pub(super) fn skip() -> Stmt {
    guard(literal(Literal::Skip))
}

pub(super) fn assign(target: VarRef, value: Expr) -> Stmt {
    node(StmtKind::Assign { target, value })
}

pub(super) fn labelled(label: Arc<str>, stmt: Stmt) -> Stmt {
    node(StmtKind::Labelled { label: ident(label), stmt: Some(Box::new(stmt)) })
}

pub(super) fn goto(label: Arc<str>) -> Stmt {
    node(StmtKind::Goto(ident(label)))
}

/// A declared variable without width, length and value.
pub(super) fn declarator(name: impl Into<Arc<str>>) -> Declarator {
    Declarator { name: ident(name), width: None, length: None, init: None, span: nowhere() }
}

pub(super) fn declaration(ty: TypeName, vars: Vec<Declarator>) -> VarDecl {
    VarDecl { visibility: None, ty, ty_span: nowhere(), vars }
}
