chan q = [1] of { byte };
byte x;
active proctype P() {
  q!1;
  if
  :: q?x -> assert(x == 1)
  :: else -> skip
  fi
}
