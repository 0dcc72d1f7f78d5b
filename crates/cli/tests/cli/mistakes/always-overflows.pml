byte x, y;
active proctype P() {
  x = y + 256;
  assert(x == y)
}
