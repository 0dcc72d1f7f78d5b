/* expect: assertion violated */
/*
 * A receive that replaces the channel it reads from.
 *
 * A message carries the next channel to listen to: `line?_,line` reads from the
 * channel in `line` and stores the received one in the same variable.
 *
 * Property:  nobody looks at the first channel while a message is in it
 *            (assertion).
 * Flaw:      the second option does.
 * Look at:   the order of the options. SPIN's verifier tries the receive first.
 *            When it backtracks, it puts the message back into the channel that
 *            `line` holds now, which is the second one: the first stays empty,
 *            the other option is never executable, and SPIN says "errors: 0".
 */
chan first  = [1] of { byte, chan };
chan second = [1] of { byte, chan };

init {
  chan line;
  line = first;
  first!1,second;
  if
  :: line?_,line
  :: nempty(first) -> assert(false)
  fi
}
