/* expect: states 20; transitions 24; safe; home holds; sold_out holds; returned holds; home_again holds */
/*
 * Branching time: a vending machine that can always become idle again.
 *
 * A customer pays and gets a drink, or the coin back when there are no cups.
 * The service refills the cups at any time.
 *
 * Property:  whatever happens, the machine can become idle again: AG EF idle.
 *            No ltl formula says this, since it is about what is possible,
 *            not about what happens. The formulas are in vending.props,
 *            which SPIN does not read.
 * Error:     with -D STUCK, a machine without cups keeps the coin and only
 *            accepts refills for ever. There is no deadlock.
 */
#ifndef CUPS
#define CUPS 2
#endif

chan coin = [0] of { bit };
chan drink = [0] of { bit };
chan back = [0] of { bit };
chan refill = [0] of { bit };
byte cups = CUPS;
bool paid;

active proctype Machine() {
idle:
  do
  :: coin?1;
     paid = true;
     if
     :: cups > 0;
        cups--;
        paid = false;
        drink!1
     :: cups == 0;
#ifdef STUCK
        do
        :: refill?1
        od
#else
        paid = false;
        back!1
#endif
     fi
  :: refill?1;
     cups = CUPS
  od
}

active proctype Customer() {
  do
  :: coin!1;
     if
     :: drink?1
     :: back?1
     fi
  od
}

active proctype Service() {
  do
  :: refill!1
  od
}
