byte x;
active proctype P() {
  if
  :: x == 0 -> x = 1
  :: else -> skip
}
active proctype Q() {
  x = 2
}
