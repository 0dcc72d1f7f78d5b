byte x;
active proctype P() {
  if
  :: x = 1 -> printf("one\n")
  :: else -> printf("other\n")
  fi;
  assert(x == 0)
}
