//! A failure for people and programs: the cause and the remedy.
//!
//! Each module has error types of its own. They become a `Failure` where a command ends.

use annotate_snippets::{Group, Level, Renderer};

use crate::base::color::Paint;

/// Why a command cannot be executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// One sentence with the problem and its cause.
    pub(crate) message: String,
    /// The remedy.
    pub(crate) help: String,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure { message: message.into(), help: help.into() }
    }

    /// The failure as shown to people.
    pub(crate) fn render(&self, paint: Paint) -> String {
        let clean = annotate_snippets::normalize_untrusted_str;
        let title = Level::ERROR.primary_title(&self.message);
        let help = Level::HELP.secondary_title(clean(&self.help));
        let report = [Group::with_title(title), Group::with_title(help)];
        let renderer = match paint {
            Paint::Plain => Renderer::plain(),
            Paint::Colored => Renderer::styled(),
        };
        renderer.render(&report) + "\n"
    }
}
