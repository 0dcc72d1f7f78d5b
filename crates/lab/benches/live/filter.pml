/*
 * Peterson's algorithm for N processes: a filter of N - 1 levels. Waiting is blocking, so
 * that every endless run has processes in the critical section: the label is passed again
 * and again.
 */
#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 1           /* of each process, until it has forgotten them */
#endif

byte level[N];
byte last[N];

active [N] proctype process()
{
   byte at, other, round;

   do
   :: at = 1;
      do
      :: at < N ->
         atomic { level[_pid] = at; last[at] = _pid };
         other = 0;
         do
         :: other < N ->
            (other == _pid || level[other] < at || last[at] != _pid);
            other++
         :: else -> break
         od;
         at++
      :: else -> break
      od;
progress:
      round = (round + 1) % ROUNDS;
      level[_pid] = 0
   od
}
