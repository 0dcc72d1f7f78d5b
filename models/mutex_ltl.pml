/* expect: states 32; transitions 73; safe; ltl exclusion holds; ltl response violated */
/*
 * A semaphore and two temporal properties.
 *
 * N processes share a semaphore, and its down operation is atomic.
 *
 * Properties:
 *    exclusion  at most one process is inside, always.
 *    response   if process 0 waits, it will enter some day.
 * Flaw:      the semaphore is safe but unfair.  Nothing prevents another
 *            process from taking it again and again, so `response` fails.
 * Look at:   the cycle of the counterexample; process 0 stands still in it.
 *            An error of this kind is never a single bad state, always a loop.
 */
#ifndef N
#define N 3
#endif

byte semaphore = 1;
byte inside;               /* how many are in the critical section */
bool waiting[N];

active [N] proctype process()
{
   do
   :: waiting[_pid] = true;
      atomic {
         semaphore > 0 -> semaphore--;
         waiting[_pid] = false;
         inside++
      }
      inside--;            /* leave */
      semaphore++
   od
}

ltl exclusion { [] (inside <= 1) }
ltl response  { [] (waiting[0] -> <> !waiting[0]) }
