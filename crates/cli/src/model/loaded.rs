//! A model after its front-end: an implementation of the contract of models, and the diagnostics.

use beeline_model::Model;
use beeline_network::NetworkModel;
use beeline_promela::Frontend;
use beeline_promela::preprocess::PreprocessOptions;
use beeline_promela_model::{PromelaModel, formulas, place_at_end};
use beeline_source::diagnostic::{Diagnostic, Diagnostics, Severity, known_names};
use beeline_source::source::{FileId, SourceMap, Span};
use beeline_timed::front_end::OtherQueries;
use beeline_timed::model::TimedModel;

use crate::base::exit::Exit;
use crate::model::file::ModelFile;
use crate::model::include::Include;
use crate::model::load_options::LoadOptions;
use crate::model::read_error::ReadError;

/// A model that was read, perhaps with errors.
pub(crate) struct LoadedModel {
    /// The name that messages use.
    pub(crate) model: String,
    pub(crate) diagnostics: Diagnostics,
    /// The option with the properties of the command line, as messages call it.
    option: &'static str,
    /// The bytes of the file of the model. Formulas beside it and on the command line follow them.
    length: usize,
    content: Content,
}

/// A model of one of the languages.
enum Content {
    Promela(Box<PromelaModel<Frontend>>),
    Network(Box<NetworkModel>),
    Timed(Box<TimedModel>),
    /// A text whose errors leave no model.
    Broken(SourceMap),
}

impl LoadedModel {
    /// Reads a Promela model and the files that it includes, with the properties of the command
    /// line. Mistakes, such as a missing include, are diagnostics.
    pub(crate) fn promela(file: ModelFile, options: &LoadOptions<'_>) -> LoadedModel {
        let ModelFile { name, mut text, formulas: beside, .. } = file;
        let length = text.len();
        if let Some((name, formulas)) = beside {
            text += &format!("\n#line 1 \"{name}\"\n{formulas}\n");
        }
        text += &formulas(options.properties, options.option);
        let preprocessing = PreprocessOptions { defines: options.defines.to_vec() };
        let mut include = Include::new(options.include);
        let mut front = beeline_promela::read(&name, &text, &mut include, &preprocessing);
        let mut diagnostics = std::mem::take(&mut front.diagnostics);
        diagnostics.revise(|message| place_at_end(message, &front.sources, options.option));
        if !diagnostics.has_errors()
            && let Some(error) = options.semantics.process_limit_error(&front.hir)
        {
            diagnostics.push(error);
        }
        let model = PromelaModel::new(&name, front, options.semantics);
        let content = Content::Promela(Box::new(model));
        LoadedModel { model: name, diagnostics, option: options.option, length, content }
    }

    /// Reads a process network.
    pub(super) fn network(file: ModelFile, options: &LoadOptions<'_>) -> LoadedModel {
        let ModelFile { name, text, .. } = file;
        let mut diagnostics = Diagnostics::default();
        let content = match beeline_network::read(&text) {
            Ok(network) => Content::Network(Box::new(NetworkModel::new(&name, &text, network))),
            Err(error) => {
                let mut sources = SourceMap::default();
                let root = sources.add_file(&name, &text, None);
                let before = text.split_inclusive('\n').take(error.line - 1).map(str::len).sum();
                let line = text[before..].lines().next().unwrap_or_default();
                let span = Span::new(root, before as u32, (before + line.len()) as u32);
                let message = Diagnostic::error("network", span, error.cause).help(error.fix);
                diagnostics.push(message);
                Content::Broken(sources)
            }
        };
        let (option, length) = (options.option, text.len());
        LoadedModel { model: name, diagnostics, option, length, content }
    }

    /// Reads a network of timed automata.
    pub(super) fn timed(file: ModelFile, options: &LoadOptions<'_>) -> LoadedModel {
        let ModelFile { name, text, queries, .. } = file;
        let others = OtherQueries { given: options.queries.to_vec(), beside: queries };
        let mut front = beeline_timed::front_end::read(&name, &text, &others);
        let diagnostics = std::mem::take(&mut front.diagnostics);
        let content = match TimedModel::new(&name, front) {
            Ok(model) => Content::Timed(Box::new(model)),
            Err(sources) => Content::Broken(sources),
        };
        let (option, length) = (options.option, text.len());
        LoadedModel { model: name, diagnostics, option, length, content }
    }

    /// The model, which must have no errors.
    pub(crate) fn as_model(&self) -> &dyn Model {
        match &self.content {
            Content::Promela(model) => &**model,
            Content::Network(model) => &**model,
            Content::Timed(model) => &**model,
            Content::Broken(_) => unreachable!("a model with errors is refused before it is used"),
        }
    }

    /// Bounds the numbers of processes in symbolic views.
    pub(crate) fn bound_instances(&mut self, bounds: &[(String, usize)]) -> Result<(), ReadError> {
        match &mut self.content {
            Content::Promela(model) if !self.diagnostics.has_errors() => {
                model.bound_instances(bounds).map_err(|unknown| {
                    let names = model.hir().processes.iter().map(|process| &*process.name.name);
                    let known = known_names(unknown, &names.collect::<Vec<_>>());
                    ReadError::NoProcessType(format!("`{unknown}`{known}"))
                })
            }
            _ => Ok(()),
        }
    }

    /// The model as Promela, for features that only Promela has.
    ///
    /// # Errors
    ///
    /// When it is written in another language.
    pub(crate) fn as_promela(&self) -> Result<&PromelaModel<Frontend>, ReadError> {
        match &self.content {
            Content::Promela(model) => Ok(model),
            Content::Network(_) | Content::Timed(_) | Content::Broken(_) => {
                Err(ReadError::NotPromela(self.model.clone()))
            }
        }
    }

    /// The model as timed automata, if it is one.
    pub(crate) fn as_timed(&self) -> Option<&TimedModel> {
        match &self.content {
            Content::Timed(model) => Some(model),
            _ => None,
        }
    }

    /// Whether there is no model, but for its text.
    pub(crate) fn is_broken(&self) -> bool {
        matches!(self.content, Content::Broken(_))
    }

    /// The sources of the model.
    pub(crate) fn sources(&self) -> &SourceMap {
        match &self.content {
            Content::Promela(model) => model.sources(),
            Content::Network(model) => model.sources(),
            Content::Timed(model) => model.sources(),
            Content::Broken(sources) => sources,
        }
    }

    /// The files of the model with their texts, in the order of their ids. What no file has, such
    /// as text that a macro makes, is empty.
    pub(crate) fn texts(&self) -> Vec<(FileId, &str, &str)> {
        let files = self.sources().files_with_ids().enumerate();
        let texts = files.map(|(at, (id, file))| {
            let length = if at == 0 { self.length } else { file.text.len() };
            let text = if file.synthetic { "" } else { &file.text[..length] };
            (id, &*file.name, text)
        });
        texts.collect()
    }

    /// Where the errors are, in words: in the model, or in an option.
    pub(crate) fn place(&self) -> &str {
        if self.exit() == Exit::Usage { self.option } else { &self.model }
    }

    /// The advice for a heuristic that cannot be used.
    pub(crate) fn heuristics(&self) -> &'static str {
        match self.content {
            Content::Network(_) => "`beeline list network-heuristics` describes their arguments",
            _ => "`beeline list heuristics` describes their arguments",
        }
    }

    /// The exit code if only diagnostics are reported.
    pub(crate) fn exit(&self) -> Exit {
        let errors = self.diagnostics.iter().filter(|message| message.severity == Severity::Error);
        let mut places = errors.map(|error| self.sources().location(error.span).file);
        if !self.diagnostics.has_errors() {
            Exit::Success
        } else if places.all(|place| *place == *self.option) {
            Exit::Usage
        } else {
            Exit::Model
        }
    }
}
