/* expect: states 2; transitions 2; deadlock */
/*
 * A rendezvous within `atomic`.
 *
 * A giver hands two things over to a taker, both of them within `atomic`.
 *
 * Property:  both things arrive (no deadlock).
 * Flaw:      the taker waits for a receipt that the giver writes too late.
 * Look at:   the end: the giver offers the second thing, the taker waits for
 *            the receipt. SPIN finds this with its depth-first search. Its
 *            breadth-first search (`gcc -DBFS`), which one would use for a
 *            short trail, does not look for a deadlock where a rendezvous is
 *            on offer, and says "errors: 0".
 */
chan hand = [0] of { byte };
bool receipt;

active proctype giver() {
  atomic {
    hand!1;
    hand!2;
    receipt = true
  }
}

active proctype taker() {
  atomic {
    hand?1;
    receipt;
    hand?2
  }
}
