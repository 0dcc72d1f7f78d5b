//! Names and what they stand for.

use std::collections::HashMap;
use std::sync::Arc;

use crate::network::code::Place;
use crate::network::types::ValueType;

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Symbol {
    /// A type, and whether its values are constant.
    Type(ValueType, bool),
    /// A variable, constant, clock or channel.
    Value(ValueSymbol),
    /// A function, by number.
    Function(u32),
    /// The processes of a name in the `system` line.
    Processes(Arc<ProcessSet>),
}

/// A variable, constant, clock or channel.
#[derive(Clone, Debug)]
pub(crate) struct ValueSymbol {
    /// Its type.
    pub(crate) ty: ValueType,
    /// Its place.
    pub(crate) place: Place,
    /// Whether it cannot be assigned to.
    pub(crate) is_const: bool,
    /// Its value, if that is known before a run.
    pub(crate) known: Option<i32>,
}

/// The processes of a name in the `system` line, by the values of their free parameters.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProcessSet {
    /// The number of free parameters.
    pub(crate) parameters: usize,
    /// The processes.
    pub(crate) instances: HashMap<Vec<i32>, u32>,
}

/// Names of one block.
pub(crate) type Names = HashMap<Arc<str>, Symbol>;

/// Names of nested blocks, the innermost last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scopes {
    /// The blocks.
    pub(crate) blocks: Vec<Names>,
}

impl Scopes {
    /// What a name stands for here.
    pub(crate) fn find(&self, name: &str) -> Option<&Symbol> {
        self.blocks.iter().rev().find_map(|block| block.get(name))
    }

    /// Declares a name; `false` if the block has it already.
    pub(crate) fn declare(&mut self, name: &Arc<str>, symbol: Symbol) -> bool {
        let block = self.blocks.last_mut().expect("declarations are inside a block");
        block.insert(name.clone(), symbol).is_none()
    }

    /// All names that can be used here.
    pub(crate) fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> =
            self.blocks.iter().flat_map(|block| block.keys().map(|name| &**name)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}
