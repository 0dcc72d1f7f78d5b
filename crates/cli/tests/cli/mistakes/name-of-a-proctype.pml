active proctype P() {
  P = 1
}
