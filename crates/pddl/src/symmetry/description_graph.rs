//! The graph that describes a task: its automorphisms are the symmetries of the task.
//!
//! Source: [PZR11], whose graph has vertices for variables, values and operators. Here, the edges have
//! labels, and there are vertices for effects with conditions, derived facts, axioms, comparisons and
//! numeric expressions, too.
//!
//! The effects of an operator that set different values of a factor are connected in their order,
//! since the last one wins; so are those that change the same number.

use crate::encode::{EncodedTask, StateCondition, ValueChange};
use crate::ground::{GroundNumber, GroundOperation};
use crate::task::{NumericChange, NumericComparison};

/// The most edges of a graph.
const MOST_EDGES: usize = 2_000_000;

/// The number of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct VertexId(pub(super) u32);

/// What a vertex stands for. An automorphism maps vertices to vertices of the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum VertexKind {
    Value,
    /// The value that stands for none of the facts.
    NoFact,
    Fluent,
    Factor,
    Derived {
        layer: u32,
    },
    Axiom,
    Comparison(NumericComparison),
    Constant(i64),
    Operation(GroundOperation),
    Operator {
        cost: u32,
    },
    SetEffect,
    NumberEffect(NumericChange),
    Goal,
}

/// What an edge stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum EdgeKind {
    HasValue,
    Is,
    IsNot,
    IsDerived,
    IsNotDerived,
    Compares,
    ComparesNot,
    Head,
    Left,
    Right,
    Effect,
    Sets,
    Before,
}

/// A part of the graph. Each can be left out, so that a test can show that it detects the wrong symmetries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GraphPart {
    /// The costs of operators.
    Costs,
    /// The goal.
    Goal,
    /// Preconditions, and bodies of axioms.
    Conditions,
    /// The conditions of effects.
    EffectConditions,
    /// What effects change.
    Changes,
    /// The operands of comparisons, and what numbers change by.
    Numbers,
}

impl GraphPart {
    #[cfg(test)]
    pub(super) const ALL: [GraphPart; 6] = [
        GraphPart::Costs,
        GraphPart::Goal,
        GraphPart::Conditions,
        GraphPart::EffectConditions,
        GraphPart::Changes,
        GraphPart::Numbers,
    ];
}

/// A graph with colours of vertices and labels of edges.
#[derive(Debug)]
pub(super) struct DescriptionGraph {
    points: usize,
    /// By vertex: the number of its kind.
    colors: Vec<u32>,
    /// By vertex: where its neighbours begin.
    starts: Vec<u32>,
    /// Neighbours, each with the label of the edge and its direction.
    neighbours: Vec<(u32, u32)>,
}

impl DescriptionGraph {
    /// The graph of a task; `None` if it is too large.
    pub(super) fn of(task: &EncodedTask) -> Option<DescriptionGraph> {
        DescriptionGraph::without(task, None)
    }

    /// The same without a part.
    pub(super) fn without(
        task: &EncodedTask,
        omitted: Option<GraphPart>,
    ) -> Option<DescriptionGraph> {
        let mut builder = GraphBuilder::new(task, omitted);
        builder.add_axioms();
        builder.add_comparisons();
        for at in 0..task.operators.len() {
            builder.add_operator(at);
            if builder.edges.len() > MOST_EDGES {
                return None;
            }
        }
        let goal = builder.vertex(VertexKind::Goal);
        let has_goal = builder.has(GraphPart::Goal);
        let conditions = task.goal.iter().flatten();
        for &condition in conditions.filter(|_| has_goal) {
            builder.add_condition(goal, condition);
        }
        Some(builder.finish())
    }

    /// The number of vertices of values and fluents, which come first.
    pub(super) fn points(&self) -> usize {
        self.points
    }

    /// The colours of the vertices.
    pub(super) fn colors(&self) -> &[u32] {
        &self.colors
    }

    /// The neighbours of a vertex, each with the kind of the edge.
    pub(super) fn neighbours(&self, of: u32) -> &[(u32, u32)] {
        let (from, to) = (self.starts[of as usize], self.starts[of as usize + 1]);
        &self.neighbours[from as usize..to as usize]
    }

    /// Whether a permutation of the vertices keeps colours and edges.
    pub(super) fn is_automorphism(&self, images: &[VertexId]) -> bool {
        let (mut mapped, mut expected) = (Vec::new(), Vec::new());
        (0..).zip(images).all(|(vertex, image)| {
            mapped.clear();
            let neighbours = self.neighbours(vertex).iter();
            mapped.extend(neighbours.map(|&(label, to)| (label, images[to as usize].0)));
            mapped.sort_unstable();
            expected.clear();
            expected.extend_from_slice(self.neighbours(image.0));
            expected.sort_unstable();
            self.colors[vertex as usize] == self.colors[image.0 as usize] && mapped == expected
        })
    }
}

/// Builds the graph.
struct GraphBuilder<'t> {
    task: &'t EncodedTask,
    omitted: Option<GraphPart>,
    kinds: Vec<VertexKind>,
    edges: Vec<(u32, EdgeKind, u32)>,
    /// By factor: the vertex of its first value.
    values: Vec<u32>,
    fluents: u32,
    derived: u32,
    comparisons: u32,
}

impl<'t> GraphBuilder<'t> {
    fn new(task: &'t EncodedTask, omitted: Option<GraphPart>) -> GraphBuilder<'t> {
        let mut builder = GraphBuilder {
            task,
            omitted,
            kinds: Vec::new(),
            edges: Vec::new(),
            values: Vec::new(),
            fluents: 0,
            derived: 0,
            comparisons: 0,
        };
        for group in &task.groups {
            builder.values.push(builder.kinds.len() as u32);
            builder.kinds.extend(group.facts.iter().map(|_| VertexKind::Value));
            builder.kinds.extend(group.has_none.then_some(VertexKind::NoFact));
        }
        builder.fluents = builder.kinds.len() as u32;
        builder.kinds.extend(task.numbers.iter().map(|_| VertexKind::Fluent));
        for (factor, group) in task.groups.iter().enumerate() {
            let (vertex, first) = (builder.vertex(VertexKind::Factor), builder.values[factor]);
            let values = first..first + group.size();
            builder.edges.extend(values.map(|value| (vertex, EdgeKind::HasValue, value)));
        }
        builder.derived = builder.kinds.len() as u32;
        let layers = task.derived.iter().map(|fact| VertexKind::Derived { layer: fact.layer });
        builder.kinds.extend(layers);
        builder.comparisons = builder.kinds.len() as u32;
        let comparisons = task.comparisons.iter();
        builder.kinds.extend(comparisons.map(|one| VertexKind::Comparison(one.comparison)));
        builder
    }

    fn has(&self, part: GraphPart) -> bool {
        self.omitted != Some(part)
    }

    fn vertex(&mut self, kind: VertexKind) -> u32 {
        self.kinds.push(kind);
        self.kinds.len() as u32 - 1
    }

    fn add_condition(&mut self, of: u32, condition: StateCondition) {
        let value = |factor: u32, value: u32| self.values[factor as usize] + value;
        self.edges.push(match condition {
            StateCondition::Is(factor, at) => (of, EdgeKind::Is, value(factor, at)),
            StateCondition::IsNot(factor, at) => (of, EdgeKind::IsNot, value(factor, at)),
            StateCondition::Derived(fact, true) => (of, EdgeKind::IsDerived, self.derived + fact),
            StateCondition::Derived(fact, false) => {
                (of, EdgeKind::IsNotDerived, self.derived + fact)
            }
            StateCondition::Compare(at, true) => (of, EdgeKind::Compares, self.comparisons + at),
            StateCondition::Compare(at, false) => {
                (of, EdgeKind::ComparesNot, self.comparisons + at)
            }
        });
    }

    /// The vertex of an expression.
    fn number(&mut self, number: &GroundNumber) -> u32 {
        match number {
            GroundNumber::Const(value) => self.vertex(VertexKind::Constant(*value)),
            GroundNumber::Fluent(fluent) => self.fluents + fluent,
            GroundNumber::Operation(operation, a, b) => {
                let vertex = self.vertex(VertexKind::Operation(*operation));
                let (a, b) = (self.number(a), self.number(b));
                self.edges.push((vertex, EdgeKind::Left, a));
                self.edges.push((vertex, EdgeKind::Right, b));
                vertex
            }
        }
    }

    fn add_axioms(&mut self) {
        for axiom in &self.task.axioms {
            let vertex = self.vertex(VertexKind::Axiom);
            self.edges.push((vertex, EdgeKind::Head, self.derived + axiom.head));
            let body = axiom.body.iter().filter(|_| self.has(GraphPart::Conditions));
            let body: Vec<StateCondition> = body.copied().collect();
            body.into_iter().for_each(|one| self.add_condition(vertex, one));
        }
    }

    fn add_comparisons(&mut self) {
        for (vertex, comparison) in (self.comparisons..).zip(&self.task.comparisons) {
            let (left, right) = (self.number(&comparison.left), self.number(&comparison.right));
            if self.has(GraphPart::Numbers) {
                self.edges.push((vertex, EdgeKind::Left, left));
                self.edges.push((vertex, EdgeKind::Right, right));
            }
        }
    }

    fn add_operator(&mut self, at: usize) {
        let operator = &self.task.operators[at];
        let cost = if self.has(GraphPart::Costs) { operator.cost } else { 0 };
        let vertex = self.vertex(VertexKind::Operator { cost });
        if self.has(GraphPart::Conditions) {
            operator.preconditions.iter().for_each(|&one| self.add_condition(vertex, one));
        }
        let effects = &operator.effects;
        let mut vertices = Vec::with_capacity(effects.len());
        for effect in effects {
            let kind = match &effect.change {
                ValueChange::Set(..) => VertexKind::SetEffect,
                ValueChange::Number(kind, ..) => VertexKind::NumberEffect(*kind),
            };
            let of_effect = self.vertex(kind);
            vertices.push(of_effect);
            self.edges.push((vertex, EdgeKind::Effect, of_effect));
            if self.has(GraphPart::EffectConditions) {
                effect.conditions.iter().for_each(|&one| self.add_condition(of_effect, one));
            }
            match &effect.change {
                _ if !self.has(GraphPart::Changes) => {}
                ValueChange::Set(factor, value) => {
                    let value = self.values[*factor as usize] + value;
                    self.edges.push((of_effect, EdgeKind::Sets, value));
                }
                ValueChange::Number(_, fluent, by) => {
                    let by = self.number(by);
                    self.edges.push((of_effect, EdgeKind::Sets, self.fluents + fluent));
                    if self.has(GraphPart::Numbers) {
                        self.edges.push((of_effect, EdgeKind::Right, by));
                    }
                }
            }
        }
        let mut order: Vec<usize> = (0..effects.len()).collect();
        let target = |at: usize| match effects[at].change {
            ValueChange::Set(factor, value) => (0, factor, value),
            ValueChange::Number(_, fluent, _) => (1, fluent, 0),
        };
        order.sort_by_key(|&at| (target(at).0, target(at).1, at));
        for (from, &earlier) in order.iter().enumerate() {
            let (kind, slot, value) = target(earlier);
            for &later in &order[from + 1..] {
                let other = target(later);
                if (kind, slot) != (other.0, other.1) {
                    break;
                }
                if kind == 1 || value != other.2 {
                    self.edges.push((vertices[earlier], EdgeKind::Before, vertices[later]));
                }
            }
        }
    }

    fn finish(self) -> DescriptionGraph {
        let points = self.fluents as usize + self.task.numbers.len();
        let mut numbers = std::collections::HashMap::new();
        let colors = self.kinds.iter().map(|kind| {
            let next = numbers.len() as u32;
            *numbers.entry(*kind).or_insert(next)
        });
        let colors: Vec<u32> = colors.collect();
        let mut starts = vec![0u32; colors.len() + 1];
        for &(from, _, to) in &self.edges {
            starts[from as usize + 1] += 1;
            starts[to as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut neighbours = vec![(0, 0); 2 * self.edges.len()];
        for &(from, kind, to) in &self.edges {
            for (of, label, other) in [(from, 0, to), (to, 1, from)] {
                let place = &mut next[of as usize];
                neighbours[*place as usize] = (2 * kind as u32 + label, other);
                *place += 1;
            }
        }
        DescriptionGraph { points, colors, starts, neighbours }
    }
}
