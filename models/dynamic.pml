/* expect: states 17745; transitions 68155; safe */
/*
 * Processes that come and go.
 *
 * The initial process starts a tree of processes of a given HEIGHT.  An inner
 * node starts two children and ends; a leaf counts itself and ends.
 *
 * Property:  when only the initial process is left, all leaves have been
 *            counted (assertion), and that moment always comes (no deadlock).
 * Look at:   `_nr_pr` is the number of processes.  A process that has
 *            reached its end disappears only when it is the youngest of all:
 *            processes die in the reverse order of their birth.  A process
 *            number is free for the next birth as soon as its owner is gone.
 */
#ifndef HEIGHT
#define HEIGHT 2
#endif

byte leaves;

proctype node(byte height)
{
   pid child;

   if
   :: height > 0 ->
      child = run node(height - 1);
      assert(child > _pid);            /* children are younger */
      child = run node(height - 1);
      assert(child > _pid)
   :: else ->
      leaves++
   fi
}

init
{
   run node(HEIGHT);
   _nr_pr == 1;                        /* wait until all others are gone */
   assert(leaves == 1 << HEIGHT)
}
