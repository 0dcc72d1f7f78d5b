/* expect: states 1844; transitions 5090; deadlock at depth 24 */
/*
 * Stable marriage, by proposals.
 *
 * Every man proposes to the women in the order of his preference, until one
 * says yes and does not change her mind.  A woman accepts the first proposal,
 * and leaves her fiance when someone whom she prefers proposes.  All men have
 * the same taste, so that they compete; woman w prefers the man whose number
 * is closest above w, counted around the circle.
 *
 * Property:  every proposal is answered (no deadlock).
 * Flaw:      a woman whose dearest man has proposed stops listening, since
 *            nobody better can come.  But others can: they wait for an answer
 *            for ever.
 * Look at:   the man who waits at the end of the error path, and who has left.
 */
#ifndef N
#define N 3
#endif
#define NOBODY N

mtype = { yes, no };

chan proposal[N] = [1] of { byte };        /* to a woman: from whom */
chan answer[N]   = [1] of { mtype, byte }; /* to a man: from whom */

proctype man(byte me)
{
   byte choice, who;

propose:
   proposal[choice]!me;
   if
   :: answer[me]?yes,who
   :: answer[me]?no,who -> goto next
   fi;

end:                                       /* engaged, for now */
   answer[me]?no,who;

next:
   choice++;
   assert(choice < N);                     /* someone is left for everyone */
   goto propose
}

proctype woman(byte me)
{
   byte fiance = NOBODY, suitor;

end:
   do
   :: proposal[me]?suitor ->
      if
      :: fiance == NOBODY ->
         fiance = suitor;
         answer[suitor]!yes,me
      :: fiance != NOBODY && (suitor + N - me) % N < (fiance + N - me) % N ->
         answer[fiance]!no,me;
         fiance = suitor;
         answer[suitor]!yes,me
      :: fiance != NOBODY && (suitor + N - me) % N > (fiance + N - me) % N ->
         answer[suitor]!no,me
      fi;
      if
      :: fiance == me -> break             /* nobody is dearer, alas */
      :: else
      fi
   od
}

init
{
   byte i;

   atomic {
      for (i : 0 .. N - 1) {
         run man(i);
         run woman(i)
      }
   }
}
