/* expect: states 20; transitions 32; safe; never violated */
/*
 * A never claim, written by hand.
 *
 * An arbiter grants a resource to one of two clients, and it prefers client 0.
 *
 * Property:  whenever client 1 requests, it is granted the resource later on.
 * Flaw:      client 0 may request again before the arbiter looks, for ever.
 * Look at:   the claim below describes the behaviour that must never occur.
 *            It waits in `watch`; at any moment it may guess that the request
 *            now pending will never be granted, and then goes round in
 *            `accept_starving`.  A run that visits a label beginning with
 *            accept infinitely often is an error.
 */
#define pending (request[1] && owner != 2)

bool request[2];
byte owner;                /* 0: nobody, otherwise client number plus one */

active [2] proctype client()
{
   do
   :: request[_pid] = true;
      owner == _pid + 1;               /* wait for the grant */
      request[_pid] = false;
      owner = 0
   od
}

active proctype arbiter()
{
   do
   :: owner == 0 && request[0] ->
      owner = 1
   :: owner == 0 && !request[0] && request[1] ->
      owner = 2
   od
}

never {
watch:
   if
   :: pending -> goto accept_starving
   :: true    -> goto watch
   fi;
accept_starving:
   if
   :: pending -> goto accept_starving
   fi
}
