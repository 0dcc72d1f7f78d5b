chan q = [300] of { byte };
active proctype P() {
  q!1;
  q?_
}
