//! Output formats of other programs, and the table of all formats.

mod itf;
mod junit;
mod place;
mod registry;
mod sarif;

pub(crate) use registry::{ChartWriter, FormatRow, Writer, charts, output, reports, traces};
