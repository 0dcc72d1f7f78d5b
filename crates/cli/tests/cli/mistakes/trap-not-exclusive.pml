chan q = [2] of { byte };
active proctype P() {
  xs q;
  q!1
}
active proctype Q() {
  q!2;
  q?_
}
