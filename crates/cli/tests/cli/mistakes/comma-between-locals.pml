active proctype P() {
  byte a, int b;
  a = b
}
