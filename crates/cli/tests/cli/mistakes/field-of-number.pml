byte x;
active proctype P() {
  x.y = 1
}
