/* expect: states 4002; transitions 14389; safe */
/*
 * A sliding window protocol (go-back-n) over lossy channels.
 *
 * The sender may be WINDOW messages ahead of the acknowledgements.  When it
 * loses patience, it goes back to the oldest message that is not
 * acknowledged.  An acknowledgement names the next sequence number awaited
 * and thereby confirms everything before it.
 *
 * Property:  items are delivered in order, without loss or repetition
 *            (assertion).  Sequence numbers count modulo SEQ; the items, which
 *            serve the assertion only, count modulo 2 * SEQ.
 * Look at:   SEQ must exceed WINDOW.  Define SEQ as 2 with WINDOW 2, and an
 *            old message passes for a new one: the assertion fails.
 */
#ifndef WINDOW
#define WINDOW 2
#endif
#ifndef SEQ
#define SEQ (WINDOW + 1)
#endif
#ifndef SLOTS
#define SLOTS 2            /* capacity of the channels */
#endif

#define ITEMS (2 * SEQ)

chan data = [SLOTS] of { byte, byte };    /* sequence number, item */
chan acks = [SLOTS] of { byte };          /* next sequence number awaited */

active proctype sender()
{
   byte base;              /* oldest item not acknowledged */
   byte sent;              /* how many items after base have been sent */
   byte next, ahead;

   do
   :: atomic {             /* send the next item of the window */
         sent < WINDOW && nfull(data) ->
         data!(base + sent) % SEQ, (base + sent) % ITEMS;
         sent++
      }
   :: sent > 0 -> sent = 0 /* lose patience, go back */
   :: atomic {             /* slide the window */
         acks?next ->
         ahead = (next + SEQ - base % SEQ) % SEQ;
         base = (base + ahead) % ITEMS;
         sent = (sent > ahead -> sent - ahead : 0);
         next = 0;         /* forget what is no longer needed: */
         ahead = 0         /* fewer states to tell apart */
      }
   od
}

active proctype receiver()
{
   byte expected, number, item;

   do
   :: atomic {
         data?number, item ->
         if
         :: number == expected % SEQ ->
            assert(item == expected);
            expected = (expected + 1) % ITEMS
         :: else           /* not the one awaited: discard it */
         fi;
         number = 0;
         item = 0
      }
      acks!(expected % SEQ)
   od
}

active proctype thief()    /* makes the channels lossy */
{
   do
   :: data?_, _
   :: acks?_
   od
}
