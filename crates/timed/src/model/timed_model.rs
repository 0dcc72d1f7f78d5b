//! A network of timed automata as a [`Model`].

use std::collections::HashMap;
use std::sync::OnceLock;

use beeline_kernel::{Fault, StatePath, Trail, TrailError};
use beeline_model::{
    About, Chronicle, ErrorKind, FollowError, Followed, FollowedTrail, Message, MessageFate,
    MessageRole, Model, Property, PropertyKind, Simulation, SimulationError, StateDelta,
    StepDetails, Story, StoryRequest, StoryStates, Subject, System, SystemOptions, UnknownProperty,
    fingerprint,
};
use beeline_search::FindingKind;
use beeline_source::source::SourceMap;

use super::guides::Guides;
use super::narrator::TimedNarrator;
use super::product::{error_of, no_initial_state};
use super::shared_spaces::shared_spaces;
use super::simulation::TimedSimulation;
use super::system::{PropertyGoal, TimedSystem, ZoneGraph};
use super::timed_run::TimedRun;
use super::trail::{impossible, lasso_of, steps_of};
use crate::front_end::FrontEnd;
use crate::network::TimedNetwork;
use crate::network::code::Code;
use crate::network::memory::Memory;
use crate::network::traverse::visit;
use crate::resolve::ResolvedModel;
use crate::resolve::queries::{Query, QueryCode};
use crate::semantics::cases::may_split;
use crate::semantics::goal::{AlwaysGoal, QueryGoal};
use crate::semantics::lasso::LassoRun;
use crate::semantics::maximal_runs::MaximalRuns;
use crate::semantics::symbolic::{StepResult, SymbolicEngine};
use crate::semantics::synchronisation::Part;

/// A network of timed automata with its queries.
#[derive(Debug)]
pub struct TimedModel {
    about: About,
    sources: SourceMap,
    model: ResolvedModel,
    queries: Vec<Query>,
    /// By query: the name of its property.
    names: Vec<String>,
    /// By query: the number of its state space.
    spaces: Vec<usize>,
}

impl TimedModel {
    /// The model of a text without errors; the texts alone if there are errors.
    ///
    /// # Errors
    ///
    /// The texts, if there is no model.
    pub fn new(name: &str, front: FrontEnd) -> Result<TimedModel, SourceMap> {
        let FrontEnd { sources, model, queries, .. } = front;
        let Some(model) = model else { return Err(sources) };
        let about = About { language: "network of timed automata", name: name.to_owned() };
        let mut seen: HashMap<&str, usize> = HashMap::new();
        let mut names = Vec::new();
        for query in &queries {
            let times = seen.entry(&query.text).or_default();
            *times += 1;
            names.push(match times {
                1 => query.text.clone(),
                _ => format!("{} (query {})", query.text, query.number),
            });
        }
        let spaces = shared_spaces(&queries);
        Ok(TimedModel { about, sources, model, queries, names, spaces })
    }

    /// The network.
    pub fn network(&self) -> &TimedNetwork {
        &self.model.net
    }

    /// The queries.
    pub fn queries(&self) -> &[Query] {
        &self.queries
    }

    pub(super) fn narrator(&self) -> TimedNarrator<'_> {
        TimedNarrator { net: &self.model.net, sources: &self.sources }
    }

    fn query_of(&self, property: &Property) -> Option<&Query> {
        let at = self.names.iter().position(|name| *name == property.name)?;
        self.queries.get(at)
    }

    /// The properties that every network has.
    fn general(&self) -> [Property; 2] {
        [PropertyKind::Deadlock, PropertyKind::RuntimeErrors].map(Property::of_kind)
    }

    fn of_queries(&self) -> Vec<Property> {
        let kind = |code: &QueryCode| match code {
            QueryCode::Possibly(_) => PropertyKind::Reachability,
            QueryCode::Invariantly(_) => PropertyKind::Invariant,
            QueryCode::PotentiallyAlways(_) => PropertyKind::PotentiallyAlways,
            _ => PropertyKind::Query,
        };
        let queries = self.queries.iter().zip(&self.names);
        queries
            .map(|(query, name)| Property {
                name: name.clone(),
                kind: kind(&query.code),
                formula: Some(query.text.clone()),
            })
            .collect()
    }

    /// The system for some properties.
    fn system(&self, properties: &[Property]) -> TimedSystem<'_> {
        let mut goals = Vec::new();
        let mut of_properties = Vec::new();
        let mut add = |code: &Code, holds: bool| {
            goals.push(QueryGoal { code: code.clone(), holds });
            PropertyGoal::Goal(goals.len() as u32 - 1)
        };
        for property in properties {
            let goal = match property.kind {
                PropertyKind::Deadlock => add(&Code::Deadlock, true),
                PropertyKind::RuntimeErrors => PropertyGoal::Faults,
                _ => match self.query_of(property).map(|query| &query.code) {
                    Some(QueryCode::Possibly(code)) => add(code, true),
                    Some(QueryCode::Invariantly(code)) => add(code, false),
                    Some(QueryCode::PotentiallyAlways(code)) => always(None, code, true),
                    Some(QueryCode::Eventually(code)) => always(None, code, false),
                    Some(QueryCode::LeadsTo(code, then)) => always(Some(code), then, false),
                    Some(QueryCode::Refused(why)) => PropertyGoal::Refused(why.clone()),
                    None => PropertyGoal::Refused("the model has no such query".to_owned()),
                },
            };
            of_properties.push((property.clone(), goal));
        }
        let net = &self.model.net;
        let space = ZoneGraph { engine: SymbolicEngine::new(net, goals) };
        TimedSystem {
            net,
            space,
            goals: of_properties,
            guides: Guides::default(),
            with_time: OnceLock::new(),
        }
    }

    /// The run of a trail with a cycle: that of the first property that it decides. `None` if it
    /// decides none.
    fn follow_lasso<'m>(
        &'m self,
        system: &TimedSystem<'m>,
        trail: &Trail,
        subject: Subject<'_>,
    ) -> Result<Option<FollowedRun<'m>>, TrailError> {
        let net = &self.model.net;
        let steps = lasso_of(net, trail)?;
        let all = system.goals.iter().filter_map(|(property, goal)| match goal {
            PropertyGoal::Runs(goal) => Some((property, goal)),
            _ => None,
        });
        let (first, others): (Vec<_>, Vec<_>) =
            all.partition(|(property, _)| is_wanted(subject, property));
        for (property, goal) in first.into_iter().chain(others) {
            let runs = MaximalRuns::new(net, goal.clone());
            // The state from which on the condition holds may be anywhere before the cycle.
            let last = if goal.trigger.is_some() { steps.stem.len() } else { 0 };
            for begin in 0..=last {
                let mut steps = steps.clone();
                if goal.trigger.is_some() {
                    steps.stem.insert(begin, Vec::new());
                }
                let Ok(LassoRun { steps, schedule, states, closes }) = runs.run(&steps) else {
                    continue;
                };
                let cycle_start = Some((steps.stem.len(), closes));
                let all = [steps.stem, steps.cycle].concat();
                let run = TimedRun { steps: all, schedule, states };
                let detail = property.formula.clone().unwrap_or_default();
                let error = Some((error_of(goal), detail));
                return Ok(Some(FollowedRun { run, error, cycle_start }));
            }
        }
        Ok(None)
    }

    /// The run of a trail, with the error at its end: that of the subject if it occurs there.
    fn follow<'m>(
        &'m self,
        system: &TimedSystem<'m>,
        trail: &Trail,
        subject: Subject<'_>,
    ) -> Result<FollowedRun<'m>, TrailError> {
        let steps = steps_of(&self.model.net, trail)?;
        let mut cycle_start = None;
        if let Some(start) = trail.cycle_start {
            if let Some(followed) = self.follow_lasso(system, trail, subject)? {
                return Ok(followed);
            }
            cycle_start = Some((start.min(steps.len()), false));
        }
        let mut found = Vec::new();
        if let Some(fault) = self.fault_of(&steps) {
            found.push(FindingKind::Fault(fault));
        }
        let goals = system.goals.iter().filter_map(|(property, goal)| match goal {
            PropertyGoal::Goal(goal) => {
                Some((is_wanted(subject, property), FindingKind::Invariant(*goal)))
            }
            _ => None,
        });
        let (first, others): (Vec<_>, Vec<_>) = goals.partition(|(is_wanted, _)| *is_wanted);
        found.extend(first.into_iter().chain(others).map(|(_, kind)| kind));
        for kind in found {
            if let Ok(run) = system.run(steps.clone(), Some(kind)) {
                let error = match kind {
                    FindingKind::Fault(fault) => ErrorKind::Fault(fault.kind),
                    FindingKind::Invariant(goal) => system.error_of(goal),
                    FindingKind::Deadlock => ErrorKind::InvalidEnd,
                };
                let detail = self.detail(system, kind);
                return Ok(FollowedRun { run, error: Some((error, detail)), cycle_start });
            }
        }
        match system.run(steps.clone(), None) {
            Ok(run) => Ok(FollowedRun { run, error: None, cycle_start }),
            Err(_) => Err(impossible(trail, &steps, self.first_impossible(system, &steps))),
        }
    }

    fn detail(&self, system: &TimedSystem<'_>, kind: FindingKind) -> String {
        match kind {
            FindingKind::Fault(fault) => match self.model.net.sites.get(fault.site.0 as usize) {
                Some(&span) => {
                    let place = self.sources.location(span);
                    let text = self.sources.text(span);
                    format!("`{text}` in line {} of {}", place.line, place.file)
                }
                None => fault.kind.to_string(),
            },
            FindingKind::Invariant(goal) => match system.property_of(goal) {
                Some(property) => property
                    .formula
                    .clone()
                    .unwrap_or_else(|| "no step is possible, whatever time passes".to_owned()),
                None => String::new(),
            },
            FindingKind::Deadlock => String::new(),
        }
    }

    /// The fault of the last of these steps, if it fails.
    fn fault_of(&self, steps: &[Vec<Part>]) -> Option<Fault> {
        let engine = SymbolicEngine::new(&self.model.net, Vec::new());
        let (path, last) =
            (self.path(&engine, &steps[..steps.len().checked_sub(1)?])?, steps.last()?);
        let mut memory = Memory::new(&self.model.net);
        let zone = engine.layout.decode(path.last()?, &mut memory);
        let mut found = None;
        engine.successors(&mut memory, &zone, &mut |_, step, reached| {
            if let (None, StepResult::Fault(fault)) = (&found, reached)
                && step == last
            {
                found = Some(fault);
            }
        });
        found
    }

    /// The states along steps, where there are several the first ones.
    fn path(&self, engine: &SymbolicEngine<'_>, steps: &[Vec<Part>]) -> Option<StatePath> {
        let mut memory = Memory::new(&self.model.net);
        let mut zone = engine.initial(&mut memory).ok()??;
        let (mut path, mut state) = (StatePath::new(), Vec::new());
        engine.layout.encode(&memory, &zone, &mut state);
        path.push(&state);
        for wanted in steps {
            let mut found = None;
            engine.successors(&mut memory, &zone, &mut |memory, step, reached| {
                if let (None, StepResult::Zone(zone)) = (&found, reached)
                    && step == wanted
                {
                    let mut state = Vec::new();
                    engine.layout.encode(memory, &zone, &mut state);
                    found = Some(state);
                }
            });
            let state = found?;
            zone = engine.layout.decode(&state, &mut memory);
            path.push(&state);
        }
        Some(path)
    }

    /// The first of these steps that is not possible.
    fn first_impossible(&self, system: &TimedSystem<'_>, steps: &[Vec<Part>]) -> usize {
        let possible = |length: &usize| system.run(steps[..*length].to_vec(), None).is_err();
        (1..=steps.len()).find(possible).map_or(0, |length| length - 1)
    }
}

/// A run with its description.
struct FollowedRun<'m> {
    run: TimedRun<'m>,
    /// The error at its end, with a detail.
    error: Option<(ErrorKind, String)>,
    /// The first step of its cycle, and whether the cycle closes.
    cycle_start: Option<(usize, bool)>,
}

/// Whether a trail is told for this property.
fn is_wanted(subject: Subject<'_>, property: &Property) -> bool {
    match subject {
        Subject::Properties(properties) => properties.is_empty() || properties.contains(property),
        Subject::Violation(_, of) => of.is_none_or(|of| of == property),
    }
}

/// The maximal runs on which a condition holds from the beginning, or from a trigger on.
fn always(trigger: Option<&Code>, code: &Code, holds: bool) -> PropertyGoal {
    let mut has_deadlock = false;
    for code in trigger.into_iter().chain([code]) {
        visit(code, &mut |one| has_deadlock |= matches!(one, Code::Deadlock));
    }
    if has_deadlock {
        let why = "`deadlock` is supported in `E<>` and `A[]` only";
        return PropertyGoal::Refused(why.to_owned());
    }
    if may_split(code, holds) {
        let why = "a condition on clocks that may hold in several ways is supported in `E<>` and \
                   `A[]` only: a run on which it changes from one to another gets no times";
        return PropertyGoal::Refused(why.to_owned());
    }
    let condition = QueryGoal { code: code.clone(), holds };
    PropertyGoal::Runs(AlwaysGoal { trigger: trigger.cloned(), condition })
}

impl Model for TimedModel {
    fn about(&self) -> &About {
        &self.about
    }

    fn fingerprint(&self) -> u64 {
        fingerprint(self.sources.files().map(|file| &*file.text))
    }

    fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// The queries; a model without queries is checked for deadlocks and faults.
    fn properties(&self) -> Vec<Property> {
        let queries = self.of_queries();
        if queries.is_empty() { self.general().to_vec() } else { queries }
    }

    fn select(&self, names: &[String]) -> Result<Vec<Property>, UnknownProperty> {
        if names.is_empty() {
            return Ok(self.properties());
        }
        let mut all = self.of_queries();
        all.extend(self.general());
        UnknownProperty::select(all, names)
    }

    fn query_number(&self, property: &Property) -> Option<usize> {
        self.query_of(property).map(|query| query.number)
    }

    fn space_of(&self, property: &Property) -> usize {
        let at = self.names.iter().position(|name| *name == property.name);
        at.map_or(self.spaces.len(), |at| self.spaces[at])
    }

    fn with_system(
        &self,
        properties: &[Property],
        _options: SystemOptions,
        run: &mut dyn FnMut(&dyn System),
    ) {
        run(&self.system(properties));
    }

    fn with_trail(
        &self,
        trail: &Trail,
        _options: SystemOptions,
        run: &mut dyn FnMut(&dyn System, FollowedTrail),
    ) -> Result<(), FollowError> {
        let mut properties = self.of_queries();
        properties.extend(self.general());
        let system = self.system(&properties);
        let steps = steps_of(&self.model.net, trail).map_err(FollowError::Trail)?;
        if trail.cycle_start.is_some() {
            return Err(FollowError::Cycle);
        }
        let mut kinds = Vec::new();
        let fault = self.fault_of(&steps);
        kinds.extend(fault.map(FindingKind::Fault));
        kinds.extend((0..system.space.engine.goals.len() as u32).map(FindingKind::Invariant));
        for found in kinds {
            let Ok(run_found) = system.run(steps.clone(), Some(found)) else { continue };
            let stored = steps.len() - usize::from(matches!(found, FindingKind::Fault(_)));
            let Some(states) = self.path(&system.space.engine, &steps[..stored]) else { continue };
            let followed = Followed { states, found, steps: run_found.steps.len() as u64 };
            run(&system, FollowedTrail::Path(followed));
            return Ok(());
        }
        match system.run(steps.clone(), None) {
            Ok(_) => Err(FollowError::NoError),
            Err(_) => {
                let at = self.first_impossible(&system, &steps);
                Err(FollowError::Trail(impossible(trail, &steps, at)))
            }
        }
    }

    fn story(&self, trail: &Trail, request: &StoryRequest<'_>) -> Result<Story, TrailError> {
        let mut properties = self.of_queries();
        properties.extend(self.general());
        let system = self.system(&properties);
        let FollowedRun { run, error, cycle_start } =
            self.follow(&system, trail, request.subject)?;
        let narrator = self.narrator();
        let mut story = narrator.tell(&run, error);
        if let Some((start, closes)) = cycle_start {
            (story.cycle_start, story.closes) = (Some(start), closes);
        }
        if request.states == StoryStates::Whole {
            let times = TimedNarrator::times(&run);
            let states = run.states.iter().zip(times).take(run.steps.len() + 1);
            story.states = states.map(|(state, now)| narrator.whole_state(state, now)).collect();
        }
        Ok(story.telling(request.steps))
    }

    /// A synchronisation is a message from the first process to each of the others.
    fn chronicle(&self, trail: &Trail) -> Result<Chronicle, TrailError> {
        let mut properties = self.of_queries();
        properties.extend(self.general());
        let system = self.system(&properties);
        let FollowedRun { run, error, cycle_start } =
            self.follow(&system, trail, Subject::Properties(&[]))?;
        let narrator = self.narrator();
        let mut story = narrator.tell(&run, error);
        if let Some((start, closes)) = cycle_start {
            (story.cycle_start, story.closes) = (Some(start), closes);
        }
        let times = TimedNarrator::times(&run);
        let initial = StateDelta {
            values: narrator.values(&run.states[0], 0),
            gone: Vec::new(),
            processes: narrator.positions(&run.states[0]),
        };
        let (mut messages, mut step_details) = (Vec::new(), Vec::new());
        for (at, (told, step)) in story.steps.iter().zip(&run.steps).enumerate() {
            let mut details =
                StepDetails { first: told.turn.statement.clone(), ..StepDetails::default() };
            if let Some(state) = run.states.get(at + 1) {
                let all = narrator.positions(state);
                let moved = |one: &&beeline_model::ProcessPosition| {
                    step.iter().any(|part| part.process as usize == one.pid)
                };
                details.delta.processes = all.iter().filter(moved).cloned().collect();
                let before = narrator.values(&run.states[at], times[at]);
                let after = narrator.values(state, times[at + 1]);
                let changed = before.into_iter().zip(after).filter(|(one, other)| one != other);
                details.delta.values = changed.map(|(_, after)| after).collect();
            }
            for receiver in step.iter().skip(1) {
                details.parts.push(MessageRole::Sends(messages.len()));
                let pid = receiver.process as usize;
                messages.push(Message {
                    channel: channel_name(&told.turn.statement),
                    text: String::new(),
                    sender: told.turn.pid,
                    sent: at,
                    fate: MessageFate::Met { pid },
                });
            }
            step_details.push(details);
        }
        Ok(Chronicle { story, initial, step_details, messages })
    }

    fn simulation(&self, seed: u64) -> Result<Box<dyn Simulation + '_>, SimulationError> {
        let engine = SymbolicEngine::new(&self.model.net, Vec::new());
        match engine.initial(&mut Memory::new(&self.model.net)) {
            Ok(Some(_)) => Ok(Box::new(TimedSimulation::new(self.narrator(), seed))),
            Ok(None) => Err(SimulationError::InitialFault(no_initial_state().kind)),
            Err(fault) => Err(SimulationError::InitialFault(fault.kind)),
        }
    }

    fn process_names(&self) -> Vec<String> {
        self.model.net.processes.iter().map(|process| process.name.clone()).collect()
    }
}

/// The channel in the text of an edge: what stands before `!`.
fn channel_name(statement: &str) -> String {
    let labels = statement.split(['{', ';', '}']).map(str::trim);
    let sends = labels.into_iter().find_map(|label| label.strip_suffix('!'));
    sends.unwrap_or("sync").to_owned()
}
