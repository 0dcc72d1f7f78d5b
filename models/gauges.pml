/* expect: states 858; transitions 4542; safe */
/*
 * Gauges: a tank that is filled and drained by two units at a time, and a
 * window whose two ends only go up.
 *
 * Nothing is wrong here: the level of the tank is even, and the lower end of
 * the window never passes the upper one.  Both facts are about numbers, and
 * a search has to see all of them.  But the level need not be known to see
 * that it stays even, nor the ends of the window to see which one is behind:
 * gauges.pdb keeps that and nothing else, and
 *
 *     beeline check gauges.pml --property assertions \
 *         --search 'gbfs(pdb(file="gauges.pdb"))'
 *
 * proves the assertions before the first step is taken, for any LIMIT.
 */

#ifndef LIMIT
#define LIMIT 20
#endif
#define WIDTH 3

byte level;
byte low, high;

active proctype filler() {
    do
    :: atomic { level < LIMIT -> level = level + 2 }
    od
}

active proctype drain() {
    do
    :: atomic { level > 1 -> level = level - 2 }
    od
}

active proctype window() {
    do
    :: atomic { high < LIMIT && high - low < WIDTH -> high++ }
    :: atomic { low < high -> low++ }
    :: atomic { low == LIMIT -> low = 0; high = 0 }
    od
}

active proctype auditor() {
    do
    :: assert(level % 2 == 0)
    :: assert(low <= high)
    od
}
