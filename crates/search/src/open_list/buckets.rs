//! Numbered buckets with fast access to the first one that is not empty.
//!
//! Buckets with small numbers are in an array; large estimates and states of last resort are rare
//! and in a map.

use std::collections::BTreeMap;

use super::bit_tree::{BitTree, END};

/// Buckets by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct BucketArray<B> {
    near: Vec<B>,
    /// The buckets of `near` that are not empty.
    filled: BitTree,
    /// The other buckets; none is empty.
    far: BTreeMap<u64, B>,
}

impl<B: Default> BucketArray<B> {
    /// The bucket of this number, for an insertion.
    #[inline]
    pub(crate) fn fill(&mut self, number: u64) -> &mut B {
        if Self::is_far(number) {
            return self.far.entry(number).or_default();
        }
        let index = number as usize;
        if index >= self.near.len() {
            self.near.resize_with(index + 1, B::default);
        }
        self.filled.insert(index);
        &mut self.near[index]
    }

    /// The first bucket that is not empty, and its number.
    #[inline]
    pub(crate) fn first(&mut self) -> Option<(u64, &mut B)> {
        match self.filled.first() {
            Some(index) => Some((index as u64, &mut self.near[index])),
            None => self.far.iter_mut().next().map(|(&number, bucket)| (number, bucket)),
        }
    }

    /// The first bucket that is not empty, if it is in the array.
    #[inline]
    pub(crate) fn nearest(&self) -> Option<&B> {
        self.filled.first().map(|index| &self.near[index])
    }

    /// The number of the first bucket that is not empty.
    #[inline]
    pub(crate) fn first_number(&self) -> Option<u64> {
        let near = self.filled.first().map(|index| index as u64);
        near.or_else(|| self.far.keys().next().copied())
    }

    /// Records that the bucket of this number is empty now.
    #[inline]
    pub(crate) fn emptied(&mut self, number: u64) {
        if Self::is_far(number) {
            self.far.remove(&number);
        } else {
            self.filled.remove(number as usize);
        }
    }

    /// The bucket of this number, which may be empty, if it is in the array.
    pub(crate) fn near_mut(&mut self, number: u64) -> Option<&mut B> {
        self.near.get_mut(usize::try_from(number).ok()?)
    }

    /// Whether the bucket of this number is in the map, from which empty buckets are removed.
    #[inline]
    pub(crate) fn is_far(number: u64) -> bool {
        number >= END as u64
    }

    /// The buckets of the array, which stay when they are empty.
    pub(crate) fn near(&self) -> &[B] {
        &self.near
    }

    /// Memory held, without that inside the buckets.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        let far = self.far.len() * (size_of::<u64>() + size_of::<B>());
        self.near.capacity() * size_of::<B>() + self.filled.bytes() + far
    }
}
