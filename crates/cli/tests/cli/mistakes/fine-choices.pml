byte x;
active proctype P() {
  do
  :: x < 3 -> x++
  :: x == 3 -> break
  :: true -> x = 0
  :: x = 1; x = 2
  od;
  select (x : 1 .. 5);
  assert(x > 0)
}
