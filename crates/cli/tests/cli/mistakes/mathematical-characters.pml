byte x;
active proctype P() {
  if
  :: x ≤ 3 → x++
  :: else
  fi
}
