/* expect: states 145; transitions 326; safe; ltl visited holds; ltl working violated */
/*
 * A token ring.
 *
 * N stations pass one token round.  Who has the token may enter the critical
 * section, once, and must then pass the token on.
 *
 * Properties:
 *    assertion  never two stations in the critical section: it holds.
 *    visited    the last station gets the token again and again: it holds.
 *    working    the last station enters again and again: violated.
 * Look at:   the difference between the two temporal properties.  The token
 *            always comes, but a station need not use it.
 */
#ifndef N
#define N 4
#endif

chan ring[N] = [1] of { bit };
byte holder;               /* the station that has received the token last */
byte inside;               /* how many are in the critical section */
bool busy[N];

active [N] proctype station()
{
   if
   :: _pid == 0 -> ring[0]!1           /* the token is made here */
   :: else
   fi;
   do
   :: ring[_pid]?1 ->
      holder = _pid;
      if
      :: inside++;                     /* work */
         busy[_pid] = true;
         assert(inside == 1);
         busy[_pid] = false;
         inside--
      :: skip                          /* nothing to do */
      fi;
      ring[(_pid + 1) % N]!1
   od
}

ltl visited { [] <> (holder == N - 1) }
ltl working { [] <> busy[N - 1] }
