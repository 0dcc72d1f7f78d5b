/* expect: states 18; transitions 28; trace violated */
/*
 * A trace assertion.
 *
 * A client sends commands to a device and waits for the status of each.
 *
 * Property:  commands and status messages alternate (trace assertion).
 * Flaw:      an impatient client repeats its command before the status of the
 *            first one has been sent.
 * Look at:   the trace below is an automaton that runs along with the model.
 *            It moves at every send event on the channels it mentions; an
 *            event for which it has no move is an error.  Receive events are
 *            not mentioned here, hence not observed.
 */
#ifndef SLOTS
#define SLOTS 2
#endif

mtype = { go, halt, done };

chan command = [SLOTS] of { mtype };
chan status  = [SLOTS] of { mtype };

active proctype client()
{
   do
   :: if
      :: command!go
      :: command!halt
      fi;
      if
      :: status?done
      :: command!halt;                 /* impatient */
         status?done;
         status?done
      fi
   od
}

active proctype device()
{
   do
   :: command?_ -> status!done
   od
}

trace {
   do
   :: command!_ -> status!done
   od
}
