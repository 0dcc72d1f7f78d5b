#define DEBUG 1
#ifdef DEBUG
byte x;
#endif DEBUG
active proctype P() {
  x = 1;
  assert(x == 1)
}
