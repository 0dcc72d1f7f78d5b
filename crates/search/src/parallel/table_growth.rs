//! The growth of the table of a shared store, in parts that threads take.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::level::RecordRange;
use crate::store::shared::{SharedStore, TableCopy};

/// A longer table that is filled. Each part is taken once, and takes less than some milliseconds.
#[derive(Debug)]
pub(crate) enum TableGrowth {
    /// From the slots of the table before.
    Copy(TableCopy),
    /// From all records.
    Refill {
        /// The records.
        ranges: Vec<RecordRange>,
        /// The ranges that threads have taken.
        taken: AtomicUsize,
    },
}

impl TableGrowth {
    /// Fills a table from these records.
    pub(crate) fn refill(ranges: Vec<RecordRange>) -> TableGrowth {
        TableGrowth::Refill { ranges, taken: AtomicUsize::new(0) }
    }

    /// Fills the next part. Returns whether there was one.
    pub(crate) fn help_once(&self, store: &SharedStore) -> bool {
        let table = store.table();
        match self {
            TableGrowth::Copy(copy) => store.copy_part(&table, copy),
            TableGrowth::Refill { ranges, taken } => {
                let range = ranges.get(taken.fetch_add(1, Ordering::Relaxed));
                if let Some(range) = range {
                    store.refill(&table, range.first, range.count);
                }
                range.is_some()
            }
        }
    }

    /// Completes the table, when all threads have returned.
    pub(crate) fn end(&self, store: &SharedStore) {
        if let TableGrowth::Copy(copy) = self {
            store.end_copy(copy);
        }
    }
}
