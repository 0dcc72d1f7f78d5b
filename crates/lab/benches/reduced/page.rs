//! The page: an introduction to reduction, and the measurements.

use super::{Table, conditions, lengths, strength, times};

/// Introduction for readers who do not know partial order reduction.
const ABOUT: &str = "\
# Partial order reduction

Independent steps of two processes can be executed in either order and lead to the same state. With
ten steps each, there are 184,756 orders and 121 intermediate states; with more processes, far more.
Partial order reduction omits most of them. In each state it computes a *stubborn set* [Val91]
[LPPH16]: a set of processes such that no step that the others can take, now or later, interferes
with the steps of these processes or enables new ones. Then only the steps of these processes are
explored in this state. The steps of the others are postponed to later states.

```text
beeline count model.pml --reduce stubborn
beeline check model.pml --search dfs --reduce stubborn
beeline check model.pml --reduce off
```

With `--search`, all states are explored unless `--reduce stubborn` is given. Without `--search`, the
[automatic strategy](auto.md) explores a reduced state space beside the full one where that may
pay, and completes the one that advances faster: that is
`--reduce auto`, the default; `--reduce off` switches it off. [All reductions](reductions.md)
lists the arguments.

Independently of `--reduce`, breadth-first search executes only one order of two independent steps:
of a step that leads to a state already stored by the other order, only the number is
counted (*sleep sets* [God96]). Sleep sets omit no state, change no count and no trail, and are always
used in compiled models. They save time, up to half of it where most steps are independent. The rest
of this page is about stubborn sets.

## Preserved properties

| property | preserved | required |
|---|---|---|
| deadlock | every deadlock state | stubborn sets alone: `c3=none` |
| assertions and other faults | whether each of them is reachable | … and no step is postponed for ever |
| invariants, `ltl` that a state can violate | whether it can be violated | … and steps that change a value in the property are never explored alone |
| `ltl`, progress, acceptance | whether there is a cycle that violates it | … and on every cycle each step is explored: `c3=static` |

Verdicts are the same as without a reduction. The length of trails is *not* preserved: the shortest
trail in the reduced state space may be longer than the shortest of all, because a step that is
irrelevant to the error may have to be taken before the others. So no trail is reported as shortest,
neither by A\\* nor by breadth-first search. `beeline improve` shortens such trails.

## Cycle conditions

If all states of a cycle postpone a step, it is never explored. A *cycle condition*, called C3 in
[EMJ05], prevents this. The best condition depends on the search; `c3=best` is the default.

| `c3=` | a state may postpone steps if … | sound for | searches |
|---|---|---|---|
| `none` | (always) | deadlocks | all |
| `stack-` | not all explored successors are on the stack | safety | depth-first |
| `stack` | none of them is | safety | depth-first |
| `open` | not all of them were expanded before | safety | those that store states |
| `duplicate-` | not all of them were generated before | safety | those that store states |
| `duplicate` | none of them was | safety | those that store states |
| `static` | no process of the set takes an edge that may close a cycle | safety, cycles | all |

With `none` and `static` every stubborn set is sound; the one with the fewest new states is chosen.
For IDA\\*, the stack is its path. Lossy stores (`bitstate`, `hash-compact`) only know whether a state
was generated before: there `dfs` uses `duplicate-`, and `bfs` is not reduced. Searches for cycles
(`ndfs`, `indfs`, `cndfs`, `scc`) visit states twice, so the postponed steps must depend on the state alone:
they use `static`, and always the first set.

## Path compression

For deadlocks alone, memory can be saved by path compression [YG04]. If a single one of several steps
of a state is explored, the state is not stored: its successor takes its place. When the state is
reached again, the same step is explored again. `pass=yes` stores about half as many states, or
far fewer, and may take up to twice the time, since a state has to be expanded before it is known
whether it can be skipped.

```text
beeline count model.pml --reduce 'stubborn(c3=none, pass=yes)'
beeline check model.pml --property deadlock --search bfs --reduce 'stubborn(pass=yes)'
```

Trails are complete nevertheless. A state with a single step before the reduction is stored; so is
every seventeenth state in a row.

## No reduction

- *Priorities*: every step depends on the processes that are enabled.
- A *trace assertion* observes the order of all messages.
- A formula with `X` counts steps, and a never claim may do so; a claim written as `ltl` without
  `X` can be reduced.
- With `--fair`, enabled processes are observable.
- A property with `_last` or `enabled` observes every step.

In these cases all states are explored, with or without `--reduce`, and a remark gives the reason.
Searches for short lassos, and directed searches for the end of a claim, explore all states as well.

SPIN's reduction is on unless the verifier is built with `-DNOREDUCE`. It is unsound in some cases: in
`models/silent_reduction.pml` the end of a process changes `_nr_pr`, which SPIN treats
as an invisible step, and a failing assertion is not found. Where SPIN stores fewer
states, check whether its reduction is sound there.

# Measured

Printed by `bench/reduction`; every number is in `bench/reduction.tsv`. `crates/testkit/src/reduced_checks.rs`
compares verdicts with and without a reduction, for every search and every condition above.
";

pub(crate) fn page(table: &Table) -> String {
    let sections = [strength::section, conditions::section, lengths::section, times::section];
    sections.iter().fold(ABOUT.to_owned(), |page, section| page + &section(table))
}
