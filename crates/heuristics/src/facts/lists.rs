//! Lists of numbers, one after the other in memory.

use std::sync::Arc;

/// Lists of numbers, by number. Copies share them.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    /// By list: its end, which is the start of the next one; the first start is 0.
    ends: Arc<[u32]>,
    items: Arc<[u32]>,
}

impl Lists {
    /// These lists.
    pub(super) fn of<'l>(lists: impl IntoIterator<Item = &'l [u32]>) -> Lists {
        let (mut ends, mut items) = (Vec::new(), Vec::new());
        for list in lists {
            items.extend_from_slice(list);
            ends.push(items.len() as u32);
        }
        Lists { ends: ends.into(), items: items.into() }
    }

    /// By item below `count`: the lists that have it, in order.
    pub(super) fn inverse(&self, count: usize) -> Lists {
        let mut starts = vec![0u32; count + 1];
        for &item in self.items.iter() {
            starts[item as usize + 1] += 1;
        }
        for at in 0..count {
            starts[at + 1] += starts[at];
        }
        let mut items = vec![0; self.items.len()];
        for list in 0..self.len() as u32 {
            for &item in self.at(list) {
                let place = &mut starts[item as usize];
                items[*place as usize] = list;
                *place += 1;
            }
        }
        // Each start has moved to the end of its list.
        starts.pop();
        Lists { ends: starts.into(), items: items.into() }
    }

    /// The number of lists.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A list.
    #[inline]
    pub(super) fn at(&self, list: u32) -> &[u32] {
        let at = list as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        &self.items[start..self.ends[at] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_lists_where_items_are() {
        let lists = Lists::of([&[0, 2][..], &[], &[2], &[1, 2, 4]]);
        assert_eq!((lists.len(), lists.at(0), lists.at(1)), (4, &[0, 2][..], &[][..]));
        let inverse = lists.inverse(6);
        let all: Vec<&[u32]> = (0..6).map(|at| inverse.at(at)).collect();
        assert_eq!(all, [&[0][..], &[3], &[0, 2, 3], &[], &[3], &[]]);
    }
}
