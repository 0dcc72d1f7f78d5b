#ifdef SMALL
#define SIZE 2
#else
#define SIZE 3
#else
#define SIZE 4
#endif
byte a[SIZE];
active proctype P() {
  a[0] = 1
}
