/* expect: states 16; transitions 37; safe */
/*
 * Rendezvous inside `atomic`: the control is handed over.
 *
 * A giver draws up the balance and hands it to a taker, who checks that it
 * still is the balance.  Meanwhile a third process changes the balance as
 * often as it can.
 *
 * Property:  what arrives is still true (assertion).
 * Look at:   the giver is in an atomic sequence when it sends, the taker is in
 *            one when it has received.  In a rendezvous the exclusive control
 *            passes from the one to the other, so the third process cannot
 *            come between the sending and the check.  Remove the word
 *            `atomic` from the taker, and the assertion fails.
 */
#ifndef MODULUS
#define MODULUS 4
#endif

chan hand = [0] of { byte };
byte balance;
bool filed;                /* the taker has some work of its own, too */

active proctype giver()
{
   do
   :: atomic {
         balance = (balance + 1) % MODULUS;
         hand!balance
      }
   od
}

active proctype taker()
{
   byte report;

   do
   :: atomic {
         hand?report ->
         assert(report == balance);
         report = 0
      };
      filed = !filed
   od
}

active proctype meddler()
{
   do
   :: balance = (balance + 2) % MODULUS
   od
}
