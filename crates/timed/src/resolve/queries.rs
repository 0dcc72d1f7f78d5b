//! Queries: their conditions refer to the processes of the network.

use beeline_source::diagnostic::Diagnostics;

use super::{Context, ResolvedModel, Resolver};
use crate::network::TimedNetwork;
use crate::network::code::Code;
use crate::network::types::ValueType;
use crate::syntax::tree::{Expr, QueryForm, QueryText};

/// What a query asks, with resolved names.
#[derive(Clone, Debug)]
pub enum QueryCode {
    /// `E<> p`.
    Possibly(Code),
    /// `A[] p`.
    Invariantly(Code),
    /// `E[] p`.
    PotentiallyAlways(Code),
    /// `A<> p`.
    Eventually(Code),
    /// `p --> q`.
    LeadsTo(Code, Code),
    /// It is not supported, or has a mistake.
    Refused(String),
}

/// A query with resolved names.
#[derive(Clone, Debug)]
pub struct Query {
    /// Its number, from 1; empty formulas are not counted.
    pub number: usize,
    /// The formula in one line.
    pub text: String,
    /// What it asks.
    pub code: QueryCode,
}

/// Resolves a query. Mistakes make it a refused one: the model is sound without it. The positions
/// at which its evaluation may fail are added to the network.
pub(crate) fn resolve_query(model: &mut ResolvedModel, query: &QueryText) -> Query {
    let mut condition = |expr: &Expr| in_query(model, expr);
    let code = match &query.form {
        QueryForm::Possibly(expr) => condition(expr).map(QueryCode::Possibly),
        QueryForm::Invariantly(expr) => condition(expr).map(QueryCode::Invariantly),
        QueryForm::PotentiallyAlways(expr) => condition(expr).map(QueryCode::PotentiallyAlways),
        QueryForm::Eventually(expr) => condition(expr).map(QueryCode::Eventually),
        QueryForm::LeadsTo(first, then) => condition(first)
            .and_then(|first| condition(then).map(|then| QueryCode::LeadsTo(first, then))),
        QueryForm::Refused(why) => Err(why.clone()),
        QueryForm::Broken(why) => Err(format!("the formula has a mistake: {why}")),
    };
    let code = code.unwrap_or_else(QueryCode::Refused);
    Query { number: query.number, text: query.text.clone(), code }
}

fn in_query(model: &mut ResolvedModel, expr: &Expr) -> Result<Code, String> {
    let mut diagnostics = Diagnostics::default();
    let net = std::mem::take(&mut model.net);
    let mut resolver = Resolver {
        net,
        scopes: std::mem::take(&mut model.names),
        diagnostics: &mut diagnostics,
        locals: std::mem::take(&mut model.locals),
        frame: 0,
        context: Context::Query,
        scalars: u32::MAX / 2,
        has_effects: false,
        writes_references: false,
        place: String::new(),
        result: ValueType::Void,
    };
    let resolved = resolver.condition(expr);
    let has_effects = resolver.has_effects;
    let Resolver { net, scopes, locals, .. } = resolver;
    let _: &TimedNetwork = &net;
    (model.net, model.names, model.locals) = (net, scopes, locals);
    match resolved {
        Ok(_) if has_effects => Err("a query must not change variables".to_owned()),
        Ok(code) => Ok(code),
        Err(_) => {
            let why = diagnostics.iter().next().map(|one| match &one.fix {
                Some(fix) => format!("{}; {}", one.message, fix.advice),
                None => one.message.clone(),
            });
            Err(why.unwrap_or_else(|| "the formula has a mistake".to_owned()))
        }
    }
}
