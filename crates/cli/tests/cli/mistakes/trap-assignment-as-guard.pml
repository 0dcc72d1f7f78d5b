byte x;
active proctype P() {
  x = 2;
  if
  :: x = 0 -> printf("zero\n")
  :: x == 2 -> printf("two\n")
  fi
}
