/* expect: states 21945; transitions 56944; safe */
/*
 * Inline definitions.
 *
 * N workers increment a common counter ROUNDS times each.  The increment
 * takes two steps, a read and a write; a spin lock protects it.
 *
 * Property:  no increment is lost (assertion).
 * Look at:   an inline is a named piece of text, not a procedure: its
 *            parameters are replaced by the names given in the call, and it
 *            sees the local variables of the caller.  An inline may use
 *            another one.  Remove `acquire` and `release` from `guarded_add`,
 *            and the assertion fails.
 */
#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

bool locked;
byte total, finished;

inline acquire(lock)
{
   atomic { !lock -> lock = true }
}

inline release(lock)
{
   lock = false
}

inline add(target, amount)
{
   copy = target;                      /* a local variable of the caller */
   target = copy + amount
}

inline guarded_add(lock, target, amount)
{
   acquire(lock);
   add(target, amount);
   release(lock)
}

active [N] proctype worker()
{
   byte copy, round;

   do
   :: round < ROUNDS ->
      guarded_add(locked, total, 1);
      round++
   :: else -> break
   od;
   finished++;
   assert(finished < N || total == N * ROUNDS)
}
