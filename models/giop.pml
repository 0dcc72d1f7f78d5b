/* expect: states 499; transitions 911; deadlock at depth 23 */
/*
 * Clients, servers and an object that migrates (in the manner of GIOP).
 *
 * Clients send requests to the server where they believe the object to be.  A
 * server that has the object replies; a server that has lost it forwards the
 * client to the object's new home.  An object may move MOVES times in all.
 *
 * Property:  every client gets its reply (no deadlock), and from the server
 *            at which it asked last (assertion).
 * Flaw:      when its object has moved away and no request is waiting, the old
 *            server closes down.  A client that still knows the old address
 *            sends its request to a closed door.
 * Look at:   the end state of the error path: a request lies in a port that
 *            nobody will read again.
 */
#ifndef CLIENTS
#define CLIENTS 2
#endif
#ifndef SERVERS
#define SERVERS 2
#endif
#ifndef MOVES
#define MOVES 1
#endif

mtype = { request, reply, forward };

chan port[SERVERS]  = [1] of { mtype, byte };   /* number of the client */
chan inbox[CLIENTS] = [1] of { mtype, byte };   /* number of a server */

byte home;                 /* where the object is */
byte moves;

proctype client(byte me)
{
   byte server = 0;        /* the address all clients know at first */
   byte sender;

   port[server]!request(me);
   do
   :: inbox[me]?forward(server) ->
      port[server]!request(me)
   :: inbox[me]?reply(sender) ->
      assert(sender == server);
      break
   od
}

proctype server(byte me)
{
   byte customer;

end:
   do
   :: port[me]?request(customer) ->
      if
      :: home == me -> inbox[customer]!reply(me)
      :: else       -> inbox[customer]!forward(home)
      fi
   :: atomic {
         home == me && moves < MOVES ->
         home = (me + 1) % SERVERS;
         moves++
      };
      if
      :: empty(port[me]) -> break      /* close down, alas */
      :: skip                          /* or stay open */
      fi
   od
}

init
{
   byte i;

   atomic {
      for (i : 0 .. SERVERS - 1) {
         run server(i)
      }
      for (i : 0 .. CLIENTS - 1) {
         run client(i)
      }
   }
}
