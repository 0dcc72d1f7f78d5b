byte x;
active proctype P() {
  do
  :: x == 0 -> x = 1
  :: timeot -> braek
  :: esle
  od
}
