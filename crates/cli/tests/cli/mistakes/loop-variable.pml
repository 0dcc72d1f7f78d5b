byte a[2];
active proctype P() {
  for (a[0] : 1 .. 3) {
    skip
  }
}
