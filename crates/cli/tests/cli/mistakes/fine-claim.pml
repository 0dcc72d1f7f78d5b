byte x;
active proctype P() {
  x = 1
}
never {
  do
  :: x == 2 -> break
  :: else
  od
}
