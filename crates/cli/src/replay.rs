//! `beeline replay`: a trail executed step by step.

use serde::Serialize;

use crate::chart::{self, Drawn};
use crate::exit::Exit;
use crate::formats;
use crate::input::ReadError;
use crate::load;
use crate::options::Replay;
use crate::output::CommandOutput;
use crate::render::json::{self, Header};
use crate::story::{self, StoryObject};
use crate::trail::{self, Given};

/// The object that `replay --json` prints.
#[derive(Serialize)]
struct Replayed<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    trail: String,
    #[serde(flatten)]
    story: StoryObject<'a>,
}

/// Answers `replay`. A trail that leads to no error is shown, too, but it is not
/// what it claims to be: most likely it was cut short.
pub(crate) fn replay(options: &Replay) -> CommandOutput {
    let wanted = match options.drawing.wanted(options.report.json) {
        Ok(wanted) => wanted,
        Err((message, help)) => {
            let model = options.input.model.to_string_lossy();
            return load::usage(&model, &options.report, message, help);
        }
    };
    let formulas = beeline_checker::formulas(&options.properties);
    let (loaded, warnings) = match load::read_with(&options.input, &options.report, &formulas) {
        Ok(ready) => ready,
        Err(answer) => return answer,
    };
    let semantics = options.meaning.semantics();
    let properties = match beeline_checker::select(&loaded.result.hir, &options.properties) {
        // All of them is what nobody has to ask for.
        Ok(_) if options.properties.is_empty() => Vec::new(),
        Ok(properties) => properties,
        Err(error) => {
            let help = "without --property, the first thing is told that is wrong".to_owned();
            return load::failure(&loaded, &options.report, error.to_string(), help);
        }
    };
    let read = Given::read(&loaded, &options.trail).and_then(|mut given| {
        given.cut(options.steps.unwrap_or(usize::MAX));
        let wants_states = options.traces.itf.is_some();
        trail::retell_for(&loaded, &given, semantics, &properties, wants_states)
    });
    let trail::Read { story, file, doubt } = match read {
        Ok(read) => read,
        Err((message, help)) => return load::failure(&loaded, &options.report, message, help),
    };
    // Who asks for the first steps does not expect an error.
    let doubt = doubt.filter(|_| options.steps.is_none());
    let sources = &loaded.result.sources;
    let mut out = if options.report.json {
        let trail = options.trail.to_string_lossy().into_owned();
        let story = StoryObject::new(&story, sources);
        json::line(&Replayed { header: Header::new(&loaded.model), trail, story })
    } else {
        let steps =
            if options.columns { story::columns(&story) } else { story::steps(&story, sources, 0) };
        steps + &story::end(&story, sources)
    };
    if let Some(wanted) = wanted {
        let chronicle = beeline_checker::chronicle(&loaded.result.hir, &file, semantics);
        let chronicle = chronicle.expect("it was executed just now");
        match chart::draw(&wanted, &loaded, &chronicle) {
            Drawn::Written(note) if !options.report.json && !options.report.quiet => out += &note,
            Drawn::Written(_) => {}
            Drawn::Out(chart) => out = chart,
            Drawn::Failed(message, help) => {
                return load::failure(&loaded, &options.report, message, help);
            }
        }
    }
    let answer = match doubt {
        None => CommandOutput { out, err: warnings, exit: Exit::Success },
        Some((message, help)) => {
            let paint = options.report.color.paint(&std::io::stderr());
            let complaint = ReadError { message, help }.render(paint);
            CommandOutput { out, err: warnings + &complaint, exit: Exit::Usage }
        }
    };
    formats::of_replay(&loaded, options, &story, answer)
}
