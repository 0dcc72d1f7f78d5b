/* expect: states 4025; transitions 10045; safe */
/*
 * Sorted send `!!`, random receive `??`, `eval`, and polling.
 *
 * PATIENTS patients come to a doctor with an urgency of 1 (worst) to 3.  They
 * queue in order of urgency.  The doctor waits until all have come, then
 * takes them from the front and puts the names of those treated on a board.
 * Each patient waits for his or her own name and goes home.
 *
 * Property:  the urgent ones are treated first (assertion), and everybody
 *            goes home (no deadlock).
 * Look at:   `queue!!u,p` inserts the message before the first greater one;
 *            `board??eval(_pid)` takes the message wherever it stands in the
 *            channel, but only the one that equals `_pid`; the brackets in
 *            `board??[eval(_pid)]` ask whether that would be possible, without
 *            doing it.
 */
#ifndef PATIENTS
#define PATIENTS 3
#endif

chan queue = [PATIENTS] of { byte, byte };   /* urgency, patient */
chan board = [PATIENTS] of { byte };         /* patients treated */

active [PATIENTS] proctype patient()
{
   byte urgency;

   select (urgency : 1 .. 3);
   queue!!urgency, _pid;
   board??[eval(_pid)];                      /* wait, look only */
   board??eval(_pid)                         /* go home */
}

active proctype doctor()
{
   byte urgency, patient_number, last;

   full(queue);
   do
   :: queue?urgency, patient_number ->
      assert(last <= urgency);
      last = urgency;
      board!patient_number
   :: empty(queue) -> break
   od
}
