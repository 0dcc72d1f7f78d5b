//! A process network as a [`Model`]: one property, that not all processes are in error states at
//! once.

use beeline_kernel::{Trail, TrailError};
use beeline_model::{
    About, Chronicle, FollowError, Followed, FollowedTrail, Message, MessageFate, MessageRole,
    Model, Property, PropertyKind, Simulation, SimulationError, StateDelta, StepDetails, Story,
    StoryRequest, StoryStates, System, SystemOptions, fingerprint,
};
use beeline_search::FindingKind;
use beeline_source::source::SourceMap;

use crate::components::NetworkComponents;
use crate::composition::Composition;
use crate::narrator::NetworkNarrator;
use crate::network::Network;
use crate::replayer::{NetworkReplayer, NetworkStep};
use crate::simulation::NetworkSimulation;
use crate::system::{ERROR, NetworkSystem};

/// A network with its text.
#[derive(Debug)]
pub struct NetworkModel {
    about: About,
    narrator: NetworkNarrator,
    sources: SourceMap,
}

impl NetworkModel {
    /// A network of this name, read from this text.
    pub fn new(name: &str, text: &str, network: Network) -> NetworkModel {
        let mut sources = SourceMap::default();
        let file = sources.add_file(name, text, None);
        let about = About { language: "process network", name: name.to_owned() };
        NetworkModel { about, narrator: NetworkNarrator::new(file, text, network), sources }
    }

    /// A network without a file; its text is its printed form.
    pub fn of(network: Network) -> NetworkModel {
        NetworkModel::new("network", &network.to_string(), network)
    }

    /// The network.
    pub fn network(&self) -> &Network {
        self.narrator.network()
    }
}

impl Model for NetworkModel {
    fn about(&self) -> &About {
        &self.about
    }

    fn fingerprint(&self) -> u64 {
        fingerprint([&*self.network().to_string()])
    }

    fn sources(&self) -> &SourceMap {
        &self.sources
    }

    fn properties(&self) -> Vec<Property> {
        let (name, kind) = ("error".to_owned(), PropertyKind::Invariant);
        vec![Property { name, kind, formula: None }]
    }

    fn with_system(
        &self,
        _properties: &[Property],
        _options: SystemOptions,
        run: &mut dyn FnMut(&dyn System),
    ) {
        let space = Composition::new(self.network());
        let components = NetworkComponents::new(self.network());
        run(&NetworkSystem { network: self.network(), space: &space, components: &components });
    }

    fn with_trail(
        &self,
        trail: &Trail,
        options: SystemOptions,
        run: &mut dyn FnMut(&dyn System, FollowedTrail),
    ) -> Result<(), FollowError> {
        let replayer = NetworkReplayer::new(self.network());
        let replayed = replayer.replay(trail).map_err(FollowError::Trail)?;
        if !replayer.is_error(replayed.end()) {
            return Err(FollowError::NoError);
        }
        let steps = replayed.cost();
        let followed =
            Followed { states: replayed.states, found: FindingKind::Invariant(ERROR), steps };
        self.with_system(&[], options, &mut |system| {
            run(system, FollowedTrail::Path(followed.clone()));
        });
        Ok(())
    }

    fn simulation(&self, seed: u64) -> Result<Box<dyn Simulation + '_>, SimulationError> {
        Ok(Box::new(NetworkSimulation::new(&self.narrator, seed)))
    }

    fn process_names(&self) -> Vec<String> {
        self.network().processes().iter().map(|process| process.name.clone()).collect()
    }

    fn story(&self, trail: &Trail, request: &StoryRequest<'_>) -> Result<Story, TrailError> {
        let replayer = NetworkReplayer::new(self.network());
        let replayed = replayer.replay(trail)?;
        let mut story = self.narrator.tell(&replayer, &replayed);
        if request.states == StoryStates::Whole {
            let whole =
                replayed.states.iter().map(|state| self.narrator.whole_state(&replayer, &state));
            story.states = whole.collect();
        }
        Ok(story.telling(request.steps))
    }

    /// An action of two processes is a message from the first to the second.
    fn chronicle(&self, trail: &Trail) -> Result<Chronicle, TrailError> {
        let replayer = NetworkReplayer::new(self.network());
        let replayed = replayer.replay(trail)?;
        let story = self.narrator.tell(&replayer, &replayed);
        let mut states = replayed.states.cursor();
        let first = states.advance().expect("there is the initial state");
        let initial = StateDelta {
            values: self.narrator.values(&replayer, first),
            gone: Vec::new(),
            processes: self.narrator.positions(&replayer, first),
        };
        let (mut messages, mut step_details) = (Vec::new(), Vec::new());
        for (at, step) in story.steps.iter().enumerate() {
            let mut details =
                StepDetails { first: step.turn.statement.clone(), ..StepDetails::default() };
            let next = states.advance().expect("each step leads to a state");
            let moved = [Some(&step.turn), step.partner.as_ref()].into_iter().flatten();
            details.delta.processes =
                moved.map(|one| self.narrator.position(&replayer, next, one.pid)).collect();
            let changed = step.changes.iter().map(|one| (one.name.clone(), one.after.clone()));
            details.delta.values = changed.collect();
            if let (Some(partner), NetworkStep::Together(one, _)) =
                (&step.partner, replayed.steps[at])
            {
                details.parts.push(MessageRole::Sends(messages.len()));
                messages.push(Message {
                    channel: self
                        .network()
                        .action_name(replayer.transition(one).1.action)
                        .to_owned(),
                    text: String::new(),
                    sender: step.turn.pid,
                    sent: at,
                    fate: MessageFate::Met { pid: partner.pid },
                });
            }
            step_details.push(details);
        }
        Ok(Chronicle { story, initial, step_details, messages })
    }
}
