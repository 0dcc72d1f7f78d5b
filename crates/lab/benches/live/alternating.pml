/*
 * The alternating bit protocol over channels that lose messages and hold some of them. Where
 * the sender goes on again and again, so does the receiver.
 */
#ifndef ITEMS
#define ITEMS 8
#endif
#ifndef SLOTS
#define SLOTS 2
#endif

chan messages = [SLOTS] of { byte, bit };
chan acks     = [SLOTS] of { bit };
bool sent, received;

active proctype sender()
{
   byte item;
   bit tag, answer;

   do
   :: messages!item, tag
   :: acks?answer ->
      if
      :: skip                          /* lost */
      :: answer == tag ->
         sent = true;
         item = (item + 1) % ITEMS;
         tag = 1 - tag;
         sent = false
      :: else
      fi
   od
}

active proctype receiver()
{
   byte item, expected;
   bit tag, awaited;

   do
   :: messages?item, tag -> skip       /* lost */
   :: messages?item, tag ->
      if
      :: tag == awaited ->
         received = true;
         assert(item == expected);
         expected = (expected + 1) % ITEMS;
         awaited = 1 - awaited;
         received = false
      :: else
      fi;
      acks!tag
   od
}

ltl goes_on { ([] <> sent) -> ([] <> received) }
