//! Sets of edges of a process, as bits by their positions in its list of edges.

/// Edges of a process, as bits, by their positions in the list of edges.
pub(super) type Edges = Box<[u64]>;

/// A set over `count` edges with these elements.
pub(super) fn edges_of(count: usize, which: impl IntoIterator<Item = usize>) -> Edges {
    let mut edges = vec![0; count.div_ceil(64)].into_boxed_slice();
    which.into_iter().for_each(|at| set(&mut edges, at, true));
    edges
}

/// Whether an edge is set.
pub(super) fn has(edges: &[u64], at: usize) -> bool {
    edges[at / 64] >> (at % 64) & 1 == 1
}

/// Adds or removes an edge.
pub(super) fn set(edges: &mut [u64], at: usize, value: bool) {
    let bit = 1 << (at % 64);
    if value {
        edges[at / 64] |= bit;
    } else {
        edges[at / 64] &= !bit;
    }
}

/// The numbers of the bits that are set in a word.
pub(super) fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = word.trailing_zeros();
        (next < u64::BITS).then(|| {
            word &= word - 1;
            next as usize
        })
    })
}
