//! The page: what a reduction is, and what was measured.

use super::{Table, conditions, lengths, strength, times};

/// What someone should know who has never heard of it.
const ABOUT: &str = "\
# Partial order reduction

Two processes that do not get in each other's way can take their steps in two orders, and end up
in the same state either way. With ten steps each, there are 184,756 orders and 121 states on the
way; with more processes, far more. Partial order reduction leaves most of them out. In each
state it looks for a *stubborn set*: some processes such that nothing that the others can do, now
or later, disturbs the steps of these, or makes new ones possible for them. Then it is enough to
take the steps of these processes now. The steps of the others are not lost, they only come later.

```text
beeline count model.pml --reduce stubborn
beeline check model.pml --search dfs --reduce stubborn
beeline check model.pml --reduce off
```

A search that is asked for by name sees all states unless `--reduce stubborn` is said. The
automatic strategy, which is what runs when nothing is asked for, goes through a reduced space
beside the full one where that may pay, and finishes the one that gets on better: that is
`--reduce auto`, the default, and `--reduce off` switches it off. [All reductions](reductions.md)
has the arguments.

## What stays the same

| property | what is preserved | what that takes |
|---|---|---|
| deadlock | every deadlock, as a state | stubborn sets, and nothing else: `c3=none` |
| assertions, and other faults | whether each of them can happen | … and that no step is postponed for ever |
| invariants, `ltl` that a state can violate | whether it can be violated | … and steps that change what the property looks at are never taken alone |
| `ltl`, progress, acceptance | whether there is a cycle that violates it | … and that on every cycle all steps have their turn: `c3=static` |

Verdicts are those without a reduction. What is *not* preserved is length: the shortest trail in
the reduced space may be longer than the shortest of all, because a step that has nothing to do
with the error may have to be taken before the others. So no trail is called shortest, neither by A\\*
nor by breadth-first search. `beeline improve` makes such trails shorter.

## Not for ever

If a state postpones a step, and so do all states behind it, round and round, then nobody ever takes
it. A *cycle condition*, called C3 in [EMJ05], prevents that. What a search can look at depends on
the search, and so does the best condition; `c3=best` is the default.

| `c3=` | a state may postpone steps if … | sound for | searches |
|---|---|---|---|
| `none` | (always) | deadlocks | all |
| `stack-` | not all successors that are kept are on the stack | safety | depth-first |
| `stack` | none of them is | safety | depth-first |
| `open` | not all of them were expanded before | safety | those that store states |
| `duplicate-` | not all of them were met before | safety | those that store states |
| `duplicate` | none of them was | safety | those that store states |
| `static` | no process of the set takes an edge that may close a cycle | safety, cycles | all |

With `none` and `static` any set will do, and the one is taken that leads to the fewest new states.
For IDA\\* the stack is its path. With stores that keep no states (`bitstate`, `hash-compact`) nothing is
known of a state but that it was met: `dfs` takes `duplicate-` there, `bfs` is not reduced. Searches for cycles (`ndfs`, `indfs`, `scc`) visit states twice, so
what a state postpones must depend on the state alone: they take `static`, and always the first set.

## Passing

For deadlocks alone, there is one thing more to save. Where a single way of several is kept, the state
need not be stored: what lies behind that way takes its place, and who comes to the state again goes
that way again. `pass=yes` stores about half as many states for that, or far fewer, and may take up to
twice the time, since who wants to know whether a state can be passed has to expand it first.

```text
beeline count model.pml --reduce 'stubborn(c3=none, pass=yes)'
beeline check model.pml --property deadlock --search bfs --reduce 'stubborn(pass=yes)'
```

Trails are whole all the same. A state with a single way to begin with is stored, since there is
nothing about it that a reduction does; so is every seventeenth in a row.

## Where there is none

- *Priorities* make every step depend on who else could move.
- A *trace assertion* watches the order of all messages.
- A formula with `X` counts steps, and so may a never claim; who writes the claim as `ltl` without
  `X` can have a reduction.
- With `--fair` it matters who could have moved.
- A property about `_last`, or about who can move, sees every step.

In these cases all states are searched, with or without `--reduce`, and a remark says why. Searches
for short lassos, and directed searches for the end of a claim, see all states as well.

SPIN has a reduction too, which is on unless the verifier is built with `-DNOREDUCE`. It sometimes
leaves out too much: in `models/silent_reduction.pml` the end of a process changes `_nr_pr`, which SPIN takes
for a step that nobody sees, and an assertion that fails is not found. Where SPIN has fewer
states, it is worth a look whether it is right.

# Measured

Printed by `bench/reduction`; every number is in `bench/reduction.tsv`. `crates/testkit/tests/reduced_checks.rs`
holds verdicts with a reduction against those without: every search and every condition above.
";

pub(crate) fn page(table: &Table) -> String {
    let sections = [strength::section, conditions::section, lengths::section, times::section];
    sections.iter().fold(ABOUT.to_owned(), |page, section| page + &section(table))
}
