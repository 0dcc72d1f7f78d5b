/* expect: states 27056; transitions 91626; deadlock at depth 32 */
/*
 * The optical telegraph.
 *
 * N stations stand in a ring.  Each has two units, one facing the next
 * station and one facing the previous station, and one licence that a unit
 * must hold while it operates.  A session between two facing units runs:
 *
 *    caller                 called
 *    take licence
 *    start        ---->
 *                           take licence
 *                 <----     attention
 *    data         ---->
 *                 <----     data            (repeated)
 *    stop         ---->
 *                 <----     stop
 *    return licence         return licence
 *
 * Property:  no deadlock.
 * Flaw:      every station may take its licence to call a neighbour, whose
 *            licence is then gone as well: nobody is left to answer.  The
 *            cheapest way is that two facing units call each other; both then
 *            wait for attention and find only the start of the other.
 * Look at:   how the length of the shortest error path grows with N.  This
 *            model is a classic of directed model checking because its state
 *            space explodes while the path grows only linearly.
 */
#ifndef N
#define N 4
#endif

mtype = { start, attention, data, stop, licence };

chan up[N]     = [1] of { mtype };   /* towards the next station */
chan down[N]   = [1] of { mtype };   /* towards the previous station */
chan office[N] = [1] of { mtype };   /* keeps the licence of a station */

proctype unit(byte station; chan in, out)
{
   do
   :: in?start ->                    /* being called */
      office[station]?licence;
      out!attention;
      do
      :: in?data -> out!data
      :: in?stop -> break
      od;
      out!stop;
      office[station]!licence

   :: office[station]?licence ->     /* calling */
      out!start;
      in?attention;
      do
      :: out!data -> in?data
      :: out!stop -> break
      od;
      in?stop;
      office[station]!licence
   od
}

init
{
   byte i;

   atomic {
      for (i : 0 .. N - 1) {
         office[i]!licence;
         run unit(i, down[i], up[i]);
         run unit(i, up[(i + N - 1) % N], down[(i + N - 1) % N])
      }
   }
}
