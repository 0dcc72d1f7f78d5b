int x = 4294967296;
active proctype P() {
  assert(x == 0)
}
