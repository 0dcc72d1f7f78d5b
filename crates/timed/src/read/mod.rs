//! Readers: XML, XTA and the format of TChecker become the same syntax tree.

pub(crate) mod labels;
pub(crate) mod queries;
pub(crate) mod tck;
pub(crate) mod xml;
pub(crate) mod xta;
