/* expect: states 52; transitions 77; safe; never holds */
/*
 * Remote references: to look into a process from outside.
 *
 * Two workers enter a critical section in strict alternation, ROUNDS times
 * each.  The property is stated by a never claim that refers to the labels and
 * the local variables of the workers; the model itself needs no variable for
 * the sake of the proof.
 *
 * Property:  never are both workers at `critical`, and worker 1 never
 *            overtakes worker 0 (never claim): it holds.
 * Look at:   `worker[0]@critical` is true when the process with number 0 is
 *            at that label, `worker[0]:round` is the value of its variable.
 *            The claim is a safety property: it is violated when the claim
 *            reaches its closing brace.
 */
#ifndef ROUNDS
#define ROUNDS 3
#endif

byte turn;

active [2] proctype worker()
{
   byte round;

   do
   :: round < ROUNDS ->
      turn == _pid;
critical:
      round++;
      turn = 1 - _pid
   :: else -> break
   od;
end:
   false                   /* stay: a dead process cannot be referred to */
}

never {
   do
   :: worker[0]@critical && worker[1]@critical -> break
   :: worker[1]:round > worker[0]:round -> break
   :: else
   od
}
