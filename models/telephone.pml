/* expect: states 116299; transitions 415972; assertion violated */
/*
 * A telephone switch (plain old telephone service).
 *
 * Each telephone is a person with a handset, and a handler in the switch.  Who
 * lifts the handset hears the dial tone and may dial; the handler of the caller
 * rings the handler of the other side, which answers when the handset there is
 * lifted.  Anyone may hang up at any time.  Telephones below CALLERS lift the
 * handset CALLS times to make a call (0: any number of times), the others only
 * when the bell rings.
 *
 * Property:  who answers is who was called (assertion).
 * Flaw:      a handler takes any answer for the answer to its last call.  A
 *            caller hangs up just when the other side answers, and dials again:
 *            the late answer connects the new call, to the wrong telephone.
 * Look at:   how much idle talk a depth-first search puts before the error.
 */
#ifndef N
#define N 3
#endif
#ifndef CALLERS
#define CALLERS 1
#endif
#ifndef CALLS
#define CALLS 2
#endif

mtype = { offhook, onhook, digit };                 /* what a handset says */
mtype = { silence, dialtone, ringtone, busytone, bell, voice };  /* and hears */
mtype = { ring, answer, stop };                     /* among handlers */

chan up[N]    = [0] of { mtype, byte };    /* from the handset; the number dialled */
chan trunk[N] = [2] of { mtype, byte };    /* from other handlers; who it is */

mtype tone[N] = silence;                   /* what the handset hears */
bool busy[N];

proctype person(byte me)
{
   byte calls;

end:
   do
   :: me < CALLERS && (CALLS == 0 || calls < CALLS) || tone[me] == bell ->
      up[me]!offhook(0);
      calls = (me < CALLERS && CALLS > 0 -> calls + 1 : 0);
      do
      :: me < CALLERS && tone[me] == dialtone ->
         if
         :: up[me]!digit((me + 1) % N)
         :: up[me]!digit((me + 2) % N)
         :: up[me]!onhook(0) -> break
         fi
      :: up[me]!onhook(0) -> break
      od
   od
}

proctype handler(byte me)
{
   byte other, who;

idle:
end:
   do
   :: up[me]?offhook(_) ->
      if
      :: atomic { !busy[me] -> busy[me] = true; tone[me] = dialtone };
         goto dialling
      :: busy[me] -> break           /* it is about to ring */
      fi
   :: trunk[me]?ring(other) ->
      tone[me] = bell;
      goto ringing
   :: trunk[me]?answer(_)            /* too late */
   :: trunk[me]?stop(_)
   od;
   do
   :: trunk[me]?ring(other) -> goto answering
   :: trunk[me]?answer(_)
   :: trunk[me]?stop(_)
   od;

dialling:
   do
   :: up[me]?onhook(_) -> goto free
   :: up[me]?digit(other) ->
      if
      :: atomic { !busy[other] -> busy[other] = true };
         trunk[other]!ring(me);
         tone[me] = ringtone;
         goto calling
      :: busy[other] ->
         tone[me] = busytone;
         goto over
      fi
   :: trunk[me]?answer(_)
   :: trunk[me]?stop(_)
   od;

calling:
   do
   :: up[me]?onhook(_) ->
      trunk[other]!stop(me);
      goto free
   :: trunk[me]?answer(who) ->
      assert(who == other);
      tone[me] = voice;
      goto talking
   :: trunk[me]?stop(_)
   od;

ringing:
   do
   :: up[me]?offhook(_) -> goto answering
   :: trunk[me]?stop(eval(other)) ->
      goto free
   :: trunk[me]?answer(_)
   od;

answering:
   trunk[other]!answer(me);

talking:
   do
   :: up[me]?onhook(_) ->
      trunk[other]!stop(me);
      goto free
   :: trunk[me]?stop(who) ->
      if
      :: who == other ->
         tone[me] = busytone;
         goto over
      :: else
      fi
   :: trunk[me]?answer(_)
   od;

over:                                /* nothing is left but to hang up */
   do
   :: up[me]?onhook(_) -> goto free
   :: trunk[me]?answer(_)
   :: trunk[me]?stop(_)
   od;

free:
   atomic {
      tone[me] = silence;
      busy[me] = false
   };
   goto idle
}

init
{
   byte i;

   atomic {
      for (i : 0 .. N - 1) {
         run person(i);
         run handler(i)
      }
   }
}
