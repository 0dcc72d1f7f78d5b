//! Code generation: a process type becomes up to five functions, and
//! a structure of states that occurs often becomes one.
//!
//! ```text
//! step(context, state, pid)      tries each edge of the process in order, and
//!                                makes a successor for each that is executable
//! receive(context, state, pid)   the same for edges that take an offered message
//! start(context, next) -> pid    adds a process to the successor under way
//! movable(context, state, pid)   whether some edge of the process is executable, and whether
//! provided(context, state, pid)  its `provided` clause lets it move
//! expand(context, state, asleep) the steps of all processes of a state of one structure
//! ```
//!
//! Guards are evaluated on the state itself; the copy is made when an edge turns out to be
//! executable, and from then on the copy is read and written. `function.rs` has the building
//! blocks; each of the other files generates code for one part of the language.

mod bytes;
mod channels;
mod d_step;
mod expressions;
mod function;
mod invariants;
mod movable;
mod process;
mod start;
mod statements;
mod trace;
mod variables;
mod whole_state;

pub(crate) use function::{Program, Purpose, nothing};
pub(crate) use invariants::{MOST_INVARIANTS, watch};
pub(crate) use movable::question;
pub(crate) use process::edges;
pub(crate) use start::start;
pub(crate) use trace::observer;
pub(crate) use whole_state::{StateShape, whole_state};
