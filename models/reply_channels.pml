/* expect: states 472; transitions 970; safe */
/*
 * Channels that travel through channels.
 *
 * A telephone exchange owns LINES lines.  A caller sends the exchange the
 * channel on which it wants its answer.  The exchange takes a free line, puts
 * a clerk on it and answers with that line.  Caller and clerk then talk in
 * private; at the end the clerk puts the line back and leaves.
 *
 * Property:  every caller gets the answer to its own question (assertion),
 *            and everybody is served (no deadlock).
 * Look at:   the declarations `of { chan }`.  The value of a channel variable
 *            is a reference; to send it is to give away access.
 */
#ifndef CALLERS
#define CALLERS 2
#endif
#ifndef LINES
#define LINES 1
#endif
#ifndef CALLS
#define CALLS 1            /* calls per caller */
#endif

mtype = { question, answer, goodbye };

chan line[LINES] = [0] of { mtype, byte };
chan desk        = [1] of { chan };        /* where the callers ask */
chan free        = [LINES] of { chan };    /* the lines not in use */

proctype clerk(chan talk)
{
   byte number;

   do
   :: talk?question(number) -> talk!answer(number + 1)
   :: talk?goodbye(_) -> break
   od;
   free!talk
}

active proctype exchange()
{
   chan reply, talk;
   byte i;

   for (i in line) {
      free!line[i]
   }
end:
   do
   :: desk?reply ->
      free?talk;
      run clerk(talk);
      reply!talk
   od
}

active [CALLERS] proctype caller()
{
   chan reply = [1] of { chan };           /* private */
   chan talk;
   byte number, call;

   for (call : 1 .. CALLS) {
      desk!reply;
      reply?talk;
      talk!question(_pid);
      talk?answer(number);
      assert(number == _pid + 1);
      talk!goodbye(0)
   }
}
