chan q = [1] of { byte };
active proctype P() {
  q!1;
  q?_
}
trace { q!1 }
notrace { q?1 }
