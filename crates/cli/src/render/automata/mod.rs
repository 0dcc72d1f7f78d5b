//! Automata as drawings.

mod layers;
mod picture;

pub(crate) use picture::picture;
