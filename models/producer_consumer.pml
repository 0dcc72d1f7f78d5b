/* expect: states 104; transitions 175; deadlock at depth 11 */
/*
 * Producer and consumer with a bounded buffer, sleep and wakeup.
 *
 * The producer goes to sleep when the buffer is full, the consumer when it is
 * empty.  Whoever ends such a situation wakes the other one up.
 *
 * Property:  no deadlock.
 * Flaw:      the lost wakeup.  The consumer finds the buffer empty, but before
 *            it falls asleep the producer fills in an item and calls it: the
 *            call is in vain.  Then the consumer sleeps, the producer fills
 *            the buffer and sleeps as well, for ever.
 * Look at:   the step between the test `len(buffer) == 0` and the assignment
 *            `consumer_asleep = true`.  Make test and assignment atomic in
 *            both processes, and the deadlock is gone; do so in the consumer
 *            alone, and a longer error path remains.
 */
#ifndef SLOTS
#define SLOTS 2
#endif

chan buffer = [SLOTS] of { bit };
bool producer_asleep, consumer_asleep;

active proctype producer()
{
   do
   :: if
      :: len(buffer) == SLOTS ->
         producer_asleep = true;
         !producer_asleep              /* sleep */
      :: else
      fi;
      buffer!1;
      if
      :: len(buffer) == 1 -> consumer_asleep = false
      :: else
      fi
   od
}

active proctype consumer()
{
   do
   :: if
      :: len(buffer) == 0 ->
         consumer_asleep = true;
         !consumer_asleep              /* sleep */
      :: else
      fi;
      buffer?1;
      if
      :: len(buffer) == SLOTS - 1 -> producer_asleep = false
      :: else
      fi
   od
}
