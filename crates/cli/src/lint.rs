//! `beeline lint`: what is wrong with a model, and how to mend it.

use crate::color::Paint;
use crate::loaded::{LoadedModel, unreadable};
use crate::options::Lint;
use crate::output::CommandOutput;
use crate::render::{self, json};

/// Answers `lint`. What was asked for is the diagnostics, so they go to
/// standard output.
pub(crate) fn lint(options: &Lint) -> CommandOutput {
    let loaded = match LoadedModel::read(&options.input) {
        Ok(loaded) => loaded,
        Err(error) => return unreadable(&options.input, &options.report, &error),
    };
    let out = if options.report.json {
        json::line(&json::Report::new(&loaded))
    } else {
        let paint = options.report.color.paint(&std::io::stdout());
        let mut text = messages(&loaded, paint);
        if !options.report.quiet {
            text += &render::summary(&loaded.model, &loaded.result.diagnostics);
        }
        text
    };
    CommandOutput { out, err: String::new(), exit: loaded.exit() }
}

fn messages(loaded: &LoadedModel, paint: Paint) -> String {
    let messages = loaded.result.diagnostics.iter();
    messages.map(|message| render::render(message, &loaded.result.sources, paint) + "\n").collect()
}
