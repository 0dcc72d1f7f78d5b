byte x;
active proctype P() {
  if
  :: 0 < x < 5 -> skip
  :: x & 1 == 0 -> skip
  :: !x == 2 -> skip
  fi
}
