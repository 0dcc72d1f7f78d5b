//! `beeline import-plan`: a plan for an exported model as a trail.

use std::ops::ControlFlow;
use std::path::PathBuf;

use beeline_checker::{ExchangeError, ImportedPlan};
use beeline_model::{StoryRequest, Subject};
use beeline_pddl::{PlanStep, read_plan};

use crate::args::export::ExchangeGoals;
use crate::args::import_plan::ImportPlan;
use crate::base::exit::Exit;
use crate::base::failure::Failure;
use crate::base::output::CommandOutput;
use crate::base::stream::Stream;
use crate::commands::export::properties_of;
use crate::commands::load::{self, LoadRequest};
use crate::model::loaded::LoadedModel;
use crate::model::trail;
use crate::model::trail_paths::TrailPaths;
use crate::render::import_plan::{self, ImportOutcome};

const OTHER: &str = "use the model, and the options, that the export was made with";

/// Executes `import-plan`.
pub(crate) fn import_plan(options: &ImportPlan) -> Result<CommandOutput, CommandOutput> {
    let (loaded, mut err) = load::read(&LoadRequest {
        properties: &options.goals.properties,
        semantics: options.meaning.semantics(),
        instances: &options.goals.instances,
        ..LoadRequest::new(&options.input, &options.report)
    })?;
    let fail = |failure: Failure| load::fail(&loaded.model, &options.report, failure);
    let actions = read(options).map_err(fail)?;
    let properties = properties_of(&loaded, &options.goals).map_err(fail)?;
    let (model, plan) = (loaded.as_model(), ExchangeGoals::plan());
    let imported = beeline_checker::import_plan(model, &properties, &plan, &actions);
    let imported = imported.map_err(|error| fail(refusal(options, &error)))?;
    let file = match write(options, &loaded, &imported) {
        Ok(file) => file,
        Err(problem) => {
            err += &problem;
            None
        }
    };
    CommandOutput { out: String::new(), err, exit: Exit::Success }.give();
    let subject = Subject::Violation(&imported.violation, Some(&imported.property));
    let request = StoryRequest::new(subject);
    let mut stream = Stream::new();
    let told = model.with_story(&imported.violation.trail, &request, &mut |story, teller| {
        let outcome = ImportOutcome {
            loaded: &loaded,
            imported: &imported,
            story,
            teller,
            actions: actions.len(),
            file: file.as_deref(),
            is_quiet: options.report.quiet,
        };
        if options.report.json {
            stream.say_line(&import_plan::object(&outcome));
        } else {
            import_plan::say(&outcome, &mut |text| {
                stream.say(text);
                match stream.is_heard() {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            });
        }
    });
    told.unwrap_or_else(|error| panic!("a confirmed trail fails: {error}"));
    Ok(stream.finish_known(Exit::Violated))
}

/// The names of the actions of the plan.
fn read(options: &ImportPlan) -> Result<Vec<String>, Failure> {
    let path = options.plan.display();
    let text = std::fs::read_to_string(&options.plan).map_err(|error| {
        Failure::new(format!("cannot read the plan `{path}`: {error}"), "check the name")
    })?;
    let steps = read_plan(&text).map_err(|fault| {
        let help = "a plan has an action in parentheses on each line";
        Failure::new(format!("`{path}` is not a plan: {fault}"), help)
    })?;
    // Actions have no arguments; those that a plan gives belong to the name.
    let name = |PlanStep { name, arguments }: PlanStep| {
        std::iter::once(name).chain(arguments).collect::<Vec<_>>().join(" ")
    };
    Ok(steps.into_iter().map(name).collect())
}

fn refusal(options: &ImportPlan, error: &ExchangeError) -> Failure {
    if let ExchangeError::Check(error) = error {
        panic!("{error}");
    }
    let help = match error {
        ExchangeError::NoError { .. } => "was the plan cut short?",
        _ => OTHER,
    };
    Failure::new(format!("`{}`: {error}", options.plan.display()), help)
}

/// Writes the trail; returns its file, or a warning.
fn write(
    options: &ImportPlan,
    loaded: &LoadedModel,
    imported: &ImportedPlan,
) -> Result<Option<PathBuf>, String> {
    if options.no_trail {
        return Ok(None);
    }
    let paths = TrailPaths::new(&loaded.model, options.trail.as_deref());
    let file = paths.first().to_owned();
    let written = trail::write(&file, &imported.violation.trail);
    written.map(|()| Some(file.clone())).map_err(|error| {
        format!(
            "warning: cannot write the trail `{}`: {error}\nhelp: `--trail FILE` names another \
             file\n",
            file.display()
        )
    })
}
