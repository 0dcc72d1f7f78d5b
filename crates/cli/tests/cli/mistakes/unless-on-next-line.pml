byte x;
active proctype P() {
  do
  :: x++
  od
  unless {
    x == 3
  }
}
