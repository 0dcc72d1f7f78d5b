byte x;
inline set(v) {
  x = v
active proctype P() {
  set(1)
}
