bool a, b;
active proctype P() {
  if
  :: a and b -> skip
  :: not a -> skip
  :: a or b -> skip
  fi
}
