/* expect: states 6; transitions 6; assertion violated at depth 4 */
/*
 * A drawer that is looked into at the wrong place.
 *
 * Something lies in the second slot of a drawer, and a clerk looks there for
 * something else.
 *
 * Property:  what is wanted is found (assertion).
 * Flaw:      it is not what lies there.
 * Look at:   the condition reads `drawer` twice, the second time at `at`. SPIN
 *            has seen `drawer` by then and overlooks that `at` is read: it
 *            takes `at` for dead and sets it to 0, which it does unless told
 *            otherwise (`spin -o2`). So it looks into the first slot, where
 *            there is what is wanted, and says "errors: 0".
 */
typedef Drawer {
  byte wanted;
  byte slots[2]
}

Drawer drawer;

active proctype clerk() {
  byte at;
  drawer.slots[1] = 1;
  at = 1;
  if
  :: drawer.wanted == drawer.slots[at]
  :: else -> assert(false)
  fi
}
