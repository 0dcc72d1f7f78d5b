byte x;
inline set(v) {
  y = v
}
