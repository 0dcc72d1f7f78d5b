/*
 * A lock with tickets: whoever waits is overtaken by nobody. Every endless run serves process
 * 0, once it waits, for all others come to wait behind it. The claim is written by hand.
 */
#ifndef N
#define N 5
#endif

byte next, serving;
byte ticket[N];
bool wants, enters;
byte work;

active [N] proctype process()
{
   do
   :: atomic {
         ticket[_pid] = next;
         next = (next + 1) % N;
         wants = (_pid == 0 -> true : wants)
      };
      serving == ticket[_pid];
      enters = (_pid == 0);
      wants = (_pid == 0 -> false : wants);
      if
      :: work = (work + 1) % 5
      :: skip
      fi;
      enters = false;
      serving = (serving + 1) % N
   od
}

never {  /* some time process 0 wants to enter, and never does */
before:
   do
   :: true
   :: wants && !enters -> goto accept
   od;
accept:
   do
   :: !enters
   od
}
