chan q = [1] of { byte };
active proctype P() {
  q!1, 2, 3;
  q?_
}
