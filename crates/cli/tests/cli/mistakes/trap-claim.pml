byte x;
active proctype P() {
  x = 1
}
never {
  do
  :: x == 1 -> x = 2
  :: else
  od
}
