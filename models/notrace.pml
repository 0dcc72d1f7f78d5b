/* expect: states 27; transitions 49; notrace violated */
/*
 * A notrace assertion.
 *
 * A gas boiler has a valve and an igniter.  The controller opens the valve,
 * strikes a spark, and closes the valve again.
 *
 * Property:  the sequence "open, spark, spark" must not be the beginning of
 *            any run (notrace assertion): the second spark would meet a room
 *            full of gas.
 * Flaw:      after a spark that failed the controller simply tries again.
 * Look at:   where `trace` says what must happen, `notrace` says what must
 *            not.  It is an error to reach the end of the sequence.
 */
mtype = { open, close, spark };

chan valve   = [1] of { mtype };
chan igniter = [1] of { mtype };

active proctype controller()
{
   do
   :: valve!open;
      igniter!spark;
      if
      :: skip                          /* it burns */
      :: igniter!spark                 /* it does not: try again */
      fi;
      valve!close
   od
}

active proctype boiler()
{
   do
   :: valve?_
   :: igniter?_
   od
}

notrace {
   valve!open;
   igniter!spark;
   igniter!spark
}
