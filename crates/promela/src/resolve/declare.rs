//! Declarations: globals, parameters, locals, fields.

use super::scope::Local;
use super::{Extent, Global, MOST_VALUES, Resolver};
use crate::ast::{self, Declarator, Expr, Initializer, Node, TypeName, VarDecl};
use crate::hir::{
    ChannelShape, DeclaredValue, GlobalId, Init, LocalId, Role, Stmt, StmtKind, Struct, StructId,
    Type, Variable, Visibility,
};
use beeline_source::diagnostic::Diagnostic;
use beeline_source::source::Span;

impl Resolver<'_> {
    pub(super) fn typedef(&mut self, typedef: &ast::Typedef) {
        let id = StructId(self.model.structs.len() as u32);
        let mut fields: Vec<Variable> = Vec::new();
        let mut extent = Extent::default();
        for decl in &typedef.fields {
            for declarator in &decl.vars {
                let name = &declarator.name.name;
                match extent.fields.get(name) {
                    Some(&earlier) => {
                        let first = fields[earlier as usize].name.span;
                        self.report_redeclaration(&declarator.name, first);
                    }
                    None => {
                        extent.fields.insert(name.clone(), fields.len() as u32);
                    }
                }
                let variable = self.variable(decl, declarator, Role::Field);
                let length = variable.length.unwrap_or(1) as usize;
                let scalars = length.saturating_mul(self.scalars(variable.ty));
                extent.scalars = extent.scalars.saturating_add(scalars);
                let depth = match variable.ty {
                    Type::Struct(inner) => self.structs[inner.index()].depth + 1,
                    _ => 1,
                };
                extent.depth = extent.depth.max(depth);
                fields.push(variable);
            }
        }
        self.structs.push(extent);
        self.model.structs.push(Struct { name: typedef.name.clone(), fields });
        self.declare_global(&typedef.name, Global::Struct(id));
    }

    pub(super) fn global_variables(&mut self, decl: &VarDecl) {
        for declarator in &decl.vars {
            let id = GlobalId(self.model.globals.len() as u32);
            let variable = self.variable(decl, declarator, Role::Global);
            self.declare_global(&declarator.name, Global::Variable(id));
            self.model.globals.push(variable);
        }
    }

    pub(super) fn params(&mut self, decl: &VarDecl) {
        for declarator in &decl.vars {
            if let Some(init) = &declarator.init {
                let span = self.initializer_span(init, declarator.span.0);
                self.report(
                    Diagnostic::error(
                        "initialised-parameter",
                        span,
                        "a parameter gets its value from `run`",
                    )
                    .label("initial value of a parameter")
                    .help("remove it, and give the value where the process is started: `run P(value)`"),
                );
            }
            if declarator.length.is_some() {
                self.report(
                    Diagnostic::error(
                        "array-parameter",
                        declarator.span.0,
                        "an array cannot be a parameter",
                    )
                    .label("an array")
                    .help("make the array global, or wrap it in a typedef"),
                );
            }
            let variable = self.variable(decl, declarator, Role::Param);
            self.declare_local(variable);
            if let Some(process) = &mut self.process {
                process.params += 1;
            }
        }
    }

    /// Local variables. Those declared after the first statement are initialised by statements.
    pub(super) fn local_variables(&mut self, decl: &VarDecl, span: Span, into: &mut Vec<Stmt>) {
        let initial = self.scope.declarations_are_initial;
        for declarator in &decl.vars {
            let mut variable = self.variable(decl, declarator, Role::Local);
            if initial {
                self.declare_local(variable);
                continue;
            }
            let value = match std::mem::replace(&mut variable.init, Init::Zero) {
                Init::Zero => None,
                Init::Value(value) => Some(DeclaredValue::Value(value)),
                Init::List(values) => Some(DeclaredValue::List(values)),
                Init::Channel(channel) => {
                    self.report(
                        Diagnostic::error(
                            "late-channel",
                            declarator.span.0,
                            format!(
                                "channel `{}` is declared after the first statement",
                                declarator.name.name
                            ),
                        )
                        .label("too late for `= [n] of { … }`")
                        .note("a process's channels exist from its start")
                        .help("move the declaration to the start of the proctype"),
                    );
                    variable.init = Init::Channel(channel);
                    None
                }
            };
            let var = self.declare_local(variable);
            into.push(Stmt { kind: StmtKind::Declare { var, value }, span });
        }
    }

    /// Adds a local variable to the process and its scope.
    pub(super) fn declare_local(&mut self, variable: Variable) -> LocalId {
        let name = variable.name.clone();
        let earlier = match self.scope.find(&name.name) {
            Some(entry) => Some(entry.span),
            None => self.globals.get(&name.name).map(|&(_, span)| span),
        };
        if let Some(first) = earlier {
            self.report_redeclaration(&name, first);
        }
        let process = self.process.as_mut().expect("locals are declared inside a process");
        let id = LocalId(process.locals.len() as u32);
        process.locals.push(variable);
        self.scope.add(name.name, Local::Variable(id), name.span);
        id
    }

    fn variable(&mut self, decl: &VarDecl, declarator: &Declarator, role: Role) -> Variable {
        let name = declarator.name.clone();
        let mut ty = self.ty(&decl.ty, decl.ty_span.0);
        match (&mut ty, &declarator.width) {
            (Type::Unsigned(bits), Some(width)) => {
                *bits = self.width(width);
            }
            (Type::Unsigned(_), None) => self.report(
                Diagnostic::error(
                    "unsigned-without-width",
                    name.span,
                    "an unsigned needs its number of bits",
                )
                .label("how many bits?")
                .fix("for example", name.span.after(), " : 8"),
            ),
            (_, Some(width)) => self.report(
                Diagnostic::error(
                    "unexpected-width",
                    width.span,
                    "only an `unsigned` has a number of bits",
                )
                .label("remove this, or declare it `unsigned`"),
            ),
            (_, None) => {}
        }
        if decl.visibility == Some(Visibility::Hidden) && ty == Type::Bit {
            self.report(
                Diagnostic::error("hidden-bit", name.span, "a bit or bool cannot be hidden")
                    .label("declared `hidden`")
                    .help("use `hidden byte`"),
            );
        }
        let length = declarator.length.as_ref().map(|length| self.length(length));
        if role != Role::Field {
            self.check_size(length, ty, declarator);
        }
        let init = match &declarator.init {
            None => Init::Zero,
            Some(init) => self.initializer(init, ty, length, declarator),
        };
        Variable { name, ty, length, init, visibility: decl.visibility, role }
    }

    /// Checks the upper bound on the values of a state.
    fn check_size(&mut self, length: Option<u32>, ty: Type, declarator: &Declarator) {
        let values = (length.unwrap_or(1) as usize).saturating_mul(self.scalars(ty));
        match self.values_left.checked_sub(values) {
            Some(left) => self.values_left = left,
            None => self.report(
                Diagnostic::error(
                    "too-many-values",
                    declarator.name.span,
                    format!("all variables together have at most {MOST_VALUES} values"),
                )
                .label(format!("{values} more"))
                .help("each state stores all of them: use smaller arrays"),
            ),
        }
    }

    pub(super) fn ty(&mut self, ty: &TypeName, span: Span) -> Type {
        match ty {
            TypeName::Bit => Type::Bit,
            TypeName::Byte => Type::Byte,
            TypeName::Short => Type::Short,
            TypeName::Int => Type::Int,
            TypeName::Unsigned => Type::Unsigned(16),
            TypeName::Chan => Type::Chan,
            TypeName::Mtype(None) => Type::Mtype(None),
            TypeName::Mtype(Some(set)) => Type::Mtype(Some(self.mtype_set(Some(set.name.clone())))),
            TypeName::Named(name) => match self.globals.get(&name.name) {
                Some((Global::Struct(id), _)) => Type::Struct(*id),
                _ => {
                    self.report(
                        Diagnostic::error(
                            "unknown-type",
                            span,
                            format!("there is no type `{}`", name.name),
                        )
                        .label("not a type"),
                    );
                    Type::Int
                }
            },
        }
    }

    fn width(&mut self, width: &Expr) -> u8 {
        let value = self.constant(width, "the number of bits").unwrap_or(1);
        if !(1..32).contains(&value) {
            self.report(
                Diagnostic::error("bad-width", width.span, "an unsigned has 1 to 31 bits")
                    .label(format!("{value} bits")),
            );
        }
        value.clamp(1, 31) as u8
    }

    fn length(&mut self, length: &Expr) -> u32 {
        let value = self.size(length, "the size of an array").unwrap_or(1);
        if value <= 0 {
            self.report(
                Diagnostic::error(
                    "bad-array-size",
                    length.span,
                    "an array has at least one element",
                )
                .label(format!("{value} elements")),
            );
        }
        value.max(1) as u32
    }

    fn initializer_span(&self, init: &Initializer, fallback: Span) -> Span {
        match init {
            Initializer::Value(value) => value.span,
            Initializer::List(values) => values.first().map_or(fallback, |value| value.span),
            Initializer::Channel { capacity, .. } => capacity.span,
        }
    }

    fn initializer(
        &mut self,
        init: &Initializer,
        ty: Type,
        length: Option<u32>,
        declarator: &Declarator,
    ) -> Init {
        let name = &declarator.name;
        match init {
            Initializer::Value(value) => {
                let resolved = self.value(value);
                self.check_assignable(ty, &resolved, name.span);
                Init::Value(resolved)
            }
            Initializer::List(values) => self.list_initializer(values, length, declarator),
            Initializer::Channel { capacity, fields } => {
                self.channel_initializer(capacity, fields, ty, declarator)
            }
        }
    }

    fn list_initializer(
        &mut self,
        values: &[Expr],
        length: Option<u32>,
        declarator: &Declarator,
    ) -> Init {
        let name = &declarator.name.name;
        let Some(length) = length else {
            self.report(
                Diagnostic::error(
                    "list-for-scalar",
                    declarator.span.0,
                    format!("`{name}` is not an array"),
                )
                .label("a list initialises an array"),
            );
            return Init::Zero;
        };
        let mut list = Vec::new();
        for value in values {
            if let Some(constant) = self.constant(value, "an element of the list") {
                let kind = crate::hir::ExprKind::Const(constant);
                list.push(crate::hir::Expr { kind, span: value.span });
            }
        }
        if list.len() > length as usize {
            let plural = if length == 1 { "" } else { "s" };
            self.report(
                Diagnostic::warning(
                    "list-too-long",
                    values[length as usize].span,
                    "the list is longer than the array",
                )
                .label(format!("ignored: `{name}` has {length} element{plural}")),
            );
        }
        Init::List(list)
    }

    fn channel_initializer(
        &mut self,
        capacity: &Expr,
        fields: &[Node<TypeName>],
        ty: Type,
        declarator: &Declarator,
    ) -> Init {
        if ty != Type::Chan {
            self.report(
                Diagnostic::error(
                    "channel-for-variable",
                    declarator.span.0,
                    format!("`{}` is not a channel", declarator.name.name),
                )
                .label("`[n] of { … }` makes a channel")
                .help("declare it with `chan`"),
            );
        }
        let size = self.constant(capacity, "the size of a channel").unwrap_or(0);
        if !(0..=255).contains(&size) {
            self.report(
                Diagnostic::error(
                    "bad-channel-size",
                    capacity.span,
                    "a channel holds 0 to 255 messages",
                )
                .label(format!("{size} messages")),
            );
        }
        let fields = fields.iter().map(|field| self.message_field(field)).collect();
        Init::Channel(ChannelShape { capacity: size.clamp(0, 255) as u32, fields })
    }

    fn message_field(&mut self, field: &Node<TypeName>) -> Type {
        if field.kind == TypeName::Unsigned {
            self.report(
                Diagnostic::error(
                    "unsigned-message",
                    field.span,
                    "`unsigned` cannot be a field of a message",
                )
                .label("not possible here")
                .fix("use the next larger type", field.span, "int"),
            );
        }
        self.ty(&field.kind, field.span)
    }
}
