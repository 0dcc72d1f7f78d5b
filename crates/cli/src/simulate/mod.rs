//! `beeline simulate`: one run of a model, at random, by choice, or along a trail.

mod interactive;
mod options;

use beeline_checker::{ErrorKind, Simulation, SimulationEnd, Story, StoryEnd, StoryStep};
use beeline_promela::hir::Model;
use beeline_promela::source::SourceMap;
use serde::Serialize;

use crate::exit::Exit;
use crate::load;
use crate::loaded::LoadedModel;
use crate::output::CommandOutput;
use crate::progress;
use crate::render::json::{self, Header};
use crate::story::{self, StoryObject, Widths};
use crate::stream::Stream;
use crate::trail::{self, Given};

pub(crate) use options::Simulate;

/// Why a run is over.
#[derive(Clone, Copy)]
enum Finish {
    /// Nothing more can happen.
    Ended(SimulationEnd),
    /// It was long enough.
    Limit,
    /// Someone had seen enough.
    Quit,
    /// Someone pressed Ctrl-C.
    Interrupted,
    /// The trail goes no further.
    TrailEnd,
}

impl Finish {
    /// For programs.
    fn name(self) -> String {
        match self {
            Finish::Ended(ending) => ending.to_string(),
            Finish::Limit => "step limit reached".to_owned(),
            Finish::Quit => "stopped".to_owned(),
            Finish::Interrupted => "interrupted".to_owned(),
            Finish::TrailEnd => "trail ended".to_owned(),
        }
    }

    /// For people.
    fn words(self) -> String {
        match self {
            Finish::Ended(SimulationEnd::Error(ErrorKind::InvalidEnd)) => {
                "timeout, no process can move: invalid end state".to_owned()
            }
            Finish::Ended(SimulationEnd::ValidEnd) => {
                "no process can move, and each is where it may stop: valid end state".to_owned()
            }
            Finish::TrailEnd => "the trail ends, and nothing is wrong here".to_owned(),
            _ => self.name(),
        }
    }

    fn exit(self) -> Exit {
        match self {
            Finish::Ended(SimulationEnd::Error(_)) => Exit::Violated,
            Finish::Limit | Finish::Interrupted => Exit::Unknown,
            Finish::Ended(_) | Finish::Quit | Finish::TrailEnd => Exit::Success,
        }
    }
}

/// The object that `simulate --json` prints.
#[derive(Serialize)]
struct Simulated<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    /// Of a random run.
    seed: Option<u64>,
    /// Of a guided run.
    trail: Option<String>,
    ending: String,
    #[serde(flatten)]
    story: StoryObject<'a>,
}

/// Answers `simulate`.
pub(crate) fn simulate(options: &Simulate) -> CommandOutput {
    if options.interactive && options.input.model.as_os_str() == "-" {
        let message = "standard input cannot hold both the model and your choices".to_owned();
        let help = "put the model into a file".to_owned();
        return load::usage("-", &options.report, message, help);
    }
    let (loaded, warnings) = match load::read(&options.input, &options.report) {
        Ok(ready) => ready,
        Err(answer) => return answer,
    };
    if let Some(file) = &options.trail {
        let semantics = options.meaning.semantics();
        let read =
            Given::read(&loaded, file).and_then(|given| trail::retell(&loaded, &given, semantics));
        return match read {
            Ok(read) => guided(options, &loaded, warnings, &read.story),
            Err((message, help)) => load::failure(&loaded, &options.report, message, help),
        };
    }
    let model = &loaded.result.hir;
    let simulation = match Simulation::new(
        model,
        options.seed.unwrap_or(options::SEED),
        options.meaning.semantics(),
    ) {
        Ok(simulation) => simulation,
        Err(kind) => {
            let end = StoryEnd::initial_fault(kind);
            return guided(options, &loaded, warnings, &Story::new(Vec::new(), end));
        }
    };
    // Before the run, not after it: it may take its time.
    let said = CommandOutput { out: String::new(), err: warnings, exit: Exit::Success };
    said.give();
    if options.interactive {
        return interactive::interact(options, &loaded, simulation.remembering());
    }
    at_random(options, &loaded, simulation)
}

/// A random run.
fn at_random(options: &Simulate, loaded: &LoadedModel, mut run: Simulation<'_>) -> CommandOutput {
    let limit = options.steps.unwrap_or(options::STEPS);
    let mut teller = Teller::new(options, loaded);
    let mut steps = Vec::new();
    progress::catch_interrupts();
    while teller.steps < limit && teller.stream.is_heard() && !progress::is_interrupted() {
        let Some(step) = run.take_any() else { break };
        teller.step(&step);
        if options.report.json {
            steps.push(step);
        }
    }
    let unfinished = if progress::is_interrupted() { Finish::Interrupted } else { Finish::Limit };
    let finish = run.ending().map_or(unfinished, Finish::Ended);
    let answer = teller.finish(finish, Story::new(steps, run.state()));
    save(options, &run, answer)
}

/// Writes the run to its file, if it is wanted there.
fn save(options: &Simulate, run: &Simulation<'_>, answer: CommandOutput) -> CommandOutput {
    let Some(file) = &options.save else { return answer };
    match trail::write(file, &run.trail()) {
        Ok(()) => answer,
        Err(error) => {
            let name = file.display();
            let problem = format!(
                "error: cannot write the trail `{name}`: {error}\nhelp: name a file in a directory \
                 that can be written to\n"
            );
            CommandOutput { err: answer.err + &problem, exit: Exit::Usage, ..answer }
        }
    }
}

/// A run that is known already.
fn guided(
    options: &Simulate,
    loaded: &LoadedModel,
    warnings: String,
    story: &Story,
) -> CommandOutput {
    let said = CommandOutput { out: String::new(), err: warnings, exit: Exit::Success };
    said.give();
    let mut teller = Teller::new(options, loaded);
    story.steps.iter().for_each(|step| teller.step(step));
    let ending = story.end.error.map(SimulationEnd::Error);
    teller.finish(ending.map_or(Finish::TrailEnd, Finish::Ended), story.clone())
}

/// Says what happens, in the way that was asked for.
struct Teller<'a> {
    options: &'a Simulate,
    loaded: &'a LoadedModel,
    stream: Stream,
    widths: Widths,
    /// So far.
    steps: u64,
}

impl<'a> Teller<'a> {
    fn new(options: &'a Simulate, loaded: &'a LoadedModel) -> Teller<'a> {
        let widths = Widths { number: 3, process: longest_name(&loaded.result.hir) };
        Teller { options, loaded, stream: Stream::new(), widths, steps: 0 }
    }

    fn sources(&self) -> &'a SourceMap {
        &self.loaded.result.sources
    }

    fn step(&mut self, step: &StoryStep) {
        self.steps += 1;
        let report = &self.options.report;
        if report.quiet && !report.json {
            self.stream.say(&step.printed);
        } else if !report.json {
            let text = story::step(step, self.steps as usize, self.widths, self.sources());
            self.stream.say(&text);
        }
    }

    fn finish(mut self, finish: Finish, story: Story) -> CommandOutput {
        let report = &self.options.report;
        let ending = story::ending(&story::after(self.steps as usize), &finish.words(), &story.end);
        let mut err = String::new();
        if report.json {
            let random = self.options.trail.is_none();
            let trail = self.options.trail.as_ref();
            self.stream.say(&json::line(&Simulated {
                header: Header::new(&self.loaded.model),
                seed: random.then_some(self.options.seed.unwrap_or(options::SEED)),
                trail: trail.map(|file| file.to_string_lossy().into_owned()),
                ending: finish.name(),
                story: StoryObject::new(&story, self.sources()),
            }));
        } else if !report.quiet {
            self.stream.say(&ending);
            self.stream.say(&story::state(&story.end, self.sources()));
        } else if finish.exit() != Exit::Success {
            // Standard output is for what the model prints.
            err = ending;
        }
        self.stream.finish(err, finish.exit())
    }
}

/// Of `Proctype(pid)`.
fn longest_name(model: &Model) -> usize {
    let names = model.processes.iter().map(|process| process.name.name.chars().count());
    names.max().unwrap_or(0) + "(0)".len()
}
