chan q = [1] of { byte };
active proctype P() {
  if
  :: full(q) == 0 -> q!1
  :: else -> q?_
  fi
}
