/* The optical telegraph, Table 8 of [ELL00]; N is given. */
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
