//! `beeline import-trail`: a trail of an exported planning task as a plan.

use beeline_model::{Model, StoryRequest, Subject};
use beeline_pddl::{read_plan, replay};
use beeline_promela_model::SemanticsOptions;

use crate::args::import_trail::ImportTrail;
use crate::base::exit::Exit;
use crate::base::failure::Failure;
use crate::base::output::CommandOutput;
use crate::base::{file, json};
use crate::commands::load;
use crate::commands::planning_task::GivenTask;
use crate::model::file::ModelFile;
use crate::model::load_options::LoadOptions;
use crate::model::loaded::LoadedModel;
use crate::model::trail::GivenTrail;
use crate::render::plan::{ValidationOutcome, validation_object, validation_text};

/// Executes `import-trail`.
pub(crate) fn import_trail(options: &ImportTrail) -> Result<CommandOutput, CommandOutput> {
    let given = GivenTask::read(&options.domain, &options.problem, &options.report)?;
    let text = given.as_promela(&options.report)?;
    let fail = |failure: Failure| load::fail(&given.name, &options.report, failure);
    let file = ModelFile {
        name: format!("{} as a model", given.name),
        text,
        formulas: None,
        queries: None,
    };
    let semantics = SemanticsOptions::default();
    let none = LoadOptions {
        defines: &[],
        include: &[],
        properties: &[],
        queries: &[],
        option: "",
        semantics,
    };
    let loaded = LoadedModel::promela(file, &none);
    assert!(!loaded.diagnostics.has_errors(), "an exported task is a model without errors");
    let plan = plan_along(loaded.as_model(), options).map_err(fail)?;
    let replayed = read_plan(&plan).and_then(|steps| replay(&given.task, &steps));
    let outcome = ValidationOutcome { name: &given.name, replayed: &replayed };
    let mut out = match options.report.json {
        true => json::line(&validation_object(&outcome)),
        false if options.report.quiet => String::new(),
        false => format!("; {}", validation_text(&outcome)),
    };
    match &options.out {
        Some(path) => file::replace(path, &plan).map_err(|error| {
            let message = format!("cannot write the plan `{}`: {error}", path.display());
            fail(Failure::new(message, "--out FILE names another file"))
        })?,
        None if options.report.json => {}
        None => out.insert_str(0, &plan),
    }
    let exit = if replayed.is_ok() { Exit::Success } else { Exit::Violated };
    Ok(CommandOutput { out, err: given.warnings, exit })
}

/// What the steps of the trail print: the actions.
fn plan_along(model: &dyn Model, options: &ImportTrail) -> Result<String, Failure> {
    let trail = GivenTrail::read(model, &options.trail)?;
    let story = model.story(&trail.trail, &StoryRequest::new(Subject::Properties(&[])));
    let story = story.map_err(|error| {
        let message = format!("`{}` is not a trail of this task: {error}", trail.name);
        Failure::new(message, "use the domain and the problem that were exported")
    })?;
    Ok(story.steps.iter().map(|step| &*step.printed).collect())
}
