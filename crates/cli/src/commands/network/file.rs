//! Parsing process networks.

use beeline_network::Network;

use crate::args::report::Reporting;
use crate::base::exit::Exit;
use crate::base::failure::Failure;
use crate::base::output::CommandOutput;
use crate::commands::load;
use crate::model::file::ModelFile;

/// Parses a network.
pub(crate) fn parse(file: &ModelFile, report: &Reporting) -> Result<Network, CommandOutput> {
    beeline_network::read(&file.text).map_err(|mistake| {
        let message = format!("{}:{}: {}", file.name, mistake.line, mistake.cause);
        load::fail_with(&file.name, report, Failure::new(message, mistake.fix), Exit::Model)
    })
}
