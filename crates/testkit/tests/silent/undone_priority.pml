/* expect: assertion violated */
/*
 * The priority of a process that does not exist.
 *
 * A worker may give a priority to a helper that was never started, which has no
 * effect, or do its own work.
 *
 * Property:  the priority of the worker is not 1 (assertion).
 * Flaw:      it is, as nothing changes it.
 * Look at:   the order of the options. SPIN's verifier tries `set_priority`
 *            first. When it backtracks, it restores a priority that it has not
 *            saved, and gives process 0 the priority 0: the assertion looks
 *            true, and SPIN says "errors: 0".
 */
#define HELPER 7

byte done;

active proctype worker() {
  if
  :: set_priority(HELPER, 2); done = 1
  :: done = 2; assert(get_priority(_pid) != 1)
  fi
}
