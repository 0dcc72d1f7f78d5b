#define SIZE 3
#define SIZE 4
byte a[SIZE];
active proctype P() {
  a[3] = 1;
  assert(a[3] == 1)
}
