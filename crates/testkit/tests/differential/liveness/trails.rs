//! Trails that violate a claim: SPIN replays ours, to the start of the cycle and to the end; and we
//! replay SPIN's, which must close and violate the claim.

use std::fs;
use std::path::Path;
use std::time::Duration;

use beeline_engine::automata::AutomataOptions;
use beeline_engine::claim::Claim;
use beeline_engine::interpreter::{Machine, Move};
use beeline_engine::trail::TrailReplay;
use beeline_kernel::{FaultKind, StatePath, Trail};
use beeline_model::{
    CycleError, ErrorKind, Model, Property, PropertyKind, StoryRequest, Subject, Violation,
};
use beeline_promela::Frontend;
use beeline_promela::hir::{ProcessId, ProcessKind};
use beeline_testkit::checking::promela;
use beeline_testkit::cycle_verdicts::OurVerdict;
use beeline_testkit::spin::{self, Pan, Translator};

const PATIENCE: Duration = Duration::from_secs(60);

/// A model with one property, and SPIN's verifier for it.
pub(crate) struct Case<'a> {
    pub(crate) file: &'a Path,
    pub(crate) front: &'a Frontend,
    pub(crate) translator: Translator,
    pub(crate) pan: &'a Pan,
    pub(crate) property: &'a Property,
}

/// The number of our trails that SPIN replayed, and of SPIN's that we replayed: the last one that
/// the verifier wrote, if it wrote one.
pub(crate) fn both_ways(
    case: &Case<'_>,
    found: &[OurVerdict],
    fair: bool,
) -> Result<(u64, u64), String> {
    let mut ours = 0;
    let mut known = Vec::new();
    for verdict in found {
        // Several searches may find the same trail.
        if let OurVerdict::Violated(violation) = verdict
            && !known.contains(&&violation.trail)
        {
            known.push(&violation.trail);
            case.spin_follows(violation).map_err(|problem| format!("our trail: {problem}"))?;
            ours += 1;
        }
    }
    case.we_follow(fair).map_err(|problem| format!("SPIN's trail: {problem}"))?;
    Ok((ours, 1))
}

impl Case<'_> {
    fn options(&self) -> AutomataOptions {
        match self.translator {
            Translator::Default => AutomataOptions::OPTIMISED,
            _ => AutomataOptions::PLAIN,
        }
    }

    /// The machine with the claim of the property.
    fn machine(&self) -> Result<Machine<'_>, String> {
        let model = &self.front.hir;
        let machine = Machine::new(model, self.options());
        let claim = match self.property.kind {
            PropertyKind::Progress => Claim::progress(),
            PropertyKind::Acceptance => Claim::acceptance(),
            PropertyKind::Never => {
                let is_never = |kind| kind == ProcessKind::Never;
                let at = model.processes.iter().position(|process| is_never(process.kind));
                machine.never_claim(ProcessId(at.ok_or("there is no claim")? as u32))
            }
            _ => machine.formula_claim(self.formula()?).map_err(|error| error.to_string())?,
        };
        Ok(machine.watched_by(claim))
    }

    fn formula(&self) -> Result<usize, String> {
        let name = self.property.formula.as_deref().ok_or("no formula")?;
        let mut formulas = self.front.hir.formulas.iter();
        formulas.position(|formula| *formula.name.name == *name).ok_or("no formula".to_owned())
    }

    fn has_progress_labels(&self) -> bool {
        let labels = self.front.hir.processes.iter().flat_map(|process| &process.labels);
        labels.into_iter().any(|label| label.name.name.starts_with("progress"))
    }

    /// SPIN's simulator executes our trail.
    fn spin_follows(&self, violation: &Violation) -> Result<(), String> {
        let trail = &violation.trail;
        let read = Trail::parse(&trail.text()).map_err(|error| error.to_string())?;
        if read != *trail {
            return Err("it reads back differently".to_owned());
        }
        let subject = Subject::Properties(&[]);
        let story = promela(self.front).story(trail, &StoryRequest::new(subject));
        let story = story.map_err(|error| format!("retold: {error}"))?;
        match (story.end.error, violation.error) {
            (Some(ErrorKind::Cycle(_)), ErrorKind::Cycle(_)) => {}
            (Some(ErrorKind::Fault(FaultKind::Claim)), ErrorKind::Fault(FaultKind::Claim)) => {}
            (Some(ErrorKind::Invariant(_)), ErrorKind::Invariant(_)) => {}
            (Some(ErrorKind::Formula), ErrorKind::Formula) => {}
            // A deadlock has priority.
            (Some(ErrorKind::InvalidEnd), ErrorKind::Formula) => {}
            // Without labels, a trail does not show its error.
            (None, ErrorKind::Cycle(CycleError::NonProgress)) if !self.has_progress_labels() => {}
            (told, meant) => return Err(format!("{meant:?} is told as {told:?}")),
        }
        let directory = self.pan.directory();
        fs::write(directory.join("ours.trail"), trail.text()).map_err(|error| error.to_string())?;
        let model = fs::canonicalize(self.file).map_err(|error| error.to_string())?;
        let mut words: Vec<std::ffi::OsString> =
            self.translator.options().iter().map(Into::into).collect();
        words.extend(["-t", "-p", "-k", "ours.trail"].map(Into::into));
        words.push(model.into_os_string());
        let ran = spin::run("spin", words, directory, PATIENCE);
        let text = ran.map_err(|error| error.to_string())?.output();
        // It continues when it cannot execute a step.
        for complaint in ["transition failed", "not executable", "cannot find", "step:"] {
            if let Some(line) = text.lines().find(|line| line.contains(complaint)) {
                return Err(format!("{line}\n{}\n{text}", trail.text()));
            }
        }
        let marked = text.contains("START OF CYCLE");
        if marked != trail.cycle_start.is_some() {
            return Err(format!("mark of the cycle: {marked}\n{}\n{text}", trail.text()));
        }
        Ok(())
    }

    /// We execute the trail that the verifier wrote last.
    fn we_follow(&self, fair: bool) -> Result<(), String> {
        let name = self.file.file_name().ok_or("no file")?.to_string_lossy();
        let path = self.pan.directory().join(format!("{name}.trail"));
        let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
        let trail = Trail::parse(&text).map_err(|error| error.to_string())?;
        let machine = self.machine()?;
        let replay = machine.replay(&trail).map_err(|error| format!("{error}\n{text}"))?;
        self.objects(&machine, &trail, &replay, fair).map_err(|why| format!("{why}\n{text}"))?;
        let subject = Subject::Properties(&[]);
        let story = promela(self.front).story(&trail, &StoryRequest::new(subject));
        story.map_err(|error| format!("retold: {error}\n{text}"))?;
        Ok(())
    }

    /// Whether a trail of SPIN violates the claim.
    fn objects(
        &self,
        machine: &Machine<'_>,
        trail: &Trail,
        replay: &TrailReplay,
        fair: bool,
    ) -> Result<(), String> {
        let states: StatePath =
            replay.stored.iter().map(|stored| self.unwatched(machine, &stored.state)).collect();
        let Some(start) = replay.end.cycle else {
            // `accept stutter`: there is no mark where nothing happens any more. Under
            // fairness, SPIN also says so where no accept label is met.
            if self.property.kind == PropertyKind::Acceptance && machine.is_stuck(&replay.end.state)
            {
                let accepts = fair || machine.meets_accept_label(&replay.end.state);
                return if accepts { Ok(()) } else { Err("it is no accept label".to_owned()) };
            }
            let ends = replay.end.is_claim_violated()
                || machine.claim().is_some_and(|claim| claim.end_along(machine, &states).is_some());
            return if ends { Ok(()) } else { Err("the claim does not end".to_owned()) };
        };
        let (stem, mut cycle) = (states.part(0, start), states.part(start, states.len()));
        // A cycle of one state is stuttering.
        if cycle.len() > 1 && cycle.pop().as_deref() != cycle.first() {
            return Err(format!("it does not close: {trail:?}"));
        }
        if !machine.claim().is_some_and(|claim| claim.accepts(machine, &stem, &cycle)) {
            return Err("the claim does not reject the lasso".to_owned());
        }
        if self.property.kind == PropertyKind::Ltl
            && !machine.violates(self.formula()?, &stem, &cycle)
        {
            return Err("the formula does not reject the lasso".to_owned());
        }
        let round = replay.moves[replay.stored[start].moves..].iter();
        if fair && !machine.is_fair(&cycle, round.flat_map(Move::movers)) {
            return Err("the lasso is not fair".to_owned());
        }
        Ok(())
    }

    /// A state with the claim in its initial state, so that states of the system can be compared.
    fn unwatched(&self, machine: &Machine<'_>, state: &[u8]) -> Vec<u8> {
        let mut state = state.to_vec();
        let start = machine.claim().map_or(0, |claim| claim.start);
        machine.layout().frame.set_claim(&mut state, start);
        state
    }
}
