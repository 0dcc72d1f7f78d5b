//! Searches of toy spaces, through the public interface only.

mod automata;
mod best_first;
mod caching;
mod counts;
mod crowds;
mod cycles;
mod depth_first;
mod findings;
mod frontier_search;
mod ida;
mod improve;
mod incomplete;
mod lassos;
mod limits;
mod loops;
mod lossy;
mod partial;
mod paths;
mod published;
mod reduction;
mod roads;
mod slices;
mod stores;
mod ties;
mod toys;
mod variety;
