active proctype P() {
  skip;
  chan q = [1] of { byte };
  q!1;
  q?_
}
