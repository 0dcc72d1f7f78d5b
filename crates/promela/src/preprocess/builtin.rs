//! Predefined macros: `__LINE__`, `__FILE__`, `__COUNTER__` and `__STDC__`. Others are for
//! compilers.

use std::collections::HashMap;
use std::rc::Rc;

use crate::token::{Interner, Symbol, TokenKind};
use beeline_source::source::{FileId, Span};

use super::paste::{BYTES_PER_TOKEN, quoted};

use super::lexeme::Lexeme;
use super::macros::{Builtin, Macro};
use super::preprocessor::Preprocessor;

const BUILTINS: [(&str, Builtin); 4] = [
    ("__LINE__", Builtin::Line),
    ("__FILE__", Builtin::File),
    ("__COUNTER__", Builtin::Counter),
    ("__STDC__", Builtin::Stdc),
];

/// The initial table of macros.
pub(super) fn macros(root: FileId, interner: &mut Interner) -> HashMap<Symbol, Rc<Macro>> {
    let nowhere = Span::new(root, 0, 0);
    let macros = BUILTINS.map(|(name, builtin)| {
        let name = interner.intern(name);
        (name, Rc::new(Macro::builtin(name, builtin, nowhere)))
    });
    macros.into_iter().collect()
}

impl Preprocessor<'_> {
    /// The token that a predefined macro expands to, at the position of its name.
    pub(super) fn builtin(&mut self, builtin: Builtin, name: Lexeme) -> Lexeme {
        // In a macro's body, the position is that of the call; in running text and in arguments it
        // is that of the name.
        let place = if name.in_body { self.call.span } else { name.span() };
        let place = self.sources.written(place);
        let (kind, text) = match builtin {
            Builtin::Line => (TokenKind::Number, self.sources.line(place).1.to_string()),
            Builtin::File => (TokenKind::String, quoted(&self.sources.line(place).0)),
            Builtin::Counter => {
                self.counter += 1;
                (TokenKind::Number, (self.counter - 1).to_string())
            }
            Builtin::Stdc => (TokenKind::Number, "1".to_owned()),
        };
        // Charged because a file's name can contain an expanded `__FILE__`, so that names can grow.
        self.charge(text.len() / BYTES_PER_TOKEN, name.span());
        let mut lexeme = name;
        lexeme.token.kind = kind;
        lexeme.token.text = self.interner.intern(&text);
        lexeme
    }
}
