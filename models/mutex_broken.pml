/* expect: states 360; transitions 985; assertion violated at depth 7 */
/*
 * A lock that does not lock.
 *
 * N processes share a flag.  Each waits until the flag is down, then raises
 * it and enters.
 *
 * Property:  never two processes in the critical section (assertion).
 * Flaw:      to test the flag and to raise it are two steps.  Between the
 *            two, another process may test the flag and find it down too.
 * Look at:   the shortest error path: both tests happen before the first
 *            assignment.  Put the two steps into `atomic { ... }`, and the
 *            assertion holds.
 */
#ifndef N
#define N 3
#endif

bool busy;
byte inside;               /* how many are in the critical section */

active [N] proctype process()
{
   do
   :: !busy ->             /* test ... */
      busy = true;         /* ... and set, too late */

      inside++;
      assert(inside == 1);
      inside--;

      busy = false
   od
}
