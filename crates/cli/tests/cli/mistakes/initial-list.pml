active proctype P() {
  byte x;
  x = 1;
  byte a[2] = { 1, 2 };
  assert(a[0] == x)
}
