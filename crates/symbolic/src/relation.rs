//! Relations that are learned from the values that sets of states have.
//!
//! A relation covers some operators over the same levels. [`Relation::learn`] projects a set onto
//! the levels that are read, executes the operators on the short vectors that are new, and adds the
//! outcomes. So relations mention reached values only, and operators are executed, not translated:
//! the idea of LTSmin (Blom, van de Pol, Weber, "LTSmin: distributed and symbolic reachability",
//! CAV 2010).

use beeline_factored::{FactorId, TooManyOutcomes};

use crate::ldd::{
    Cursor, EMPTY, Forest, LevelAccess, NodeId, Position, Set, Support, SupportLevel, UNIT,
};
use crate::limits::SymbolicError;
use crate::local_operator::LocalOperator;
use crate::order::LevelOrder;
use crate::variant::Variant;

/// Values of outcomes that are collected before they become nodes.
const BATCH: usize = 1 << 18;

/// Whether the outcomes of operators matter, or only whether there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Outcomes,
    Applicability,
}

/// Operators over the same levels with what is known about them.
#[derive(Debug)]
pub(crate) struct Relation {
    /// The levels that are read.
    pub(crate) reads: Support,
    /// The levels of `pairs`.
    pub(crate) product: Support,
    members: Vec<Member>,
    /// The accesses of the levels of `product` with their positions among `reads`; none if no level
    /// changes.
    columns: Vec<(LevelAccess, Option<usize>)>,
    purpose: Purpose,
    /// The short vectors on which the operators were executed.
    learned: Set,
    /// Those of them on which one of the operators is applicable.
    enabled: Set,
    /// The outcomes; not used if no level changes, as `enabled` is the relation then.
    pairs: Set,
}

/// One of the operators.
#[derive(Debug)]
struct Member {
    operator: LocalOperator,
    /// Positions among the levels that are read, with the values that they must have.
    guard: Vec<(usize, i32)>,
    /// Positions among the levels that are read, with those in the buffer of the operator.
    inputs: Vec<(usize, usize)>,
    /// For each column the position of the new value in the buffer, if the operator assigns it.
    outputs: Vec<Option<usize>>,
}

impl Relation {
    /// A relation over the levels of these reads and writes, which include those of the variants.
    pub(crate) fn new(
        forest: &mut Forest,
        order: &LevelOrder,
        initial: &[i32],
        (reads, writes): (&[u32], &[u32]),
        variants: &[Variant],
        purpose: Purpose,
    ) -> Relation {
        let factor = |level: u32| order.factors()[level as usize];
        let allowed = |level: u32| {
            let guards = variants.iter().map(|variant| variant.guard.get(&factor(level)).copied());
            let mut values = guards.collect::<Option<Vec<i32>>>()?;
            values.sort_unstable();
            values.dedup();
            Some(values)
        };
        let read_levels = reads.iter().map(|&level| SupportLevel {
            allowed: allowed(level),
            ..SupportLevel::new(level, LevelAccess::Read)
        });
        let read_levels = read_levels.collect();
        let mut touched: Vec<u32> = [reads, writes].concat();
        touched.sort_unstable();
        touched.dedup();
        let access = |level: u32| match (reads.contains(&level), writes.contains(&level)) {
            (true, true) => LevelAccess::Both,
            (true, false) => LevelAccess::Read,
            (false, _) => LevelAccess::Write,
        };
        let product: Vec<SupportLevel> =
            touched.iter().map(|&level| SupportLevel::new(level, access(level))).collect();
        let position = |level: u32| reads.binary_search(&level).ok();
        let has_effect = purpose == Purpose::Outcomes && !writes.is_empty();
        let columns: Vec<_> = match has_effect {
            true => touched.iter().map(|&level| (access(level), position(level))).collect(),
            false => Vec::new(),
        };
        let members = variants.iter().map(|variant| {
            let operator = LocalOperator::new(variant, initial);
            let read = reads.iter().enumerate();
            let inputs = read.filter_map(|(at, &level)| Some((at, operator.slot(factor(level))?)));
            let inputs = inputs.collect();
            let output = |level: &SupportLevel| {
                let id: FactorId = factor(level.level);
                variant.writes.contains(&id).then(|| operator.slot(id).expect("it is assigned"))
            };
            let outputs = product[..columns.len()].iter().map(output).collect();
            let guard = variant.guard.iter().filter_map(|(&factor, &value)| {
                let level = order.level(factor)?;
                Some((position(level).expect("guards are read"), value))
            });
            Member { guard: guard.collect(), inputs, outputs, operator }
        });
        let members = members.collect();
        let empty = forest.empty();
        Relation {
            reads: Support::new(forest, read_levels),
            product: Support::new(forest, product),
            members,
            columns,
            purpose,
            learned: empty.clone(),
            enabled: empty.clone(),
            pairs: empty,
        }
    }

    /// The first level of the support; 0 if there is none.
    pub(crate) fn top(&self) -> u32 {
        self.product.levels.first().map_or(0, |level| level.level)
    }

    /// The number of levels from the first to the last one of the support.
    pub(crate) fn span(&self) -> u32 {
        self.product.levels.last().map_or(0, |last| last.level - self.top() + 1)
    }

    /// Whether some level may change.
    pub(crate) fn has_effect(&self) -> bool {
        !self.columns.is_empty()
    }

    /// The short vectors on which one of the operators is applicable, as far as learned.
    pub(crate) fn enabled(&self) -> NodeId {
        self.enabled.id()
    }

    /// The relation over the levels of `product`, as far as learned.
    pub(crate) fn pairs(&self) -> NodeId {
        if self.has_effect() { self.pairs.id() } else { self.enabled.id() }
    }

    /// The states after one of the operators.
    pub(crate) fn image(
        &mut self,
        forest: &mut Forest,
        set: &Set,
    ) -> Result<NodeId, SymbolicError> {
        self.learn(forest, set.id(), Position::START)?;
        Ok(forest.image_from(set.id(), self.pairs(), &self.product, Position::START)?)
    }

    /// Executes the operators on what is new in a set, which starts at the level of `at`. Collects
    /// no garbage.
    pub(crate) fn learn(
        &mut self,
        forest: &mut Forest,
        set: NodeId,
        at: Position,
    ) -> Result<(), SymbolicError> {
        let seen = forest.project_from(set, &self.reads, at)?;
        let fresh = forest.subtract(seen, self.learned.id())?;
        if fresh == EMPTY {
            return Ok(());
        }
        let mut batch = Batch::default();
        let mut cursor = Cursor::new(fresh);
        while let Some(vector) = cursor.next(forest) {
            let mut is_enabled = false;
            for member in &mut self.members {
                if is_enabled && self.purpose == Purpose::Applicability {
                    break;
                }
                let told = member.execute(vector, &self.columns, &mut batch.pairs);
                is_enabled |= told.map_err(|TooManyOutcomes| {
                    SymbolicError::TooManyOutcomes(member.operator.name().to_owned())
                })?;
            }
            if is_enabled {
                batch.any = true;
                batch.enabled.extend_from_slice(vector);
            }
            forest.tick()?;
            if batch.pairs.len() + batch.enabled.len() > BATCH {
                self.flush(forest, &mut batch)?;
            }
        }
        self.flush(forest, &mut batch)?;
        let learned = forest.unite(self.learned.id(), fresh)?;
        self.learned = forest.root(learned);
        Ok(())
    }

    fn flush(&mut self, forest: &mut Forest, batch: &mut Batch) -> Result<(), SymbolicError> {
        if !batch.any {
            return Ok(());
        }
        let enabled = match self.reads.levels.len() {
            0 => UNIT,
            width => rows(forest, &batch.enabled, width)?,
        };
        let enabled = forest.unite(self.enabled.id(), enabled)?;
        self.enabled = forest.root(enabled);
        if self.has_effect() {
            let both = self.columns.iter().filter(|column| column.0 == LevelAccess::Both);
            let width = self.columns.len() + both.count();
            let pairs = rows(forest, &batch.pairs, width)?;
            let pairs = forest.unite(self.pairs.id(), pairs)?;
            self.pairs = forest.root(pairs);
        }
        *batch = Batch::default();
        Ok(())
    }
}

impl Member {
    /// Adds the outcomes on a short vector to `pairs`, in the layout of the product; returns
    /// whether there are some.
    fn execute(
        &mut self,
        vector: &[i32],
        columns: &[(LevelAccess, Option<usize>)],
        pairs: &mut Vec<i32>,
    ) -> Result<bool, TooManyOutcomes> {
        if self.guard.iter().any(|&(at, value)| vector[at] != value) {
            return Ok(false);
        }
        let values = self.operator.values();
        self.inputs.iter().for_each(|&(at, slot)| values[slot] = vector[at]);
        let mut is_enabled = false;
        self.operator.outcomes(&mut |after| {
            is_enabled = true;
            for (&(access, source), output) in columns.iter().zip(&self.outputs) {
                let old = source.map(|at| vector[at]);
                let new = output.map(|slot| after[slot]);
                match access {
                    LevelAccess::Read => pairs.extend(old),
                    LevelAccess::Write => pairs.extend(new),
                    // Another operator of the group assigns it.
                    LevelAccess::Both => pairs.extend([old, new.or(old)].into_iter().flatten()),
                }
            }
        })?;
        Ok(is_enabled)
    }
}

/// Rows of values that are not yet nodes.
#[derive(Default)]
struct Batch {
    any: bool,
    enabled: Vec<i32>,
    pairs: Vec<i32>,
}

fn rows(forest: &mut Forest, values: &[i32], width: usize) -> Result<NodeId, SymbolicError> {
    let mut rows: Vec<&[i32]> = values.chunks_exact(width).collect();
    rows.sort_unstable();
    rows.dedup();
    Ok(forest.rows_from(&rows, 0)?)
}
