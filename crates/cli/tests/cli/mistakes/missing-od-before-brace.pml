byte x;
active proctype P() {
  do
  :: x < 3 -> x++
  :: else -> break;
  x = 0
}
