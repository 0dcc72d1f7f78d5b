byte a[2];
active proctype P() {
  a[0][1] = 1
}
