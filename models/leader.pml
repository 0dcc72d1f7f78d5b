/* expect: states 1676; transitions 4891; safe */
/*
 * Leader election in a ring of one direction (Dolev, Klawe and Rodeh, 1982).
 *
 * Every node starts as a candidate with a number of its own.  In each round
 * a candidate learns the numbers of the two candidates before it.  If the
 * nearer one is the greatest of the three numbers, the node goes on with that
 * number; otherwise it becomes passive and merely relays messages.  At least
 * half of the candidates leave in each round, which gives O(N log N)
 * messages in all.
 *
 * Property:  exactly one leader is elected, and it holds the greatest number
 *            (assertions); the election ends at every node (no deadlock).
 * Look at:   the number travels.  The node that wins need not be the one that
 *            began with the greatest number.
 */
#ifndef N
#define N 4
#endif
#ifndef STRIDE
#define STRIDE 3           /* order of the numbers; no common divisor with N */
#endif

#define IN  link[_pid]
#define OUT link[(_pid + 1) % N]

mtype = { first, second, elected };

chan link[N] = [N] of { mtype, byte };
byte leaders;

active [N] proctype node()
{
   byte best = (_pid * STRIDE) % N + 1;
   byte neighbour, number;
   bool candidate = true;
   bool leader = false;

   OUT!first(best);
   do
   :: IN?first(number) ->
      if
      :: !candidate ->
         OUT!first(number)
      :: candidate && number != best ->
         neighbour = number;
         OUT!second(number)
      :: candidate && number == best ->   /* nobody else is left */
         assert(best == N);
         leader = true;
         leaders++;
         assert(leaders == 1);
         OUT!elected(best)
      fi

   :: IN?second(number) ->
      if
      :: !candidate ->
         OUT!second(number)
      :: candidate && neighbour > best && neighbour > number ->
         best = neighbour;
         OUT!first(best)
      :: candidate && (neighbour < best || neighbour < number) ->
         candidate = false
      fi

   :: IN?elected(number) ->
      assert(number == N);
      if
      :: leader                           /* the news has gone round */
      :: !leader -> OUT!elected(number)
      fi;
      break
   od
}
