//! The forest: all nodes, with the unique table, the operation cache and the limits.
//!
//! The name is that of the MEDDLY library. Operations come in two layers. The public ones take and
//! return [`Set`]s, which keep their nodes alive; the inner ones work on node numbers and never
//! collect garbage, so that numbers remain valid during an operation. Every operation may fail at
//! any moment with a [`Limit`]; the forest stays usable, and only results are lost.

use std::sync::{Arc, Weak};

use super::cache::{OperationCache, Tag};
use super::node::{EMPTY, Node, NodeId, UNIT};
use super::set::Set;
use super::unique::UniqueTable;
use crate::limits::{DiagramLimits, Limit};

/// Inner operations between two polls of the interrupt.
const POLL: i32 = 1 << 14;

/// Nodes that trigger a garbage collection, at least.
const COLLECTION: usize = 1 << 18;

/// Upper bound on the entries of the operation cache per node. Each group of operators has results
/// of its own for a node.
const CACHE_PER_NODE: usize = 64;

/// Stack per level of a recursion; saturation has up to four frames per level.
const FRAMES: usize = 2 << 10;

/// A list decision diagram store.
#[derive(Debug)]
pub struct Forest {
    pub(super) nodes: Vec<Node>,
    /// The first free node, or [`EMPTY`].
    pub(super) free: NodeId,
    pub(super) unique: UniqueTable,
    pub(crate) cache: OperationCache,
    /// Lists under construction: values with their suffixes. Nested operations share it.
    pub(crate) lists: Vec<(i32, NodeId)>,
    /// Nodes that a recursion with garbage collections inside still needs.
    pub(crate) held: Vec<NodeId>,
    pub(super) roots: Vec<Weak<NodeId>>,
    /// The number of nodes that triggers the next garbage collection, and a lower bound on it.
    pub(super) collect_at: usize,
    pub(super) least_collect_at: usize,
    pub(super) peak: usize,
    limits: DiagramLimits,
    ticks: i32,
    /// Polls that an attempt may still take; `None` without such a limit.
    attempt: Option<u32>,
    levels: usize,
    next_tag: Tag,
}

impl Forest {
    /// An empty forest for vectors of at most this length.
    pub fn new(levels: usize, limits: DiagramLimits) -> Forest {
        Forest {
            nodes: vec![Node::TERMINAL; 2],
            free: EMPTY,
            unique: UniqueTable::new(),
            cache: OperationCache::new(),
            lists: Vec::new(),
            held: Vec::new(),
            roots: Vec::new(),
            collect_at: COLLECTION,
            least_collect_at: COLLECTION,
            peak: 0,
            limits,
            ticks: POLL,
            attempt: None,
            levels,
            next_tag: 16,
        }
    }

    /// The set without vectors.
    pub fn empty(&mut self) -> Set {
        self.root(EMPTY)
    }

    /// The set of the empty vector.
    pub fn unit(&mut self) -> Set {
        self.root(UNIT)
    }

    /// The number of nodes in use, garbage included.
    pub fn nodes_in_use(&self) -> usize {
        self.unique.used()
    }

    /// The greatest number of nodes in use so far.
    pub fn peak_nodes(&self) -> usize {
        self.peak.max(self.unique.used())
    }

    /// Memory of nodes, tables and caches, in bytes.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.unique.bytes() + self.cache.bytes()
    }

    /// Replaces the limits.
    pub fn set_limits(&mut self, limits: DiagramLimits) {
        self.limits = limits;
    }

    /// Sets the number of nodes below which no garbage is collected.
    pub fn collect_from(&mut self, nodes: usize) {
        self.least_collect_at = nodes;
        self.collect_at = nodes;
    }

    /// A handle that keeps a node alive.
    pub(crate) fn root(&mut self, id: NodeId) -> Set {
        let root = Arc::new(id);
        if self.roots.len() == self.roots.capacity() {
            self.roots.retain(|root| root.strong_count() > 0);
        }
        self.roots.push(Arc::downgrade(&root));
        Set(root)
    }

    /// Tags for eight operations with parameters of their own.
    pub(crate) fn fresh_tags(&mut self) -> Tag {
        self.next_tag = self.next_tag.checked_add(8).expect("fewer than 2^29 supports");
        self.next_tag - 8
    }

    #[inline]
    pub(crate) fn node(&self, id: NodeId) -> Node {
        self.nodes[id as usize]
    }

    /// Runs an inner operation: with garbage collection before it, enough stack for its recursion,
    /// and a second attempt if the first one left garbage when it reached a limit.
    pub(crate) fn run<E: From<Limit> + PartialEq>(
        &mut self,
        operation: impl FnMut(&mut Forest) -> Result<NodeId, E>,
    ) -> Result<Set, E> {
        let id = self.run_for(operation)?;
        Ok(self.root(id))
    }

    /// Runs an inner operation with any result. Nodes of the result remain valid until the next
    /// operation.
    pub(crate) fn run_for<T, E: From<Limit> + PartialEq>(
        &mut self,
        mut operation: impl FnMut(&mut Forest) -> Result<T, E>,
    ) -> Result<T, E> {
        self.collect_if_due();
        let stack = self.levels * FRAMES + (64 << 10);
        let mut attempt = |forest: &mut Forest| {
            let result = stacker::maybe_grow(stack, stack + (1 << 20), || operation(forest));
            forest.lists.clear();
            forest.held.clear();
            result
        };
        let is_full = |result: &Result<T, E>| {
            result.as_ref().is_err_and(|error| {
                *error == E::from(Limit::Memory) || *error == E::from(Limit::Nodes)
            })
        };
        let mut result = attempt(self);
        if is_full(&result) {
            let before = self.unique.used();
            self.collect();
            if self.unique.used() <= before / 4 * 3 {
                result = attempt(self);
            }
        }
        result
    }

    /// Counts an inner operation.
    ///
    /// # Errors
    ///
    /// When the interrupt has a reason to stop.
    #[inline]
    pub(crate) fn tick(&mut self) -> Result<(), Limit> {
        self.ticks -= 1;
        if self.ticks <= 0 { self.poll() } else { Ok(()) }
    }

    /// Counts an element of a list that an operation passes by; returns the next one. Lists may be
    /// much longer than diagrams are deep.
    #[inline]
    pub(crate) fn pass(&mut self, next: NodeId) -> NodeId {
        self.ticks -= 1;
        next
    }

    #[cold]
    fn poll(&mut self) -> Result<(), Limit> {
        self.ticks = POLL;
        if self.cache.is_crowded() && self.cache.len() < self.unique.used() * CACHE_PER_NODE {
            self.grow_cache();
        }
        if let Some(stop) = (self.limits.interrupt)(self.bytes()) {
            return Err(Limit::Stopped(stop));
        }
        match &mut self.attempt {
            Some(0) => Err(Limit::Attempt),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Limits the following operations to a number of polls, each after 16,384 inner operations;
    /// then they end with [`Limit::Attempt`]. `None` removes the limit.
    pub(crate) fn set_attempt(&mut self, polls: Option<u32>) {
        self.attempt = polls;
    }

    /// The node of this content; `down` is not empty.
    ///
    /// # Errors
    ///
    /// When it is new and there is no room for it.
    #[inline]
    pub(crate) fn make(
        &mut self,
        value: i32,
        down: NodeId,
        right: NodeId,
    ) -> Result<NodeId, Limit> {
        debug_assert!(down != EMPTY);
        debug_assert!(right == EMPTY || self.node(right).value > value);
        let node = Node { value, down, right };
        match self.unique.find(node, &self.nodes) {
            Ok(id) => Ok(id),
            Err(slot) => self.insert(node, slot),
        }
    }

    fn insert(&mut self, node: Node, mut slot: usize) -> Result<NodeId, Limit> {
        if self.unique.used() >= self.limits.nodes {
            return Err(Limit::Nodes);
        }
        if self.unique.is_full() {
            self.grow_tables()?;
            slot = self.unique.find(node, &self.nodes).expect_err("the node is new");
        }
        let id = self.free;
        if id == EMPTY {
            if self.nodes.len() == self.nodes.capacity() {
                self.grow_nodes()?;
            }
            let id = NodeId::try_from(self.nodes.len()).map_err(|_| Limit::Nodes)?;
            if Node::free(id).down == id {
                return Err(Limit::Nodes);
            }
            self.nodes.push(node);
            self.unique.fill(slot, id);
            return Ok(id);
        }
        self.free = self.node(id).right;
        self.nodes[id as usize] = node;
        self.unique.fill(slot, id);
        Ok(id)
    }

    fn grow_tables(&mut self) -> Result<(), Limit> {
        if self.bytes() + self.unique.bytes() > self.limits.bytes {
            return Err(Limit::Memory);
        }
        self.unique.grow(&self.nodes);
        if self.cache.len() < self.unique.used() * 2 {
            self.grow_cache();
        }
        Ok(())
    }

    /// Doubles the cache if there is enough memory: nodes need some, too.
    fn grow_cache(&mut self) {
        if self.bytes() + self.cache.bytes() <= self.limits.bytes / 4 * 3 {
            self.cache.grow();
        }
    }

    fn grow_nodes(&mut self) -> Result<(), Limit> {
        let now = self.nodes.capacity();
        let room = (self.limits.bytes.saturating_sub(self.bytes())) / size_of::<Node>();
        let more = now.min(room);
        if more < now / 8 || more == 0 {
            return Err(Limit::Memory);
        }
        self.nodes.reserve_exact(more);
        Ok(())
    }

    /// Turns the list entries from `base` on, whose values ascend, into nodes in front of `tail`.
    ///
    /// # Errors
    ///
    /// When there is no room for a node.
    #[inline]
    pub(crate) fn chain(&mut self, base: usize, tail: NodeId) -> Result<NodeId, Limit> {
        let mut list = tail;
        self.ticks -= (self.lists.len() - base) as i32;
        for at in (base..self.lists.len()).rev() {
            let (value, down) = self.lists[at];
            list = self.make(value, down, list)?;
        }
        self.lists.truncate(base);
        Ok(list)
    }
}
