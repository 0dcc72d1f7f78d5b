/* expect: states 2215; transitions 2215; safe */
/*
 * The statements `for` and `select`.
 *
 * A player throws DICE dice with SIDES sides and adds up the spots; then the
 * number of each side is counted.
 *
 * Property:  the sum is within its bounds, and every die has been counted
 *            (assertions).
 * Look at:   three kinds of loop.  `for (i in die)` runs through the indices
 *            of an array, `for (i : a .. b)` through a range; `select` picks
 *            a value from a range: it is a loop in disguise that counts
 *            upwards and may stop at any value, so a four costs more steps
 *            than a one.
 */
#ifndef DICE
#define DICE 3
#endif
#ifndef SIDES
#define SIDES 4
#endif

byte die[DICE];
byte tally[SIDES + 1];     /* tally[s]: how many dice show s */

init
{
   byte i, spots, sum, counted;

   for (i in die) {
      select (spots : 1 .. SIDES);
      die[i] = spots;
      sum = sum + spots
   }
   assert(sum >= DICE && sum <= DICE * SIDES);

   for (i in die) {
      tally[die[i]]++
   }
   for (i : 1 .. SIDES) {
      counted = counted + tally[i]
   }
   assert(counted == DICE)
}
