byte i;
active proctype P() {
  for (i : 3 .. 0) {
    skip
  }
  select (i : 5 .. 1)
}
