//! Elements and sequences: the intermediate form of automata.
//!
//! An element is a statement or a joint of control flow. Elements are linked by `next` into
//! sequences; a choice has its options as sequences below it. Elements refer to each other by
//! index, since gotos make the structure cyclic.

use beeline_promela::hir::{LabelId, LocalId, ProcessId};
use beeline_promela::source::Span;

use super::action::EdgeAction;

/// An element's index in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct El(pub(super) usize);

/// A sequence's index in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Seq(pub(super) usize);

/// The construct that holds a sequence together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holding {
    Atomic,
    DStep,
}

/// The kind of an element.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// A statement.
    EdgeAction(EdgeAction),
    /// A jump to a label or to a loop's exit.
    Goto(Target),
    /// The common end of options.
    Join,
    /// The target of the `break`s of a loop.
    LoopExit,
    /// A selection or loop; its options are below.
    Choice,
    /// `unless`: body and escape are below.
    Unless,
    /// `atomic`
    Atomic(Seq),
    /// `d_step`
    DStep(Seq),
    /// `{ … }`
    Block(Seq),
}

/// The target of a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Target {
    /// A label of the process.
    Label(ProcessId, LabelId),
    /// A loop's exit; loops are numbered through the model.
    Exit(usize),
}

/// Facts about an element, one bit each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Status {
    /// Inside `atomic`, and not its last step.
    pub(super) atomic: bool,
    /// The last step of an `atomic`.
    pub(super) last_atomic: bool,
    /// Visited by the current traversal.
    pub(super) done: bool,
    /// Whether another process refers to its label.
    pub(super) remote: bool,
}

impl Status {
    pub(super) fn any_atomic(self) -> bool {
        self.atomic || self.last_atomic
    }
}

/// Results of statement merging for an element.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Merge {
    /// The location where the chain of this element ends.
    pub(super) chain: Option<u32>,
    /// The same for a statement that may block and begins a chain.
    pub(super) start: Option<u32>,
    /// The location after an element that could be merged but has no neighbour.
    pub(super) single: Option<u32>,
    /// Number of edges into the element's location.
    pub(super) ways_in: u32,
    /// Whether it is merged into the only edge that led to it.
    pub(super) absorbed: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Element {
    pub(super) node: Node,
    /// Number within the process.
    pub(super) location: u32,
    /// Number within the model.
    pub(super) id: u32,
    pub(super) next: Option<El>,
    pub(super) below: Vec<Seq>,
    /// Escapes of this element, outermost first.
    pub(super) escapes: Vec<Seq>,
    pub(super) status: Status,
    pub(super) merge: Merge,
    /// Local variables that are dead after it.
    pub(super) dead: Vec<LocalId>,
    /// Labels and loop exits at this element, newest last.
    pub(super) labels: Vec<Target>,
    pub(super) span: Span,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Sequence {
    pub(super) first: El,
    pub(super) last: El,
    /// The last element of the source, before joints were appended.
    pub(super) extent: El,
    /// The escape that was attached to it last.
    pub(super) covered_by: Option<Seq>,
    /// Whether it is the inside of an `atomic` or `d_step`, and marked as such.
    pub(super) held: Option<Holding>,
}

/// A process's elements.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) process: ProcessId,
    pub(super) sequence: Seq,
    /// One past the largest location.
    pub(super) locations: u32,
    /// The element that ends the process.
    pub(super) end: El,
}

/// The elements of a whole model.
#[derive(Clone, Debug, Default)]
pub(super) struct Elements {
    pub(super) elements: Vec<Element>,
    pub(super) sequences: Vec<Sequence>,
    /// By process and label: its element.
    pub(super) labels: Vec<Vec<Option<El>>>,
    /// By loop: the element at its exit.
    pub(super) exits: Vec<Option<El>>,
    pub(super) bodies: Vec<Body>,
    /// Whether there are channels without a buffer.
    pub(super) has_rendezvous: bool,
}

impl Elements {
    pub(super) fn get(&self, el: El) -> &Element {
        &self.elements[el.0]
    }

    pub(super) fn get_mut(&mut self, el: El) -> &mut Element {
        &mut self.elements[el.0]
    }

    pub(super) fn sequence(&self, seq: Seq) -> Sequence {
        self.sequences[seq.0]
    }

    /// The target element of a jump.
    pub(super) fn target(&self, target: Target) -> El {
        self.find_target(target).expect("the resolver found a label for every jump")
    }

    /// The target element, if it is already placed.
    pub(super) fn find_target(&self, target: Target) -> Option<El> {
        match target {
            Target::Label(process, label) => {
                *self.labels.get(process.index())?.get(label.index())?
            }
            Target::Exit(exit) => *self.exits.get(exit)?,
        }
    }

    /// Sets a label of an element.
    pub(super) fn set_label(&mut self, target: Target, el: El) {
        let place = match target {
            Target::Label(process, label) => {
                let labels = grown(&mut self.labels, process.index());
                grown(labels, label.index())
            }
            Target::Exit(exit) => grown(&mut self.exits, exit),
        };
        *place = Some(el);
        self.get_mut(el).labels.push(target);
    }

    /// The sequence inside `atomic`, `d_step` or braces.
    pub(super) fn inside(&self, el: El) -> Option<Seq> {
        match self.get(el).node {
            Node::Atomic(seq) | Node::DStep(seq) | Node::Block(seq) => Some(seq),
            _ => None,
        }
    }

    /// Links the ends of blocks to their continuations.
    pub(super) fn tie_loose_ends(&mut self) {
        // Outer blocks are newer than the blocks inside them and must come first.
        for at in (0..self.elements.len()).rev() {
            let el = El(at);
            let (Some(seq), Some(mut follow)) = (self.inside(el), self.get(el).next) else {
                continue;
            };
            while let (Node::Join, Some(next)) = (&self.get(follow).node, self.get(follow).next) {
                follow = next;
            }
            let last = self.sequence(seq).last;
            match self.get(last).next {
                None => self.get_mut(last).next = Some(follow),
                // A jump that was appended after the last element has priority.
                Some(next) if matches!(self.get(next).node, Node::Goto(_)) => {
                    self.sequences[seq.0].last = next;
                }
                Some(_) => {}
            }
        }
    }
}

/// The item at an index; the list grows if necessary.
fn grown<T: Clone + Default>(list: &mut Vec<T>, at: usize) -> &mut T {
    if list.len() <= at {
        list.resize(at + 1, T::default());
    }
    &mut list[at]
}
