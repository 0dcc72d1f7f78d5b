//! Processes: templates with the values of their parameters.

use std::collections::HashMap;
use std::sync::Arc;

use beeline_source::diagnostic::did_you_mean;
use beeline_source::source::Span;

use super::assigned::assigned_names;
use super::declarations::unbounded;
use super::functions::process_name;
use super::scope::{Names, ProcessSet, Symbol, ValueSymbol};
use super::{Context, Resolved, Resolver};
use crate::network::code::{Code, Place};
use crate::network::operators::{Quantifier, TimedOperator};
use crate::network::traverse::has_clocks;
use crate::network::types::ValueType;
use crate::network::{Sync, TimedEdge, TimedLocation, TimedProcess, TimedVariable};
use crate::read::xml::edge_name;
use crate::syntax::cursor::Failed;
use crate::syntax::tree::{
    Direction, Document, EdgeDecl, Expr, Ident, Instantiation, Parameter, SyncExpr, Template,
};

/// Processes that a model may have.
const MOST_PROCESSES: usize = 10_000;

/// Choices of values that an edge may have.
const MOST_VARIANTS: u32 = 1 << 20;

/// How deep instantiations of instantiations may be.
const DEEPEST: usize = 50;

impl Resolver<'_> {
    /// The processes of the `system` line.
    pub(super) fn processes(&mut self, document: &Document) -> Resolved<()> {
        if document.has_vectors {
            self.events(document);
        }
        for name in &document.system {
            let before = self.net.processes.len();
            // Those with a mistake are told; the others are read nonetheless.
            let Ok(parameters) = self.free_parameters(document, name) else { continue };
            let mut set = ProcessSet { parameters: parameters.len(), ..ProcessSet::default() };
            let sizes = parameters.iter().map(|(_, ty, _)| {
                let (low, high) = ty.bounds();
                (i64::from(high) - i64::from(low) + 1).max(0) as u128
            });
            let count: u128 = sizes.product();
            if count + before as u128 > MOST_PROCESSES as u128 {
                return self.fail(name.span, format!("more than {MOST_PROCESSES} processes"));
            }
            let mut values: Vec<i32> = parameters.iter().map(|(_, ty, _)| ty.bounds().0).collect();
            for _ in 0..count {
                let number = self.net.processes.len() as u32;
                self.instantiate(document, name, &parameters, &values)?;
                set.instances.insert(values.clone(), number);
                for (value, (_, ty, _)) in values.iter_mut().zip(&parameters).rev() {
                    let (low, high) = ty.bounds();
                    if *value < high {
                        *value += 1;
                        break;
                    }
                    *value = low;
                }
            }
            self.scopes.blocks[0].insert(name.text.clone(), Symbol::Processes(Arc::new(set)));
        }
        if document.has_vectors {
            self.vectors(document)?;
        } else {
            self.common_events();
        }
        Ok(())
    }

    /// Channels without a direction: all processes with such an edge move together.
    fn common_events(&mut self) {
        for event in 0..self.net.events.len() as u32 {
            let has_event = |process: &TimedProcess| {
                process
                    .edges
                    .iter()
                    .any(|edge| matches!(edge.sync, Sync::Event(its) if its == event))
            };
            let users = self.net.processes.iter().enumerate();
            let users = users.filter(|(_, process)| has_event(process));
            let vector: Vec<(u32, u32, bool)> =
                users.map(|(number, _)| (number as u32, event, false)).collect();
            if vector.len() > 1 {
                self.net.vectors.push(vector);
            }
        }
    }

    /// The parameters over which the processes of a name range: name, type, whether constant.
    fn free_parameters(
        &mut self,
        document: &Document,
        name: &Ident,
    ) -> Resolved<Vec<(Ident, ValueType, bool)>> {
        let parameters: &[Parameter] = match self.definition(document, name)? {
            Definition::Template(template) => &template.parameters,
            Definition::Instantiation(instantiation) => &instantiation.parameters,
        };
        let mut free = Vec::new();
        for parameter in parameters {
            let (ty, is_const) = self.declared_type(&parameter.ty, &parameter.declarator)?;
            let name = &parameter.declarator.name;
            let is_default = ty.bounds() == crate::network::types::DEFAULT_INT;
            if parameter.declarator.is_reference || !ty.is_integral() || is_default {
                let message = format!(
                    "the parameter `{}` has no value: instantiate the template with arguments",
                    name.text
                );
                return self.fail(name.span, message);
            }
            free.push((name.clone(), ty, is_const));
        }
        Ok(free)
    }

    fn definition<'d>(&mut self, document: &'d Document, name: &Ident) -> Resolved<Definition<'d>> {
        let of_name = |one: &&'d Instantiation| one.name.text == name.text;
        if let Some(instantiation) = document.instantiations.iter().find(of_name) {
            return Ok(Definition::Instantiation(instantiation));
        }
        let template = document.templates.iter().find(|one| one.name.text == name.text);
        if let Some(template) = template {
            return Ok(Definition::Template(template));
        }
        let templates = document.templates.iter().map(|one| &*one.name.text);
        let known = templates.chain(document.instantiations.iter().map(|one| &*one.name.text));
        let similar = did_you_mean(&name.text, known);
        let message = format!("there is no template `{}`", name.text);
        let error = beeline_source::diagnostic::Diagnostic::error("timed-name", name.span, message);
        self.tell(match similar {
            Some(similar) => error.help(format!("did you mean `{similar}`?")),
            None => error,
        })
    }

    fn instantiate(
        &mut self,
        document: &Document,
        name: &Ident,
        parameters: &[(Ident, ValueType, bool)],
        values: &[i32],
    ) -> Resolved<()> {
        let process: Arc<str> = process_name(&name.text, values);
        let mut arguments = Names::new();
        for ((parameter, ty, is_const), &value) in parameters.iter().zip(values) {
            let mut symbol = self.constant_symbol(ty.clone(), vec![value]);
            symbol.is_const = *is_const;
            arguments.insert(parameter.text.clone(), Symbol::Value(symbol));
        }
        let mut name = name.clone();
        for _ in 0..DEEPEST {
            match self.definition(document, &name)? {
                Definition::Template(template) => {
                    return self.template(template, &process, arguments);
                }
                Definition::Instantiation(instantiation) => {
                    arguments = self.bind(document, instantiation, arguments)?;
                    name = instantiation.template.clone();
                }
            }
        }
        self.fail(name.span, format!("`{}` is an instantiation of itself", name.text))
    }

    /// The values of the parameters of an instantiated template.
    fn bind(
        &mut self,
        document: &Document,
        instantiation: &Instantiation,
        outer: Names,
    ) -> Resolved<Names> {
        let parameters: &[Parameter] = match self.definition(document, &instantiation.template)? {
            Definition::Template(template) => &template.parameters,
            Definition::Instantiation(inner) => &inner.parameters,
        };
        let arguments = &instantiation.arguments;
        if parameters.len() != arguments.len() {
            let message = format!(
                "`{}` has {} parameters, not {}",
                instantiation.template.text,
                parameters.len(),
                arguments.len()
            );
            return self.fail(instantiation.name.span, message);
        }
        self.scopes.blocks.push(outer);
        let mut bound = Names::new();
        let mut result = Ok(());
        for (parameter, argument) in parameters.iter().zip(arguments) {
            match self.bind_one(parameter, argument) {
                Ok(symbol) => {
                    bound.insert(parameter.declarator.name.text.clone(), Symbol::Value(symbol));
                }
                Err(told) => result = Err(told),
            }
        }
        self.scopes.blocks.pop();
        result.map(|()| bound)
    }

    fn bind_one(&mut self, parameter: &Parameter, argument: &Expr) -> Resolved<ValueSymbol> {
        let (ty, is_const) = self.declared_type(&parameter.ty, &parameter.declarator)?;
        let ty = if is_const { unbounded(ty) } else { ty };
        let is_shared = ty.has(&ValueType::Clock) || ty.has(&ValueType::Chan);
        if ty.has(&ValueType::Clock) && !parameter.declarator.is_reference {
            let name = &parameter.declarator.name;
            let message = format!("a clock is passed by reference: write `clock &{}`", name.text);
            return self.fail(name.span, message);
        }
        if parameter.declarator.is_reference || is_shared {
            if ty.is_integral() && is_const && !self.is_place(argument) {
                let value = self.constant_of(argument, &ty)?;
                return Ok(self.constant_symbol(ty, vec![value]));
            }
            let (place, from) = self.place_of(argument)?;
            if !ty.accepts(&from) {
                return self.fail(argument.span, format!("a {ty} is passed here, not a {from}"));
            }
            let is_array = |ty: &ValueType| matches!(ty, ValueType::Array(..));
            let ty = if is_array(&ty) { from.clone() } else { ty };
            let Some(address) = place.known() else {
                return self.fail(argument.span, "the index must be computable before a run");
            };
            let place = Place::absolute(address);
            return Ok(ValueSymbol { ty, place, is_const, known: None });
        }
        if ty.is_integral() {
            self.refuse_variable_argument(argument)?;
            let value = self.constant_of(argument, &ty)?;
            let mut symbol = self.constant_symbol(ty, vec![value]);
            symbol.is_const = is_const;
            return Ok(symbol);
        }
        let (place, from) = self.place_of(argument)?;
        if !ty.accepts(&from) {
            return self.fail(argument.span, format!("a {ty} is passed here, not a {from}"));
        }
        let mut values = Vec::new();
        for at in 0..ty.size() {
            let mut one = place.clone();
            one.offset += at as u32;
            values.push(self.evaluate(&Code::Load(one), argument.span)?);
        }
        let mut symbol = self.constant_symbol(ty, values);
        symbol.is_const = is_const;
        Ok(symbol)
    }

    /// A parameter that is not constant is a variable of its process, and so no argument.
    fn refuse_variable_argument(&mut self, argument: &Expr) -> Resolved<()> {
        use crate::syntax::tree::ExprKind;
        if let ExprKind::Name(name) = &argument.kind
            && let Some(Symbol::Value(ValueSymbol { is_const: false, known: Some(_), .. })) =
                self.scopes.find(name)
        {
            let message =
                format!("`{name}` is a variable: declare the parameter as `const` to pass it on");
            return self.fail(argument.span, message);
        }
        Ok(())
    }

    /// A process of a template with these arguments.
    fn template(
        &mut self,
        template: &Template,
        process: &Arc<str>,
        arguments: Names,
    ) -> Resolved<()> {
        let assigned = assigned_names(template);
        let mut names = Names::new();
        for (name, symbol) in arguments {
            let symbol = match symbol {
                Symbol::Value(value) => Symbol::Value(self.parameter(
                    value,
                    &format!("{process}.{name}"),
                    assigned.contains(&name),
                )),
                other => other,
            };
            names.insert(name, symbol);
        }
        self.scopes.blocks.push(names);
        self.scopes.blocks.push(Names::new());
        self.place = format!("the declarations of template `{}`", template.name.text);
        let prefix = if self.net.has_vectors { String::new() } else { format!("{process}.") };
        self.declare_locals(&template.decls, &prefix);
        self.place.clear();
        let built = self.automaton(template, process);
        let mut locals = self.scopes.blocks.pop().unwrap_or_default();
        for (name, symbol) in self.scopes.blocks.pop().unwrap_or_default() {
            locals.entry(name).or_insert(symbol);
        }
        self.net.processes.push(built?);
        self.locals.push(locals);
        Ok(())
    }

    /// A parameter by value that the template assigns to is a variable of the process.
    fn parameter(&mut self, value: ValueSymbol, name: &str, is_assigned: bool) -> ValueSymbol {
        let is_constant =
            value.place.known().is_none_or(|at| at >= crate::network::memory::CONSTANTS);
        if value.is_const || !is_constant || !is_assigned || value.ty.has(&ValueType::Chan) {
            return value;
        }
        let first = value.place.known().map_or(0, |at| at - crate::network::memory::CONSTANTS);
        let place = Place::absolute(self.net.variables.len());
        let constants = self.net.constants[first..first + value.ty.size()].to_vec();
        let mut values = constants.into_iter();
        let variables = &mut self.net.variables;
        value.ty.leaves(name, &mut |name, ty| {
            let (low, high) = ty.bounds();
            let initial = values.next().unwrap_or(0);
            let name = name.to_owned();
            variables.push(TimedVariable { name, low, high, initial, is_written: false });
        });
        ValueSymbol { place, known: None, ..value }
    }

    fn automaton(&mut self, template: &Template, process: &Arc<str>) -> Resolved<TimedProcess> {
        let mut numbers: HashMap<Arc<str>, u32> = HashMap::new();
        let mut locations = Vec::new();
        let mut is_sound = true;
        for decl in &template.locations {
            if numbers.insert(decl.id.clone(), locations.len() as u32).is_some() {
                let message = format!("the location `{}` is declared twice", decl.id);
                is_sound &= self.fail::<()>(decl.span, message).is_ok();
            }
            let name: Arc<str> = decl.name.as_ref().map_or("".into(), |name| name.text.clone());
            let shown = if name.is_empty() { &decl.id } else { &name };
            let owner = format!("location `{shown}` of template `{}`", template.name.text);
            let invariant = decl.invariant.as_ref().map(|invariant| {
                self.checked_condition(invariant, format!("the invariant of {owner}"))
            });
            let invariant = match invariant.transpose() {
                Ok(Some(code)) if !is_convex(&code, true) => {
                    let message = "an invariant is a conjunction of comparisons of clocks, each \
                                   perhaps behind a condition on variables";
                    is_sound &= self.fail::<()>(decl.span, message).is_ok();
                    None
                }
                Ok(invariant) => invariant,
                Err(Failed) => {
                    is_sound = false;
                    None
                }
            };
            locations.push(TimedLocation {
                name,
                invariant,
                is_urgent: decl.is_urgent,
                is_committed: decl.is_committed,
                labels: decl.labels.clone(),
                span: decl.span,
            });
        }
        let Some(initial) = &template.initial else {
            let message = format!("template `{}` has no initial location", template.name.text);
            return self.fail(template.name.span, message);
        };
        let initial = self.location(&numbers, initial, template)?;
        let mut edges = Vec::new();
        let mut first = 0_u32;
        for decl in &template.edges {
            match self.edge(template, decl, &numbers, first) {
                Ok(edge) => {
                    first = first.saturating_add(edge.variants());
                    edges.push(edge);
                }
                Err(Failed) => is_sound = false,
            }
        }
        if !is_sound {
            return Err(Failed);
        }
        let mut leaving = vec![Vec::new(); locations.len()];
        for (number, edge) in edges.iter().enumerate() {
            leaving[edge.from as usize].push(number as u32);
        }
        Ok(TimedProcess { name: process.to_string(), locations, edges, initial, leaving })
    }

    fn location(
        &mut self,
        numbers: &HashMap<Arc<str>, u32>,
        name: &Ident,
        template: &Template,
    ) -> Resolved<u32> {
        if let Some(&number) = numbers.get(&name.text) {
            return Ok(number);
        }
        let message = format!("template `{}` has no location `{}`", template.name.text, name.text);
        self.fail(name.span, message)
    }

    /// A guard or an invariant: it may compare clocks, and has no effects.
    fn checked_condition(&mut self, condition: &Expr, place: String) -> Resolved<Code> {
        self.place = place;
        (self.context, self.has_effects) = (Context::Condition, false);
        let frame = self.frame;
        let code = self.condition(condition);
        self.frame = frame;
        self.context = Context::Statement;
        let code = match code {
            Ok(_) if self.has_effects => {
                self.fail(condition.span, "a condition must not change variables")
            }
            other => other,
        };
        self.place.clear();
        code
    }

    fn edge(
        &mut self,
        template: &Template,
        decl: &EdgeDecl,
        numbers: &HashMap<Arc<str>, u32>,
        first: u32,
    ) -> Resolved<TimedEdge> {
        let from = self.location(numbers, &decl.from, template)?;
        let to = self.location(numbers, &decl.to, template)?;
        let owner = edge_name(template, decl);
        self.frame = 0;
        self.in_block(|resolver| {
            let mut selects = Vec::new();
            let mut variants = 1_u64;
            for select in &decl.selects {
                resolver.place = format!("the choice of {owner}");
                let (ty, _) = resolver.resolve_type(&select.ty)?;
                if !ty.is_integral() {
                    let message = format!("values of type {ty} cannot be chosen");
                    return resolver.fail(select.name.span, message);
                }
                let (low, high) = ty.bounds();
                variants =
                    variants.saturating_mul((i64::from(high) - i64::from(low) + 1).max(0) as u64);
                let at = resolver.reserve(1);
                let place = Place::frame(at as usize);
                let value = ValueSymbol { ty, place, is_const: true, known: None };
                resolver.declare(&select.name, Symbol::Value(value))?;
                selects.push((select.name.text.clone(), low, high));
            }
            if variants + u64::from(first) > u64::from(MOST_VARIANTS) {
                return resolver.fail(decl.span, "an edge chooses from too many values");
            }
            let guard = decl
                .guard
                .as_ref()
                .map(|guard| resolver.checked_condition(guard, format!("the guard of {owner}")));
            let guard = guard.transpose()?;
            resolver.place = format!("the synchronisation of {owner}");
            let sync = resolver.sync(decl, guard.as_ref())?;
            resolver.place = format!("the updates of {owner}");
            let updates = decl.updates.iter().map(|update| resolver.effect(update)).collect();
            let updates: Resolved<Vec<Code>> = updates;
            let updates = updates?;
            resolver.place.clear();
            let (labels, span) = (labels_of(decl), decl.span);
            Ok(TimedEdge { from, to, first, selects, guard, sync, updates, span, labels })
        })
        .inspect_err(|_| self.place.clear())
    }

    fn sync(&mut self, decl: &EdgeDecl, guard: Option<&Code>) -> Resolved<Sync> {
        let (channel, direction) = match &decl.sync {
            None => return Ok(Sync::Internal),
            Some(SyncExpr::Event(event)) => return self.event(event),
            Some(SyncExpr::Channel(channel, direction)) => (channel, *direction),
        };
        let (place, ty) = self.place_of(channel)?;
        if ty != ValueType::Chan {
            return self.fail(channel.span, format!("a {ty} is no channel"));
        }
        let possible = place.range();
        let is_urgent = possible.is_some_and(|(first, last)| {
            self.net.channels[first..=last].iter().any(|one| one.is_urgent)
        });
        if is_urgent && guard.is_some_and(has_clocks) {
            let span = decl.guard.as_ref().map_or(decl.span, |guard| guard.span);
            return self.refuse(span, "guards on clocks of edges with urgent channels");
        }
        Ok(match direction {
            Direction::Send => Sync::Send(place),
            Direction::Receive => Sync::Receive(place),
        })
    }

    fn event(&mut self, event: &Ident) -> Resolved<Sync> {
        if !self.net.has_vectors {
            // A channel without a direction: another tool's event.
            let known = self.net.events.iter().position(|one| *one == event.text);
            let (place, ty) = match self.find(&event.text, event.span)? {
                Symbol::Value(ValueSymbol { place, ty, .. }) => (place, ty),
                _ => return self.fail(event.span, "this is no channel"),
            };
            let _ = place;
            if ty != ValueType::Chan {
                return self.fail(event.span, format!("a {ty} is no channel"));
            }
            let number = known.unwrap_or_else(|| {
                self.net.events.push(event.text.clone());
                self.net.events.len() - 1
            });
            return Ok(Sync::Event(number as u32));
        }
        let found = self.net.events.iter().position(|one| *one == event.text);
        match found {
            Some(number) => Ok(Sync::Event(number as u32)),
            None => self.fail(event.span, format!("the event `{}` is not declared", event.text)),
        }
    }

    fn events(&mut self, document: &Document) {
        let edges = document.templates.iter().flat_map(|one| &one.edges);
        let of_edges = edges.filter_map(|edge| match &edge.sync {
            Some(SyncExpr::Event(event)) => Some(event),
            _ => None,
        });
        let of_vectors = document.vectors.iter().flat_map(|one| &one.parts);
        for event in of_edges.chain(of_vectors.map(|(_, event, _)| event)) {
            if !self.net.events.contains(&event.text) {
                self.net.events.push(event.text.clone());
            }
        }
    }

    fn vectors(&mut self, document: &Document) -> Resolved<()> {
        for vector in &document.vectors {
            let mut parts: Vec<(u32, u32, bool)> = Vec::new();
            for (process, event, is_weak) in &vector.parts {
                let process_at = self.process_number(process, vector.span)?;
                if parts.iter().any(|&(other, ..)| other == process_at) {
                    return self.fail(process.span, "a process is in a vector at most once");
                }
                let event = self.net.events.iter().position(|one| *one == event.text);
                parts.push((process_at, event.unwrap_or(0) as u32, *is_weak));
            }
            self.net.vectors.push(parts);
        }
        Ok(())
    }

    fn process_number(&mut self, name: &Ident, span: Span) -> Resolved<u32> {
        let found = self.net.processes.iter().position(|one| one.name == *name.text);
        match found {
            Some(number) => Ok(number as u32),
            None => self.fail(span, format!("there is no process `{}`", name.text)),
        }
    }
}

/// Whether a condition that must hold (`holds`) demands a convex set of valuations.
fn is_convex(code: &Code, holds: bool) -> bool {
    match code {
        Code::Not(inner) => is_convex(inner, !holds),
        Code::And(left, right) | Code::Or(left, right) => {
            let is_and = matches!(code, Code::And(..)) == holds;
            let is_single = is_and || !has_clocks(left) || !has_clocks(right);
            is_single && is_convex(left, holds) && is_convex(right, holds)
        }
        Code::Conditional(_, yes, no) => is_convex(yes, holds) && is_convex(no, holds),
        Code::Quantified(quantifier, .., body) => {
            let is_and = (*quantifier == Quantifier::Forall) == holds;
            (is_and || !has_clocks(body)) && is_convex(body, holds)
        }
        Code::Clocks(comparison) => {
            let op = if holds { comparison.op } else { comparison.op.negated() };
            op != TimedOperator::NotEqual
        }
        _ => true,
    }
}

/// The positions of the labels of an edge.
fn labels_of(decl: &EdgeDecl) -> Vec<(Span, &'static str)> {
    let guard = decl.guard.iter().map(|guard| (guard.span, ""));
    let sync = decl.sync.iter().map(|sync| match sync {
        SyncExpr::Channel(channel, Direction::Send) => (channel.span, "!"),
        SyncExpr::Channel(channel, Direction::Receive) => (channel.span, "?"),
        SyncExpr::Event(event) => (event.span, ""),
    });
    guard.chain(sync).chain(decl.updates.iter().map(|update| (update.span, ""))).collect()
}

/// What a name in the `system` line or an instantiation stands for.
enum Definition<'d> {
    Template(&'d Template),
    Instantiation(&'d Instantiation),
}
