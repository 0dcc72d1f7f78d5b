byte x;
active [0] proctype P() {
  x = 1
}
active proctype Q() {
  assert(x == 0)
}
