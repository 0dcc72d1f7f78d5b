//! Loading of models: a model that is ready to run, or the output of a command that has none.

use beeline_promela::Frontend;
use beeline_promela::preprocess::{COMMAND_LINE_MACROS, Define};
use beeline_promela_model::{COMMAND_LINE_SOURCE, PromelaModel, SemanticsOptions};
use beeline_source::diagnostic::Severity;

use crate::args::input::Input;
use crate::args::report::Reporting;
use crate::args::spin_options;
use crate::base::exit::Exit;
use crate::base::failure::Failure;
use crate::base::json;
use crate::base::output::CommandOutput;
use crate::model::file::ModelFile;
use crate::model::languages::{LanguageRow, language_of};
use crate::model::load_options::LoadOptions;
use crate::model::loaded::LoadedModel;
use crate::render::diagnostics::{self, DiagnosticsObject};

/// The request of a command for a model.
#[derive(Clone, Copy)]
pub(crate) struct LoadRequest<'a> {
    pub(crate) input: &'a Input,
    pub(crate) report: &'a Reporting,
    /// Properties of the command line.
    pub(crate) properties: &'a [String],
    /// Queries of the command line.
    pub(crate) queries: &'a [String],
    /// The option that the properties are given with, as messages call it.
    pub(crate) option: &'static str,
    pub(crate) semantics: SemanticsOptions,
    /// Process types with bounded numbers of processes.
    pub(crate) instances: &'a [(String, usize)],
    /// Further given options that not every language supports.
    pub(crate) given: &'a [&'static str],
}

impl<'a> LoadRequest<'a> {
    /// A model by itself.
    pub(crate) fn new(input: &'a Input, report: &'a Reporting) -> LoadRequest<'a> {
        let semantics = SemanticsOptions::default();
        let (option, instances) = (COMMAND_LINE_SOURCE, &[]);
        LoadRequest {
            input,
            report,
            properties: &[],
            queries: &[],
            option,
            semantics,
            instances,
            given: &[],
        }
    }

    /// The first option that the language refuses.
    fn refused(&self, language: &LanguageRow) -> Option<&'static str> {
        let LoadRequest { input, semantics, instances, given, queries, .. } = self;
        let own = [
            (semantics.lossy, "--lossy"),
            (semantics.strict_ends, "--strict-ends"),
            (!instances.is_empty(), "--instances"),
            (!queries.is_empty(), "--query"),
            (!input.defines.is_empty(), "-D"),
            (!input.include.is_empty(), "-I"),
        ];
        let own = own.into_iter().filter(|(is_given, _)| *is_given).map(|(_, option)| option);
        let mut all = given.iter().copied().chain(own);
        all.find(|option| language.build.refused.contains(option))
    }
}

/// Reads a model, which must have no errors, and its warnings as text.
pub(crate) fn read(request: &LoadRequest<'_>) -> Result<(LoadedModel, String), CommandOutput> {
    let loaded = parse(request)?;
    let warnings = accept(&loaded, request.report)?;
    let notes = unused_macros(&loaded, request.input, request.report);
    Ok((loaded, warnings + &notes))
}

/// Reads a model, perhaps with errors. Options that its language does not support are refused.
pub(crate) fn parse(request: &LoadRequest<'_>) -> Result<LoadedModel, CommandOutput> {
    let &LoadRequest { input, report, properties, queries, option, semantics, .. } = request;
    let file = ModelFile::read(&input.model)
        .map_err(|error| fail(&input.model.to_string_lossy(), report, error))?;
    let language = language_of(&input.model, &file.text);
    if let Some(option) = request.refused(language) {
        let message = format!("{option} has no meaning for `{}`, a {}", file.name, language.name);
        return Err(fail(&file.name, report, Failure::new(message, format!("leave out {option}"))));
    }
    if let Some(missing) = input.include.iter().find(|directory| !directory.is_dir()) {
        let message = format!("-I: there is no directory `{}`", missing.to_string_lossy());
        let help = "included files are looked for beside the model, too: correct the name, or leave it out";
        return Err(fail(&file.name, report, Failure::new(message, help)));
    }
    let (defines, include) = (&input.defines[..], &input.include[..]);
    let options = LoadOptions { defines, include, properties, queries, option, semantics };
    let mut loaded = (language.build.load)(file, &options);
    loaded
        .bound_instances(request.instances)
        .map_err(|error| fail(&loaded.model, report, error))?;
    Ok(loaded)
}

/// The model as Promela, for a command that supports nothing else.
pub(crate) fn promela<'a>(
    loaded: &'a LoadedModel,
    report: &Reporting,
) -> Result<&'a PromelaModel<Frontend>, CommandOutput> {
    loaded.as_promela().map_err(|error| fail(&loaded.model, report, error))
}

/// The warnings about a model, which must have no errors, as text.
pub(crate) fn accept(loaded: &LoadedModel, report: &Reporting) -> Result<String, CommandOutput> {
    if loaded.diagnostics.has_errors() {
        return Err(refuse(loaded, report));
    }
    let silent = report.quiet || report.json;
    Ok(if silent { String::new() } else { messages(loaded, report) })
}

/// Notes about compile-time options of SPIN, such as `-DBFS`, that define a macro which the model
/// does not use.
pub(crate) fn unused_macros(loaded: &LoadedModel, input: &Input, report: &Reporting) -> String {
    if report.quiet || report.json {
        return String::new();
    }
    let mut out = String::new();
    for define in &input.defines {
        let Define::Set { name, .. } = define else { continue };
        let Some(ours) = spin_options::macro_equivalent(name) else { continue };
        let mut files = loaded.sources().files().filter(|file| *file.name != *COMMAND_LINE_MACROS);
        let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
        let uses = |text: &str| text.split(|c: char| !is_letter(c)).any(|word| word == name);
        if !files.any(|file| uses(&file.text)) {
            out += &format!(
                "note: the model does not use the macro `{name}` of -D {name}\n\
                 help: for the option of SPIN's verifier: {ours}\n"
            );
        }
    }
    out
}

/// The output for a model with errors: the same as that of `lint`.
fn refuse(loaded: &LoadedModel, report: &Reporting) -> CommandOutput {
    if report.json {
        let out = json::line(&DiagnosticsObject::new(loaded));
        return CommandOutput { out, err: String::new(), exit: loaded.exit() };
    }
    let mut err = messages(loaded, report);
    if !report.quiet {
        err += &diagnostics::summary(loaded.place(), &loaded.diagnostics);
    }
    CommandOutput { out: String::new(), err, exit: loaded.exit() }
}

/// Errors, and warnings unless they are suppressed.
pub(crate) fn messages(loaded: &LoadedModel, report: &Reporting) -> String {
    let paint = report.color.paint(&std::io::stderr());
    let all = loaded.diagnostics.iter();
    let wanted = all.filter(|message| message.severity == Severity::Error || !report.quiet);
    let sources = loaded.sources();
    wanted.map(|message| diagnostics::render(message, sources, paint) + "\n").collect()
}

/// The help for a reduction that cannot be used.
pub(crate) const REDUCTIONS: &str = "`beeline list reductions` describes them";

/// The output of a command that fails.
pub(crate) fn fail(model: &str, report: &Reporting, failure: impl Into<Failure>) -> CommandOutput {
    fail_with(model, report, failure, Exit::Usage)
}

/// The output of a command that fails, with another exit code.
pub(crate) fn fail_with(
    model: &str,
    report: &Reporting,
    failure: impl Into<Failure>,
    exit: Exit,
) -> CommandOutput {
    let failure = failure.into();
    let out = if report.json {
        json::line(&json::FailureObject::new(model, &failure))
    } else {
        String::new()
    };
    let err = failure.render(report.color.paint(&std::io::stderr()));
    CommandOutput { out, err, exit }
}
