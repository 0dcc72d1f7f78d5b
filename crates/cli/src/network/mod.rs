//! Process networks: files that end in `.net`, or whose first word is `process`.

mod check;
mod generate;

pub(crate) use check::check;
pub(crate) use generate::{Generate, generate};

use std::path::Path;

use beeline_network::Network;

use crate::exit::Exit;
use crate::input::{Model, ReadError};
use crate::loaded;
use crate::options::{Input, Reporting};
use crate::output::CommandOutput;
use crate::render::json;

/// A text that was read, and what it is.
pub(crate) enum Text {
    /// A process network.
    Network(Model),
    /// Anything else, to be read as Promela.
    Promela(Model),
}

impl Text {
    /// Reads a model, of whatever kind.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub(crate) fn read(path: &Path) -> Result<Text, ReadError> {
        let model = Model::read(path)?;
        let ends_so = path.extension().is_some_and(|end| end == "net");
        Ok(if ends_so || begins_so(&model.text) {
            Text::Network(model)
        } else {
            Text::Promela(model)
        })
    }
}

/// Whether the first word that is no comment is `process`, which begins no Promela model.
fn begins_so(text: &str) -> bool {
    let code = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    code.flat_map(str::split_whitespace).next() == Some("process")
}

/// The message for whoever gives a network to a command that takes Promela.
pub(crate) fn refused(name: &str) -> ReadError {
    ReadError {
        message: format!("`{name}` is a process network, and this command takes Promela"),
        help: "`beeline check` and `beeline count` take networks".to_owned(),
    }
}

/// Reads a network, if that is what the input is: its name, and the network or the answer to its
/// mistakes. `None` where it is Promela.
pub(crate) fn read(
    input: &Input,
    report: &Reporting,
) -> Result<Option<(String, Network)>, CommandOutput> {
    let model = match Text::read(&input.model) {
        Ok(Text::Network(model)) => model,
        Ok(Text::Promela(_)) => return Ok(None),
        Err(error) => return Err(loaded::unreadable(input, report, &error)),
    };
    match beeline_network::read(&model.text) {
        Ok(network) => Ok(Some((model.name, network))),
        Err(mistake) => {
            let message = format!("{}:{}: {}", model.name, mistake.line, mistake.cause);
            let error = ReadError { message, help: mistake.fix };
            let out = if report.json {
                json::line(&json::Failure::new(&model.name, &error))
            } else {
                String::new()
            };
            let err = error.render(report.color.paint(&std::io::stderr()));
            Err(CommandOutput { out, err, exit: Exit::Model })
        }
    }
}
