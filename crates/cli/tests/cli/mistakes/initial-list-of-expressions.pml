#define N 2
short a[N] = { N, -1 };
active proctype P() {
  assert(a[1] == 2)
}
