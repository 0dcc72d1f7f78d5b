#define N 0
byte x;
active proctype P() {
  x = x % N;
  x = 1 << 40;
  assert(x == 0)
}
