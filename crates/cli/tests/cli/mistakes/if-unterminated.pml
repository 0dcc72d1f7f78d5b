#ifdef SMALL
#define SIZE 2
byte a[SIZE];
active proctype P() {
  a[0] = 1
}
