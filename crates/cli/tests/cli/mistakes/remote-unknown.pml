proctype Worker() {
  byte work;
busy:
  work = 1
}
active proctype P() {
  assert(!Worker[1]@bussy);
  assert(Worker[1]:wrok == 0);
  assert(!Wroker[1]@busy);
  run Worker()
}
