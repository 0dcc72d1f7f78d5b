//! Trails: a line for each edge that moves, the sender before the receivers. The number of an edge
//! names the values that it chooses, too. Times are not written: they are computed again.

use std::ops::Range;

use beeline_kernel::{EdgeId, StepMismatch, Trail, TrailError, TrailLine};

use crate::network::{Sync, TimedNetwork};
use crate::semantics::lasso::LassoSteps;
use crate::semantics::symbolic::variant_number;
use crate::semantics::synchronisation::Part;

/// The trail of these steps.
pub(super) fn trail_of(net: &TimedNetwork, steps: &[Vec<Part>]) -> Trail {
    let line = |part: &Part| TrailLine {
        pid: part.process as usize,
        edge: EdgeId(variant_number(net, *part)),
    };
    Trail { lines: steps.iter().flatten().map(line).collect(), ..Trail::default() }
}

/// The steps of a trail.
///
/// # Errors
///
/// When a line names no edge.
pub(super) fn steps_of(net: &TimedNetwork, trail: &Trail) -> Result<Vec<Vec<Part>>, TrailError> {
    lasso_of(net, trail).map(|LassoSteps { mut stem, cycle }| {
        stem.extend(cycle);
        stem
    })
}

/// The steps of a trail before and in its cycle.
///
/// # Errors
///
/// When a line names no edge.
pub(super) fn lasso_of(net: &TimedNetwork, trail: &Trail) -> Result<LassoSteps, TrailError> {
    let start = trail.cycle_start.unwrap_or(trail.lines.len()).min(trail.lines.len());
    let stem = steps_in(net, trail, 0..start)?;
    Ok(LassoSteps { stem, cycle: steps_in(net, trail, start..trail.lines.len())? })
}

fn steps_in(
    net: &TimedNetwork,
    trail: &Trail,
    lines: Range<usize>,
) -> Result<Vec<Vec<Part>>, TrailError> {
    let mut steps: Vec<Vec<Part>> = Vec::new();
    for at in lines {
        let line = trail.lines[at];
        let impossible = |mismatch| TrailError::Impossible { step: at + 1, line, mismatch };
        if line.pid >= net.processes.len() {
            return Err(impossible(StepMismatch::Process));
        }
        let Some((edge, variant)) = net.edge_of_variant(line.pid, line.edge.0) else {
            return Err(impossible(StepMismatch::Edge));
        };
        let part = Part { process: line.pid as u32, edge, variant };
        match steps.last_mut() {
            Some(step) if continues(net, step, part) => step.push(part),
            _ => steps.push(vec![part]),
        }
    }
    Ok(steps)
}

fn sync(net: &TimedNetwork, part: Part) -> &Sync {
    &net.processes[part.process as usize].edges[part.edge as usize].sync
}

/// Whether an edge belongs to the step of the lines before it.
fn continues(net: &TimedNetwork, step: &[Part], part: Part) -> bool {
    if step.iter().any(|other| other.process == part.process) {
        return false;
    }
    match (sync(net, step[0]), sync(net, part)) {
        (Sync::Send(_), Sync::Receive(_)) => true,
        (Sync::Event(_), Sync::Event(_)) => {
            let all: Vec<(u32, &Sync)> =
                step.iter().chain([&part]).map(|&one| (one.process, sync(net, one))).collect();
            net.vectors.iter().any(|vector| {
                all.iter().all(|&(process, sync)| {
                    vector.iter().any(|&(its, event, _)| {
                        its == process && matches!(sync, Sync::Event(one) if *one == event)
                    })
                })
            })
        }
        _ => false,
    }
}

/// The error for a run that is none of the network: at this step, from 0.
pub(super) fn impossible(trail: &Trail, steps: &[Vec<Part>], at: usize) -> TrailError {
    let before: usize = steps[..at.min(steps.len())].iter().map(Vec::len).sum();
    let last = trail.lines.len().saturating_sub(1);
    let step = before.min(last);
    let line = trail.lines.get(step).copied().unwrap_or(TrailLine { pid: 0, edge: EdgeId(0) });
    TrailError::Impossible { step: step + 1, line, mismatch: StepMismatch::Blocked }
}
