byte x;
active proctype P() {
again:
  x++;
  if
  :: x < 3 -> goto agian
  :: else -> goto done
  fi
}
