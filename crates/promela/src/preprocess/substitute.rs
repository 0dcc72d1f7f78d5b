//! A macro's body with its arguments.

use crate::token::Punct;
use beeline_source::source::ExpansionId;

use super::arguments::Arguments;

use super::lexeme::Lexeme;
use super::macros::{Macro, Part, PartKind};
use super::preprocessor::Preprocessor;

/// Upper bound on the macro calls of an argument token that are recorded again when the argument is
/// passed to one more call.
const LONGEST_MEMORY: usize = 8;

/// The part of the body that has been assembled.
struct Assembly {
    lexemes: Vec<Lexeme>,
    /// The left operand of a `##` has a last token to paste to.
    can_glue: bool,
    /// The next lexeme follows an argument.
    padded: bool,
    /// White space preceded an empty argument.
    spaced: bool,
}

impl Assembly {
    fn extend(&mut self, lexemes: impl IntoIterator<Item = Lexeme>) {
        for mut lexeme in lexemes {
            lexeme.padded |= std::mem::take(&mut self.padded);
            lexeme.token.spaced |= std::mem::take(&mut self.spaced);
            self.lexemes.push(lexeme);
        }
    }
}

impl Preprocessor<'_> {
    /// The tokens that a call expands to, before rescanning.
    pub(super) fn substitute(
        &mut self,
        called: &Macro,
        mut arguments: Arguments,
        expansion: ExpansionId,
    ) -> Vec<Lexeme> {
        let site = self.sources.expansion(expansion).call_site;
        for list in &mut arguments.lists {
            self.respan(list, expansion);
        }
        let mut expanded: Vec<Option<Vec<Lexeme>>> = vec![None; arguments.lists.len()];
        let mut made =
            Assembly { lexemes: Vec::new(), can_glue: false, padded: false, spaced: false };
        for (at, part) in called.body.iter().enumerate() {
            let before = at.checked_sub(1).map(|before| &called.body[before]);
            let glued = before.is_some_and(|before| before.pasted);
            if let (true, PartKind::Parameter(index)) = (glued, part.kind)
                && before.is_some_and(|before| before.lexeme.is(Punct::Comma))
                && called.variadic
                && index + 1 == arguments.lists.len()
            {
                // GNU: `, ## rest` pastes nothing, but drops the comma if the call has no argument
                // for the rest.
                if arguments.rest_omitted {
                    made.lexemes.pop();
                }
                made.extend(arguments.lists[index].iter().copied());
                made.can_glue = !arguments.lists[index].is_empty();
                continue;
            }
            let plain = !glued && !part.pasted;
            let operand = match part.kind {
                PartKind::Parameter(index) if plain => {
                    let list = &arguments.lists[index];
                    let expand = || self.expand_list(list.clone(), site);
                    expanded[index].get_or_insert_with(expand).clone()
                }
                PartKind::Parameter(index) => arguments.lists[index].clone(),
                PartKind::Quoted(index) => {
                    vec![self.stringize(&arguments.lists[index], &part.lexeme, expansion)]
                }
                PartKind::Token => {
                    let mut lexeme = part.lexeme;
                    lexeme.token.span = lexeme.token.span.within(expansion);
                    vec![lexeme]
                }
            };
            // Charged for each part, before the body grows too large to complete.
            if !self.charge(operand.len(), site) {
                break;
            }
            self.append(&mut made, operand, part, glued, expansion);
        }
        made.lexemes
    }

    fn append(
        &mut self,
        made: &mut Assembly,
        mut operand: Vec<Lexeme>,
        part: &Part,
        glued: bool,
        expansion: ExpansionId,
    ) {
        let from_argument = matches!(part.kind, PartKind::Parameter(_));
        if from_argument {
            match operand.first_mut() {
                Some(first) => first.token.spaced = part.lexeme.token.spaced,
                None => made.spaced |= part.lexeme.token.spaced,
            }
        }
        made.padded |= from_argument && !glued;
        made.can_glue &= glued;
        for (at, lexeme) in operand.into_iter().enumerate() {
            // If the number of `1st` was pasted to a word, its suffix is pasted too.
            let stray = lexeme.suffix && made.lexemes.last().is_some_and(Lexeme::is_word);
            let glue = (at == 0 && made.can_glue) || stray;
            match made.lexemes.pop_if(|_| glue) {
                Some(left) => made.extend(self.paste(left, lexeme, expansion)),
                None => made.extend([lexeme]),
            }
            made.can_glue = true;
        }
        made.padded |= from_argument && !part.pasted;
    }

    /// Adds the call to the expansion chains of its argument tokens. A token from macros within the
    /// argument keeps them: the chain is `N`'s body, `N`, the call.
    fn respan(&mut self, lexemes: &mut [Lexeme], call: ExpansionId) {
        let outside = self.sources.expansion(call).call_site.expansion;
        let mut last = None;
        for lexeme in lexemes {
            let seen = match (lexeme.token.span.expansion, last) {
                (None, _) => call,
                (own, _) if own == outside => call,
                (Some(own), Some((known, seen))) if own == known => seen,
                (Some(own), _) => self.retell(own, outside, call),
            };
            last = lexeme.token.span.expansion.map(|own| (own, seen));
            lexeme.token.span = lexeme.token.span.within(seen);
        }
    }

    /// The chain from `own` to `outside`, with `call` inserted before `outside`.
    fn retell(
        &mut self,
        own: ExpansionId,
        outside: Option<ExpansionId>,
        call: ExpansionId,
    ) -> ExpansionId {
        let mut chain = Vec::new();
        let mut next = Some(own);
        while let Some(id) = next
            && next != outside
            && chain.len() < LONGEST_MEMORY
        {
            chain.push(id);
            next = self.sources.expansion(id).call_site.expansion;
        }
        if next != outside || !self.charge(chain.len(), self.sources.expansion(call).call_site) {
            return call;
        }
        chain.into_iter().rev().fold(call, |seen, id| {
            let step = self.sources.expansion(id).clone();
            self.sources.add_expansion(step.kind, step.call_site.within(seen))
        })
    }
}
