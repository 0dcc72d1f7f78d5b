chan q = [1] of { byte };
active proctype P() {
  if
  :: !full(q) -> q!1
  :: full(q) -> q?_
  fi
}
