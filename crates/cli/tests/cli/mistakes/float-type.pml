float x;
active proctype P() {
  double y;
  x = y
}
