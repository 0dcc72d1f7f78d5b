//! Why a `d_step` cannot be executed to its end: the statements that are not executable, with the
//! values that they wait for.

use beeline_engine::automata::{EdgeAction, EdgeStep};
use beeline_engine::interpreter::BlockReason;
use beeline_model::Cause;

use crate::explanation::{Explainer, Explanation};
use crate::obstacle::obstacle;
use crate::view::View;

/// Explains a `d_step` that blocks in the state of an explainer.
pub(crate) fn blocked_sequence(
    explainer: &Explainer<'_, '_>,
    view: &View<'_>,
    reason: &BlockReason,
) -> Explanation {
    match reason {
        BlockReason::Endless => "the sequence repeats a state for ever".to_owned().into(),
        BlockReason::Rendezvous(step) => {
            let part = text(explainer, step);
            let text = format!("{part}: a d_step does not wait for a rendezvous");
            let cause = Cause { part, text, values: Vec::new(), is_whole: true };
            Explanation { detail: Some(cause.text.clone()), causes: vec![cause] }
        }
        BlockReason::Disabled(steps) => disabled(explainer, view, steps),
    }
}

fn disabled(explainer: &Explainer<'_, '_>, view: &View<'_>, steps: &[EdgeStep]) -> Explanation {
    let mut causes: Vec<Cause> =
        steps.iter().flat_map(|step| causes(explainer, view, step)).collect();
    if let [cause] = &mut causes[..] {
        cause.is_whole = true;
        return Explanation { detail: Some(cause.text.clone()), causes };
    }
    causes.iter_mut().for_each(|cause| cause.is_whole = false);
    let statements: Vec<String> = steps.iter().map(|step| text(explainer, step)).collect();
    let detail = match &statements[..] {
        [one] => format!("{one} is not executable"),
        all => format!("none of these is executable: {}", all.join(", ")),
    };
    Explanation { detail: Some(detail), causes }
}

/// The parts of a condition that are false, or what a message waits for.
fn causes(explainer: &Explainer<'_, '_>, view: &View<'_>, step: &EdgeStep) -> Vec<Cause> {
    if let EdgeAction::Guard(condition) = step.written() {
        return explainer.false_parts(condition);
    }
    let scope = &explainer.scope;
    let Some(why) = obstacle(view, scope.now, scope.pid, step.written()) else { return Vec::new() };
    let (EdgeAction::Send { channel, .. } | EdgeAction::Receive { channel, .. }) = step.written()
    else {
        return Vec::new();
    };
    let held = view.machine().channel_held(channel, scope.now, scope.pid);
    let contents =
        |number: usize| (view.channel_name(scope.now, number), view.contents(scope.now, number));
    let (part, values) = (text(explainer, step), held.map(contents).into_iter().collect());
    let text = format!("{part}: {why}");
    vec![Cause { part, text, values, is_whole: false }]
}

fn text(explainer: &Explainer<'_, '_>, step: &EdgeStep) -> String {
    let process = explainer.scope.process().expect("a process executes the statement");
    explainer.texts.text(step, process)
}
