/* expect: states 10404; transitions 10404; assertion violated at depth 10402 */
/*
 * An error far away.
 *
 * A clock ticks TICKS times; then it breaks.
 *
 * Property:  the clock never breaks (assertion).
 * Look at:   the depth of the error. SPIN looks 10000 steps ahead unless it is
 *            told otherwise (`pan -m`); then it says "max search depth too
 *            small" in passing, and "errors: 0", and its exit code is 0.
 */
#ifndef TICKS
#define TICKS 5200
#endif

short ticks;

active proctype clock() {
  do
  :: ticks < TICKS -> ticks++
  :: else -> break
  od;
  assert(false)
}
