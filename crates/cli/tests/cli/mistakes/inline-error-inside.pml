byte x;
inline swap(a, b) {
  tmp = a;
  a = b;
  b = tmp
}
active proctype P() {
  byte y;
  swap(x, y)
}
