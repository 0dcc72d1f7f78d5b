byte x = { 1, 2 };
active proctype P() {
  assert(x == 1)
}
