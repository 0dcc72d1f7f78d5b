byte x;
inline next(v) {
  return v + 1
}
active proctype P() {
  next(x);
  x = next(x)
}
