//! `beeline lint`: mistakes in a model, and how to mend them.

use crate::args::lint::Lint;
use crate::base::color::Paint;
use crate::base::json;
use crate::base::output::CommandOutput;
use crate::commands::load;
use crate::model::loaded::LoadedModel;
use crate::render::diagnostics::{self, DiagnosticsObject};

/// Answers `lint`: the diagnostics go to standard output.
pub(crate) fn lint(options: &Lint) -> Result<CommandOutput, CommandOutput> {
    let file = load::open(&options.input, &options.report)?;
    let loaded = load::parse(file, &options.input, &options.report, "")?;
    let out = if options.report.json {
        json::line(&DiagnosticsObject::new(&loaded))
    } else {
        let paint = options.report.color.paint(&std::io::stdout());
        let mut text = messages(&loaded, paint);
        if !options.report.quiet {
            text += &diagnostics::summary(&loaded.model, &loaded.result.diagnostics);
        }
        text
    };
    Ok(CommandOutput { out, err: String::new(), exit: loaded.exit() })
}

fn messages(loaded: &LoadedModel, paint: Paint) -> String {
    let (messages, sources) = (loaded.result.diagnostics.iter(), &loaded.result.sources);
    messages.map(|message| diagnostics::render(message, sources, paint) + "\n").collect()
}
