#define DOUBLE(v) (2 * v * factor)
byte x;
active proctype P() {
  x = DOUBLE(x + 1)
}
