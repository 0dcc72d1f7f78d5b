/* expect: states 66; transitions 91; assertion violated at depth 5 */
/*
 * The statement `unless`: an escape that may strike anywhere.
 *
 * A worker repeats: take the lock, work, return the lock.  When the alarm
 * goes off, the worker escapes from this loop, wherever it happens to be.
 *
 * Property:  after the escape the lock is free (assertion).
 * Flaw:      the alarm may strike while the worker holds the lock.
 * Look at:   before each step inside the braces the guard of the escape is
 *            tried; when it is executable, it is taken.  The normal sequence
 *            is left for good.  The remedy is to clean up in the escape
 *            sequence, or to let it wait: `alarm && !locked`.
 */
#ifndef JOBS
#define JOBS 3
#endif

bool locked, alarm;
byte jobs;                 /* jobs done, modulo JOBS */

active proctype worker()
{
   {
      do
      :: !locked ->
         locked = true;
         jobs = (jobs + 1) % JOBS;
         locked = false
      od
   } unless {
      alarm
   };
   assert(!locked)
}

active proctype guard()
{
   alarm = true
}
