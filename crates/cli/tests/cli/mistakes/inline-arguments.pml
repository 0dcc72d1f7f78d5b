byte x;
inline add(a, b) {
  x = a + b
}
active proctype P() {
  add(1)
}
