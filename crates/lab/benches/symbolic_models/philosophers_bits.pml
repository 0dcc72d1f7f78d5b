/*
 * Dining philosophers with forks as bits: each takes the left fork, then the
 * right one, and puts both back in one step each.
 */
#ifndef N
#define N 250
#endif

bit taken[N];

active [N] proctype philosopher() {
  do
  :: atomic { !taken[_pid] -> taken[_pid] = 1 };
     atomic { !taken[(_pid + 1) % N] -> taken[(_pid + 1) % N] = 1 };
     taken[_pid] = 0;
     taken[(_pid + 1) % N] = 0
  od
}
