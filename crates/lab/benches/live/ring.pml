/*
 * A token goes round; each station works for some steps when it has it, and thinks for itself
 * when it has not, for a while. Every endless run brings the token to the last one.
 */
#ifndef N
#define N 6
#endif
#ifndef THOUGHTS
#define THOUGHTS 2
#endif

chan ring[N] = [1] of { bit };
bool visited;

active [N] proctype station()
{
   byte thoughts;

   if
   :: _pid == 0 -> ring[0]!1           /* the token is made here */
   :: else
   fi;
   do
   :: thoughts < THOUGHTS -> thoughts++
   :: ring[_pid]?1 ->
      visited = (_pid == N - 1);
      thoughts = 0;
      ring[(_pid + 1) % N]!1
   od
}

ltl comes_round { [] <> visited }
