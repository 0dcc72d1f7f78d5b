//! Search algorithms and stores. Nothing here knows Promela.
#![forbid(unsafe_code)]
