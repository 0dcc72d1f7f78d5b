//! The positions of labels with a meaning for verification, by process type and location.

use beeline_promela::hir::{Model, ProcessKind};

use crate::automata::{Automaton, LocationMarks};
use crate::frame::RecordKind;
use crate::layout::StateLayout;

/// By process type and location, whether there is a label with a meaning.
#[derive(Clone, Debug)]
pub(crate) struct Labels {
    marked: Vec<Vec<bool>>,
    is_empty: bool,
}

impl Labels {
    /// The labels of this kind.
    pub(crate) fn of(
        model: &Model,
        automata: &[Automaton],
        is_marked: fn(&LocationMarks) -> bool,
    ) -> Labels {
        let by_location = |(automaton, kind): (&Automaton, ProcessKind)| {
            let marks = automaton.marks.iter();
            marks.map(|mark| kind != ProcessKind::Never && is_marked(mark)).collect()
        };
        let kinds = model.processes.iter().map(|process| process.kind);
        let marked: Vec<Vec<bool>> = automata.iter().zip(kinds).map(by_location).collect();
        Labels { is_empty: marked.iter().flatten().all(|marked| !marked), marked }
    }

    /// Whether there are no such labels.
    pub(crate) fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Whether a process is at such a label.
    #[inline]
    pub(crate) fn are_met(&self, layout: &StateLayout, state: &[u8]) -> bool {
        !self.is_empty
            && layout.records(state).any(|(at, record)| match record {
                RecordKind::Process(process) => {
                    self.marked[process][layout.frame.location(state, at) as usize]
                }
                RecordKind::Channel(_) => false,
            })
    }
}
