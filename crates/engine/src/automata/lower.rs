//! Lowering of resolved statements to elements, in the order in which SPIN's parser creates them,
//! so that they get SPIN's numbers.
//!
//! The parser works from the inside out: the elements of a block are numbered before the block
//! itself, and a selection gets two elements (the choice and the join after it) after all its
//! options.

use beeline_promela::hir::{
    Access, BinaryOp, ChannelQuery, Expr, ExprKind, For, Init, LabelId, LocalId, Model, Process,
    ProcessId, RecvArg, Root, SelectForm, Stmt, StmtKind,
};
use beeline_promela::source::Span;

use super::action::EdgeAction;
use super::elements::{
    Body, El, Element, Elements, Holding, Merge, Node, Seq, Sequence, Status, Target,
};

/// A statement whose inside is numbered, but not the statement itself.
struct Pending {
    kind: PendingKind,
    span: Span,
}

enum PendingKind {
    Simple(Node),
    If(Vec<Seq>),
    Do(Vec<Seq>, Exit),
    Unless(Seq, Seq),
    Labelled(LabelId, Box<Pending>),
}

/// A loop's exit.
#[derive(Clone, Copy)]
struct Exit(usize);

/// A sequence under construction.
#[derive(Clone, Copy, Default)]
struct Open {
    first: Option<El>,
    last: Option<El>,
}

struct Lowering<'a> {
    process: &'a Process,
    id: ProcessId,
    elements: Elements,
    /// Sequences being filled, innermost last.
    open: Vec<Open>,
    /// Number of the next element in the process.
    next_location: u32,
    /// Loops around the statement.
    exits: Vec<Exit>,
    exits_made: usize,
}

/// Lowers every process of the model.
pub(super) fn lower(model: &Model) -> Elements {
    let mut elements = Elements { has_rendezvous: has_rendezvous(model), ..Elements::default() };
    let mut exits_made = 0;
    for (number, process) in model.processes.iter().enumerate() {
        let mut lowering = Lowering {
            process,
            id: ProcessId(number as u32),
            elements,
            open: Vec::new(),
            next_location: 1,
            exits: Vec::new(),
            exits_made,
        };
        lowering.process();
        exits_made = lowering.exits_made;
        elements = lowering.elements;
    }
    for formula in model.formula_exprs() {
        refer_to_labels(&mut elements, formula);
    }
    elements
}

fn has_rendezvous(model: &Model) -> bool {
    let locals = model.processes.iter().flat_map(|process| &process.locals);
    let fields = model.structs.iter().flat_map(|structure| &structure.fields);
    model
        .globals
        .iter()
        .chain(locals)
        .chain(fields)
        .any(|variable| matches!(&variable.init, Init::Channel(channel) if channel.capacity == 0))
}

/// Marks the labels that an expression observes from outside their process. A label on a jump would
/// vanish with it, so a `skip` is inserted before the jump.
fn refer_to_labels(elements: &mut Elements, expr: &Expr) {
    let mut found = Vec::new();
    expr.visit(&mut |expr| {
        if let ExprKind::RemoteLabel { process, label, .. } = expr.kind {
            found.push(Target::Label(process, label));
        }
    });
    for target in found {
        let el = elements.target(target);
        if matches!(elements.get(el).node, Node::Goto(_)) {
            let Target::Label(process, _) = target else {
                continue;
            };
            let body = &mut elements.bodies[process.index()];
            let location = body.locations;
            body.locations += 1;
            let jump = El(elements.elements.len());
            let original = elements.get(el).clone();
            let id = jump.0 as u32;
            elements.elements.push(Element {
                node: original.node,
                location,
                id,
                next: original.next,
                below: Vec::new(),
                escapes: Vec::new(),
                status: Status::default(),
                merge: Merge::default(),
                dead: Vec::new(),
                labels: Vec::new(),
                span: original.span,
            });
            let skip = elements.get_mut(el);
            skip.node = Node::EdgeAction(EdgeAction::skip(original.span));
            skip.next = Some(jump);
        }
        elements.get_mut(el).status.remote = true;
    }
}

impl Lowering<'_> {
    fn process(&mut self) {
        if let Some(provided) = &self.process.provided {
            refer_to_labels(&mut self.elements, provided);
        }
        self.open.push(Open::default());
        self.sequence(&self.process.body);
        let end = Pending {
            kind: PendingKind::Simple(Node::EdgeAction(EdgeAction::End)),
            span: self.process.end,
        };
        self.add(end);
        let sequence = self.close();
        let end = self.elements.sequence(sequence).last;
        self.elements.bodies.push(Body {
            process: self.id,
            sequence,
            locations: self.next_location,
            end,
        });
    }

    fn sequence(&mut self, body: &[Stmt]) {
        for stmt in body {
            if let Some(pending) = self.stmt(stmt) {
                self.add(pending);
            }
        }
    }

    /// A sequence of statements.
    fn enclosed(&mut self, body: &[Stmt]) -> Seq {
        self.open.push(Open::default());
        self.sequence(body);
        self.close()
    }

    fn close(&mut self) -> Seq {
        let open = self.open.pop().expect("every open sequence is closed once");
        let span = self.process.end;
        // The resolver rejects empty sequences; an error-free model never needs this.
        let first = open
            .first
            .unwrap_or_else(|| self.element(Node::EdgeAction(EdgeAction::skip(span)), span));
        let last = open.last.unwrap_or(first);
        self.elements.sequences.push(Sequence {
            first,
            last,
            extent: last,
            covered_by: None,
            held: None,
        });
        Seq(self.elements.sequences.len() - 1)
    }

    fn element(&mut self, node: Node, span: Span) -> El {
        let el = El(self.elements.elements.len());
        self.elements.elements.push(Element {
            node,
            location: self.next_location,
            id: el.0 as u32,
            next: None,
            below: Vec::new(),
            escapes: Vec::new(),
            status: Status::default(),
            merge: Merge::default(),
            dead: Vec::new(),
            labels: Vec::new(),
            span,
        });
        self.next_location += 1;
        el
    }

    /// Numbers the inside of a statement. `None` if the statement is already added.
    fn stmt(&mut self, stmt: &Stmt) -> Option<Pending> {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.stmt_kind(stmt))
    }

    fn stmt_kind(&mut self, stmt: &Stmt) -> Option<Pending> {
        let span = stmt.span;
        self.refer(&stmt.kind);
        let kind = match &stmt.kind {
            StmtKind::Labelled { label, stmt: inner } => {
                if let StmtKind::Select { form: SelectForm::Counting, .. } = inner.kind {
                    return self.labelled_counting(*label, inner);
                }
                let inner = self.stmt(inner)?;
                PendingKind::Labelled(*label, Box::new(inner))
            }
            StmtKind::Unless { body, escape } => return self.unless(body, escape, span),
            StmtKind::If(options) => {
                let options = self.options(options);
                PendingKind::If(options)
            }
            StmtKind::Do(options) => {
                let exit = self.enter_loop();
                let options = self.options(options);
                self.exits.pop();
                PendingKind::Do(options, exit)
            }
            StmtKind::For { over, body } => return self.for_loop(over, body, span),
            StmtKind::Select { var, from, to, form } => {
                return self.select(var, from, to, *form, span);
            }
            StmtKind::Atomic(body) => {
                let seq = self.enclosed(body);
                self.elements.make_atomic(seq, Holding::Atomic);
                PendingKind::Simple(Node::Atomic(seq))
            }
            StmtKind::DStep(body) => {
                let seq = self.enclosed(body);
                self.elements.make_atomic(seq, Holding::DStep);
                PendingKind::Simple(Node::DStep(seq))
            }
            StmtKind::Block(body) => PendingKind::Simple(Node::Block(self.enclosed(body))),
            StmtKind::Break => {
                let exit = self.exits.last().expect("the resolver found the loop");
                PendingKind::Simple(Node::Goto(Target::Exit(exit.0)))
            }
            StmtKind::Goto(jump) => {
                let label = self.process.jumps[jump.index()];
                PendingKind::Simple(Node::Goto(Target::Label(self.id, label)))
            }
            simple => PendingKind::Simple(Node::EdgeAction(action(simple))),
        };
        Some(Pending { kind, span })
    }

    /// Marks the labels of other processes that a statement observes.
    fn refer(&mut self, kind: &StmtKind) {
        let elements = &mut self.elements;
        let mut refer = |expr: &Expr| refer_to_labels(elements, expr);
        match kind {
            StmtKind::Assign { value, .. } => refer(value),
            StmtKind::Guard(expr) | StmtKind::Assert(expr) | StmtKind::PrintM(expr) => refer(expr),
            StmtKind::Send { args, .. } | StmtKind::Print { args, .. } => {
                args.iter().for_each(refer)
            }
            StmtKind::SetPriority(a, b) => {
                refer(a);
                refer(b);
            }
            _ => {}
        }
    }

    fn enter_loop(&mut self) -> Exit {
        let exit = Exit(self.exits_made);
        self.exits_made += 1;
        self.exits.push(exit);
        exit
    }

    fn options(&mut self, options: &[Vec<Stmt>]) -> Vec<Seq> {
        let options: Vec<Seq> = options.iter().map(|option| self.enclosed(option)).collect();
        let claim = self.process.kind == beeline_promela::hir::ProcessKind::Never;
        if !claim {
            for &option in &options {
                self.drop_repeated_skips(option);
            }
        }
        options
    }

    /// SPIN drops a `skip` that follows another one inside an option.
    fn drop_repeated_skips(&mut self, option: Seq) {
        let sequence = self.elements.sequence(option);
        let mut skips = 0;
        let mut before: Option<El> = None;
        let mut at = Some(sequence.first);
        while let Some(el) = at {
            let element = self.elements.get(el);
            at = element.next;
            let Node::EdgeAction(action) = &element.node else {
                skips = 0;
                before = Some(el);
                continue;
            };
            if !action.is_skip() || !element.labels.is_empty() {
                skips = 0;
                before = Some(el);
                continue;
            }
            skips += 1;
            let prints = matches!(action, EdgeAction::Print { .. } | EdgeAction::PrintM(_));
            let edge = el == sequence.first || el == sequence.last || el == sequence.extent;
            match before {
                Some(before) if skips > 1 && !prints && !edge => {
                    self.elements.get_mut(before).next = at;
                }
                _ => before = Some(el),
            }
        }
    }

    fn unless(&mut self, body: &Stmt, escape: &Stmt, span: Span) -> Option<Pending> {
        // The parser reads the body first, and numbers the escape before the body's own element.
        let body = self.stmt(body);
        let escape = self.stmt(escape)?;
        let body = body?;
        let escape = match escape.kind {
            PendingKind::Simple(Node::Block(seq)) => seq,
            _ => self.alone(escape),
        };
        let span_of_body = body.span;
        match body.kind {
            PendingKind::Simple(Node::Block(seq)) => {
                Some(Pending { kind: PendingKind::Unless(seq, escape), span })
            }
            PendingKind::Labelled(label, inner) => match inner.kind {
                PendingKind::Simple(
                    node @ (Node::Block(seq) | Node::Atomic(seq) | Node::DStep(seq)),
                ) => {
                    // The label stays outside: `label: { body unless escape }`.
                    let inside = Pending { kind: PendingKind::Unless(seq, escape), span };
                    let wrapped = self.alone(inside);
                    let node = match node {
                        Node::Atomic(_) => Node::Atomic(wrapped),
                        Node::DStep(_) => Node::DStep(wrapped),
                        _ => Node::Block(wrapped),
                    };
                    let block = Pending { kind: PendingKind::Simple(node), span };
                    Some(Pending { kind: PendingKind::Labelled(label, Box::new(block)), span })
                }
                kind => {
                    let inner = Pending { kind, span: inner.span };
                    let labelled = Pending {
                        kind: PendingKind::Labelled(label, Box::new(inner)),
                        span: span_of_body,
                    };
                    let seq = self.alone(labelled);
                    Some(Pending { kind: PendingKind::Unless(seq, escape), span })
                }
            },
            kind => {
                let seq = self.alone(Pending { kind, span: span_of_body });
                Some(Pending { kind: PendingKind::Unless(seq, escape), span })
            }
        }
    }

    /// A sequence of one statement.
    fn alone(&mut self, pending: Pending) -> Seq {
        self.open.push(Open::default());
        self.add(pending);
        self.close()
    }

    fn add_action(&mut self, action: EdgeAction, span: Span) {
        self.add(Pending { kind: PendingKind::Simple(Node::EdgeAction(action)), span });
    }

    fn for_loop(&mut self, over: &For, body: &[Stmt], span: Span) -> Option<Pending> {
        let exit = self.enter_loop();
        let (counter, start, condition) = match over {
            For::Range { var, from, to } => {
                let condition = binary(BinaryOp::LessEqual, read(var), to.clone());
                (var.clone(), from.clone(), condition)
            }
            For::Channel { counter, channel, .. } => {
                let counter = local(*counter, span);
                let length = ExprKind::Channel(ChannelQuery::Len, channel.clone());
                let condition = binary(BinaryOp::Less, read(&counter), Expr { kind: length, span });
                (counter, number(0, span), condition)
            }
        };
        self.add_action(EdgeAction::Assign { target: counter.clone(), value: start }, span);
        self.open.push(Open::default());
        self.add_action(EdgeAction::Guard(condition), span);
        if let For::Channel { fields, channel, .. } = over {
            let stores = fields.iter().cloned().map(RecvArg::Store).collect();
            let channel = channel.clone();
            let receive = EdgeAction::Receive {
                channel: channel.clone(),
                random: false,
                peek: false,
                args: stores,
            };
            self.add_action(receive, span);
            let args = fields.iter().map(read).collect();
            self.add_action(EdgeAction::Send { channel, sorted: false, args }, span);
        }
        self.sequence(body);
        let pending = self.count_up(&counter, exit, true, span);
        self.exits.pop();
        Some(pending)
    }

    /// The end of a counting loop whose body is being filled: the increment, and the exit, which is
    /// the first option.
    fn count_up(&mut self, counter: &Access, exit: Exit, with_else: bool, span: Span) -> Pending {
        let value = binary(BinaryOp::Add, read(counter), number(1, span));
        self.add_action(EdgeAction::Assign { target: counter.clone(), value }, span);
        let body = self.close();
        self.open.push(Open::default());
        if with_else {
            self.add_action(EdgeAction::Else, span);
        }
        self.add(Pending { kind: PendingKind::Simple(Node::Goto(Target::Exit(exit.0))), span });
        let leave = self.close();
        Pending { kind: PendingKind::Do(vec![leave, body], exit), span }
    }

    fn select(
        &mut self,
        var: &Access,
        from: &Expr,
        to: &Expr,
        form: SelectForm,
        span: Span,
    ) -> Option<Pending> {
        let assign = |value: Expr| EdgeAction::Assign { target: var.clone(), value };
        match form {
            SelectForm::Options => {
                let (first, last) = (from.kind.constant()?, to.kind.constant()?);
                let mut options = Vec::new();
                for value in first..=last {
                    self.open.push(Open::default());
                    self.add_action(assign(number(value, span)), span);
                    options.push(self.close());
                }
                Some(Pending { kind: PendingKind::If(options), span })
            }
            SelectForm::Counting => {
                self.add_action(assign(from.clone()), span);
                Some(self.counting(var, to, span))
            }
            SelectForm::General => {
                self.add_action(assign(from.clone()), span);
                self.open.push(Open::default());
                let condition = binary(BinaryOp::Less, read(var), to.clone());
                self.add_action(EdgeAction::Guard(condition), span);
                let exit = self.enter_loop();
                let pending = self.count_up(var, exit, false, span);
                self.exits.pop();
                Some(pending)
            }
        }
    }

    /// `do :: (x < to) -> x++ :: break od`
    fn counting(&mut self, var: &Access, to: &Expr, span: Span) -> Pending {
        let exit = self.enter_loop();
        self.open.push(Open::default());
        self.add_action(EdgeAction::Guard(binary(BinaryOp::Less, read(var), to.clone())), span);
        let value = binary(BinaryOp::Add, read(var), number(1, span));
        self.add_action(EdgeAction::Assign { target: var.clone(), value }, span);
        let count = self.close();
        self.open.push(Open::default());
        self.add(Pending { kind: PendingKind::Simple(Node::Goto(Target::Exit(exit.0))), span });
        let leave = self.close();
        self.exits.pop();
        Pending { kind: PendingKind::Do(vec![count, leave], exit), span }
    }

    /// SPIN's replacement text begins with an assignment, which gets the label.
    fn labelled_counting(&mut self, label: LabelId, select: &Stmt) -> Option<Pending> {
        let StmtKind::Select { var, from, to, .. } = &select.kind else {
            return None;
        };
        let span = select.span;
        let assign = EdgeAction::Assign { target: var.clone(), value: from.clone() };
        let first = Pending { kind: PendingKind::Simple(Node::EdgeAction(assign)), span };
        self.add(Pending { kind: PendingKind::Labelled(label, Box::new(first)), span });
        Some(self.counting(var, to, span))
    }

    /// Numbers a statement and appends it to the open sequence.
    fn add(&mut self, pending: Pending) {
        let mut labels = Vec::new();
        let mut pending = pending;
        while let PendingKind::Labelled(label, inner) = pending.kind {
            labels.push(label);
            pending = *inner;
        }
        let span = pending.span;
        let (el, append) = match pending.kind {
            PendingKind::Simple(node) => (self.element(node, span), true),
            PendingKind::If(options) => (self.choice(options, None, span), false),
            PendingKind::Do(options, exit) => (self.choice(options, Some(exit), span), false),
            PendingKind::Unless(body, escape) => (self.unless_elements(body, escape, span), false),
            PendingKind::Labelled(..) => return,
        };
        for label in labels.into_iter().rev() {
            self.elements.set_label(Target::Label(self.id, label), el);
        }
        if append {
            self.append(el);
        }
    }

    /// Appends an element to the open sequence. A jump with a special label gets a `skip` before it
    /// that has the label.
    fn append(&mut self, el: El) {
        if matches!(self.elements.get(el).node, Node::Goto(_)) && self.has_special_label(el) {
            let span = self.elements.get(el).span;
            let skip = self.element(Node::EdgeAction(EdgeAction::skip(span)), span);
            if let Some(label) = self.elements.get_mut(el).labels.pop() {
                self.elements.set_label(label, skip);
            }
            self.append(skip);
        }
        let mut open = *self.open.last().expect("statements are added inside a sequence");
        link(&mut self.elements, &mut open, el);
        *self.open.last_mut().expect("as above") = open;
    }

    fn has_special_label(&self, el: El) -> bool {
        self.elements.get(el).labels.iter().any(|&label| match label {
            Target::Label(_, id) => {
                let label = &self.process.labels[id.index()];
                label.is_accept() || label.is_end() || label.is_progress()
            }
            Target::Exit(_) => false,
        })
    }

    fn choice(&mut self, mut options: Vec<Seq>, exit: Option<Exit>, span: Span) -> El {
        let choice = self.element(Node::Choice, span);
        let join = self.element(Node::Join, span);
        // `else` comes last, independent of its position in the source.
        let is_else = |seq: &Seq| {
            let first = self.elements.sequence(*seq).first;
            matches!(self.elements.get(first).node, Node::EdgeAction(EdgeAction::Else))
        };
        if let Some(at) = options.iter().position(is_else) {
            let last = options.remove(at);
            options.push(last);
        }
        for &option in &options {
            self.append_to(option, join);
        }
        self.elements.get_mut(choice).below = options;
        match exit {
            None => {
                self.append(choice);
                self.append(join);
            }
            Some(exit) => {
                self.append(join);
                let leave = self.element(Node::LoopExit, span);
                self.elements.set_label(Target::Exit(exit.0), leave);
                self.append(choice);
                self.append(leave);
            }
        }
        choice
    }

    fn unless_elements(&mut self, body: Seq, escape: Seq, span: Span) -> El {
        let unless = self.element(Node::Unless, span);
        let join = self.element(Node::Join, span);
        self.elements.get_mut(unless).below = vec![body, escape];
        self.append_to(body, join);
        self.append_to(escape, join);
        self.elements.attach_escape(body, escape);
        self.append(unless);
        self.append(join);
        unless
    }

    /// Appends an element to a closed sequence; its extent stays.
    fn append_to(&mut self, seq: Seq, el: El) {
        let last = self.elements.sequence(seq).last;
        self.elements.get_mut(last).next = Some(el);
        self.elements.sequences[seq.0].last = el;
    }
}

fn link(elements: &mut Elements, open: &mut Open, el: El) {
    match open.last {
        Some(last) => elements.get_mut(last).next = Some(el),
        None => open.first = Some(el),
    }
    open.last = Some(el);
}

/// Statements that become a single element.
fn action(kind: &StmtKind) -> EdgeAction {
    match kind.clone() {
        StmtKind::Declare { var, value } => EdgeAction::Declare { var, value },
        StmtKind::Assign { target, value } => EdgeAction::Assign { target, value },
        StmtKind::Send { channel, sorted, args } => EdgeAction::Send { channel, sorted, args },
        StmtKind::Receive { channel, random, peek, args } => {
            EdgeAction::Receive { channel, random, peek, args }
        }
        StmtKind::Else => EdgeAction::Else,
        StmtKind::Assert(condition) => EdgeAction::Assert(condition),
        StmtKind::Print { format, args } => EdgeAction::Print { format, args },
        StmtKind::PrintM(value) => EdgeAction::PrintM(value),
        StmtKind::SetPriority(process, priority) => EdgeAction::SetPriority(process, priority),
        StmtKind::Guard(condition) => EdgeAction::Guard(condition),
        compound => unreachable!("{compound:?} has parts of its own and is lowered elsewhere"),
    }
}

fn number(value: i32, span: Span) -> Expr {
    Expr { kind: ExprKind::Const(value), span }
}

fn read(access: &Access) -> Expr {
    Expr { kind: ExprKind::Read(access.clone()), span: access.span }
}

fn local(id: LocalId, span: Span) -> Access {
    Access { root: Root::Local(id), index: None, path: Vec::new(), span }
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = left.span;
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span }
}
