byte x;
inline set(v) { x = v }
inline set(v) { x = v + 1 }
active proctype P() {
  set(1)
}
