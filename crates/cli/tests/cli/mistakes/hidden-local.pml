active proctype P() {
  hidden byte x = 1;
  assert(x == 1)
}
