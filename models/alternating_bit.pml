/* expect: states 1022; transitions 2354; safe */
/*
 * The alternating bit protocol.
 *
 * A sender transmits an endless stream of items through a medium that loses
 * messages in both directions.  Each message carries one bit.  The sender
 * repeats a message until its bit is acknowledged, then inverts the bit; the
 * receiver accepts a message only if its bit is the one awaited.
 *
 * Property:  the items arrive in order, none lost, none twice (assertion).
 *            Items are numbered modulo ITEMS; three numbers suffice to tell
 *            an item from the one before it and from the one after it.
 * Look at:   the inlines `transmit_...`, where the loss is a nondeterministic
 *            choice, and the impatient repetition, which needs no clock.
 */
#ifndef ITEMS
#define ITEMS 3
#endif

chan messages = [1] of { byte, bit };
chan acks     = [1] of { bit };

inline transmit_message(item, tag)
{
   if
   :: messages!item, tag
   :: skip                 /* lost */
   fi
}

inline transmit_ack(tag)
{
   if
   :: acks!tag
   :: skip                 /* lost */
   fi
}

active proctype sender()
{
   byte item;
   bit  tag, answer;

   do
   :: transmit_message(item, tag);
      if
      :: acks?answer ->
         if
         :: answer == tag ->
            item = (item + 1) % ITEMS;
            tag = 1 - tag
         :: else                       /* an old acknowledgement */
         fi
      :: true                          /* lose patience, send it again */
      fi
   od
}

active proctype receiver()
{
   byte item, expected;
   bit  tag, awaited;

   do
   :: messages?item, tag ->
      if
      :: tag == awaited ->
         assert(item == expected);
         expected = (expected + 1) % ITEMS;
         awaited = 1 - awaited
      :: else                          /* a repetition */
      fi;
      transmit_ack(tag)
   od
}
