/* expect: states 81; transitions 214; deadlock at depth 23 */
/*
 * Dining philosophers, as HSF-SPIN's papers measured them.
 *
 * N philosophers sit around a table, with a fork between any two of them.
 * A fork is a message in a channel: to take it is to receive the message.
 *
 * Property:  no deadlock.
 * Flaw:      when each has taken the left fork, no right fork is left.
 * Look at:   how many states a search expands, and which heuristic helps:
 *               beeline hsf models/philosophers_hsf.pml -D N=8 -Ed
 *               beeline hsf models/philosophers_hsf.pml -D N=8 -Ed -AA -Ha
 *
 * Source: [ELL00] Table 1, word by word; docs/book/tables.md has the numbers
 * that were published about it. philosophers.pml is the same table, set by
 * active processes.
 */
#ifndef N
#define N 4
#endif

mtype = { fork }
#define left forks[my_id]
#define right forks[(my_id + 1) % N]
chan forks[N] = [1] of { bit };

proctype philosopher(int my_id)
{
   do
   :: left?fork -> right?fork; left!fork; right!fork
   od
}

init
{
   byte philosophers = N;
   atomic {
      do
      :: philosophers > 0 ->
         philosophers--;
         run philosopher(philosophers);
         forks[philosophers]!fork
      :: philosophers == 0 -> break
      od
   }
}
