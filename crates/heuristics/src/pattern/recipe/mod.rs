//! Pattern files: the tables that a user requests.
//!
//! ```text
//! # comment
//! combine sum                      or: combine max, which is usual
//! table NAME
//!   keep NAME, ...                 a variable, an array, a process, or where one is: P[0]@
//!   classes NAME = 0, 1..3, {4, 7..9}, 10..
//!   classes NAME = modulo N
//!   predicate x < y && P[0]:z != 3
//! ```
//!
//! Names are those of `beeline dump --form factored`; one with other characters than letters,
//! digits and `_ [ ] @ : .` is quoted. In classes and predicates, the name of a value may replace a
//! number.

mod condition;
mod constants;
mod error;
mod factor_names;
mod lines;
mod print;
mod table_recipe;
mod words;

pub use constants::RecipeConstants;
pub use error::RecipeError;
pub(crate) use factor_names::{UnknownFactor, find, instead};
pub(crate) use print::print;
pub use table_recipe::{Recipe, TableRecipe};
