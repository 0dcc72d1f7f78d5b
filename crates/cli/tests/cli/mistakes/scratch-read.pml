byte x;
active proctype P() {
  _ = 1;
  x = _
}
