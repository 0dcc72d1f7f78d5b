/*
 * Election in a ring after Chang and Roberts: numbers travel until they meet a larger one.
 * Every run ends, with a leader.
 */
#ifndef N
#define N 7
#endif
#ifndef STRIDE
#define STRIDE 3           /* order of the numbers; no common divisor with N */
#endif

#define IN  link[_pid]
#define OUT link[(_pid + 1) % N]

chan link[N] = [N] of { byte };
bool elected;

active [N] proctype node()
{
   byte mine = (_pid * STRIDE) % N + 1;
   byte number;

   OUT!mine;
end:
   do
   :: IN?number ->
      if
      :: number > mine -> OUT!number
      :: number < mine
      :: number == mine -> elected = true
      fi
   od
}

ltl someone { <> elected }
