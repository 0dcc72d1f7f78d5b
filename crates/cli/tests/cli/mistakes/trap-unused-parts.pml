byte x;
inline set(v, w) {
  x = v
}
inline reset() {
  x = 0
}
proctype Worker() {
  x = 3
}
active proctype P() {
start:
  set(1, 2);
  assert(x == 1)
}
ltl p { [] (x < 2) }
