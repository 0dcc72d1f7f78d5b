//! The published tables, cell by cell, as far as they take seconds: what the papers print
//! is what `beeline hsf` counts, or it is known why not. `bench/tables` does all of them.

mod published;

use published::{Extent, Status, compare};

#[test]
fn the_small_cells_of_the_published_tables_come_out() {
    let tables = compare(Extent::Small, &mut |_| {});
    let cells = || tables.iter().flat_map(|table| table.cells());
    let odd: Vec<_> = cells().filter(|cell| cell.status == Status::Mismatch).collect();
    assert!(odd.is_empty(), "{odd:#?}");
    let exact = cells().filter(|cell| cell.status == Status::Exact).count();
    assert!(exact > 300, "only {exact} cells are exact");
}
