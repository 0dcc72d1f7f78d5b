byte x;
active proctype P() {
  do
  :: skip
  :: x < 3 -> x++
  od
}
