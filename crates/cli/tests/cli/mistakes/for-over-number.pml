byte i, n;
active proctype P() {
  for (i in n) {
    skip
  }
}
