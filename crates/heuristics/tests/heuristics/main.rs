//! Heuristics and abstractions: their values, and what is promised about them.

mod abstraction;
mod cache;
mod dpa;
mod relaxation;
mod tables;
mod values;
