/* expect: states 31; transitions 88; safe; ltl writers_enter violated */
/*
 * Readers and writers.
 *
 * Many readers may be in the library together; a writer must be alone.
 *
 * Properties:
 *    assertions     no reader beside a writer, no two writers: they hold.
 *    writers_enter  a writer is active again and again: violated.
 * Flaw:      the readers have priority.  As long as their visits overlap, or
 *            as long as they are merely faster, no writer comes in.
 * Look at:   the cycle of the counterexample: readers only.
 */
#ifndef READERS
#define READERS 3
#endif
#ifndef WRITERS
#define WRITERS 2
#endif

byte reading;              /* readers in the library */
byte writing;              /* writers in the library */

active [READERS] proctype reader()
{
   do
   :: atomic { writing == 0 -> reading++ }
      assert(writing == 0);
      reading--
   od
}

active [WRITERS] proctype writer()
{
   do
   :: atomic { writing == 0 && reading == 0 -> writing++ }
      assert(writing == 1 && reading == 0);
      writing--
   od
}

ltl writers_enter { [] <> (writing == 1) }
