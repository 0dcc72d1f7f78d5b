//! The data of a chart.

use beeline_model::Chronicle;

use crate::base::units;
use crate::model::loaded::LoadedModel;
use crate::render::chart::layout::Layout;

/// A trail with the layout of its chart.
pub(crate) struct ChartInput<'a> {
    pub(crate) loaded: &'a LoadedModel,
    pub(crate) chronicle: &'a Chronicle,
    pub(crate) layout: Layout,
    pub(crate) title: String,
}

impl<'a> ChartInput<'a> {
    pub(crate) fn new(loaded: &'a LoadedModel, chronicle: &'a Chronicle) -> ChartInput<'a> {
        let layout = Layout::new(chronicle, loaded.sources());
        ChartInput { loaded, chronicle, layout, title: title(loaded, chronicle) }
    }
}

fn title(loaded: &LoadedModel, chronicle: &Chronicle) -> String {
    let steps = chronicle.story.steps.len();
    let count = |steps: usize| units::steps(steps as u64);
    let repeated = |steps: usize| units::repeated(steps as u64);
    let model = loaded.model.rsplit('/').next().unwrap_or_default();
    let cycle = chronicle.story.cycle().filter(|_| !chronicle.story.stays());
    match chronicle.story.end.error {
        Some(error) if cycle.is_some() => {
            let before = cycle.unwrap_or_default();
            let round = steps - before;
            format!("{model}: {error} after {}, then {}", count(before), repeated(round))
        }
        Some(error) => format!("{model}: {error} after {}", count(steps)),
        None => format!("{model}: {}", count(steps)),
    }
}
