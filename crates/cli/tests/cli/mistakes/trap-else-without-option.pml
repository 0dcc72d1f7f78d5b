byte x;
active proctype P() {
  do
  :: x < 3 -> x++
  :: x == 3 -> break
     else -> x = 0
  od
}
