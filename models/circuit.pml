/* expect: states 1007; transitions 1628; safe; ltl clean violated */
/*
 * An asynchronous circuit in fundamental mode.
 *
 * STAGES multiplexers in a row: each passes on what comes from the stage before
 * it, or an input of its own, as its switch says.  A gate changes its output
 * some time after its inputs have changed.  The world changes one input at a
 * time, and only when the circuit has come to rest.
 *
 * Property:  clean: when all inputs are 1 before and after a change, whatever
 *            the switches do, the output stays 1.
 * Flaw:      a hazard.  When the switch changes, one gate may let go before the
 *            other has taken hold, for the signal that holds it comes through an
 *            inverter: the output drops for a moment.
 * Look at:   the last steps: the order in which the gates of a stage switch.
 */
#ifndef STAGES
#define STAGES 2
#endif

bool own[STAGES];          /* inputs */
bool choose[STAGES];
bool first;

bool inverted[STAGES];     /* gates */
bool low[STAGES], high[STAGES];
bool wire[STAGES + 1];     /* what goes into a stage, and comes out of the last */

bool steady;               /* all inputs are 1 and were 1, and so was the output */
byte ones;                 /* how many inputs are 1 */

#define OUT wire[STAGES]

proctype inverter(byte i)
{
end:
   do
   :: inverted[i] != !choose[i] -> inverted[i] = !choose[i]
   od
}

proctype and_low(byte i)
{
end:
   do
   :: low[i] != (wire[i] && inverted[i]) -> low[i] = (wire[i] && inverted[i])
   od
}

proctype and_high(byte i)
{
end:
   do
   :: high[i] != (own[i] && choose[i]) -> high[i] = (own[i] && choose[i])
   od
}

proctype or(byte i)
{
end:
   do
   :: wire[i + 1] != (low[i] || high[i]) -> wire[i + 1] = (low[i] || high[i])
   od
}

proctype world()
{
   byte i;

end:
   do
   :: atomic {
         timeout ->                           /* the circuit is at rest */
         if
         :: first = !first;
            wire[0] = first;
            ones = (first -> ones + 1 : ones - 1)
         :: select(i : 0 .. STAGES - 1);
            if
            :: choose[i] = !choose[i]
            :: own[i] = !own[i];
               ones = (own[i] -> ones + 1 : ones - 1)
            fi
         fi;
         steady = (ones == STAGES + 1 && OUT);
         i = 0
      }
   od
}

init
{
   byte i;

   atomic {
      run world();
      for (i : 0 .. STAGES - 1) {
         run inverter(i);
         run and_low(i);
         run and_high(i);
         run or(i)
      }
   }
}

ltl clean { [] !(steady && !OUT) }
