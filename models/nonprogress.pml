/* expect: states 32; transitions 65; safe; non-progress cycle */
/*
 * A non-progress cycle: two people in a corridor.
 *
 * Two people meet in a corridor that has two sides.  If both walk on the same
 * side, each of them steps to the other side.  When they walk on different
 * sides, they pass, and meet the next person.
 *
 * Property:  they pass again and again; the label beginning with progress
 *            marks the place.  A cycle that avoids it is an error.
 * Flaw:      both step aside at the same time, then again, and so on.  The
 *            system is busy for ever and achieves nothing: a livelock.
 * Look at:   no state of the cycle is wrong by itself, so a search for
 *            deadlocks and assertion violations finds nothing.
 */
#define OTHER (1 - _pid)

bit side[2];

active [2] proctype walker()
{
   do
   :: side[_pid] == side[OTHER] ->
      side[_pid] = 1 - side[_pid]      /* step aside */
   :: side[_pid] != side[OTHER] ->
progress_pass:
      side[_pid] = 0                   /* pass, then keep to the wall again */
   od
}
