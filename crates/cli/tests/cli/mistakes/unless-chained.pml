byte x;
active proctype P() {
  x++ unless x == 1 unless x == 2
}
