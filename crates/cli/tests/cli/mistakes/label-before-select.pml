byte i, rounds;
active proctype P() {
again:
  select (i : 1 .. 40);
  rounds++;
other:
  select (i : 1 .. 3);
  if
  :: rounds < 5 -> goto again
  :: rounds == 5 -> goto other
  :: else
  fi
}
