byte x;
active proctype P() {
  x[0] = 1;
  assert(x == 1)
}
