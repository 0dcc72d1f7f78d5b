/* expect: states 1000; transitions 2701; safe */
/*
 * A grid of counters, for measurements.
 *
 * N processes count from 0 to MAX, independently of one another.  The state
 * space is the N-dimensional grid with (MAX + 1)^N states and
 * N * MAX * (MAX + 1)^(N - 1) steps between them.
 *
 * Property:  none is violated; at the end every process rests at a valid end
 *            state.
 * Look at:   the time per state.  All processes are independent, so one order
 *            of the steps would do: the best case for partial order reduction
 *            and the worst case for a search without it.
 */
#ifndef N
#define N 3
#endif
#ifndef MAX
#define MAX 9
#endif

byte counter[N];

active [N] proctype count()
{
end:
   do
   :: d_step { counter[_pid] < MAX -> counter[_pid]++ }
   od
}
