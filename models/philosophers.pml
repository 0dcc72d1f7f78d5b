/* expect: states 255; transitions 765; deadlock at depth 8 */
/*
 * Dining philosophers, the forks being messages.
 *
 * N philosophers sit round a table with one fork between neighbours.  A fork
 * is a channel of capacity one: the fork lies on the table while the channel
 * holds a message, and to take the fork is to receive that message.
 *
 * Property:  nobody waits for ever (no invalid end state).
 * Flaw:      everybody reaches for the fork on the left first.  When each
 *            philosopher holds a left fork, every right fork is taken.
 * Look at:   the shortest error path.  It is N steps to lay the table and N
 *            steps to take the left forks; a depth-first search usually eats
 *            many meals before it stumbles over the same state.
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
   :: LEFT?1 ->            /* think, then take the left fork */
      RIGHT?1;             /* take the right fork, eat */
      RIGHT!1;             /* put both forks back */
      LEFT!1
   od
}
