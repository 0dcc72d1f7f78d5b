/* expect: states 70842; transitions 136023; safe */
/*
 * Insertion into a hash table that several threads share, and that grows.
 *
 * This is the protocol of Beeline's own shared store.  Each worker writes a
 * record behind the end of its own memory, where nobody looks, and publishes
 * it by one compare-and-swap of a vacant slot.  If the slot was taken in the
 * meantime, the search goes on from there, and the next record overwrites the
 * one that was not published.  Insertions are reserved before; a worker that
 * cannot reserve one asks for a pause.  When all workers have returned, the
 * leader replaces the table by a longer one, all workers fill it from the
 * records, and the insertions go on.
 *
 * Properties:  of all insertions of a state, one finds it new; every slot
 *              leads to a written record; no insertion is lost when the table
 *              grows; and no worker waits for ever (no deadlock).
 * Switches:    with EARLY, a record is published before it is written.
 *              With UNCHECKED, a worker that lost a slot does not look at the
 *              state that was stored there.  Both violate an assertion.
 */
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef STATES
#define STATES 3
#endif
#define FIRST 2                     /* slots of the first table */
#define LAST  8                     /* slots of the longest one */
#define RECORDS (WORKERS * STATES)

byte record[RECORDS + 1];           /* the state of a record; 0 if not written */
byte table[LAST];                   /* the number of a record; 0 if vacant */
byte size = FIRST;
byte credit = FIRST;                /* insertions that nobody has reserved */
byte is_new[STATES + 1];            /* how often a state was found to be new */
byte stored;

bool pausing;
byte returned;                      /* workers that have returned from the round */
byte round;
byte filled;                        /* records that were taken for the new table */
bool is_published[RECORDS + 1];
bool needs_refill;
bool is_over;
byte done;                          /* workers that have inserted everything */

/* Goes through the slots from `slot` on.  Afterwards `is_old`, or the slot is vacant. */
inline find(state)
{
   is_old = false;
   do
   :: entry = table[slot];
      if
      :: entry == 0 -> break
      :: else ->
         assert(record[entry] != 0);
         if
         :: record[entry] == state -> is_old = true; break
         :: else -> slot = (slot + 1) % size
         fi
      fi
   od
}

/* Publishes record `mine` in the first vacant slot, unless the state is there. */
inline publish(state)
{
   do
   :: atomic {
         if
         :: table[slot] == 0 -> table[slot] = mine; is_taken = false
         :: else -> is_taken = true
         fi
      }
      if
      :: is_taken ->
#ifdef UNCHECKED
         slot = (slot + 1) % size
#else
         find(state);
         if
         :: is_old -> break
         :: else
         fi
#endif
      :: else -> break
      fi
   od
}

inline insert(state)
{
   slot = state % size;
   find(state);
   if
   :: is_old -> next++
   :: else ->
      if
      :: reserved -> skip
      :: else ->
         atomic {
            if
            :: credit > 0 -> credit--; reserved = true
            :: else -> pausing = true
            fi
         }
      fi;
      if
      :: reserved ->
         mine = first + written;
#ifdef EARLY
         publish(state);
         record[mine] = state;
#else
         record[mine] = state;
         publish(state);
#endif
         if
         :: is_old -> skip
         :: else ->
            written++;
            reserved = false;
            atomic { is_new[state]++; stored++ };
            assert(is_new[state] == 1)
         fi;
         next++
      :: else
      fi
   fi
}

/* The end of a round.  The leader waits for all others, and continues alone. */
inline return_and_wait()
{
   atomic { reserved = false; returned++ };
   if
   :: is_leader ->
      returned == WORKERS;
      if
      :: pausing -> lengthen()
      :: else -> needs_refill = false
      fi;
      is_over = (done == WORKERS);
      atomic { returned = 0; round++ }
   :: else ->
      round > my_round
   fi;
   my_round++
}

inline lengthen()
{
   d_step {
      size = size * 2;
      slot = 0;
      do
      :: slot < LAST -> table[slot] = 0; slot++
      :: else -> break
      od;
      credit = size - stored;
      pausing = false;
      filled = 0;
      needs_refill = true
   }
}

/* Adds the records that no other worker has taken. */
inline refill()
{
   do
   :: atomic { filled < RECORDS -> filled++; mine = filled };
      if
      :: is_published[mine] ->
         slot = record[mine] % size;
         do
         :: atomic {
               table[slot] == 0 -> table[slot] = mine; break
            }
         :: table[slot] != 0 -> slot = (slot + 1) % size
         od
      :: else
      fi
   :: filled == RECORDS -> break
   od
}

inline mark()
{
   d_step {
      mine = 0;
      do
      :: mine < written -> is_published[first + mine] = true; mine++
      :: else -> break
      od
   }
}

active [WORKERS] proctype worker()
{
   byte first = _pid * STATES + 1, written, next, slot, entry, mine, my_round;
   bool is_old, is_taken, reserved, is_leader = (_pid == 0), has_ended;

   do
   :: !pausing && next < STATES ->
      /* each worker begins at another state */
      insert((next + _pid) % STATES + 1)
   :: pausing || next == STATES ->
      if
      :: next == STATES && !has_ended -> has_ended = true; done++
      :: else
      fi;
      mark();
      return_and_wait();
      if
      :: needs_refill -> refill()
      :: else
      fi;
      if
      :: is_over -> break
      :: else -> return_and_wait()
      fi
   od;
   assert(stored == STATES)
}
