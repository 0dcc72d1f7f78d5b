byte x;
active proctype P() {
  x += 2;
  assert(x == 2)
}
