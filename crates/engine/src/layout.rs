//! The layout of a state.
//!
//! A state is a header, the global variables, and then one record per process and per channel in
//! order of creation. A process that ends is always the youngest, and so are its channels: its end
//! truncates the state. This is SPIN's order, so two states are equal here if they are equal there.
//! [`Frame`] describes the header and the start of a record.
//!
//! Values that all states have in common are stored in none of them. A global channel, or a process
//! that exists from the start and never ends, is *permanent*: its record has the same offset in
//! every state and needs no tag. A global variable that is declared with channels and never
//! assigned is a *name*. A local variable that pid and location determine is a [local
//! constant](crate::local_constants).

use std::collections::HashMap;
use std::ops::Range;

use beeline_promela::hir::{GlobalId, Init, Model, ProcessId, Root, StructId, Type, Variable};

use crate::constants::ConstantVariables;
use crate::declaration::declared;
use crate::frame::{Frame, RecordKind};
use crate::local_constants::LocalConstants;
use crate::permanent::PermanentRecords;

pub use crate::declaration::Declaration;
pub use crate::scalar::Scalar;

/// Fields of a structure.
#[derive(Clone, Debug)]
pub struct StructLayout {
    /// Its size in bytes.
    pub size: usize,
    /// The offset of each field.
    pub fields: Vec<usize>,
}

/// Variables of a process.
#[derive(Clone, Debug)]
pub struct ProcessLayout {
    /// Bytes of its record.
    pub size: usize,
    /// The offset of each local in the record; local constants have no bytes.
    pub locals: Vec<usize>,
}

/// A channel as declared.
#[derive(Clone, Debug)]
pub struct ChannelLayout {
    /// The capacity; 0 for a rendezvous.
    pub capacity: usize,
    /// The values of a message.
    pub fields: Vec<Scalar>,
    /// Bytes of a message.
    pub message: usize,
}

impl ChannelLayout {
    /// Bytes of its messages; 0 for a rendezvous.
    fn room(&self) -> usize {
        self.capacity * self.message
    }
}

/// By global: the number of its first channel, from 1, if it is a name.
pub(crate) fn names(
    model: &Model,
    constants: &ConstantVariables,
    permanent: &PermanentRecords,
) -> Vec<Option<i32>> {
    let name = |number: usize| {
        let root = Root::Global(GlobalId(number as u32));
        let own = permanent.channels.iter().position(|one| *one == Declaration::Global(number));
        let name = own.filter(|_| constants.contains(ProcessId(0), root));
        name.map(|first| first as i32 + 1)
    };
    (0..model.globals.len()).map(name).collect()
}

/// The layout of a model's states.
#[derive(Clone, Debug)]
pub struct StateLayout {
    /// The structure bytes besides the values.
    pub frame: Frame,
    /// By [`StructId`].
    pub structs: Vec<StructLayout>,
    /// The offset of each global; names have no bytes.
    pub globals: Vec<usize>,
    /// By global: the number of its first channel, from 1, if it is a name.
    pub names: Vec<Option<i32>>,
    /// Bytes of the header and the globals.
    pub variables: usize,
    /// The permanent records: channels first, then processes.
    permanent: Vec<(usize, RecordKind)>,
    standing_channels: usize,
    /// Bytes that every state has, including the permanent records.
    pub fixed: usize,
    /// By process.
    pub processes: Vec<ProcessLayout>,
    /// Every declaration of a channel.
    pub channels: Vec<ChannelLayout>,
    /// The number of each declaration.
    pub(crate) declarations: HashMap<Declaration, usize>,
}

impl StateLayout {
    /// The layout of a model in a frame.
    pub(crate) fn new(
        model: &Model,
        frame: Frame,
        names: Vec<Option<i32>>,
        permanent: &PermanentRecords,
        local_constants: &LocalConstants,
    ) -> StateLayout {
        let mut layout = StateLayout {
            frame,
            structs: Vec::new(),
            globals: Vec::new(),
            names,
            variables: frame.header,
            permanent: Vec::new(),
            standing_channels: 0,
            fixed: frame.header,
            processes: Vec::new(),
            channels: Vec::new(),
            declarations: HashMap::new(),
        };
        for structure in &model.structs {
            let (fields, size) = layout.place(&structure.fields, 0, |_| false);
            layout.structs.push(StructLayout { size, fields });
        }
        for (declaration, variable) in declared(model) {
            let number = layout.channels.len();
            layout.channels.extend(layout.channel(model, variable));
            layout.declarations.insert(declaration, number);
        }
        layout.place_globals(model);
        for (at, process) in model.processes.iter().enumerate() {
            let is_settled = |local| local_constants.of(ProcessId(at as u32), local).is_some();
            let (locals, size) = layout.place(&process.locals, frame.process_header, is_settled);
            layout.processes.push(ProcessLayout { size, locals });
        }
        layout.place_permanent(permanent);
        layout
    }

    /// Assigns offsets to the globals.
    fn place_globals(&mut self, model: &Model) {
        for (number, variable) in model.globals.iter().enumerate() {
            self.globals.push(self.variables);
            if self.names[number].is_none() {
                let length = variable.length.unwrap_or(1) as usize;
                self.variables += self.size(variable.ty) * length;
            }
        }
    }

    /// Assigns offsets to the permanent records.
    fn place_permanent(&mut self, permanent: &PermanentRecords) {
        self.fixed = self.variables;
        self.standing_channels = permanent.channels.len();
        let channels =
            permanent.channels.iter().map(|one| RecordKind::Channel(self.declarations[one]));
        let processes = permanent.processes.iter().map(|one| RecordKind::Process(one.index()));
        for record in channels.chain(processes) {
            let at = self.fixed - self.frame.own_tag_size(record);
            self.permanent.push((at, record));
            self.fixed = at
                + match record {
                    RecordKind::Process(process) => self.processes[process].size,
                    RecordKind::Channel(declaration) => self.channel_size(declaration),
                };
        }
    }

    /// The offset and kind of a permanent channel, by its number from 0.
    pub fn permanent_channel(&self, number: usize) -> Option<(usize, RecordKind)> {
        self.permanent[..self.standing_channels].get(number).copied()
    }

    /// The offset of a permanent process.
    pub(crate) fn permanent_process(&self, pid: usize) -> Option<usize> {
        self.permanent[self.standing_channels..].get(pid).map(|&(at, _)| at)
    }

    /// The records of a state, in order: the offset of each, and its kind. Permanent records come
    /// first; they start where they would with a tag, and so before [`fixed`](StateLayout::fixed),
    /// where no other record starts. An empty slice has no records.
    pub fn records<'a>(
        &'a self,
        state: &'a [u8],
    ) -> impl Iterator<Item = (usize, RecordKind)> + 'a {
        let mut next = self.fixed;
        let others = std::iter::from_fn(move || {
            let at = next;
            if at >= state.len() {
                return None;
            }
            let record = self.frame.record(state, at);
            next += match record {
                RecordKind::Process(process) => self.processes[process].size,
                RecordKind::Channel(declaration) => self.channel_size(declaration),
            };
            Some((at, record))
        });
        let permanent = if state.is_empty() { &[] } else { &self.permanent[..] };
        permanent.iter().copied().chain(others)
    }

    /// Whether the record that starts here has a tag. A permanent record need not have one.
    #[inline]
    pub fn has_tag(&self, at: usize) -> bool {
        at >= self.fixed
    }

    /// The bytes of the record that starts here that hold only its tag. A permanent record has
    /// none, nor has a process in a joint frame.
    pub fn own_tag(&self, at: usize, record: RecordKind) -> Range<usize> {
        let behind = at + self.frame.own_tag_size(record);
        if self.has_tag(at) { at..behind } else { behind..behind }
    }

    /// Writes the tag of the record that starts here, if it has one.
    pub(crate) fn set_record(&self, state: &mut [u8], at: usize, record: RecordKind) {
        let shares_byte = self.frame.own_tag_size(record) == 0;
        if shares_byte || self.has_tag(at) {
            self.frame.set_record(state, at, record);
        }
    }

    /// Mask of the bits of a state that belong to the tags of its records.
    pub fn tags(&self, state: &[u8]) -> Vec<u8> {
        let mut mask = vec![0; state.len()];
        let (size, own) = (self.frame.tag_size, self.frame.tag_mask());
        let tagged = self.records(state).filter(|&(at, _)| self.has_tag(at));
        tagged.for_each(|(at, _)| mask[at..at + size].fill(own));
        mask
    }

    /// The number of messages in a channel of this declaration, whose record starts here.
    #[inline]
    pub fn length(&self, state: &[u8], at: usize, declaration: usize) -> usize {
        match self.channels[declaration].capacity {
            0 => 0,
            _ => usize::from(state[at + self.frame.length_at()]),
        }
    }

    /// Bytes of a channel's record, with its tag. A rendezvous has only a tag.
    pub fn channel_size(&self, declaration: usize) -> usize {
        let channel = &self.channels[declaration];
        match channel.capacity {
            0 => self.frame.tag_size,
            _ => self.frame.channel_header() + channel.room(),
        }
    }

    /// Assigns offsets to variables, except for those that are left out.
    fn place(
        &self,
        variables: &[Variable],
        start: usize,
        is_out: impl Fn(usize) -> bool,
    ) -> (Vec<usize>, usize) {
        let mut at = start;
        let mut places = Vec::with_capacity(variables.len());
        for (number, variable) in variables.iter().enumerate() {
            places.push(at);
            if is_out(number) {
                continue;
            }
            at += self.size(variable.ty) * variable.length.unwrap_or(1) as usize;
        }
        (places, at)
    }

    /// The bytes of a local variable in the record of its process; none for a local constant.
    pub fn local(&self, process: ProcessId, local: usize) -> Range<usize> {
        let ProcessLayout { size, locals } = &self.processes[process.index()];
        locals[local]..locals.get(local + 1).copied().unwrap_or(*size)
    }

    /// Bytes of one value of a type.
    pub fn size(&self, ty: Type) -> usize {
        match ty {
            Type::Struct(StructId(id)) => self.structs[id as usize].size,
            ty => self.scalar(ty).size(),
        }
    }

    /// The scalars of a message with these fields.
    pub fn scalars(&self, model: &Model, fields: &[Type]) -> Vec<Scalar> {
        let mut all = Vec::new();
        for &field in fields {
            match field {
                Type::Struct(id) => {
                    for inner in &model.structs[id.index()].fields {
                        let one = self.scalars(model, &[inner.ty]);
                        for _ in 0..inner.length.unwrap_or(1) {
                            all.extend(&one);
                        }
                    }
                }
                ty => all.push(self.scalar(ty)),
            }
        }
        all
    }

    /// The stored form of an element of a variable. As in SPIN, each element of an array of bits
    /// has a whole byte, and is not truncated to a bit.
    pub fn element(&self, ty: Type, length: Option<u32>) -> Scalar {
        match (ty, length) {
            (Type::Bit, Some(_)) => Scalar::Byte,
            _ => self.scalar(ty),
        }
    }

    /// The stored form of a type that is no structure.
    pub fn scalar(&self, ty: Type) -> Scalar {
        Scalar::of(ty, &self.frame)
    }

    /// The channel that a variable is declared with.
    fn channel(&self, model: &Model, variable: &Variable) -> Option<ChannelLayout> {
        let Init::Channel(channel) = &variable.init else {
            return None;
        };
        let fields = self.scalars(model, &channel.fields);
        let message = fields.iter().map(|field| field.size()).sum();
        Some(ChannelLayout { capacity: channel.capacity as usize, fields, message })
    }
}

#[cfg(test)]
mod tests {
    use beeline_promela::preprocess::{NoIncludes, PreprocessOptions};

    use super::*;
    use crate::interpreter::{DecodedState, Machine};

    /// A permanent channel and two permanent processes, one process with a channel of its own, and
    /// a process type that never runs but has this many locations.
    fn with_another(locations: usize, look: impl Fn(&Machine<'_>, &DecodedState)) {
        let text = format!(
            "chan q = [1] of {{ byte }}; active proctype a() {{ do :: q!1 od }} \
             proctype b(byte n) {{ chan own = [1] of {{ byte }}; own!n; own!n }} \
             init {{ do :: run b(3) od }} proctype never_there() {{ {} }}",
            "skip; ".repeat(locations)
        );
        let front = beeline_promela::read(
            "model.pml",
            &text,
            &mut NoIncludes,
            &PreprocessOptions::default(),
        );
        assert!(!front.diagnostics.has_errors(), "{text}");
        let machine = Machine::new(&front.hir, crate::automata::AutomataOptions::PLAIN);
        let before = machine.initial().expect("it begins");
        assert_eq!(before.bytes.len(), machine.layout().fixed);
        let moves = machine.moves(&before).expect("it can be started").moves;
        let mut after = moves.iter().map(|step| &step.next);
        look(&machine, after.find(|next| next.process_count() == 3).expect("it is there"));
    }

    #[test]
    fn records_are_where_they_were_written_in_joint_frames_and_in_others() {
        for (locations, process_header) in [(10, 1), (100, 2), (300, 3)] {
            with_another(locations, |machine, now| {
                let layout = machine.layout();
                assert_eq!(layout.frame.is_joint(), locations == 10);
                assert_eq!(layout.frame.process_header, process_header);
                let location = layout.frame.location_size;
                assert_eq!(layout.fixed - layout.variables, 2 + 2 * location);
                let records: Vec<_> = layout.records(&now.bytes).collect();
                let starts = records.iter().map(|&(at, record)| layout.own_tag(at, record).start);
                let (own, behind) = (layout.fixed, layout.fixed + process_header + 2);
                let permanent = [0, 2, 2 + location].map(|at| layout.variables + at);
                assert_eq!(starts.collect::<Vec<_>>(), [&permanent[..], &[own, behind]].concat());
                let kinds: Vec<_> = records.iter().map(|&(_, record)| record).collect();
                let processes = [0, 2, 1].map(RecordKind::Process);
                let channels = [0, 1].map(RecordKind::Channel);
                assert_eq!(kinds, [&channels[..1], &processes, &channels[1..]].concat());
                assert_eq!(now.bytes.len(), behind + 3);
            });
        }
    }

    #[test]
    fn tags_are_all_bits_that_tell_what_records_are_about() {
        for locations in [10, 100, 300] {
            with_another(locations, |machine, now| {
                let layout = machine.layout();
                let tags = layout.tags(&now.bytes);
                let own = layout.fixed..layout.fixed + layout.frame.tag_size;
                assert!(tags[own].iter().all(|&bits| bits == layout.frame.tag_mask()));
                let marked = tags.iter().filter(|&&bits| bits != 0).count();
                assert_eq!(marked, 2 * layout.frame.tag_size);
                let mut records = layout.records(&now.bytes).collect::<Vec<_>>();
                records.retain(|&(at, _)| layout.has_tag(at));
                let bits = (0..tags.len()).flat_map(|at| (0..8).map(move |bit| (at, 1 << bit)));
                for (at, bit) in bits {
                    let mut other = now.bytes.clone();
                    other[at] ^= bit;
                    let is_same = |&(at, record)| layout.frame.record(&other, at) == record;
                    let is_known = records.iter().all(is_same);
                    assert_eq!(is_known, tags[at] & bit == 0, "{at} {bit}");
                    // A state that does not match need not be valid.
                    assert!(
                        !is_known || machine.decode_into(&mut now.clone(), &other),
                        "{at} {bit}"
                    );
                }
            });
        }
    }

    #[test]
    fn values_are_cut_to_their_type() {
        assert_eq!(Scalar::Bit.truncate(2), 0);
        assert_eq!(Scalar::Byte.truncate(300), 44);
        assert_eq!(Scalar::Byte.truncate(-1), 255);
        assert_eq!(Scalar::Short.truncate(40_000), -25_536);
        assert_eq!(Scalar::Unsigned(5).truncate(33), 1);
        let mut bytes = [0; 8];
        for scalar in [Scalar::Byte, Scalar::Short, Scalar::Int, Scalar::Unsigned(12)] {
            scalar.write(&mut bytes, 3, -2);
            assert_eq!(scalar.read(&bytes, 3), scalar.truncate(-2), "{scalar:?}");
        }
    }
}
