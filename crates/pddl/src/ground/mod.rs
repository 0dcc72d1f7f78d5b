//! Grounding: a task with variables becomes facts, operators and axioms without them.
//!
//! Source: [Hel09]: relaxed reachability, simplification by facts that never change, and
//! invariants for finite-domain variables, which are in `encode`.
//!
//! | file | step |
//! |---|---|
//! | `relation.rs` | tuples with indexes |
//! | `datalog.rs`, `rules.rs` | the reachable tuples of predicates and actions |
//! | `instantiate.rs`, `conditions.rs` | their conditions and effects as formulas on facts |
//! | `costs.rs` | the metric as costs of actions |
//! | `simplify.rs` | facts that never change, and facts that do not matter |

mod conditions;
mod costs;
mod datalog;
mod error;
mod ground_task;
mod instantiate;
mod relation;
mod rules;
mod simplify;

use beeline_kernel::Deadline;

pub use error::GroundError;
pub(crate) use ground_task::{
    GroundAxiom, GroundChange, GroundComparison, GroundNumber, GroundOperation, GroundOperator,
    Literal,
};
pub use ground_task::{GroundFact, GroundTask};
pub(crate) use relation::TupleMap;

use crate::task::{Metric, ObjectId, PlanningTask, Term};
use conditions::{Binding, GroundCondition};
use costs::LinearMetric;
use datalog::{Evaluation, EvaluationStop};
use instantiate::{Instance, Instantiation};
use relation::Relation;
use simplify::Simplification;

/// Bytes of a part of a condition or an effect, with what belongs to it.
const PART: usize = 64;

/// Grounds a task, until a deadline and within a number of bytes.
///
/// # Errors
///
/// When a limit is reached, the metric is not supported, or an initial value is out of range.
pub fn ground(
    task: &PlanningTask,
    deadline: Deadline,
    bytes: usize,
) -> Result<GroundTask, GroundError> {
    let predicates = task.predicates.len();
    let rules = rules::rules(task);
    let mut relations: Vec<Relation> =
        rules.arities.iter().map(|&arity| Relation::new(arity)).collect();
    let tuples = task.initial.iter().map(|atom| {
        let object = |term: &Term| match term {
            Term::Object(object) => object.0,
            Term::Variable(_) => u32::MAX,
        };
        (atom.predicate.0 as usize, atom.terms.iter().map(object).collect::<Vec<u32>>())
    });
    let initial: Vec<(usize, Vec<u32>)> = tuples.collect();
    for (relation, tuple) in &initial {
        if rules.is_static[*relation] {
            relations[*relation].insert(tuple, 0);
        }
    }
    let objects = task.objects.len();
    let mut evaluation =
        Evaluation::new(relations, &rules.rules, &rules.is_static, objects, deadline, bytes);
    for (relation, tuple) in &initial {
        if !rules.is_static[*relation] {
            evaluation.add(*relation, tuple);
        }
    }
    let outcome = evaluation.run();
    let relations = evaluation.relations;
    if let Err(stop) = outcome {
        return Err(match stop {
            EvaluationStop::Time => GroundError::Time,
            EvaluationStop::Memory { relation, tuples } => {
                memory(task, &relations, (relation, tuples))
            }
        });
    }
    let mut instantiation = Instantiation::new(task, &relations, &rules.is_static, deadline);
    let mut instances: Vec<Instance> = Vec::new();
    for schema in 0..task.actions.len() {
        let tuples = &relations[predicates + schema];
        for id in 0..tuples.len() as u32 {
            instances.extend(instantiation.action(schema as u32, tuples.tuple(id))?);
            if instantiation.parts.saturating_mul(PART) > bytes {
                return Err(memory(task, &relations, (0, 0)));
            }
        }
    }
    let mut axioms: Vec<(u32, u32, GroundCondition)> = Vec::new();
    for axiom in &task.axioms {
        let tuples = &relations[axiom.head.0 as usize];
        for id in 0..tuples.len() as u32 {
            let tuple = tuples.tuple(id);
            let mut binding = Binding { values: vec![None; axiom.variables.len()] };
            let mut fits = true;
            for (at, &object) in tuple.iter().enumerate() {
                let object = ObjectId(object);
                binding.values[at] = Some(object);
                fits &= axiom.variables[at].objects.binary_search(&object).is_ok();
            }
            if !fits {
                continue;
            }
            let body =
                instantiation.condition(&axiom.body, true, &axiom.variables, &mut binding)?;
            if body != GroundCondition::False {
                let head = instantiation.fact(axiom.head.0, tuple);
                axioms.push((head, axiom.layer, body));
            }
            if instantiation.parts.saturating_mul(PART) > bytes {
                return Err(memory(task, &relations, (0, 0)));
            }
        }
    }
    let mut binding = Binding { values: vec![None; task.goal_variables.len()] };
    let goal = instantiation.condition(&task.goal, true, &task.goal_variables, &mut binding)?;
    let metric = match &task.metric {
        Metric::Steps => None,
        Metric::Minimize(expr) => match instantiation.number(expr, &binding) {
            Some(number) => Some(LinearMetric::of(&number)?),
            None => return Err(GroundError::Metric("it has no initial value".to_owned())),
        },
    };
    let mut costs = Vec::with_capacity(instances.len());
    for instance in &instances {
        costs.push(match &metric {
            None => 1,
            Some(metric) => {
                let effects = instance.effects.iter();
                let effects = effects
                    .map(|(condition, change)| (*condition != GroundCondition::True, change));
                metric.cost(&task.actions[instance.schema as usize].name, effects)?
            }
        });
    }
    let made = Simplification { task, instantiation, instances, costs, axioms, goal }.run();
    match made.fluents.iter().find(|(_, value)| !task.range.contains(*value)) {
        Some((fluent, value)) => Err(GroundError::Range { fluent: fluent.clone(), value: *value }),
        None => Ok(made),
    }
}

/// The error for a task that is too large; some tuples are not in their relation yet.
fn memory(task: &PlanningTask, relations: &[Relation], more: (usize, usize)) -> GroundError {
    let predicates = task.predicates.len();
    let counts = (0..task.actions.len()).map(|at| {
        let relation = predicates + at;
        let more = if more.0 == relation { more.1 } else { 0 };
        (relations[relation].len() + more, at)
    });
    let largest = counts.max_by_key(|&(count, at)| (count, usize::MAX - at));
    let largest = largest.map(|(count, at)| (task.actions[at].name.to_string(), count));
    GroundError::Memory { largest }
}
