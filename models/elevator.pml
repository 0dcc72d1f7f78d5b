/* expect: states 900; transitions 2641; safe; ltl doors holds; ltl served violated */
/*
 * An elevator.
 *
 * The cabin sweeps up and down between FLOORS floors and opens its door where
 * it has been called.  The passenger at each floor may press the button there
 * at any time.
 *
 * Properties:
 *    doors   the door is never open while the cabin moves: it holds.
 *    served  a call from the top floor is answered some day: violated.
 * Flaw:      the cabin stays at a floor as long as there is a new call at that
 *            floor.  A child who plays with one button keeps the cabin there.
 * Look at:   the cycle of the counterexample.  Define POLITE, and the cabin
 *            moves on after each stop: then both properties hold, and this
 *            without any assumption of fairness, since a button that is lit
 *            cannot be pressed again.
 */
#ifndef FLOORS
#define FLOORS 3
#endif
#define TOP (FLOORS - 1)

bool call[FLOORS];
bool door_open, moving;
byte floor;

inline move()
{
   moving = true;
   if
   :: upwards && floor == TOP -> upwards = false
   :: !upwards && floor == 0  -> upwards = true
   :: else
   fi;
   floor = (upwards -> floor + 1 : floor - 1);
   moving = false
}

active [FLOORS] proctype passenger()   /* one at each floor, _pid = floor */
{
   do
   :: !call[_pid] -> call[_pid] = true
   od
}

active proctype cabin()
{
   bool upwards = true;

   do
   :: call[floor] ->
      door_open = true;
      call[floor] = false;
      door_open = false;
#ifdef POLITE
      move()
#endif
   :: !call[floor] ->
      move()
   od
}

ltl doors  { [] !(door_open && moving) }
ltl served { [] (call[TOP] -> <> !call[TOP]) }
