byte x;
active proctype P() {
  if
  :: true -> x = 1
  :: else -> x = 2
  fi;
  assert(x == 1)
}
