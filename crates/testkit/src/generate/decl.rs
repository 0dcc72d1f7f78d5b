//! Declarations: types and variables, global and local.

use std::sync::Arc;

use beeline_promela::ast::*;

use super::build::*;
use super::feature::Feature;
use super::generator::Generator;
use super::scope::{MtypeSet, Record, Type, Var};

/// The position of a declaration, which determines what may be declared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Site {
    Global,
    /// At the start of a process.
    Process,
    /// Further inside, as a statement.
    Block,
    /// In a typedef.
    Field,
}

impl Generator<'_> {
    /// Types, then variables, then channels.
    pub(super) fn globals(&mut self, units: &mut Vec<UnitKind>) {
        if self.chosen(Feature::Mtype) {
            self.mtype_set(None, units);
        }
        if !self.mtypes.is_empty() && self.chosen(Feature::MtypeSet) {
            self.mtype_set(Some("colour".into()), units);
        }
        if self.chosen(Feature::Record) {
            for _ in 0..self.rng.between(1, 2) {
                self.record(units);
            }
        }
        for _ in 0..self.rng.between(self.config.globals.0, self.config.globals.1) {
            let decl = self.variable(Site::Global);
            units.push(UnitKind::Variables(decl));
        }
        for _ in 0..self.rng.between(0, self.config.channels) {
            if self.weight(Feature::Buffered) + self.rendezvous_weight() > 0 {
                units.push(UnitKind::Variables(self.global_channel()));
            }
        }
    }

    fn mtype_set(&mut self, name: Option<Arc<str>>, units: &mut Vec<UnitKind>) {
        let words = ["ready", "go", "stop", "red", "green", "blue"];
        let start = if name.is_some() { 3 } else { 0 };
        let constants: Vec<Arc<str>> = words[start..start + self.rng.between(2, 3) as usize]
            .iter()
            .map(|&w| w.into())
            .collect();
        units.push(UnitKind::Mtype(MtypeDecl {
            set: name.clone().map(ident),
            names: constants.iter().cloned().map(ident).collect(),
        }));
        self.mtypes.push(MtypeSet { name, constants });
    }

    fn record(&mut self, units: &mut Vec<UnitKind>) {
        let name: Arc<str> = format!("Record{}", self.records.len()).into();
        let mut fields = Vec::new();
        let mut groups = Vec::new();
        let outer = std::mem::take(&mut self.vars);
        for _ in 0..self.rng.between(1, 2) {
            groups.push(self.variable(Site::Field));
            fields.extend(self.vars.last().cloned());
        }
        self.vars = outer;
        units.push(UnitKind::Typedef(Typedef { name: ident(name.clone()), fields: groups }));
        self.records.push(Record { name, fields });
    }

    /// Declares one variable.
    pub(super) fn variable(&mut self, site: Site) -> VarDecl {
        let (ty, bound) = self.variable_type(site);
        let name = self.fresh_name(site);
        let affordable = self.bits(ty, bound) * 3 <= self.bits_left;
        let may_be_array = affordable && !matches!(site, Site::Block);
        let length = (may_be_array && self.chosen(Feature::Array)).then(|| self.rng.between(2, 3));
        let mut declared = declarator(name.clone());
        declared.length = length.map(number);
        if let Type::Unsigned(width) = ty {
            declared.width = Some(number(width));
            declared.length = None;
        }
        let length = declared.length.as_ref().and(length);
        if site != Site::Field {
            self.spend(self.bits(ty, bound) * length.unwrap_or(1));
        }
        declared.init = self.initial_value(site, ty, bound, length);
        let global = site == Site::Global;
        self.vars.push(Var { name, ty, bound, length, global, frozen: false });
        let mut decl = declaration(self.type_name(ty), vec![declared]);
        decl.visibility = self.visibility(site, ty);
        decl
    }

    /// Names grow with the number of variables in scope, so that sibling blocks reuse them, but
    /// never a name that is already in scope.
    fn fresh_name(&mut self, site: Site) -> Arc<str> {
        let (prefix, number) = match site {
            Site::Global => ("g", self.vars.len()),
            Site::Field => ("f", self.vars.len()),
            // An underscore keeps SPIN from expanding `select` in its lexer.
            Site::Process | Site::Block => (self.local_prefix, self.vars.len()),
        };
        let local = matches!(site, Site::Process | Site::Block);
        let underscore = if local && self.rng.percent(30) { "_" } else { "" };
        format!("{prefix}{underscore}{number}").into()
    }

    fn variable_type(&mut self, site: Site) -> (Type, u32) {
        let records = self.records.len() as u32;
        let record_ok = !matches!(site, Site::Block) && records > 0;
        if record_ok && self.rng.percent(self.weight(Feature::Record)) {
            return (Type::Record(self.rng.below(records) as usize), 1);
        }
        let sets = self.mtypes.len() as u32;
        if sets > 0 && self.rng.percent(30) {
            return (Type::Mtype(self.rng.below(sets) as usize), 1);
        }
        if site != Site::Field && self.chosen(Feature::Unsigned) {
            let width = self.rng.between(1, 2);
            return (Type::Unsigned(width), 1 << width);
        }
        if self.chosen(Feature::Signed) {
            let ty = if self.rng.percent(50) { Type::Short } else { Type::Int };
            return (ty, 2);
        }
        let scarce = self.bits_left < 4;
        if scarce || self.rng.percent(45) {
            (Type::Bit, 2)
        } else {
            (Type::Byte, self.config.domain)
        }
    }

    fn initial_value(
        &mut self,
        site: Site,
        ty: Type,
        bound: u32,
        length: Option<u32>,
    ) -> Option<Initializer> {
        if site == Site::Field || !ty.is_scalar() {
            return None;
        }
        if let Some(length) = length {
            let list = site != Site::Block && !matches!(ty, Type::Mtype(_));
            return (list && self.chosen(Feature::ArrayInit)).then(|| {
                Initializer::List((0..length).map(|_| number(self.rng.below(bound))).collect())
            });
        }
        // The initial value of a global is a constant; that of a local may be any expression.
        self.rng.percent(45).then(|| {
            Initializer::Value(match ty {
                Type::Mtype(set) => var(self.mtypes[set].constants[0].clone()),
                _ if site == Site::Block => self.value(ty, bound),
                _ => number(self.rng.below(bound)),
            })
        })
    }

    fn visibility(&mut self, site: Site, ty: Type) -> Option<Visibility> {
        if site != Site::Global {
            return None;
        }
        let kinds = [
            (Feature::Hidden, Visibility::Hidden),
            (Feature::Show, Visibility::Show),
            (Feature::LocalVisibility, Visibility::Local),
        ];
        let (_, kind) = kinds.into_iter().find(|&(feature, _)| self.chosen(feature))?;
        // SPIN cannot hide a bit.
        (ty != Type::Bit || kind != Visibility::Hidden).then_some(kind)
    }

    fn global_channel(&mut self) -> VarDecl {
        let array = self.chosen(Feature::ChannelArray);
        let signature = self.signature(if array { 2 } else { 1 });
        // On an array of rendezvous channels, partners would rarely meet.
        let array = array && self.signatures[signature].capacity > 0;
        self.declare_channel(format!("c{}", self.vars.len()).into(), signature, true, array)
    }

    /// Declares a channel of a signature.
    pub(super) fn declare_channel(
        &mut self,
        name: Arc<str>,
        signature: usize,
        global: bool,
        array: bool,
    ) -> VarDecl {
        let length = array.then_some(2);
        let mut declared = declarator(name.clone());
        declared.length = length.map(number);
        declared.init = Some(self.channel_init(signature));
        let ty = Type::Chan(signature);
        self.vars.push(Var { name, ty, bound: 1, length, global, frozen: true });
        declaration(TypeName::Chan, vec![declared])
    }
}
