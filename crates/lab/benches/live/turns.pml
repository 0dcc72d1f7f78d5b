/*
 * Peterson's algorithm for two, who wait by looking again and again, among others who only
 * count. Whoever wants to enter does, if everyone who can move does: weak fairness is needed.
 */
#ifndef OTHERS
#define OTHERS 2
#endif
#ifndef STEPS
#define STEPS 8
#endif

bool wants[2], inside[2];
bit turn;

active [2] proctype process()
{
   do
   :: wants[_pid] = true;
      turn = 1 - _pid;
      do
      :: wants[1 - _pid] && turn != _pid -> skip
      :: else -> break
      od;
      inside[_pid] = true;
      inside[_pid] = false;
      wants[_pid] = false
   od
}

active [OTHERS] proctype counter()
{
   byte n;

   do
   :: n = (n + 1) % STEPS
   od
}

ltl enters { [] (wants[0] -> <> inside[0]) }
