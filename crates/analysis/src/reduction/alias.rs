//! Alias analysis: the bytes and channels that an access may refer to.

use beeline_promela::hir::{Access, Expr, ExprKind, Root, Type};

use super::footprint_context::{ChannelEnd, FootprintContext};
use super::objects::{Bits, Objects};
use crate::stability::is_stable;

impl FootprintContext<'_> {
    /// Adds the bytes of a global variable: of the accessed element, if it is known.
    pub(super) fn bytes(&self, access: &Access, found: &mut Bits) {
        let (starts, size, _) = self.places(access);
        for at in starts.into_iter().flat_map(|start| start..start + size) {
            found.insert_all(self.objects.byte(at));
        }
    }

    /// Adds the values of a global variable that satisfy a test. Values that are not distinguished
    /// are always included.
    pub(super) fn values(&self, access: &Access, picks: impl Fn(i32) -> bool, found: &mut Bits) {
        let (starts, size, ty) = self.places(access);
        if size > 1 || matches!(ty, Type::Struct(_)) {
            return self.bytes(access, found);
        }
        for at in starts {
            let no = |&value: &i32| !picks(value);
            let out = Objects::distinguished().filter(no).filter_map(|v| self.objects.value(at, v));
            let out: Vec<usize> = out.collect();
            let all = self.objects.byte(at);
            all.filter(|value| !out.contains(value)).for_each(|value| found.insert(value));
        }
    }

    /// The object for a one-byte global variable with this new value, if that value is
    /// distinguished.
    pub(super) fn value_of(&self, access: &Access, value: i32) -> Option<Bits> {
        let (starts, size, ty) = self.places(access);
        if size > 1 || matches!(ty, Type::Struct(_)) {
            return None;
        }
        let mut found = self.objects.none();
        for at in starts {
            found.insert(self.objects.value(at, value)?);
        }
        Some(found)
    }

    /// The offsets of the elements of a global variable that an access may refer to, their size and
    /// type.
    fn places(&self, access: &Access) -> (Vec<usize>, usize, Type) {
        let Root::Global(id) = access.root else { return (Vec::new(), 0, Type::Bit) };
        let layout = self.machine.layout();
        let variable = &self.machine.model().globals[id.index()];
        // Constant channel names are not part of the state.
        let is_name = layout.names[id.index()].is_some();
        let mut starts = if is_name { Vec::new() } else { vec![layout.globals[id.index()]] };
        let mut ty = variable.ty;
        self.elements(access.index.as_deref(), variable.length, layout.size(ty), &mut starts);
        for field in &access.path {
            let Type::Struct(structure) = ty else { break };
            let declared =
                &self.machine.model().structs[structure.index()].fields[field.field as usize];
            let offset = layout.structs[structure.index()].fields[field.field as usize];
            starts.iter_mut().for_each(|start| *start += offset);
            ty = declared.ty;
            self.elements(field.index.as_ref(), declared.length, layout.size(ty), &mut starts);
        }
        (starts, layout.size(ty), ty)
    }

    /// Proceeds from arrays to the elements that an index may select.
    fn elements(
        &self,
        index: Option<&Expr>,
        length: Option<u32>,
        size: usize,
        starts: &mut Vec<usize>,
    ) {
        let Some(length) = length else { return };
        let known = match index {
            Some(index) => self.value(index),
            None => Some(0),
        };
        match known {
            Some(index) if (0..length as i32).contains(&index) => {
                starts.iter_mut().for_each(|start| *start += index as usize * size);
            }
            // The index is out of bounds: a fault, independent of the other indices.
            Some(_) => starts.clear(),
            None => {
                let all = (0..length as usize).map(|at| at * size);
                *starts =
                    starts.iter().flat_map(|start| all.clone().map(move |at| start + at)).collect();
            }
        }
    }

    /// The value of an expression that is constant, or known in the local state of the process.
    pub(super) fn value(&self, expr: &Expr) -> Option<i32> {
        let is_own = |part: &Expr| matches!(&part.kind, ExprKind::Read(access) if !matches!(access.root, Root::Global(_)));
        let is_known = is_stable(self.constants, self.process, expr, self.is_there)
            && (self.pid.is_some() || !expr.any(is_own));
        is_known.then(|| self.machine.value(expr, self.now, self.pid.unwrap_or(0))).flatten()
    }

    /// Adds the ends of the channels that a variable may hold.
    pub(super) fn end(&self, channel: &Access, end: ChannelEnd, found: &mut Bits) {
        let Some(channels) = self.channels(channel) else {
            let all = self.objects.channels();
            match end {
                ChannelEnd::Both => found.insert_all(all),
                ChannelEnd::Tail => all.step_by(2).for_each(|tail| found.insert(tail)),
                ChannelEnd::Head => all.skip(1).step_by(2).for_each(|head| found.insert(head)),
            }
            return;
        };
        for channel in channels {
            if end != ChannelEnd::Head {
                found.insert(self.objects.tail(channel));
            }
            if end != ChannelEnd::Tail {
                found.insert(self.objects.head(channel));
            }
        }
    }

    /// The channels that a variable may hold, from 0; `None` if it may be any.
    pub(super) fn channels(&self, access: &Access) -> Option<Vec<usize>> {
        let read = |access: Access| {
            let expr = Expr { span: access.span, kind: ExprKind::Read(access) };
            self.value(&expr).map(|number| usize::try_from(number - 1).ok())
        };
        if let Some(known) = read(access.clone()) {
            return Some(known.into_iter().collect());
        }
        // Only the index may be unknown.
        let model = self.machine.model();
        let inside = model.process(self.process);
        let length = model.variable(access.root, Some(inside))?.length?;
        if !access.path.is_empty() {
            return None;
        }
        let elements = (0..length).map(|at| {
            let index = Expr { kind: ExprKind::Const(at as i32), span: access.span };
            read(Access { index: Some(Box::new(index)), ..access.clone() })
        });
        let known: Option<Vec<Option<usize>>> = elements.collect();
        known.map(|channels| channels.into_iter().flatten().collect())
    }

    /// The channel that a variable holds, if it is known and buffered.
    pub(super) fn buffer(&self, channel: &Access) -> Option<usize> {
        let known = self.channels(channel).filter(|known| known.len() == 1)?;
        (!self.may_meet(channel)).then(|| known[0])
    }

    /// Whether a channel may be a rendezvous.
    pub(super) fn may_meet(&self, channel: &Access) -> bool {
        match self.channels(channel) {
            Some(channels) => channels.iter().any(|&c| self.machine.is_rendezvous(self.now, c)),
            None => self.machine.layout().channels.iter().any(|layout| layout.capacity == 0),
        }
    }

    /// Whether a channel is certainly a rendezvous.
    pub(super) fn must_meet(&self, channel: &Access) -> bool {
        match self.channels(channel) {
            Some(channels) => channels.iter().all(|&c| self.machine.is_rendezvous(self.now, c)),
            None => self.machine.layout().channels.iter().all(|layout| layout.capacity == 0),
        }
    }
}
