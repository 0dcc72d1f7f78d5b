chan q = [1] of { byte };
byte x;
active proctype P() {
  q!1;
  if
  :: x == 0 && q?x -> skip
  fi
}
