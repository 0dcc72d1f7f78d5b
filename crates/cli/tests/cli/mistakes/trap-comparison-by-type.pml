byte x;
active proctype P() {
  do
  :: x <= 255 -> x++
  :: x == 256 -> break
  od;
  assert(0 <= x)
}
