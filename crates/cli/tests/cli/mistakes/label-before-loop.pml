byte i, rounds;
active proctype P() {
again:
  for (i : 1 .. 3) {
    rounds++
  }
  if
  :: rounds < 5 -> goto again
  :: else
  fi
}
