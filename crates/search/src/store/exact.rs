//! The exact store: each state is kept in full, so that no new state is taken for a stored one.

use super::bucket_table::BucketTable;
use super::full_records::FullRecords;
use super::hash::FoldedMultiply;
use super::hashed::HashedStore;

/// A set of states, all kept in full and numbered in the order of insertion.
pub type ExactStore<H = FoldedMultiply> = HashedStore<BucketTable, FullRecords<H>>;

#[cfg(test)]
mod tests;
