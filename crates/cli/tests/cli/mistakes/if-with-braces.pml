byte x;
active proctype P() {
  if (x == 0) {
    x = 1
  }
}
