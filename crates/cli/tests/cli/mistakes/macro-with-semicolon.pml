#define SIZE 3;
byte a[SIZE];
active proctype P() {
  a[0] = 1
}
