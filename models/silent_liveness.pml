/* expect: states 13; transitions 19; safe; ltl answered_later violated */
/*
 * A question that may never be answered.
 *
 * A caller asks; the clerk answers, or prefers to sharpen a pencil.
 *
 * Property:  answered_later: every question is answered some day. It is violated.
 * Look at:   the cycle of sharpening. SPIN searches for cycles only when it is
 *            asked to (`pan -a`); otherwise it takes the formula for a claim
 *            about finite runs, and reports "errors: 0".
 */
bool asked, answered;

ltl answered_later { [](asked -> <>answered) }

active proctype caller() {
  asked = true;
  answered
}

active proctype clerk() {
  bool sharp;
  do
  :: asked -> answered = true; break
  :: sharp = !sharp
  od
}
