active proctype P() {
  Worker[1]@busy;
  P[0]@here;
here:
  skip
}
active proctype Worker() {
busy:
  skip
}
