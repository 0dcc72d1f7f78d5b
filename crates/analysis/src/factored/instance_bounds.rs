//! Bounds on the numbers of processes: how many processes of a type a view has room for.

use beeline_engine::interpreter::Machine;
use beeline_promela::hir::{Model, ProcessId};

/// How many processes of some types exist at a time, at most. A view with room for them is exact if
/// no run needs more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstanceBounds {
    bounds: Vec<(ProcessId, usize)>,
}

impl InstanceBounds {
    /// Bounds by the names of process types. Of several bounds of a type, the last one counts.
    ///
    /// # Errors
    ///
    /// With the name that is no process type of the model.
    pub fn new<'t>(
        model: &Model,
        bounds: &'t [(String, usize)],
    ) -> Result<InstanceBounds, &'t str> {
        let named = |(name, most): &'t (String, usize)| {
            let position = model.processes.iter().position(|one| *one.name.name == **name);
            let process = position.ok_or(name.as_str())?;
            Ok((ProcessId(process as u32), *most))
        };
        Ok(InstanceBounds { bounds: bounds.iter().map(named).collect::<Result<_, _>>()? })
    }

    /// The same bound for each process type of a machine.
    pub fn all(machine: &Machine<'_>, most: usize) -> InstanceBounds {
        let types = 0..machine.model().processes.len() as u32;
        InstanceBounds { bounds: types.map(|process| (ProcessId(process), most)).collect() }
    }

    /// The bound of a process type.
    pub(super) fn of(&self, process: ProcessId) -> Option<usize> {
        self.bounds.iter().rev().find(|(bounded, _)| *bounded == process).map(|(_, most)| *most)
    }
}
