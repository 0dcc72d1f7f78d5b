byte x, y;
active proctype P() {
  x = ;
  y = 1;
  x + = 2;
  if
  :: x == ) -> y = 2
  :: else -> y = 3
  fi;
  y = (x * 2;
  x = 4
}
active proctype Q() {
  y =
}
