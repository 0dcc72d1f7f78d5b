//! From the syntax tree to a network: names are resolved, constants computed, templates
//! instantiated.

mod assigned;
mod declarations;
mod expressions;
mod functions;
mod instances;
mod lvalues;
pub mod queries;
pub(crate) mod scope;

use std::sync::Arc;

use beeline_source::diagnostic::{Diagnostic, Diagnostics, did_you_mean};
use beeline_source::source::Span;

use crate::network::TimedNetwork;
use crate::network::code::Code;
use crate::network::memory::Memory;
use crate::network::types::ValueType;
use crate::syntax::cursor::Failed;
use crate::syntax::tree::{Document, Ident};
use scope::{Names, Scopes, Symbol};

/// The result of resolving a part; the mistake is told.
pub(crate) type Resolved<T> = Result<T, Failed>;

/// Values, clocks and channels that a model may have.
const MOST_VALUES: usize = 1 << 20;

/// A network with the names that queries use.
#[derive(Clone, Debug)]
pub struct ResolvedModel {
    /// The network.
    pub net: TimedNetwork,
    /// The global names, with those of the processes.
    pub(crate) names: Scopes,
    /// By process: its names.
    pub(crate) locals: Vec<Names>,
}

/// Where a comparison of clocks, a location or `deadlock` may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Context {
    /// In a guard or an invariant.
    Condition,
    /// In a query.
    Query,
    /// In an update or a function.
    Statement,
}

/// What resolves a model.
struct Resolver<'d> {
    net: TimedNetwork,
    scopes: Scopes,
    diagnostics: &'d mut Diagnostics,
    /// By process: its names.
    locals: Vec<Names>,
    /// The next value of the frame.
    frame: u32,
    context: Context,
    /// The number of sets of scalars.
    scalars: u32,
    /// Whether an expression that was resolved since the flag was cleared changes a variable
    /// outside its frame or a clock.
    has_effects: bool,
    /// The same for what the references of a function refer to.
    writes_references: bool,
    /// The place in the model that messages name.
    place: String,
    /// The values that the function returns, while its body is resolved.
    result: ValueType,
}

/// Resolves a model; `None` if it has mistakes, which are told.
pub(crate) fn resolve(document: &Document, diagnostics: &mut Diagnostics) -> Option<ResolvedModel> {
    let mut resolver = Resolver {
        net: TimedNetwork { has_vectors: document.has_vectors, ..TimedNetwork::default() },
        scopes: Scopes { blocks: vec![Names::new(), Names::new()] },
        diagnostics,
        locals: Vec::new(),
        frame: 0,
        context: Context::Statement,
        scalars: 0,
        has_effects: false,
        writes_references: false,
        place: String::new(),
        result: ValueType::Void,
    };
    resolver.net.clocks.push("0".to_owned());
    for (name, bits) in
        [("int8_t", 8), ("uint8_t", 8), ("int16_t", 16), ("uint16_t", 16), ("int32_t", 32)]
    {
        let (low, high) = match (name.starts_with('u'), bits) {
            (true, _) => (0, (1_i64 << bits) - 1),
            (false, _) => (-(1_i64 << (bits - 1)), (1_i64 << (bits - 1)) - 1),
        };
        let ty = ValueType::Int(low as i32, high as i32);
        resolver.scopes.blocks[0].insert(name.into(), Symbol::Type(ty, false));
        // `INT8_MIN` and `INT8_MAX` for `int8_t`.
        let prefix = name.trim_end_matches("_t").to_uppercase();
        for (end, value) in [("MIN", low), ("MAX", high)] {
            let ty = ValueType::Int(i32::MIN, i32::MAX);
            let symbol = resolver.constant_symbol(ty, vec![value as i32]);
            let name = format!("{prefix}_{end}");
            resolver.scopes.blocks[0].insert(name.into(), Symbol::Value(symbol));
        }
    }
    // A declaration with a mistake is told; those behind it are read nonetheless.
    resolver.declare_all(&document.decls);
    if resolver.diagnostics.has_errors() {
        return None;
    }
    let _ = resolver.processes(document);
    if resolver.diagnostics.has_errors() {
        return None;
    }
    let Resolver { net, scopes, locals, .. } = resolver;
    Some(ResolvedModel { net, names: scopes, locals })
}

impl Resolver<'_> {
    /// Tells a mistake.
    fn fail<T>(&mut self, span: Span, message: impl Into<String>) -> Resolved<T> {
        self.tell(Diagnostic::error("timed-type", span, message))
    }

    fn tell<T>(&mut self, mut message: Diagnostic) -> Resolved<T> {
        if !self.place.is_empty() {
            message = message.note(format!("in {}", self.place));
        }
        self.diagnostics.push(message);
        Err(Failed)
    }

    /// Refuses a feature of the language by its name.
    fn refuse<T>(&mut self, span: Span, feature: &str) -> Resolved<T> {
        self.tell(crate::syntax::cursor::refusal(span, feature))
    }

    /// What a name stands for.
    fn find(&mut self, name: &Arc<str>, span: Span) -> Resolved<Symbol> {
        if let Some(symbol) = self.scopes.find(name) {
            return Ok(symbol.clone());
        }
        if self.diagnostics.is_forgiven(name) {
            return Err(Failed);
        }
        let names = self.scopes.names();
        let similar = did_you_mean(name, names).map(|similar| format!("did you mean `{similar}`?"));
        let message = format!("the name `{name}` is not declared");
        let error = Diagnostic::error("timed-name", span, message);
        self.tell(match similar {
            Some(similar) => error.help(similar),
            None => error,
        })
    }

    fn declare(&mut self, name: &Ident, symbol: Symbol) -> Resolved<()> {
        if self.scopes.declare(&name.text, symbol) {
            return Ok(());
        }
        let message = format!("the name `{}` is declared twice", name.text);
        self.tell(Diagnostic::error("timed-name", name.span, message))
    }

    /// Resolves a part whose names are visible only there.
    fn in_block<T>(&mut self, resolve: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.blocks.push(Names::new());
        let resolved = resolve(self);
        self.scopes.blocks.pop();
        resolved
    }

    /// The number of a position at which a step may fail.
    fn site(&mut self, span: Span) -> u32 {
        self.net.sites.push(span);
        self.net.sites.len() as u32 - 1
    }

    /// New values of the frame.
    fn reserve(&mut self, size: usize) -> u32 {
        let first = self.frame;
        self.frame = first.saturating_add(u32::try_from(size).unwrap_or(u32::MAX));
        self.net.longest_frame = self.net.longest_frame.max(self.frame + 1);
        first
    }

    /// The value of an expression that must be known before a run.
    fn evaluate(&mut self, code: &Code, span: Span) -> Resolved<i32> {
        if let Code::Const(value) = code {
            return Ok(*value);
        }
        if !self.is_known_before_a_run(code) {
            return self.fail(span, "this must be computable before a run, from constants");
        }
        let value = Memory::new(&self.net).eval(code);
        value.or_else(|fault| self.fail(span, format!("this has no value: {}", fault.kind)))
    }
}
