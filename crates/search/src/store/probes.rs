//! Probes: partial lookups of successors that are not inserted yet.

/// Probes of a batch of successors.
#[derive(Clone, Debug, Default)]
pub struct ProbeBatch {
    /// One for each successor.
    pub(super) probes: Vec<Probe>,
    /// The length of all successors, and 0 if they differ or the store has no use for it.
    pub(super) length: usize,
    /// Their encodings one after the other, if the store encodes states. May be longer.
    pub(super) encodings: Vec<u8>,
    /// Where each encoding ends, and its format.
    pub(super) forms: Vec<EncodedForm>,
    /// The version of the encodings; they are invalid when the store has another one.
    pub(super) version: u32,
    /// The length of the table in which the slots were found.
    pub(super) table_length: usize,
}

impl ProbeBatch {
    /// Resets all slots to the home of their hash if the table has another length now.
    #[inline]
    pub(super) fn update(&mut self, table_length: usize, home: impl Fn(u64) -> usize) {
        if self.table_length != table_length {
            self.table_length = table_length;
            self.probes.iter_mut().for_each(|probe| probe.slot = home(probe.hash) as u32);
        }
    }
}

/// Probe of one successor.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Probe {
    pub(super) hash: u64,
    /// One more than the number of a record with the same hash, or 0 if none was found.
    pub(super) candidate: u32,
    /// The slot where an insertion continues: the home of the hash or, once the table was read, the
    /// first vacant slot.
    pub(super) slot: u32,
}

/// The end of an encoding, and its format.
#[derive(Clone, Copy, Debug)]
pub(super) struct EncodedForm {
    pub(super) end: u32,
    pub(super) format: u16,
}
