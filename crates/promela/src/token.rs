//! Tokens: the output of the lexer and of the preprocessor.

use std::collections::HashMap;
use std::sync::Arc;

use beeline_source::source::Span;

/// The spelling of a token, interned. Keywords come first: see [`Keyword`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

/// Spellings, each stored once.
#[derive(Clone, Debug)]
pub struct Interner {
    spellings: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, Symbol>,
}

impl Default for Interner {
    fn default() -> Self {
        let mut interner = Interner { spellings: Vec::new(), numbers: HashMap::new() };
        for (spelling, _) in KEYWORDS {
            interner.intern(spelling);
        }
        interner
    }
}

impl Interner {
    /// The symbol of a spelling.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.numbers.get(text) {
            return symbol;
        }
        let symbol = Symbol(self.spellings.len() as u32);
        let text: Arc<str> = text.into();
        self.spellings.push(text.clone());
        self.numbers.insert(text, symbol);
        symbol
    }

    /// The symbol of a spelling, if it has one already.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.numbers.get(text).copied()
    }

    /// The spelling of a symbol.
    pub fn text(&self, symbol: Symbol) -> &Arc<str> {
        &self.spellings[symbol.0 as usize]
    }
}

impl Symbol {
    /// The keyword with this spelling, if there is one.
    pub fn keyword(self) -> Option<Keyword> {
        KEYWORDS.get(self.0 as usize).map(|&(_, keyword)| keyword)
    }
}

/// The kind of a token. All words are `Word`: the parser tells keywords from names, since a macro
/// may have any name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// A name or keyword.
    Word,
    /// A decimal number.
    Number,
    /// A string, with its quotes.
    String,
    /// A character constant, with its quotes.
    Char,
    /// An operator or a bracket.
    Punct(Punct),
    /// A character that starts no token: an error, unless the preprocessor or embedded C skips it.
    Unknown,
    /// The end of the input.
    End,
}

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// Its spelling.
    pub text: Symbol,
    /// Its position in the text, and the macros it came through.
    pub span: Span,
    /// First on its line: Promela inserts some semicolons at line ends. In a macro expansion, only
    /// the first token can have it, and only if the call has it.
    pub starts_line: bool,
    /// White space or a comment stands before it.
    pub spaced: bool,
}

macro_rules! puncts {
    ($($name:ident $text:literal $doc:literal),* $(,)?) => {
        /// Operators and brackets.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Punct { $(#[doc = $doc] $name),* }

        impl Punct {
            /// Every operator, longest spelling first, so that the first match is the longest.
            pub const ALL: &'static [(&'static str, Punct)] = &[$(($text, Punct::$name)),*];

            /// How it is written.
            pub fn text(self) -> &'static str {
                match self { $(Punct::$name => $text),* }
            }
        }
    };
}

puncts! {
    Equivalent "<->" "`<->`, in ltl",
    Or "||" "or", And "&&" "and", AndMath "/\\" "`/\\` in ltl", OrMath "\\/" "`\\/` in ltl",
    Equal "==" "equal", NotEqual "!=" "not equal",
    LessEqual "<=" "at most", GreaterEqual ">=" "at least",
    ShiftLeft "<<" "shift left", ShiftRight ">>" "shift right",
    Arrow "->" "separator, conditional, or implication",
    Increment "++" "increment", Decrement "--" "decrement",
    Option "::" "starts an option", DotDot ".." "range",
    SortedSend "!!" "sorted send", RandomReceive "??" "random receive",
    Paste "##" "token pasting (preprocessor)",
    Always "[]" "`[]`, in ltl", Eventually "<>" "`<>`, in ltl",
    BraceOpen "{" "brace", BraceClose "}" "brace",
    ParenOpen "(" "parenthesis", ParenClose ")" "parenthesis",
    BracketOpen "[" "bracket", BracketClose "]" "bracket",
    Semicolon ";" "separator", Comma "," "comma", Colon ":" "colon", Dot "." "dot",
    Assign "=" "assignment", Bang "!" "send or not", Question "?" "receive",
    Less "<" "less", Greater ">" "greater",
    Plus "+" "plus", Minus "-" "minus", Star "*" "times", Slash "/" "divide",
    Percent "%" "modulo", Amp "&" "bitwise and", Pipe "|" "bitwise or",
    Caret "^" "bitwise exclusive or", Tilde "~" "bitwise not",
    At "@" "remote label", Hash "#" "directive or stringize (preprocessor)",
    Dollar "$" "dollar", Backslash "\\" "backslash",
}

macro_rules! keywords {
    ($($name:ident $text:literal),* $(,)?) => {
        /// The reserved words of Promela.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "each variant is its own spelling")]
        pub enum Keyword { $($name),* }

        const KEYWORDS: &[(&str, Keyword)] = &[$(($text, Keyword::$name)),*];
    };
}

keywords! {
    Active "active", Assert "assert", Atomic "atomic", Bit "bit", Bool "bool", Break "break",
    Byte "byte", CCode "c_code", CDecl "c_decl", CExpr "c_expr", CState "c_state",
    CTrack "c_track", DProctype "D_proctype", Do "do", Chan "chan", Else "else", Empty "empty",
    Enabled "enabled", Eval "eval", False "false", Fi "fi", For "for", Full "full",
    GetPriority "get_priority", Goto "goto", Hidden "hidden", If "if", Init "init",
    Inline "inline", Int "int", Len "len", Local "local", Ltl "ltl", Mtype "mtype",
    Nempty "nempty", Never "never", Nfull "nfull", Notrace "notrace", Np "np_", Od "od",
    Of "of", PcValue "pc_value", Pid "pid", Printf "printf", Printm "printm",
    Priority "priority", Proctype "proctype", Provided "provided", Return "return", Run "run",
    DStep "d_step", Select "select", SetPriority "set_priority", Short "short", Skip "skip",
    Timeout "timeout", Trace "trace", True "true", Show "show", Typedef "typedef",
    Unless "unless", Unsigned "unsigned", Xr "xr", Xs "xs",
}

impl Keyword {
    /// How it is written.
    pub fn text(self) -> &'static str {
        KEYWORDS[self as usize].0
    }

    /// Every keyword's spelling.
    pub fn spellings() -> impl Iterator<Item = &'static str> {
        KEYWORDS.iter().map(|&(text, _)| text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_interned_under_their_own_number() {
        let mut interner = Interner::default();
        for &(text, keyword) in KEYWORDS {
            assert_eq!(interner.intern(text).keyword(), Some(keyword));
            assert_eq!(keyword.text(), text);
        }
        assert_eq!(interner.intern("proctypo").keyword(), None);
    }

    #[test]
    fn longer_operators_are_listed_before_their_prefixes() {
        for (at, (text, _)) in Punct::ALL.iter().enumerate() {
            let shadowed = Punct::ALL[..at].iter().any(|(earlier, _)| text.starts_with(earlier));
            assert!(!shadowed, "{text} can never be read");
        }
    }
}
