/* expect: states 38; transitions 65; safe */
/*
 * Peterson's algorithm: mutual exclusion for two processes with nothing but
 * shared variables.
 *
 * A process announces that it wants to enter, then politely gives the turn
 * to the other one, and waits only while the other wants to enter as well
 * and has the turn.
 *
 * Property:  never two processes in the critical section (assertion).
 * Look at:   the order of the first two assignments.  Exchange them, and the
 *            assertion fails.
 */
#define OTHER (1 - _pid)

bool wants[2];
byte turn;
byte inside;               /* how many are in the critical section */

active [2] proctype process()
{
   do
   :: wants[_pid] = true;
      turn = OTHER;
      !wants[OTHER] || turn == _pid;   /* wait */

      inside++;
      assert(inside == 1);
      inside--;

      wants[_pid] = false
   od
}
