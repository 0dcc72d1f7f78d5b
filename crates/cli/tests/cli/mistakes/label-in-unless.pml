byte x;
active proctype P() {
here: x++ unless x == 2
}
active proctype Q() {
  x++ unless there: x == 2
}
