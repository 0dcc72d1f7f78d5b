/* expect: states 731; transitions 957; safe */
/*
 * Process priorities: an interrupt and a torn read.
 *
 * A clock consists of two words, hours and minutes.  An interrupt handler of
 * high priority advances it in several steps; a program of low priority reads
 * the two words one after the other.
 *
 * Property:  the program never reads a time that goes backwards (assertion).
 * Look at:   a process can move only when no process of higher priority can.
 *            The handler therefore runs undisturbed without being atomic.  The
 *            program protects its own reading by raising its priority above
 *            that of the handler for a while.  Define UNPROTECTED to remove
 *            this: the handler strikes between the two reads, and the
 *            assertion fails.
 */
#ifndef TICKS
#define TICKS 4
#endif
#define MINUTES 2          /* a short hour makes a small model */

byte hours, minutes;
byte ticks;                /* ticks the timer has given */
bool interrupt;

active proctype timer() priority 1
{
   do
   :: ticks < TICKS ->
      ticks++;
      interrupt = true
   :: else -> break
   od
}

active proctype handler() priority 5
{
end:
   do
   :: interrupt ->
      interrupt = false;
      minutes++;
      if
      :: minutes == MINUTES ->
         minutes = 0;
         hours++
      :: else
      fi
   od
}

active proctype program() priority 1
{
   byte h, m, last;

   do
   :: ticks < TICKS ->
#ifndef UNPROTECTED
      set_priority(_pid, 9);
#endif
      h = hours;
      m = minutes;
#ifndef UNPROTECTED
      set_priority(_pid, 1);
#endif
      assert(h * MINUTES + m >= last);
      last = h * MINUTES + m
   :: else -> break
   od
}
