/* expect: states 10; transitions 13; safe; ltl no_flood holds; ltl no_drought violated */
/*
 * Two formulas, and only the second is violated.
 *
 * Rain and sun change the level of a reservoir by one at a time.
 *
 * Properties:
 *    no_flood    the level never exceeds FULL: it holds.
 *    no_drought  the level never falls to 0: violated.
 * Look at:   the order of the formulas. SPIN checks the first one only, unless
 *            it is told the name of another (`pan -N`), and says "errors: 0".
 */
#ifndef FULL
#define FULL 3
#endif

byte level = 1;

ltl no_flood   { [](level <= FULL) }
ltl no_drought { [](level > 0) }

active proctype weather() {
  do
  :: level < FULL -> level++
  :: level > 0 -> level--
  od
}
