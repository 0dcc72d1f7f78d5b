byte x, y;
active proctype P() {
  x = y
    - 1;
  assert(x == 0)
}
