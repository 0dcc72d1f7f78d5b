//! Models and trails from files: a model is read once, and its language is determined once.

pub(crate) mod file;
pub(crate) mod include;
pub(crate) mod languages;
pub(crate) mod load_options;
pub(crate) mod loaded;
pub(crate) mod location;
pub(crate) mod read_error;
pub(crate) mod trail;
pub(crate) mod trail_paths;
