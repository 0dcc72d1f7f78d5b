//! `beeline lint`: what is wrong with a model, and how to mend it.

use crate::answer::Answer;
use crate::color::Paint;
use crate::front::{Front, unreadable};
use crate::options::Lint;
use crate::render::{self, json};

/// Answers `lint`. What was asked for is the diagnostics, so they go to
/// standard output.
pub(crate) fn lint(options: &Lint) -> Answer {
    let front = match Front::read(&options.input) {
        Ok(front) => front,
        Err(error) => return unreadable(&options.input, &options.report, &error),
    };
    let out = if options.report.json {
        json::line(&json::Report::new(&front))
    } else {
        let paint = options.report.color.paint(&std::io::stdout());
        let mut text = messages(&front, paint);
        if !options.report.quiet {
            text += &render::summary(&front.model, &front.result.diagnostics);
        }
        text
    };
    Answer { out, err: String::new(), exit: front.exit() }
}

fn messages(front: &Front, paint: Paint) -> String {
    let messages = front.result.diagnostics.iter();
    messages.map(|message| render::render(message, &front.result.sources, paint) + "\n").collect()
}
