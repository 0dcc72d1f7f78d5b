//! The addresses of variables.

use beeline_engine::frame::{CHANNELS, LAST, PROCESSES};
use beeline_engine::layout::Scalar;
use beeline_kernel::FaultKind;
use beeline_promela::hir::{Access, Expr, Predefined, Root, Type};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};

use super::channels::Channel;
use super::function::{Function, INT, Owner};
use crate::context::at;

/// The address of a value: a constant offset, and a part computed at run time.
pub(super) struct VariableAddress {
    at: usize,
    moving: Option<Value>,
    stored: Scalar,
}

impl Function<'_, '_, '_> {
    /// The address of the value of a variable. An index out of bounds fails.
    pub(super) fn place(&mut self, access: &Access, owner: Owner) -> VariableAddress {
        let machine = self.program.machine;
        let (layout, model) = (machine.layout(), machine.model());
        let (mut at, mut moving, variable) = match access.root {
            Root::Global(id) => (layout.globals[id.index()], None, &model.globals[id.index()]),
            Root::Local(id)
                if machine.local_constants().of(owner.process, id.index()).is_some() =>
            {
                unreachable!("a variable that is in no state is never read")
            }
            Root::Local(id) => (
                layout.processes[owner.process.index()].locals[id.index()],
                Some(owner.record),
                &model.process(owner.process).locals[id.index()],
            ),
            Root::Predefined(_) => unreachable!("predefined variables have no place"),
        };
        let (mut ty, mut length) = (variable.ty, variable.length);
        let index = access.index.as_deref();
        self.element(index, length, layout.size(ty), &mut at, &mut moving, owner);
        for field in &access.path {
            let Type::Struct(id) = ty else {
                unreachable!("the resolver checked that only structures have fields")
            };
            at += layout.structs[id.index()].fields[field.field as usize];
            let declared = &model.structs[id.index()].fields[field.field as usize];
            (ty, length) = (declared.ty, declared.length);
            let index = field.index.as_ref();
            self.element(index, length, layout.size(ty), &mut at, &mut moving, owner);
        }
        VariableAddress { at, moving, stored: self.machine().layout().element(ty, length) }
    }

    fn element(
        &mut self,
        index: Option<&Expr>,
        length: Option<u32>,
        size: usize,
        at: &mut usize,
        moving: &mut Option<Value>,
        owner: Owner,
    ) {
        let (Some(index), Some(length)) = (index, length) else {
            return;
        };
        if let Some(constant) = index.kind.constant()
            && (0..i64::from(length)).contains(&i64::from(constant))
        {
            *at += constant as usize * size;
            return;
        }
        let index = self.eval(index, owner);
        let outside = self.compare(IntCC::UnsignedGreaterThanOrEqual, index, length as i32);
        self.fail_if(outside, FaultKind::Index);
        let index = self.wide(index);
        let size = self.offset(size);
        let further = self.b.ins().imul(index, size);
        *moving = Some(match *moving {
            Some(before) => self.add(before, further),
            None => further,
        });
    }

    /// A pointer to the address, without its constant part.
    fn base(&mut self, place: &VariableAddress) -> Value {
        match place.moving {
            Some(moving) => self.add(self.state, moving),
            None => self.state,
        }
    }

    /// The value of a variable.
    pub(super) fn read(&mut self, access: &Access, owner: Owner) -> Value {
        if let Root::Predefined(predefined) = access.root {
            return match predefined {
                Predefined::Pid => owner.pid,
                Predefined::NrPr => self.number(PROCESSES),
                Predefined::Last => self.number(LAST),
                Predefined::Priority => self.priority(owner.record),
                Predefined::Scratch => self.int(0),
            };
        }
        if let Some((number, _)) = self.name(access, owner) {
            return number;
        }
        let place = self.place(access, owner);
        let base = self.base(&place);
        self.load(place.stored, base, place.at)
    }

    /// The number of a named channel, and its declaration if it is known at compile time.
    fn name(&mut self, access: &Access, owner: Owner) -> Option<(Value, Option<usize>)> {
        let Root::Global(id) = access.root else { return None };
        let machine = self.program.machine;
        let (mut number, mut moving) = (machine.layout().names[id.index()]? as usize, None);
        let length = machine.model().globals[id.index()].length;
        self.element(access.index.as_deref(), length, 1, &mut number, &mut moving, owner);
        let first = self.int(number as i32);
        Some(match moving {
            None => (first, Some(number)),
            Some(moving) => {
                let further = self.b.ins().ireduce(INT, moving);
                (self.add(first, further), None)
            }
        })
    }

    /// Stores a value. The successor must exist.
    pub(super) fn write(&mut self, access: &Access, value: Value) {
        let owner = self.own();
        match access.root {
            Root::Predefined(Predefined::Priority) => self.set_priority(owner.record, value),
            Root::Predefined(_) => {}
            Root::Global(id) if self.machine().is_unread(id) => {
                // The index still has to be within bounds.
                self.place(access, owner);
            }
            _ => {
                let place = self.place(access, owner);
                self.store_at(&place, 0, value);
            }
        }
    }

    /// Stores a value at an element of an array.
    pub(super) fn store_at(&mut self, place: &VariableAddress, element: usize, value: Value) {
        let base = self.base(place);
        self.store(place.stored, base, place.at + element * place.stored.size(), value);
    }

    /// The channel in a variable. A variable without a channel fails.
    pub(super) fn channel(&mut self, access: &Access, owner: Owner) -> Channel {
        let layout = self.program.machine.layout();
        if let Some((number, known)) = self.name(access, owner) {
            let Root::Global(id) = access.root else { unreachable!("a name is a global") };
            // All channels of an array have the same declaration.
            let standing = |number: usize| {
                layout.permanent_channel(number - 1).expect("what has a name stands")
            };
            let first = layout.names[id.index()].map_or(1, |first| first as usize);
            let kind = standing(first).1;
            let record = match known {
                Some(number) => self.offset(standing(number).0),
                None => {
                    let record = self.context_entry(at::CHANNELS, number);
                    self.wide(record)
                }
            };
            return Channel { number, record, kind: Some(kind) };
        }
        let number = self.read(access, owner);
        let count = self.number(CHANNELS);
        let one = self.int(1);
        let index = self.b.ins().isub(number, one);
        let none = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, index, count);
        self.fail_if(none, FaultKind::NoChannel);
        let record = self.context_entry(at::CHANNELS, number);
        Channel { number, record: self.wide(record), kind: None }
    }
}
