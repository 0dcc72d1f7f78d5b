/* expect: states 2123; transitions 2344; safe */
/*
 * Sorting in one step with `d_step`.
 *
 * The model chooses an array of N values below RANGE, then sorts it by
 * insertion.
 *
 * Property:  the array is sorted afterwards (assertion), for every input.
 * Look at:   the choice of the values is nondeterministic and stands outside
 *            of the d_step; the sorting is deterministic and counts as one
 *            single step, however many statements it executes.  Remove the
 *            word d_step, and count the states again.
 */
#ifndef N
#define N 4
#endif
#ifndef RANGE
#define RANGE 4
#endif

byte value[N];

init
{
   byte i, j, item;

   do                                  /* choose the input */
   :: i < N && value[i] < RANGE - 1 -> value[i]++
   :: i < N -> i++
   :: i == N -> break
   od;

   i = 1;
   d_step {                            /* sort it */
      do
      :: i < N ->
         item = value[i];
         j = i;
         do
         :: j > 0 ->
            if
            :: value[j - 1] > item ->
               value[j] = value[j - 1];
               j--
            :: else -> break
            fi
         :: else -> break
         od;
         value[j] = item;
         i++
      :: else -> break
      od;
      i = 0;
      j = 0;
      item = 0
   }

   do                                  /* check it */
   :: i < N - 1 ->
      assert(value[i] <= value[i + 1]);
      i++
   :: else -> break
   od
}
