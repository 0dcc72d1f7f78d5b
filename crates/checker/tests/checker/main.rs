//! Checks of real models, through the public interface only.

mod chronicle;
mod cycle_threads;
mod lossy;
mod networks;
mod reports;
mod shared_proof;
mod variety;
