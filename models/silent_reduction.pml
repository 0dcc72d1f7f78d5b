/* expect: states 10; transitions 14; assertion violated at depth 2 */
/*
 * A guest who is met only now and then.
 *
 * A visitor comes and goes. The host looks once whether there are two of them.
 *
 * Property:  the host is alone (assertion).
 * Flaw:      if the host looks at once, the visitor is still there.
 * Look at:   the end of a process changes `_nr_pr`, which the host can see.
 *            SPIN takes it for a step that nobody can see; so its partial order
 *            reduction, which is on unless it is switched off (`gcc
 *            -DNOREDUCE`), lets the visitor leave first and says "errors: 0".
 */
active proctype host() {
  if
  :: _nr_pr == 2 -> assert(false)
  :: else
  fi
}

active proctype visitor() {
  skip
}
