//! Flattening, as `pan` does at its start: nested choices become one choice, a choice takes over
//! the steps of its options, and escapes are copied in front of the steps they interrupt.

use std::collections::HashSet;

use beeline_promela::hir::Model;

use super::action::{EdgeAction, JumpKind};
use super::elements::{El, Elements, Node, Target};
use super::graph::{Automaton, DStep, Edge, EdgeId, EdgeStep, Hold, Location, LocationMarks};
use super::table::{DStepTable, RawEdge, Row, Table};

pub(super) fn flatten(table: Table, elements: &Elements, model: &Model) -> Automaton {
    let process = model.process(table.process);
    let mut marks = vec![LocationMarks::default(); table.rows.len()];
    let mut labels = vec![Location(0); process.labels.len()];
    for (number, label) in process.labels.iter().enumerate() {
        let target = Target::Label(table.process, beeline_promela::hir::LabelId(number as u32));
        let Some(el) = elements.find_target(target) else {
            continue;
        };
        labels[number] = Location(elements.get(el).location);
        let mark = &mut marks[elements.get(el).location as usize];
        mark.accept |= label.is_accept();
        mark.end |= label.is_end();
        mark.progress |= label.is_progress();
    }
    marks[table.end as usize].end = true;

    let flat = steps_of(table.rows, &mut marks);
    for (location, steps) in flat.iter().enumerate() {
        if let [only] = steps.as_slice()
            && marks[location].end
            && matches!(elements.get(only.chain[0]).node, Node::Join)
        {
            marks[only.to as usize].end = true;
        }
    }
    let d_steps = table.d_steps.into_iter().map(|inside| d_step(inside, elements)).collect();
    Automaton {
        process: table.process,
        name: process.name.name.clone(),
        kind: process.kind,
        start: Location(table.start),
        edges: reachable_edges(&flat, table.start, elements),
        marks,
        d_steps,
        end: Location(table.end),
        labels,
    }
}

/// A process has many locations and a `d_step` in it few, so they are renumbered, in the same
/// order, while it is flattened.
fn d_step(inside: DStepTable, elements: &Elements) -> DStep {
    let mut numbers: Vec<u32> = vec![0, inside.entry];
    for (at, row) in &inside.rows {
        numbers.push(*at);
        match row {
            Row::Empty => {}
            Row::EdgeStep(step) => numbers.extend(step.escapes.iter().chain([&step.to])),
            Row::Choice(ways) => numbers.extend(ways),
        }
    }
    numbers.sort_unstable();
    numbers.dedup();
    let inner = |at: u32| numbers.partition_point(|&number| number < at) as u32;
    let mut rows = vec![Row::Empty; numbers.len()];
    for (at, mut row) in inside.rows {
        match &mut row {
            Row::Empty => {}
            Row::EdgeStep(step) => {
                step.to = inner(step.to);
                step.escapes.iter_mut().for_each(|begin| *begin = inner(*begin));
            }
            Row::Choice(ways) => ways.iter_mut().for_each(|way| *way = inner(*way)),
        }
        rows[inner(at) as usize] = row;
    }
    let mut no_marks = vec![LocationMarks::default(); rows.len()];
    let steps = steps_of(rows, &mut no_marks);
    let mut edges = reachable_edges(&steps, inner(inside.entry), elements);
    let outer = |at: &mut Location| at.0 = numbers[at.0 as usize];
    for edge in &mut edges {
        outer(&mut edge.from);
        outer(&mut edge.to);
        edge.escape.iter_mut().for_each(outer);
    }
    DStep { edge: inside.edge, entry: Location(inside.entry), edges }
}

/// The steps of each location.
fn steps_of(mut rows: Vec<Row>, marks: &mut [LocationMarks]) -> Vec<Vec<RawEdge>> {
    flatten_nested_choices(&mut rows, marks);
    let mut steps = pull_up_options(&rows, marks);
    copy_escapes(&mut steps);
    steps
}

fn flatten_nested_choices(rows: &mut [Row], marks: &mut [LocationMarks]) {
    loop {
        let mut changed = false;
        for at in 1..rows.len() {
            let Row::Choice(ways) = &rows[at] else {
                continue;
            };
            let nested = |way: &u32| *way != 0 && matches!(rows[*way as usize], Row::Choice(_));
            if !ways.iter().any(nested) {
                continue;
            }
            let mut flat = Vec::new();
            for &way in ways {
                match &rows[way as usize] {
                    // A choice that leads back to itself adds no options.
                    Row::Choice(_) if way as usize == at => {}
                    Row::Choice(inner) => {
                        for &inner in inner {
                            spread(marks, way, inner);
                            flat.push(inner);
                        }
                        changed = true;
                    }
                    _ => flat.push(way),
                }
            }
            rows[at] = Row::Choice(flat);
        }
        if !changed {
            return;
        }
    }
}

/// A location that is passed without a step transfers its labels to the next one.
fn spread(marks: &mut [LocationMarks], from: u32, to: u32) {
    let lent = marks[from as usize];
    let mark = &mut marks[to as usize];
    mark.accept |= lent.accept;
    mark.end |= lent.end;
    mark.progress |= lent.progress;
}

fn pull_up_options(rows: &[Row], marks: &mut [LocationMarks]) -> Vec<Vec<RawEdge>> {
    let mut steps: Vec<Vec<RawEdge>> = Vec::with_capacity(rows.len());
    for row in rows {
        let mut list = Vec::new();
        match row {
            Row::Empty => {}
            Row::EdgeStep(transition) => list.push(transition.clone()),
            Row::Choice(ways) => {
                for &way in ways {
                    if let Row::EdgeStep(transition) = &rows[way as usize] {
                        spread(marks, way, transition.to);
                        list.push(transition.clone());
                    }
                }
            }
        }
        steps.push(list);
    }
    steps
}

/// Inserts the escapes of a location's steps before them, innermost first.
fn copy_escapes(steps: &mut [Vec<RawEdge>]) {
    for at in 1..steps.len() {
        if steps[at].iter().all(|step| step.escapes.is_empty()) {
            continue;
        }
        let own = std::mem::take(&mut steps[at]);
        let mut known: HashSet<EdgeId> = own.iter().map(|step| step.id).collect();
        let mut begun = HashSet::new();
        let mut escapes = Vec::new();
        for begin in own.iter().flat_map(|step| step.escapes.iter().rev()) {
            // The steps of one location have most of their escapes in common.
            if !begun.insert(*begin) {
                continue;
            }
            for escape in &steps[*begin as usize] {
                if known.insert(escape.id) {
                    escapes.push(RawEdge { escape: Some(*begin), ..escape.clone() });
                }
            }
        }
        escapes.reverse();
        escapes.extend(own);
        steps[at] = escapes;
    }
}

/// The edges that are reachable from `start`, ordered by source. A process never stays at an
/// escape's guard: its copies start from the locations that it covers.
fn reachable_edges(steps: &[Vec<RawEdge>], start: u32, elements: &Elements) -> Vec<Edge> {
    let mut seen = vec![false; steps.len()];
    let mut waiting = vec![start];
    while let Some(at) = waiting.pop() {
        if at == 0 || std::mem::replace(&mut seen[at as usize], true) {
            continue;
        }
        for step in &steps[at as usize] {
            waiting.push(step.to);
        }
    }
    let sources = (1..steps.len()).filter(|&at| seen[at]);
    sources
        .flat_map(|at| steps[at].iter().map(move |step| edge(at as u32, step, elements)))
        .collect()
}

fn edge(from: u32, step: &RawEdge, elements: &Elements) -> Edge {
    Edge {
        from: Location(from),
        to: Location(step.to),
        id: step.id,
        steps: step.chain.iter().map(|&el| statement(el, elements)).collect(),
        hold: Hold { atomic: step.atomic, last_atomic: step.last_atomic, d_step: step.d_step },
        escape: step.escape.map(Location),
    }
}

fn statement(el: El, elements: &Elements) -> EdgeStep {
    let element = elements.get(el);
    let action = match &element.node {
        Node::EdgeAction(action) => action.clone(),
        Node::Goto(Target::Exit(_)) => EdgeAction::Move(JumpKind::Break),
        Node::Goto(Target::Label(_, label)) => EdgeAction::Move(JumpKind::Goto(*label)),
        Node::LoopExit => EdgeAction::Move(JumpKind::LoopExit),
        Node::Join => EdgeAction::Move(JumpKind::Join),
        Node::DStep(_) => EdgeAction::DStep,
        Node::Choice | Node::Unless | Node::Atomic(_) | Node::Block(_) => {
            unreachable!("only plain elements and d_steps have a step of their own")
        }
    };
    EdgeStep {
        action,
        location: Location(element.location),
        span: element.span,
        dead: element.dead.clone(),
        instead_of: None,
    }
}
