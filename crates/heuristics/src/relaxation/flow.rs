//! Flows: after the first application of an operator, every further value of a cell maps to a value
//! of another cell. Many operators share such maps, for instance all receives from a channel, so
//! flows are separate from operators and followed once.

use std::collections::BTreeMap;

use super::bit_table::BitTable;
use super::code::{CompiledOperator, Effect};
use super::relaxed_state::RelaxedState;

/// A table from the bits of a cell to those of another one.
#[derive(Clone, Debug)]
pub(super) struct Flow {
    pub(super) from: u32,
    map: BitTable,
}

impl Flow {
    /// Adds the image of its cell.
    #[inline]
    pub(super) fn follow(&self, relaxed: &mut RelaxedState) {
        let cell = *relaxed.cells.get(self.from);
        for word in 0..cell.words {
            self.map.add(word, relaxed.now[(cell.first + word) as usize], relaxed);
        }
    }
}

/// Finds flows: tables of operators of cost 1 whose variables are not narrowed.
pub(super) fn flows(codes: &mut [CompiledOperator]) -> Vec<Flow> {
    type Key = (u32, u32, Box<[u16]>);
    let mut known: BTreeMap<Key, u32> = BTreeMap::new();
    let mut flows: Vec<Flow> = Vec::new();
    for code in codes.iter_mut().filter(|code| code.cost > 0) {
        let narrowed = code.narrowed();
        let cells: Vec<u32> = code.vars.all.iter().map(|var| var.cell).collect();
        let mut effects: Vec<&mut Effect> = code.effects.iter_mut().collect();
        while let Some(effect) = effects.pop() {
            match effect {
                Effect::Map(map) if !narrowed.contains(&map.var) => {
                    let from = cells[map.var as usize];
                    let key = (from, map.cell, map.table.clone());
                    let flow = *known.entry(key).or_insert_with(|| {
                        flows.push(Flow { from, map: map.clone() });
                        flows.len() as u32 - 1
                    });
                    map.flow = Some(flow);
                }
                Effect::Chosen { effects: each, .. } => effects.extend(each.iter_mut()),
                _ => {}
            }
        }
    }
    flows
}
