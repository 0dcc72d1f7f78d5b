byte b = 255;
short s = -1;
unsigned u : 3 = 7;
int i;
active proctype P() {
  for (i : 0 .. 255) {
    b++
  }
  s = b << 3;
  assert(s != -2 && u <= 6 || b < 255 && (b & 1) == 0);
  printf("%d of %d: %x%%\n", b, s, u);
  assert(i >= 0)
}
