//! `beeline explain`: what the code of a message means.

use beeline_source::diagnostic::did_you_mean;
use serde::Serialize;

use crate::args::explain::Explain;
use crate::base::color::ColorChoice;
use crate::base::exit::Exit;
use crate::base::failure::Failure;
use crate::base::json::{self, FailureObject};
use crate::base::output::CommandOutput;
use crate::base::text::{Paragraph, fill, push};
use crate::render::explain::{CodePage, pages};

/// The layout of texts.
const TEXT: Paragraph = Paragraph { width: 96, indent: 0, hanging: 0 };
/// The layout of sentences below codes.
const BELOW: Paragraph = Paragraph { width: 96, indent: 6, hanging: 6 };

/// The object that `explain --json` prints without a code.
#[derive(Serialize)]
struct CodesObject<'a> {
    tool: &'static str,
    codes: Vec<CodeObject<'a>>,
}

/// The object that `explain CODE --json` prints.
#[derive(Serialize)]
struct OneCodeObject<'a> {
    tool: &'static str,
    #[serde(flatten)]
    code: CodeObject<'a>,
}

/// A code with its page.
#[derive(Serialize)]
struct CodeObject<'a> {
    code: &'a str,
    severity: &'a str,
    meaning: &'a str,
    example: Option<&'a str>,
    fix: &'a str,
}

/// Executes `explain`.
pub(crate) fn explain(options: &Explain) -> CommandOutput {
    let pages = pages();
    let out = match &options.code {
        None if options.json => {
            json::line(&CodesObject { tool: "beeline", codes: pages.iter().map(object).collect() })
        }
        None => list(&pages),
        Some(given) => {
            let code = bare(given);
            let Some(page) = pages.iter().find(|page| page.code == code) else {
                return unknown(code, &pages, options.json);
            };
            match options.json {
                true => json::line(&OneCodeObject { tool: "beeline", code: object(page) }),
                false => text(page),
            }
        }
    };
    CommandOutput { out, err: String::new(), exit: Exit::Success }
}

/// The code of `error[code]`, or of `code` itself.
fn bare(given: &str) -> &str {
    let inner = given.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    inner.map_or(given, |(code, _)| code)
}

fn object(page: &CodePage) -> CodeObject<'_> {
    let CodePage { code, severity, meaning, example, fix } = page;
    CodeObject { code, severity, meaning, example: *example, fix }
}

/// All codes, each with the first sentence of its page.
fn list(pages: &[CodePage]) -> String {
    let mut out = String::new();
    for page in pages {
        let sentence = page.meaning.split_inclusive(". ").next().unwrap_or_default();
        push(&mut out, format_args!("{}\n", page.code));
        fill(&mut out, BELOW, "", sentence.trim_end());
    }
    out
}

fn text(page: &CodePage) -> String {
    let mut out = format!("{} ({})\n\n", page.code, page.severity);
    fill(&mut out, TEXT, "", &page.meaning);
    match page.example {
        Some(example) => {
            out += "\nExample:\n\n";
            for line in example.lines() {
                push(&mut out, format_args!("    {line}\n"));
            }
        }
        None => out += "\nAn example would be too large.\n",
    }
    out.push('\n');
    fill(&mut out, TEXT, "Fix: ", &page.fix);
    out
}

fn unknown(code: &str, pages: &[CodePage], json: bool) -> CommandOutput {
    let help = match did_you_mean(code, pages.iter().map(|page| page.code)) {
        Some(similar) => format!("did you mean `{similar}`? `beeline explain` lists all codes"),
        None => "`beeline explain` lists all codes".to_owned(),
    };
    let failure = Failure::new(format!("there is no code `{code}`"), help);
    let err = failure.render(ColorChoice::Auto.paint(&std::io::stderr()));
    let out = if json { json::line(&FailureObject::new("", &failure)) } else { String::new() };
    CommandOutput { out, err, exit: Exit::Usage }
}
