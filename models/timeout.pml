/* expect: states 45; transitions 54; safe */
/*
 * The statement `timeout`.
 *
 * A sender delivers LETTERS letters through a postman who may lose a letter
 * or its receipt.  The sender waits for the receipt of each letter.  When
 * something is lost, every process waits: this is the situation in which
 * `timeout` becomes executable, and only in this one.
 *
 * Property:  all letters arrive and the system ends properly (assertion, no
 *            deadlock).
 * Look at:   `timeout` is a condition on the whole system, not on a clock.
 *            Define NO_TIMEOUT to remove it: the first loss is a deadlock.
 */
#ifndef LETTERS
#define LETTERS 3
#endif

chan letters  = [1] of { byte };
chan receipts = [1] of { byte };
byte arrived;              /* number of the last letter that arrived */

active proctype sender()
{
   byte letter = 1;

   do
   :: letter <= LETTERS ->
      if
      :: letters!letter
      :: skip              /* lost on its way */
      fi;
      if
      :: receipts?eval(letter) -> letter++
#ifndef NO_TIMEOUT
      :: timeout           /* send it once more */
#endif
      fi
   :: letter > LETTERS -> break
   od;
   assert(arrived == LETTERS)
}

active proctype receiver()
{
   byte letter;

end:
   do
   :: letters?letter ->
      if
      :: letter == arrived + 1 -> arrived++
      :: letter == arrived                /* a repetition */
      fi;
      if
      :: receipts!letter
      :: skip              /* the receipt is lost */
      fi
   od
}
