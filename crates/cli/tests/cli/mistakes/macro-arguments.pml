#define ADD(a, b) (a + b)
byte x;
active proctype P() {
  x = ADD(1);
  assert(x == 1)
}
