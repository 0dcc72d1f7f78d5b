//! The labels of edges and locations, which all formats share.

use beeline_source::diagnostic::Diagnostics;

use crate::network::operators::TimedOperator;
use crate::syntax::cursor::{Cursor, Parsed};
use crate::syntax::expressions::binary;
use crate::syntax::fragment::Fragment;
use crate::syntax::lexer::TokenKind;
use crate::syntax::tree::{Direction, Expr, ExprKind, Select, SyncExpr};

impl Cursor<'_> {
    /// A guard or an invariant: conditions between commas must all hold.
    ///
    /// # Errors
    ///
    /// When there is a mistake, which is told.
    pub(crate) fn condition_list(&mut self) -> Parsed<Expr> {
        let from = self.span();
        let mut all = self.expression()?;
        while self.accept(",") {
            let next = self.expression()?;
            all = binary(TimedOperator::And, all, next, self.since(from));
        }
        Ok(all)
    }

    /// A synchronisation: `c!` or `c?`.
    ///
    /// # Errors
    ///
    /// When there is a mistake, which is told.
    pub(crate) fn synchronisation(&mut self) -> Parsed<SyncExpr> {
        let channel = self.expression()?;
        if self.accept("!") {
            Ok(SyncExpr::Channel(channel, Direction::Send))
        } else if self.accept("?") {
            Ok(SyncExpr::Channel(channel, Direction::Receive))
        } else {
            self.fail("`!` or `?` is missing behind a channel")
        }
    }

    /// Updates between commas.
    ///
    /// # Errors
    ///
    /// When there is a mistake, which is told.
    pub(crate) fn updates(&mut self) -> Parsed<Vec<Expr>> {
        let mut updates = vec![self.expression()?];
        while self.accept(",") {
            updates.push(self.expression()?);
        }
        Ok(updates)
    }

    /// Choices between commas: `i : int[0,3], j : id_t`.
    ///
    /// # Errors
    ///
    /// When there is a mistake, which is told.
    pub(crate) fn selects(&mut self) -> Parsed<Vec<Select>> {
        let mut selects = Vec::new();
        loop {
            let name = self.name("the name of a chosen value")?;
            self.expect(":", "between a chosen value and its type")?;
            selects.push(Select { name, ty: self.type_expr()? });
            if !self.accept(",") {
                return Ok(selects);
            }
        }
    }
}

/// Reads a label as a whole. `None` if it is empty or has a mistake, which is told with its place
/// in the model.
pub(crate) fn read_label<T>(
    fragment: &Fragment,
    place: &str,
    diagnostics: &mut Diagnostics,
    parse: impl FnOnce(&mut Cursor<'_>) -> Parsed<T>,
) -> Option<T> {
    let mut own = Diagnostics::default();
    let mut cursor = Cursor::new(fragment, &mut own);
    let parsed = if *cursor.peek() == TokenKind::End {
        None
    } else {
        let parsed = parse(&mut cursor).ok();
        if parsed.is_some() {
            cursor.accept(";");
            cursor.expect_end(place);
        }
        parsed
    };
    add_with_place(own, place, diagnostics);
    parsed
}

/// Adds messages with their place in the model, unless they have one.
pub(crate) fn add_with_place(messages: Diagnostics, place: &str, diagnostics: &mut Diagnostics) {
    for message in messages.iter() {
        let message = message.clone();
        let is_placed = message.notes.iter().any(|note| note.starts_with("in "));
        diagnostics.push(if place.is_empty() || is_placed {
            message
        } else {
            message.note(format!("in {place}"))
        });
    }
}

/// Whether a condition is only `1` or `true`, as tools write an empty guard.
pub(crate) fn is_trivial(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Bool(true) | ExprKind::Int(1))
}
