//! Bounds of clocks by the location of a process and the value of a variable: static guard analysis
//! of the process together with one variable.
//!
//! Source: \[BBFL03\], with pairs of a location and a value instead of locations. The other processes
//! may give the variable, at any time, each value that their edges assign to it.
//!
//! A guard that the value excludes compares nothing there. In Fischer's protocol, the clock of a
//! waiting process is inactive while the shared variable has the number of another one: only the
//! edge that resets the clock gives it its own number again.
//!
//! Promises: along each step, the bound of a clock that is not reset does not grow, and it is no
//! less than the numbers with which enabled edges and invariants compare the clock. So do the least
//! of the bounds by several variables.

use std::collections::HashMap;

use super::comparisons::{Comparisons, Pair, SparseBounds, certain_resets};
use crate::network::code::{Argument, Code, Place};
use crate::network::memory::{CONSTANTS, operate};
use crate::network::traverse::{visit, visit_actions};
use crate::network::{TimedEdge, TimedNetwork};

/// Values that such a variable may have.
const MOST_VALUES: i64 = 256;

/// Pairs of a location and a value.
const MOST_PAIRS: usize = 1 << 10;

/// Variables for each process.
const MOST_VARIABLES: usize = 4;

/// By what bounds differ: the location, and the value of a variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Selection {
    /// The variable.
    variable: u32,
    /// Its least value.
    low: i32,
    /// The number of its values; 1 if the location alone counts.
    values: usize,
}

impl Selection {
    /// The place of the bounds of a location.
    #[inline]
    pub(super) fn row(&self, location: u32, variables: &[i32]) -> usize {
        let location = location as usize;
        if self.values == 1 {
            return location;
        }
        let value = variables[self.variable as usize] - self.low;
        debug_assert!((0..self.values as i32).contains(&value), "a variable is within its range");
        location * self.values + value as usize
    }
}

/// The bounds of a process.
#[derive(Clone, Debug)]
pub(super) struct BoundTable {
    /// What selects the row.
    pub(super) selection: Selection,
    /// By location, and within it by value.
    pub(super) bounds: Vec<SparseBounds>,
}

impl BoundTable {
    /// The bounds of locations.
    pub(super) fn by_location(bounds: Vec<SparseBounds>) -> BoundTable {
        BoundTable { selection: Selection { variable: 0, low: 0, values: 1 }, bounds }
    }

    /// The bounds in a discrete state.
    #[inline]
    pub(super) fn row(&self, location: u32, variables: &[i32]) -> &SparseBounds {
        &self.bounds[self.selection.row(location, variables)]
    }
}

/// What an edge does to a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    Nothing,
    /// It gets a value between these.
    Sets(i32, i32),
}

/// The bounds of some clocks.
type Row = Vec<Pair>;

/// An edge with the values of a variable for which it is possible.
struct ProcessEdge {
    /// The first row of its source.
    from: usize,
    /// The first row of its target.
    to: usize,
    /// The values, as differences from the least one.
    possible: Vec<usize>,
    effect: Effect,
    /// By clock: whether the edge does not reset it.
    is_kept: Vec<bool>,
}

impl ProcessEdge {
    /// Raises the bounds of the source to those of the target. Returns whether one has changed.
    fn propagate(&self, low: i32, bounds: &mut [Row]) -> bool {
        let mut is_changed = false;
        let kept = |row: &Row| -> Row {
            let pairs = row.iter().zip(&self.is_kept);
            pairs.map(|(pair, &is_kept)| if is_kept { *pair } else { Pair::default() }).collect()
        };
        if let Effect::Sets(least, most) = self.effect {
            let mut all = vec![Pair::default(); self.is_kept.len()];
            for row in &bounds[self.to..][(least - low) as usize..=(most - low) as usize] {
                join(&mut all, row);
            }
            let all = kept(&all);
            for &value in &self.possible {
                is_changed |= join(&mut bounds[self.from + value], &all);
            }
        } else {
            for &value in &self.possible {
                let needed = kept(&bounds[self.to + value]);
                is_changed |= join(&mut bounds[self.from + value], &needed);
            }
        }
        is_changed
    }
}

/// Analyses processes together with variables.
pub(super) struct ValueAnalysis<'n> {
    net: &'n TimedNetwork,
    /// By variable: whether a function gets a reference to it, or several values are copied to it at
    /// once. Neither looks at its range.
    is_unchecked: Vec<bool>,
    /// By function and variable: whether a call may change the variable.
    changes: HashMap<(u32, usize), bool>,
    /// By process and variable: the values that edges assign, as intervals.
    assigned: HashMap<(usize, usize), Vec<(i32, i32)>>,
}

impl<'n> ValueAnalysis<'n> {
    pub(super) fn new(net: &'n TimedNetwork) -> ValueAnalysis<'n> {
        let mut is_unchecked = vec![false; net.variables.len()];
        let mut refer = |code: &Code| {
            visit(code, &mut |one| match one {
                Code::Call(function, arguments) => {
                    mark_references(net, *function, arguments, &mut is_unchecked);
                }
                Code::Fill(fill) => {
                    mark_references(net, fill.1, &fill.2, &mut is_unchecked);
                    mark(&fill.0, fill.3 as usize, &mut is_unchecked);
                }
                Code::Copy(copy) => mark(&copy.0, copy.2 as usize, &mut is_unchecked),
                _ => {}
            });
        };
        for process in &net.processes {
            process.locations.iter().filter_map(|one| one.invariant.as_ref()).for_each(&mut refer);
            for edge in &process.edges {
                edge.guard.iter().chain(&edge.updates).for_each(&mut refer);
            }
        }
        for function in &net.functions {
            visit_actions(&function.body, &mut refer);
        }
        ValueAnalysis { net, is_unchecked, changes: HashMap::new(), assigned: HashMap::new() }
    }

    /// The tables of a process by the values of variables that lower some bound; none if no variable
    /// does.
    pub(super) fn tables(
        &mut self,
        process: usize,
        by_location: &[SparseBounds],
        comparisons: &mut Comparisons<'_>,
    ) -> Vec<BoundTable> {
        if by_location.iter().all(Vec::is_empty) {
            return Vec::new();
        }
        let mut tables = Vec::new();
        for selection in self.candidates(process) {
            if tables.len() == MOST_VARIABLES {
                break;
            }
            let bounds = self.bounds(process, selection, by_location, comparisons);
            let rows = bounds.chunks(selection.values).zip(by_location);
            let is_lower = rows.into_iter().any(|(row, all)| row.iter().any(|one| one != all));
            if is_lower {
                tables.push(BoundTable { selection, bounds });
            }
        }
        tables
    }

    /// The variables with few values that guards of a process read.
    fn candidates(&self, process: usize) -> Vec<Selection> {
        let process = &self.net.processes[process];
        let mut found: Vec<usize> = Vec::new();
        for guard in process.edges.iter().filter_map(|edge| edge.guard.as_ref()) {
            visit(guard, &mut |one| {
                if let Code::Load(place) = one
                    && let Some(variable) = place.known().filter(|&at| at < CONSTANTS)
                    && !found.contains(&variable)
                {
                    found.push(variable);
                }
            });
        }
        let selection = |&variable: &usize| {
            let one = &self.net.variables[variable];
            let values = i64::from(one.high) - i64::from(one.low) + 1;
            let is_fit = one.is_written
                && values > 1
                && !self.is_unchecked[variable]
                && values <= MOST_VALUES
                && values as usize * process.locations.len() <= MOST_PAIRS;
            let (variable, values) = (variable as u32, values as usize);
            is_fit.then_some(Selection { variable, low: one.low, values })
        };
        found.iter().filter_map(selection).collect()
    }

    /// The bounds of a process by location and value.
    fn bounds(
        &mut self,
        number: usize,
        selection: Selection,
        by_location: &[SparseBounds],
        comparisons: &mut Comparisons<'_>,
    ) -> Vec<SparseBounds> {
        let Selection { variable, low, values } = selection;
        let net = self.net;
        let process = &net.processes[number];
        let mut clocks: Vec<u32> = by_location.iter().flatten().map(|&(clock, _)| clock).collect();
        clocks.sort_unstable();
        clocks.dedup();
        let of_clocks =
            |all: &[Pair]| -> Row { clocks.iter().map(|&clock| all[clock as usize]).collect() };
        let by_others = self.values_by_others(number, selection, comparisons);
        let mut bounds: Vec<Row> =
            vec![vec![Pair::default(); clocks.len()]; process.locations.len() * values];
        let mut edges = Vec::new();
        for (at, location) in process.locations.iter().enumerate() {
            let rows = at * values..(at + 1) * values;
            let invariant = of_clocks(&comparisons.of_invariant(location));
            bounds[rows.clone()].iter_mut().for_each(|row| _ = join(row, &invariant));
            for &edge in &process.leaving[at] {
                let edge = &process.edges[edge as usize];
                let compared = of_clocks(&comparisons.of_guard(edge));
                let is_possible = |value: &usize| {
                    edge.guard.as_ref().is_none_or(|guard| {
                        value_with(guard, variable as usize, low + *value as i32) != Some(0)
                    })
                };
                let possible: Vec<usize> = (0..values).filter(is_possible).collect();
                for &value in &possible {
                    join(&mut bounds[rows.start + value], &compared);
                }
                let resets = certain_resets(&edge.updates);
                edges.push(ProcessEdge {
                    from: rows.start,
                    to: edge.to as usize * values,
                    possible,
                    effect: self.effect(edge, variable as usize, comparisons),
                    is_kept: clocks.iter().map(|clock| !resets.contains(clock)).collect(),
                });
            }
        }
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for rows in bounds.chunks_mut(values) {
                let mut all = vec![Pair::default(); clocks.len()];
                by_others.iter().for_each(|&value| _ = join(&mut all, &rows[value]));
                rows.iter_mut().for_each(|row| is_changed |= join(row, &all));
            }
            for edge in &edges {
                is_changed |= edge.propagate(low, &mut bounds);
            }
        }
        let sparse = |row: Row| {
            let pairs = clocks.iter().copied().zip(row);
            pairs.filter(|(_, pair)| *pair != Pair::default()).collect()
        };
        bounds.into_iter().map(sparse).collect()
    }

    /// The values, as differences from the least one, that other processes may give a variable.
    fn values_by_others(
        &mut self,
        process: usize,
        selection: Selection,
        comparisons: &mut Comparisons<'_>,
    ) -> Vec<usize> {
        let Selection { variable, low, values } = selection;
        let mut is_set = vec![false; values];
        for other in (0..self.net.processes.len()).filter(|&other| other != process) {
            for (least, most) in self.assigned(other, variable as usize, comparisons) {
                is_set[(least - low) as usize..=(most - low) as usize].fill(true);
            }
        }
        (0..values).filter(|&value| is_set[value]).collect()
    }

    /// The values that the edges of a process may give a variable, as intervals.
    fn assigned(
        &mut self,
        process: usize,
        variable: usize,
        comparisons: &mut Comparisons<'_>,
    ) -> Vec<(i32, i32)> {
        if let Some(known) = self.assigned.get(&(process, variable)) {
            return known.clone();
        }
        let mut all = Vec::new();
        for edge in &self.net.processes[process].edges {
            if let Effect::Sets(least, most) = self.effect(edge, variable, comparisons)
                && !all.contains(&(least, most))
            {
                all.push((least, most));
            }
        }
        self.assigned.insert((process, variable), all.clone());
        all
    }

    /// What the updates of an edge do to a variable.
    fn effect(
        &mut self,
        edge: &TimedEdge,
        variable: usize,
        comparisons: &mut Comparisons<'_>,
    ) -> Effect {
        let (low, high) = (self.net.variables[variable].low, self.net.variables[variable].high);
        let mut effect = Effect::Nothing;
        for update in &edge.updates {
            match update {
                Code::Assign(store)
                    if store.to.known() == Some(variable)
                        && store.op.is_none()
                        && !self.may_change(&store.value, variable) =>
                {
                    let (least, most) = comparisons.interval(edge, &store.value);
                    let within = |value: i64| value.clamp(low.into(), high.into()) as i32;
                    effect = Effect::Sets(within(least), within(most));
                }
                other if self.may_change(other, variable) => effect = Effect::Sets(low, high),
                _ => {}
            }
        }
        effect
    }

    /// Whether an expression may change a variable to which there are no references.
    fn may_change(&mut self, code: &Code, variable: usize) -> bool {
        let mut found = false;
        let mut callees = Vec::new();
        visit(code, &mut |one| {
            found |= match one {
                Code::Assign(store) => may_be(&store.to, 1, variable),
                Code::Copy(copy) => may_be(&copy.0, copy.2, variable),
                Code::Fill(fill) => {
                    callees.push(fill.1);
                    results(&fill.2, &mut callees);
                    may_be(&fill.0, fill.3, variable)
                }
                Code::Call(function, arguments) => {
                    callees.push(*function);
                    results(arguments, &mut callees);
                    false
                }
                _ => false,
            };
        });
        found || callees.into_iter().any(|function| self.call_changes(function, variable))
    }

    fn call_changes(&mut self, function: u32, variable: usize) -> bool {
        if let Some(&known) = self.changes.get(&(function, variable)) {
            return known;
        }
        let mut parts = Vec::new();
        let net = self.net;
        visit_actions(&net.functions[function as usize].body, &mut |code| parts.push(code.clone()));
        let found = parts.iter().any(|code| self.may_change(code, variable));
        self.changes.insert((function, variable), found);
        found
    }
}

/// The functions whose results are passed as they are.
fn results(arguments: &[Argument], callees: &mut Vec<u32>) {
    for argument in arguments {
        if let Argument::Result(function, inner, _) = argument {
            callees.push(*function);
            results(inner, callees);
        }
    }
}

/// Marks the variables to which there are references.
fn mark_references(
    net: &TimedNetwork,
    function: u32,
    arguments: &[Argument],
    is_marked: &mut [bool],
) {
    let parameters = &net.functions[function as usize].parameters;
    for (argument, (ty, _)) in arguments.iter().zip(parameters) {
        match argument {
            Argument::Reference(place) => mark(place, ty.size(), is_marked),
            Argument::Value(..) | Argument::Copy(..) => {}
            Argument::Result(inner, arguments, _) => {
                mark_references(net, *inner, arguments, is_marked);
            }
        }
    }
}

/// Marks so many values from a place on.
fn mark(place: &Place, size: usize, is_marked: &mut [bool]) {
    // A place of a frame is no variable, and one behind a reference is marked where that is made.
    let Some((first, last)) = place.range() else { return };
    let end = (last + size).min(is_marked.len());
    is_marked[first.min(end)..end].fill(true);
}

/// Whether a store of so many values may change a variable.
fn may_be(place: &Place, size: u32, variable: usize) -> bool {
    match place.range() {
        Some((first, last)) => (first..last + size as usize).contains(&variable),
        // There are no references to the variable.
        None => false,
    }
}

/// The value of a condition if a variable has this value; `None` if that does not decide it.
fn value_with(code: &Code, variable: usize, value: i32) -> Option<i32> {
    let of = |code: &Code| value_with(code, variable, value);
    match code {
        Code::Const(number) => Some(*number),
        Code::Load(place) => (place.known() == Some(variable)).then_some(value),
        Code::Negate(inner, _) => of(inner).map(i32::wrapping_neg),
        Code::Not(inner) => of(inner).map(|one| i32::from(one == 0)),
        Code::Binary(op, left, right, _) => operate(*op, of(left)?, of(right)?),
        Code::And(left, right) => match (of(left), of(right)) {
            (Some(0), _) | (_, Some(0)) => Some(0),
            (Some(_), Some(_)) => Some(1),
            _ => None,
        },
        Code::Or(left, right) => match (of(left), of(right)) {
            (Some(0), Some(0)) => Some(0),
            (Some(one), _) | (_, Some(one)) if one != 0 => Some(1),
            _ => None,
        },
        Code::Conditional(condition, yes, no) => match of(condition)? {
            0 => of(no),
            _ => of(yes),
        },
        _ => None,
    }
}

/// Raises bounds to those of another row. Returns whether one has changed.
fn join(row: &mut [Pair], other: &[Pair]) -> bool {
    let mut is_changed = false;
    for (one, other) in row.iter_mut().zip(other) {
        is_changed |= one.join(*other);
    }
    is_changed
}

#[cfg(test)]
mod tests {
    use crate::front_end::{OtherQueries, read};
    use crate::model::TimedModel;
    use crate::network::memory::Memory;
    use crate::resolve::queries::QueryCode;
    use crate::semantics::goal::QueryGoal;
    use crate::semantics::symbolic::SymbolicEngine;

    /// Fischer's protocol for two processes; the clocks are 1 and 2.
    const FISCHER: &str = "int[0,2] turn;\n\
        process P(const int[1,2] number) {\n\
        clock x;\n\
        state idle, asking { x <= 2 }, waiting, critical;\n\
        init idle;\n\
        trans idle -> asking { guard turn == 0; assign x = 0; },\n\
        asking -> waiting { assign turn = number, x = 0; },\n\
        waiting -> asking { guard turn == 0; assign x = 0; },\n\
        waiting -> critical { guard turn == number && x > 2; },\n\
        critical -> idle { assign turn = 0; };\n\
        }\n\
        system P;\n";

    fn check(text: &str, locations: &[u32], turn: i32, active: &[u32]) {
        let given = vec!["E<> P(1).critical and P(2).critical".to_owned()];
        let front = read("m", text, &OtherQueries { given, beside: None });
        let model = TimedModel::new("m", front).unwrap_or_else(|_| panic!("the model is read"));
        let QueryCode::Possibly(code) = &model.queries()[0].code else { panic!("it is E<>") };
        let goal = QueryGoal { code: code.clone(), holds: true };
        let engine = SymbolicEngine::new(model.network(), vec![goal]);
        let mut memory = Memory::new(model.network());
        memory.locations.copy_from_slice(locations);
        memory.variables[0] = turn;
        let mut found = Vec::new();
        engine.layout.active.add(&memory, &mut found);
        assert_eq!(found, active, "{locations:?} {turn}");
    }

    #[test]
    fn the_clock_of_a_waiting_process_counts_with_its_own_number() {
        check(FISCHER, &[2, 2], 1, &[1]);
        check(FISCHER, &[2, 2], 2, &[2]);
        check(FISCHER, &[2, 2], 0, &[]);
        check(FISCHER, &[2, 1], 2, &[2]);
        check(FISCHER, &[1, 1], 0, &[1, 2]);
    }

    #[test]
    fn values_that_other_processes_assign_count() {
        // The second process may give the first one its number back.
        let other = "process Q() { state A; init A; trans A -> A { assign turn = 1; }; }\n";
        let text = FISCHER.replace("system P;", &format!("{other}system P, Q;"));
        check(&text, &[2, 2, 0], 2, &[1, 2]);
        check(&text, &[2, 2, 0], 0, &[1]);
        // What a reference refers to is not looked at.
        let text = FISCHER
            .replace("process P(", "void set(int[0,2] &to, int n) { to = n; }\nprocess P(")
            .replace("assign turn = number, x = 0;", "assign set(turn, number), x = 0;");
        check(&text, &[2, 2], 2, &[1, 2]);
    }
}
