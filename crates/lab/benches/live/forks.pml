/*
 * Philosophers that take the fork with the smaller number first. There is no deadlock, and
 * someone always eats again.
 */
#ifndef N
#define N 7
#endif
#define LEFT  (_pid < N - 1 -> _pid : 0)
#define RIGHT (_pid < N - 1 -> _pid + 1 : N - 1)

bool taken[N];

active [N] proctype philosopher()
{
   do
   :: atomic { !taken[LEFT] -> taken[LEFT] = true };
      atomic { !taken[RIGHT] -> taken[RIGHT] = true };
progress:
      taken[RIGHT] = false;
      taken[LEFT] = false
   od
}
