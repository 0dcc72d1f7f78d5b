//! The language of process networks: its texts and its state spaces.

mod families;
mod format;
