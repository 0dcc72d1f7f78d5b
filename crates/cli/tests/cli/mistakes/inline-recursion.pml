byte x;
inline countdown(n) {
  if
  :: n > 0 -> countdown(n - 1)
  :: else
  fi
}
active proctype P() {
  countdown(3)
}
