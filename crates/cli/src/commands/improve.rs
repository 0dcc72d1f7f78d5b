//! `beeline improve`: a shorter trail, and the methods that found it.

use std::ops::ControlFlow;
use std::path::Path;

use beeline_checker::{CheckError, Event, ImproveError, ImproveOptions, Observer, Stats};
use beeline_kernel::{Deadline, Stop};
use beeline_model::{StoryRequest, Subject};

use crate::args::improve::Improve;
use crate::base::exit::Exit;
use crate::base::failure::Failure;
use crate::base::output::CommandOutput;
use crate::base::stream::Stream;
use crate::commands::load::{self, LoadRequest};
use crate::commands::retell::Retelling;
use crate::commands::trail_request::TrailRequest;
use crate::model::trail;
use crate::render::improve::{self, ImproveOutcome};
use crate::run::{ProgressObserver, is_interrupted};

/// Executes `improve`.
pub(crate) fn improve(options: &Improve) -> Result<CommandOutput, CommandOutput> {
    let (loaded, mut err) = load::read(&LoadRequest {
        properties: &options.properties,
        semantics: options.meaning.semantics(),
        ..LoadRequest::new(&options.input, &options.report)
    })?;
    let fail = |failure: Failure| load::fail(&loaded.model, &options.report, failure);
    let request = TrailRequest {
        given: options.given.as_deref(),
        properties: &options.properties,
        report: &options.report,
    };
    let (given, note) = request.find(&loaded.model).map_err(|error| fail(error.into()))?;
    err += &note;
    let (plan, place) = (options.plan(), options.place(&given));
    let retelling = Retelling::read(&loaded, &given).map_err(fail)?;
    let (time, progress, quiet) = (Some(options.time), options.progress, options.report.quiet);
    let clock = ProgressObserver::within(time, progress, quiet);
    let mut writer = TrailWriter { clock, place: &place, problem: None };
    let wanted = ImproveOptions { plan: &plan, few_switches: options.switches, by: &options.by };
    let model = loaded.as_model();
    let improved = beeline_checker::improve(model, &retelling.given.trail, &wanted, &mut writer);
    let TrailWriter { clock, problem, .. } = writer;
    clock.finish();
    let improved = improved.map_err(|error| fail(failure(&given, &retelling, error)))?;
    let file = (!improved.log.is_empty() && problem.is_none()).then_some(&*place);
    err += problem.as_deref().unwrap_or_default();
    CommandOutput { out: String::new(), err, exit: Exit::Success }.give();
    let deadline = clock.left_for_report().deadline();
    let subject = Subject::Violation(&improved.violation, None);
    let request = StoryRequest { deadline, ..StoryRequest::new(subject) };
    let mut stream = Stream::new();
    // Ctrl-C during the search asks for this report, and Ctrl-C during the report for its end.
    let was_interrupted = is_interrupted();
    // The steps are printed as they are told: a trail can have millions of them.
    let told = model.with_story(&improved.violation.trail, &request, &mut |story, teller| {
        let outcome = ImproveOutcome {
            loaded: &loaded,
            improved: &improved,
            story,
            teller,
            given: &given,
            file,
            seconds: clock.seconds(),
            is_quiet: options.report.quiet,
        };
        if options.report.json {
            stream.say_line(&improve::object(&outcome));
        } else {
            improve::say(&outcome, &mut |text| {
                stream.say(text);
                let is_wanted = stream.is_heard() && is_interrupted() == was_interrupted;
                if is_wanted { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
        }
    });
    told.unwrap_or_else(|error| panic!("a confirmed trail fails: {error}"));
    Ok(stream.finish_known(Exit::Success))
}

/// Why a trail cannot be improved, and the remedy.
fn failure(given: &Path, retelling: &Retelling<'_>, error: ImproveError) -> Failure {
    let refused =
        |error: &ImproveError| format!("`{}` cannot be improved: {error}", given.display());
    match error {
        ImproveError::Trail(error) => retelling.misfit(&error),
        ImproveError::Check(CheckError::Heuristic(why)) => Failure::new(
            format!("`--by`: {why}"),
            "`beeline list heuristics` names the goals of each",
        ),
        // An unconfirmed finding is a bug of Beeline, and reported as one.
        ImproveError::Check(error) => panic!("{error}"),
        ImproveError::NoError => Failure::new(
            refused(&error),
            "a property that is not in the model can be given: --property 'ltl: FORMULA' or \
             --property 'invariant: EXPR'",
        ),
        ImproveError::Cycle => Failure::new(
            refused(&error),
            "a trail with a cycle has to end in the state in which its cycle begins",
        ),
    }
}

/// Writes each better trail to its file at once.
struct TrailWriter<'a> {
    clock: ProgressObserver,
    place: &'a Path,
    problem: Option<String>,
}

impl Observer for TrailWriter<'_> {
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Stop> {
        self.clock.poll(stats)
    }

    fn slice(&mut self) -> u64 {
        self.clock.slice()
    }

    fn deadline(&self) -> Deadline {
        self.clock.deadline()
    }

    fn on_event(&mut self, event: &Event<'_>) {
        let Event::Shortened { violation, by, .. } = event else { return };
        self.clock.say(&format!("{} steps ({by})", violation.length.steps));
        self.problem = trail::write(self.place, &violation.trail).err().map(|error| {
            format!(
                "warning: cannot write the trail `{}`: {error}\nhelp: every step is shown; \
                 `--trail FILE` names another file\n",
                self.place.display()
            )
        });
    }
}
