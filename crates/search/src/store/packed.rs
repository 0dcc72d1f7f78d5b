//! The packed store: each state is kept without the bits that are the same in all of them.

mod bit_extract;
mod encoder;
pub(crate) mod packing;
mod records;

use super::compact_table::CompactTable;
use super::hash::FoldedMultiply;
use super::hashed::HashedStore;
use records::PackedRecords;

/// A set of states, each packed and numbered in the order of insertion.
pub(crate) type PackedStore<H = FoldedMultiply> = HashedStore<CompactTable, PackedRecords<H>>;

#[cfg(test)]
mod tests;
