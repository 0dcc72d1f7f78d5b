/* expect: states 148; transitions 246; deadlock at depth 17 */
/*
 * The optical telegraph, as HSF-SPIN's papers measured it.
 *
 * N stations stand in a ring. Each has two units, one for either neighbour,
 * and one message of control that a unit holds while it operates.
 *
 * Property:  no deadlock.
 * Flaw:      every station may begin to call; nobody is left to answer.
 * Look at:   an estimate that is better than the one that was measured: with
 *            the processes that can really move (-Ha), A* expands no state
 *            that is not on the shortest path.
 *               beeline hsf models/telegraph_hsf.pml -D N=4 -Ed -AA -Ha
 *               beeline hsf models/telegraph_hsf.pml -D N=4 -Ed -AA -H2 \
 *                  --counting 2000
 *
 * Source: [ELL00] Table 8, word by word; docs/book/tables.md has the numbers
 * that were published about it. telegraph.pml is the same system with other
 * names.
 */
#ifndef N
#define N 2
#endif

chan station_control[N] = [1] of { byte };
chan up[N] = [1] of { byte };
chan down[N] = [1] of { byte };
mtype = { start, attention, data, stop, control }

proctype station(byte id; chan in, out)
{
   do
   :: in?start ->
      station_control[id]?control;
      out!attention;
      do
      :: in?data -> out!data
      :: in?stop -> break
      od;
      out!stop;
      station_control[id]!control
   :: station_control[id]?control;
      out!start;
      in?attention;
      do
      :: out!data -> in?data
      :: out!stop -> break
      od;
      in?stop;
      station_control[id]!control
   od
}

init
{
   byte nstations = N;
   atomic {
      do
      :: nstations > 0 ->
         nstations--;
         station_control[nstations]!control;
         run station(nstations, down[nstations], up[nstations]);
         run station(nstations, up[(nstations + 1) % N], down[(nstations + 1) % N])
      :: nstations == 0 -> break
      od
   }
}
