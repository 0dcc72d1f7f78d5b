//! `beeline lint`: mistakes in a model, with fixes.

use crate::args::lint::Lint;
use crate::base::color::Paint;
use crate::base::json;
use crate::base::output::CommandOutput;
use crate::commands::load::{self, LoadRequest};
use crate::model::loaded::LoadedModel;
use crate::render::diagnostics::{self, DiagnosticsObject};

/// Executes `lint`: the diagnostics go to standard output.
pub(crate) fn lint(options: &Lint) -> Result<CommandOutput, CommandOutput> {
    let loaded = load::parse(&LoadRequest::new(&options.input, &options.report))?;
    let out = if options.report.json {
        json::line(&DiagnosticsObject::new(&loaded))
    } else {
        let paint = options.report.color.paint(&std::io::stdout());
        let mut text = messages(&loaded, paint);
        if !options.report.quiet {
            text += &diagnostics::summary(&loaded.model, &loaded.diagnostics);
        }
        text
    };
    Ok(CommandOutput { out, err: String::new(), exit: loaded.exit() })
}

fn messages(loaded: &LoadedModel, paint: Paint) -> String {
    let (messages, sources) = (loaded.diagnostics.iter(), loaded.sources());
    messages.map(|message| diagnostics::render(message, sources, paint) + "\n").collect()
}
