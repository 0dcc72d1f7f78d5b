byte x;
active proctype P() {
again:
  x++;
  goto again;
  assert(x == 0)
}
active proctype Q() {
  do
  :: x > 3 -> x = 0
  od;
  assert(x == 0)
}
active proctype R() {
  do
  :: x == 1 -> break; x = 2
  od
}
