byte x;
inline max(a, b) {
  skip
}
active proctype P() {
  x = 1 + max(2, 3)
}
