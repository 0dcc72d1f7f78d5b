/* expect: states 653; transitions 2203; safe */
/*
 * Dining philosophers, repaired.
 *
 * The same table as in philosophers.pml, but the last philosopher is
 * left-handed, so to speak: that one takes the right fork first.  All forks
 * are now taken in the order of their numbers, hence no circle of
 * philosophers can wait for one another.
 *
 * Property:  no deadlock.
 * Look at:   the number of states compared with philosophers.pml; a correct
 *            model must be searched completely, and there no heuristic helps.
 *            With N = 30, only the set of all states is small enough.
 */
#ifndef N
#define N 4
#endif

#define LEFT  fork[_pid]
#define RIGHT fork[(_pid + 1) % N]

chan fork[N] = [1] of { bit };

active [N] proctype philosopher()
{
   LEFT!1;                 /* lay one fork on the table */
   do
   :: if
      :: _pid != N - 1 ->
         LEFT?1;
         RIGHT?1
      :: _pid == N - 1 ->  /* the one who breaks the symmetry */
         RIGHT?1;
         LEFT?1
      fi;
      RIGHT!1;             /* eat, then put both forks back */
      LEFT!1
   od
}
