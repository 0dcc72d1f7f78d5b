byte x;
inline set(byte v) {
  x = v
}
active proctype P() {
  set(1)
}
