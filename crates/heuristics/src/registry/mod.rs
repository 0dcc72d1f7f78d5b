//! The registry of heuristics: one row each, which describes and builds it.
//!
//! `request` has the row type, reads arguments and builds what several rows share; `abstraction` and
//! `pattern_database` build heuristics with many arguments.

mod abstraction;
mod pattern_database;
mod request;

use beeline_engine::interpreter::Machine;
use beeline_kernel::registry::{self, ArgumentRow};
use beeline_kernel::spec::Spec;
use beeline_kernel::{Blind, BoxedHeuristic, Resources};

use crate::combine::aggregation::Aggregation;
use crate::combine::max::Max;
use crate::combine::sum::Sum;
use crate::combine::weighted::Weighted;
use crate::deadlock::active::Active;
use crate::deadlock::active_2000::Active2000;
use crate::deadlock::danger::DangerMeasure;
use crate::deadlock::dangerous::Dangerous;
use crate::deadlock::dangerous_queues::DangerousQueues;
use crate::deadlock::dangerous_states::DangerousStates;
use crate::deadlock::deadlock_formula::DeadlockFormula;
use crate::deadlock::full_queues::FullQueues;
use crate::deadlock::nonempty_queues::NonemptyQueues;
use crate::distance::assertion_distance::{AssertionDistance, FaultSites};
use crate::distance::claim_distance::ClaimDistance;
use crate::distance::fsm::Fsm;
use crate::distance::fsm_state::FsmState;
use crate::distance::hamming::{Hamming, HammingUnit};
use crate::error::BuildError;
use crate::goal::{GoalKind, HeuristicGoal};
use crate::relaxation::RelaxedHeuristic;

pub use request::{HeuristicRow, Request};

const fn argument(name: &'static str, values: &'static str) -> ArgumentRow {
    ArgumentRow::new(name, values, "")
}

const EACH: &[ArgumentRow] =
    &[ArgumentRow { name: "of", values: "a heuristic", about: "", repeated: true }];
const COMBINE: ArgumentRow = argument("combine", "sum, half or max; sum");
const GROUP: &[ArgumentRow] = &[argument("group", "processes in a group, 1 to 4; 2")];
const RELAXED: &[ArgumentRow] = &[
    argument("values", "sets or intervals; sets"),
    argument("channels", "slots, or pooled: as sets of messages; slots"),
];
const ABSTRACTION: &[ArgumentRow] = &[
    argument("n", "states of the small system, 1 to 100000; 500"),
    argument("order", "ranking, or default: as they are declared; ranking"),
    argument("buckets", "near or far, which states are told apart first; near"),
    argument("labels", "apart, or combined where no other part tells them apart; apart"),
    argument(
        "shrink",
        "buckets, or bisimulation: bisimilar states are one from the start; buckets",
    ),
    argument("bytes", "memory for making it; 1073741824, a gibibyte"),
    argument("seconds", "time for making it; without it work is counted, about a second of it"),
];
const PATTERNS: &[ArgumentRow] = &[
    argument("of", "auto, or a list of names as \"x\", \"P[0]@\" or \"P[0]\"; auto"),
    argument("states", "abstract states of a table at most, from 1; 100000"),
    argument("file", "a file that says what each table keeps (docs/book/patterns.md)"),
    argument("cache", "a file where tables are kept from one run to the next"),
];
const DEADLOCK: &[GoalKind] = &[GoalKind::Deadlock];

/// All heuristics.
pub const HEURISTICS: &[HeuristicRow] = &[
    HeuristicRow {
        name: "blind",
        aliases: &["h0"],
        arguments: &[],
        about: "zero everywhere",
        source: "[ELL00] §3.5",
        claims: "admissible, consistent, safe",
        goals: GoalKind::ALL,
        build: |_| Ok(Box::new(Blind)),
    },
    HeuristicRow {
        name: "nonempty-queues",
        aliases: &["h1"],
        arguments: &[],
        about: "channels that hold a message",
        source: "[ELL00] §3.5",
        claims: "safe",
        goals: GoalKind::ALL,
        build: |of| Ok(Box::new(NonemptyQueues::new(of.machine))),
    },
    HeuristicRow {
        name: "full-queues",
        aliases: &[],
        arguments: &[],
        about: "channels with room for a message",
        source: "[ELL00] §3.5",
        claims: "safe",
        goals: GoalKind::ALL,
        build: |of| Ok(Box::new(FullQueues::new(of.machine))),
    },
    HeuristicRow {
        name: "active",
        aliases: &["h2", "ha"],
        arguments: &[],
        about: "processes that could move",
        source: "[ELL00] §3.5, [EMJ05] Heuristics",
        claims: "safe",
        goals: GoalKind::ALL,
        build: |of| Ok(Box::new(Active::new(of.machine))),
    },
    HeuristicRow {
        name: "active-2000",
        aliases: &["h2-2000"],
        arguments: &[],
        about: "processes that could move one after the other, as the first tables counted them",
        source: "[ELL00] §4",
        claims: "safe",
        goals: GoalKind::ALL,
        build: |of| Ok(Box::new(Active2000::new(of.machine))),
    },
    HeuristicRow {
        name: "dangerous-states",
        aliases: &["h3"],
        arguments: &[argument("combine", "sum or half; sum")],
        about: "steps of each process to a location where it may be stuck",
        source: "[ELL00] §3.5",
        claims: "safe; admissible and consistent without rendezvous, with `half` always",
        goals: DEADLOCK,
        build: |of| {
            let combine = of.arguments.choice("combine", SUMS)?;
            Ok(Box::new(DangerousStates::new(of.machine, combine)))
        },
    },
    HeuristicRow {
        name: "dangerous-queues",
        aliases: &["h4"],
        arguments: &[],
        about: "messages to come or go until each process is stuck",
        source: "[ELL00] §3.5",
        claims: "safe",
        goals: DEADLOCK,
        build: |of| Ok(Box::new(DangerousQueues::new(of.machine))),
    },
    HeuristicRow {
        name: "dangerous",
        aliases: &["h5"],
        arguments: &[],
        about: "steps, and messages to come or go, until each process is stuck",
        source: "[ELL00] §3.5",
        claims: "safe",
        goals: DEADLOCK,
        build: |of| Ok(Box::new(Dangerous::new(of.machine))),
    },
    HeuristicRow {
        name: "joint-dangerous-states",
        aliases: &["h6"],
        arguments: GROUP,
        about: "like dangerous-states, for groups of processes that are stuck together",
        source: "[ELL00] §3.5",
        claims: "safe",
        goals: DEADLOCK,
        build: |of| of.joint(DangerMeasure::Distance),
    },
    HeuristicRow {
        name: "joint-dangerous-queues",
        aliases: &["h7"],
        arguments: GROUP,
        about: "like dangerous-queues, for groups of processes that are stuck together",
        source: "[ELL00] §3.5",
        claims: "safe",
        goals: DEADLOCK,
        build: |of| of.joint(DangerMeasure::Queues),
    },
    HeuristicRow {
        name: "joint-dangerous",
        aliases: &["h8"],
        arguments: GROUP,
        about: "like dangerous, for groups of processes that are stuck together",
        source: "[ELL00] §3.5",
        claims: "safe",
        goals: DEADLOCK,
        build: |of| of.joint(DangerMeasure::Both),
    },
    HeuristicRow {
        name: "deadlock-formula",
        aliases: &[],
        arguments: &[],
        about: "how far each process is from a location where nothing is executable",
        source: "[EMJ05] Heuristics",
        claims: "safe",
        goals: DEADLOCK,
        build: |of| Ok(Box::new(DeadlockFormula::new(of.machine))),
    },
    HeuristicRow {
        name: "formula",
        aliases: &["hf"],
        arguments: &[],
        about: "how far the property is from being violated",
        source: "[EMJ05] Heuristics",
        claims: "safe; for a known state those of `fsm-state`",
        goals: GoalKind::ALL,
        build: |of| Ok(of.formula()),
    },
    HeuristicRow {
        name: "assertion-distance",
        aliases: &[],
        arguments: &[argument("sites", "all or assertions; all")],
        about: "steps of the nearest process to a statement that can fail",
        source: "[ELL01] §4.2",
        claims: "admissible, consistent, safe; with `assertions` only where nothing else can fail",
        goals: &[GoalKind::Assertions],
        build: |of| {
            let sites = of.arguments.choice(
                "sites",
                &[("all", FaultSites::All), ("assertions", FaultSites::Assertions)],
            )?;
            Ok(Box::new(AssertionDistance::new(of.machine, sites)))
        },
    },
    HeuristicRow {
        name: "claim-distance",
        aliases: &["hc"],
        arguments: &[],
        about: "steps of the never claim to its end",
        source: "[AWW15] §1",
        claims: "admissible, consistent, safe",
        goals: &[GoalKind::Claim],
        build: |of| match of.goal {
            HeuristicGoal::Claim => Ok(Box::new(ClaimDistance::new(of.machine))),
            _ => Err(of.wrong_goal()),
        },
    },
    HeuristicRow {
        name: "fsm",
        aliases: &[],
        arguments: &[
            argument("locations", "a list of \"proctype@label\"; where the property is violated"),
            COMBINE,
        ],
        about: "steps of processes, or of the claim, in their automata to locations that have \
                labels or where the property is violated",
        source: "[ELL01] §4.2",
        claims: "safe; without locations, what the heuristic for such a property promises",
        goals: GoalKind::ALL,
        build: |of| {
            let combine = of.arguments.choice("combine", COMBINES)?;
            match of.locations("locations")? {
                Some(targets) => Ok(Box::new(Fsm::new(of.machine, &targets, combine))),
                None => Ok(of.automata(combine)),
            }
        },
    },
    HeuristicRow {
        name: "fsm-state",
        aliases: &["hm"],
        arguments: &[COMBINE],
        about: "steps of processes to where they are in a known state",
        source: "[ELL01] §4.2",
        claims: "safe; `half` and `max` admissible and consistent, `sum` only without rendezvous",
        goals: &[GoalKind::State],
        build: |of| match of.goal {
            HeuristicGoal::State(target) => Ok(Box::new(FsmState::new(
                of.machine,
                target,
                of.arguments.choice("combine", COMBINES)?,
            ))),
            _ => Err(of.wrong_goal()),
        },
    },
    HeuristicRow {
        name: "hamming",
        aliases: &["hd"],
        arguments: &[argument("by", "bits or values; bits")],
        about: "bits or values in which a state differs from a known one",
        source: "[ELL01] §4.1",
        claims: "safe",
        goals: &[GoalKind::State],
        build: |of| match of.goal {
            HeuristicGoal::State(target) => {
                let unit = of.arguments.choice(
                    "by",
                    &[("bits", HammingUnit::Bits), ("values", HammingUnit::Values)],
                )?;
                Ok(Box::new(Hamming::new(of.machine, target.clone(), unit)))
            }
            _ => Err(of.wrong_goal()),
        },
    },
    HeuristicRow {
        name: "max",
        aliases: &[],
        arguments: EACH,
        about: "the largest of several estimates",
        source: "",
        claims: "what all of its parts claim",
        goals: GoalKind::ALL,
        build: |of| Ok(Box::new(Max::new(of.nested()?))),
    },
    HeuristicRow {
        name: "hpl",
        aliases: &["layers"],
        arguments: RELAXED,
        about: "layers of relaxed states, in which everything that can happen does, until an error",
        source: "[AWW15] §2, Algorithm 1",
        claims: "admissible, consistent, safe",
        goals: GoalKind::ALL,
        build: |of| of.relaxed(RelaxedHeuristic::Layers),
    },
    HeuristicRow {
        name: "hmax",
        aliases: &[],
        arguments: RELAXED,
        about: "the costliest value that an error needs, if nothing that was true becomes false",
        source: "[AWW15] §2",
        claims: "admissible, consistent, safe",
        goals: GoalKind::ALL,
        build: |of| of.relaxed(RelaxedHeuristic::Max),
    },
    HeuristicRow {
        name: "hadd",
        aliases: &[],
        arguments: RELAXED,
        about: "the sum of all values that an error needs, if nothing that was true becomes false",
        source: "[AWW15] §1",
        claims: "safe",
        goals: GoalKind::ALL,
        build: |of| of.relaxed(RelaxedHeuristic::Add),
    },
    HeuristicRow {
        name: "hff",
        aliases: &["hu"],
        arguments: RELAXED,
        about: "steps of a path to an error on which nothing that was true becomes false",
        source: "[AWW15] §1",
        claims: "safe",
        goals: GoalKind::ALL,
        build: |of| of.relaxed(RelaxedHeuristic::Path),
    },
    HeuristicRow {
        name: "dpa",
        aliases: &[],
        arguments: ABSTRACTION,
        about: "steps to an error in a small system that is made of the whole one",
        source: "[DFP06] §3",
        claims: "admissible, consistent, safe",
        goals: GoalKind::ALL,
        build: |of| of.abstracted(),
    },
    HeuristicRow {
        name: "pdb",
        aliases: &[],
        arguments: PATTERNS,
        about: "steps to an error where only some variables and places count, from a table",
        source: "[EMJ05] Abstraction Databases",
        claims: "admissible, consistent, safe",
        goals: GoalKind::ALL,
        build: |of| of.patterns(),
    },
    HeuristicRow {
        name: "sum",
        aliases: &[],
        arguments: EACH,
        about: "the sum of several estimates",
        source: "",
        claims: "safe if its parts are",
        goals: GoalKind::ALL,
        build: |of| Ok(Box::new(Sum::new(of.nested()?))),
    },
    HeuristicRow {
        name: "weighted",
        aliases: &[],
        arguments: &[argument("of", "a heuristic"), argument("weight", "a number from 0; 1")],
        about: "an estimate times a weight",
        source: "[ELL00] §4.1",
        claims: "safe if its part is; admissible and consistent for w of at most 1 if that is",
        goals: GoalKind::ALL,
        build: |of| {
            let weight = of.arguments.number("weight")?.unwrap_or(1.0);
            let one = of.arguments.value("of").ok_or_else(|| of.missing("of"))?;
            Ok(Box::new(Weighted::new(of.build_nested(one)?, weight)))
        },
    },
];

const SUMS: &[(&str, Aggregation)] = &[("sum", Aggregation::Sum), ("half", Aggregation::Half)];
const COMBINES: &[(&str, Aggregation)] =
    &[("sum", Aggregation::Sum), ("half", Aggregation::Half), ("max", Aggregation::Max)];

/// The heuristic with this name or alias.
pub fn find(name: &str) -> Option<&'static HeuristicRow> {
    registry::find(HEURISTICS, name)
}

/// Builds a heuristic for the states of a machine.
///
/// # Errors
///
/// When there is no heuristic of this name, when it is not for this goal, or when it refuses its
/// arguments; the error says what there is.
pub fn build<'a>(
    spec: &Spec,
    machine: &'a Machine<'a>,
    goal: &HeuristicGoal,
) -> Result<BoxedHeuristic<'a>, BuildError> {
    build_with(spec, machine, goal, Resources::default())
}

/// Builds a heuristic with files, and within limits.
///
/// # Errors
///
/// As [`build`], and when a file cannot be read, written or understood.
pub fn build_with<'a>(
    spec: &Spec,
    machine: &'a Machine<'a>,
    goal: &HeuristicGoal,
    resources: Resources<'_>,
) -> Result<BoxedHeuristic<'a>, BuildError> {
    Request::build(HEURISTICS, spec, machine, goal, resources)
}
