//! The families of networks that \[DFP06\] measures, one file each.
//!
//! The paper describes its models in words only. Open details were chosen so that the lengths of
//! shortest trails are those of its tables, where it prints 2T + 1 for T steps.

mod arbiter;
mod drawn;
mod hanoi;
mod random;

pub use arbiter::arbiter;
pub use drawn::{DrawError, draw_random};
pub use hanoi::{Hanoi, hanoi};
pub use random::random;
