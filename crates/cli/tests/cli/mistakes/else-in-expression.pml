byte x;
active proctype P() {
  if
  :: x == 1 || else -> skip
  fi
}
